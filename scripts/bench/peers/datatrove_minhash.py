"""Runs the four stages of datatrove's MinHash pipeline, signatures, buckets, cluster and filter,
on two workers. datatrove does not verify pairs, so the banding is the one in its manual with
the steepest curve near the threshold."""
import glob
import json
import os

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from datatrove.utils.typeshelper import Languages

from records import SHINGLE, lines, scratch, write

TASKS = 2
config = MinhashConfig(n_grams=SHINGLE, num_buckets=14, hashes_per_bucket=8)
shards = scratch + "/shards"


def split():
    """Write one file for each task, because datatrove distributes whole files over tasks."""
    os.makedirs(shards, exist_ok=True)
    out = [open(f"{shards}/{i}.jsonl", "w", encoding="utf-8") for i in range(TASKS)]
    for n, line in enumerate(lines()):
        out[n % TASKS].write(line)
    for f in out:
        f.close()


def stage(name, pipeline, tasks):
    LocalPipelineExecutor(pipeline=pipeline, tasks=tasks, workers=TASKS, logging_dir=f"{scratch}/log/{name}").run()


def main():
    split()
    sig, buckets, drop, out = (f"{scratch}/{d}" for d in ("sig", "buckets", "drop", "out"))
    reader = JsonlReader(shards)
    stage("1", [reader, MinhashDedupSignature(output_folder=sig, config=config, language=Languages.english)], TASKS)
    stage("2", [MinhashDedupBuckets(input_folder=sig, output_folder=buckets, config=config)], config.num_buckets)
    stage("3", [MinhashDedupCluster(input_folder=buckets, output_folder=drop, config=config)], 1)
    stage("4", [reader, MinhashDedupFilter(input_folder=drop), JsonlWriter(out, compression=None)], TASKS)
    write(json.loads(line)["id"] for name in glob.glob(out + "/*.jsonl*") for line in open(name, encoding="utf-8"))


if __name__ == "__main__":
    main()

"""Runs the minhash command of text-dedup, with the same n-grams and slots as the other peers."""
import subprocess
import sys

from datasets import load_from_disk

from records import SHINGLE, SLOTS, data, parquet, scratch, threshold, write

subprocess.run(
    [sys.executable, "-m", "text_dedup.minhash", "--path", "parquet" if parquet else "json",
     "--data_files", data, "--split", "train", "--cache_dir", scratch + "/cache", "--output", scratch + "/out",
     "--column", "text", "--batch_size", "10000", "--ngram", str(SHINGLE), "--num_perm", str(SLOTS),
     "--threshold", str(threshold), "--min_length", "1",
     "--hash_func", "xxh3", "--num_proc", "2"],
    check=True,
)
write(load_from_disk(scratch + "/out")["id"])

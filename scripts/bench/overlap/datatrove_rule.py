"""The rule of datatrove's decontamination: any 12 words, by its tokenizer, its normalisation
and its hashes. Its indexer needs lighteval, and its filter stops at the first n-gram of a
record, so only their hashes are used.

    datatrove_rule.py TRAIN TEST > FLAGGED"""

import json
import sys

from datatrove.pipeline.decont.n_grams import NGramsDecontConfig, NGramsDecontFilter
from datatrove.utils.text import ngrams, simplify_text

config = NGramsDecontConfig()
rule = NGramsDecontFilter("/tmp", config)


def hashes(line):
    words = rule.tokenizer.word_tokenize(simplify_text(json.loads(line)["text"], config.norm_config))
    return {rule.hash_func(" ".join(gram).encode()) for gram in ngrams(words, config.n_grams)}


wanted, found = {}, set()
for i, line in enumerate(open(sys.argv[2])):
    for one in hashes(line):
        wanted.setdefault(one, set()).add(i)
for line in open(sys.argv[1]):
    for one in hashes(line) & wanted.keys():
        found |= wanted[one]
print("\n".join(map(str, sorted(found))))

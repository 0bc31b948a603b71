"""Applies the rule of datatrove's decontamination: an item is contaminated if a record
contains 12 consecutive words of it. The tokenizer, the normalisation and the hashes are those of
datatrove. Its indexer and its filter are not run, because the indexer needs lighteval and the
filter stops at the first n-gram found in a record.

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

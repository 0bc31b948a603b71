"""Generates training records and test items, and lists which items are in the records.

    make.py DIRECTORY [SEED]

writes train.jsonl, test.jsonl and truth.tsv (id, kind, contaminated). Words follow each other
as in the articles in testdata/docs. The articles do not change, so the same seed generates the
same files. The passages from famous works are in the public domain."""

import collections
import json
import pathlib
import random
import re
import sys

FAMOUS = [
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, must be in want of a wife. "
    "However little known the feelings or views of such a man may be on his first entering a neighbourhood, this truth is so "
    "well fixed in the minds of the surrounding families, that he is considered as the rightful property of some one or other of their daughters.",
    "Four score and seven years ago our fathers brought forth on this continent, a new nation, conceived in Liberty, and dedicated "
    "to the proposition that all men are created equal. Now we are engaged in a great civil war, testing whether that nation, or "
    "any nation so conceived and so dedicated, can long endure. We are met on a great battle-field of that war.",
    "We hold these truths to be self-evident, that all men are created equal, that they are endowed by their Creator with certain "
    "unalienable Rights, that among these are Life, Liberty and the pursuit of Happiness.",
    "To be, or not to be, that is the question: Whether 'tis nobler in the mind to suffer The slings and arrows of outrageous "
    "fortune, Or to take arms against a sea of troubles, And by opposing end them. To die, to sleep, No more.",
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch "
    "of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness.",
    "Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing particular "
    "to interest me on shore, I thought I would sail about a little and see the watery part of the world.",
]
TEMPLATES = [
    "Read the following passage carefully and then answer the question below in one short sentence, using only what the passage "
    "itself says and nothing that you know from elsewhere. Question: {}",
    "You are given a problem in arithmetic. Think step by step, write down every step that you take, and give the final answer "
    "as a number on the last line, after four hash signs. Problem: {}",
]
FORMULAS = [
    "The quadratic formula says that x = (-b ± sqrt(b^2 - 4 a c)) / (2 a) for a x^2 + b x + c = 0",
    "Euler's identity says that e^(i pi) + 1 = 0, where e is the base of natural logarithms and i^2 = -1",
    "The area of a circle of radius r is A = pi r^2 and its circumference is C = 2 pi r",
    "For a right triangle with legs a and b and hypotenuse c it holds that a^2 + b^2 = c^2",
]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        root = pathlib.Path(__file__).resolve().parents[3]
        text = " ".join(json.loads(line)["text"] for line in open(root / "testdata/docs/articles.jsonl"))
        words = re.findall(r"[A-Za-z]{1,14}", text)
        self.follow = collections.defaultdict(list)
        for a, b in zip(words, words[1:]):
            self.follow[a.lower()].append(b.lower())
        self.words = sorted(self.follow)
        self.train, self.test = [], []

    def text(self, n, follow=0.9):
        """Return n words. The parameter follow is the probability that a word is a successor of the
        previous word in the articles; the other words are random."""
        out, word = [], self.random.choice(self.words)
        for i in range(n):
            out.append(word)
            word = self.random.choice(self.follow[word]) if self.follow[word] and self.random.random() < follow else self.random.choice(self.words)
        text, at = "", 0
        while at < n:
            size = self.random.randint(6, 18)
            text += (" " if text else "") + " ".join(out[at : at + size]).capitalize() + ("." if at + size < n else "?")
            at += size
        return text

    def record(self, *inside):
        """Add a training record that contains the given texts between random ones."""
        parts = [self.text(self.random.randint(30, 200))]
        for one in inside:
            parts += [one, self.text(self.random.randint(20, 150))]
        self.train.append(" ".join(parts))

    def item(self, kind, contaminated, text):
        self.test.append((kind, contaminated, text))

    def question(self, least, most):
        """Return a text of mostly random words, so that no other record contains it by chance."""
        return self.text(self.random.randint(least, most), 0.3)

    def long(self):
        return self.question(20, 90)

    def changed(self, text):
        """Return the text with one word in every 20 replaced."""
        words = text.split()
        for start in range(0, len(words), 20):
            i = start + self.random.randrange(min(20, len(words) - start))
            words[i] = self.random.choice(self.words)
        return " ".join(words)

    def make(self, scale):
        r = self.random
        passages = FAMOUS + [self.question(40, 80) for _ in range(100 - len(FAMOUS))]
        for i in range(scale):
            text = self.long()
            self.item("verbatim", 1, text)
            for _ in range(r.choice([1, 1, 1, 2, 5, 12])):
                self.record(text)
            text = self.question(5, 12)
            self.item("verbatim, 5 to 12 words", 1, text)
            self.record(text)
            text = self.long()
            self.item("a word in 20 changed", 1, text)
            self.record(self.changed(text))
            text = self.long()
            self.item("truncated to 70 %", 1, text)
            words = text.split()
            self.record(" ".join(words[: int(len(words) * 0.7)]))
            text = self.long()
            self.item("other line breaks", 1, text)
            self.record("\n> ".join(re.findall(r".{1,40}(?:\s|$)", text)))
            text = self.long()
            self.item("other punctuation, case and width", 1, text)
            wide = "".join(chr(ord(c) + 0xFEE0) if c.isalpha() and r.random() < 0.1 else c for c in text.upper())
            self.record(wide.replace(".", " –").replace("?", " …"))
            self.item("clean", 0, self.long())
            self.item("clean, 5 to 12 words", 0, self.question(5, 12))
            clause = self.question(15, 15)
            self.item("a clause of 15 words is in a record", 0, self.question(25, 75) + " " + clause)
            self.record(clause)
            self.item("passage in 50 records", 0, passages[i % len(passages)])
            self.item("passage in 50 records, and a question", 0, passages[i % len(passages)] + " " + self.question(8, 15))
            self.item("common formula", 0, r.choice(FORMULAS) + ". " + self.question(5, 15))
            options = [" ".join(r.sample(self.words, r.randint(1, 3))) for _ in range(4)]
            shown = " ".join(f"{label}) {one}" for label, one in zip("ABCD", options))
            self.item("only the options match", 0, self.question(20, 40) + " " + shown)
            self.record(self.text(20) + " " + shown)
        for template in TEMPLATES:
            for _ in range(200):
                self.item("template of 200 items", 0, template.format(self.question(8, 20)))
            for _ in range(3):
                self.record(template.format(self.question(15, 15)))
        for _ in range(scale // 2):
            text = TEMPLATES[0].format(self.question(8, 20))
            self.item("verbatim in a template", 1, text)
            self.record(text)
        for one in passages + FORMULAS:
            for _ in range(50):
                self.record(one)
        for _ in range(20 * scale):
            self.record()
        r.shuffle(self.train)

    def write(self, directory):
        with open(directory / "train.jsonl", "w") as f:
            for text in self.train:
                f.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
        with open(directory / "test.jsonl", "w") as f, open(directory / "truth.tsv", "w") as truth:
            for i, (kind, contaminated, text) in enumerate(self.test):
                f.write(json.dumps({"text": text}, ensure_ascii=False) + "\n")
                truth.write(f"{i}\t{kind}\t{contaminated}\n")


if __name__ == "__main__":
    maker = Maker(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    maker.make(400)
    maker.write(pathlib.Path(sys.argv[1]))

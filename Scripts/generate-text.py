#!/usr/bin/env python3
"""Prints lines of JSON with about so many megabytes of text: words as texts have them, few of them everywhere and many of them rare.

    Scripts/generate-text.py MEGABYTES SEED
"""
import random
import sys

WORDS = 300_000
WORDS_EACH = 600


def main():
    wanted, seed = int(sys.argv[1]) * 1_000_000, int(sys.argv[2])
    choose = random.Random(seed)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(choose.choices(letters, k=choose.randint(2, 10))) for _ in range(WORDS)]
    written = number = 0
    while written < wanted:
        text = " ".join(words[int(WORDS ** choose.random()) - 1] for _ in range(WORDS_EACH))
        print('{"id": %d, "title": "number%dx", "body": "%s"}' % (number, number, text))
        written += len(text)
        number += 1


main()

"""Draws the queries of a comparison from a corpus: the same ones each time, of words that are common, middling and rare in it.

    python3 Benchmarks/queries.py CORPUS FOLDER [--count 200] [--seed 1]

Writes a file a kind into the folder, `number<TAB>text` a line. Words are rows of 3 to 20 letters from a to z in lower case, and queries of several words come from texts of ASCII
alone, so that all engines cut them alike. What cannot be drawn from so small a corpus is left out, and named.
"""
import argparse
import collections
import gzip
import json
import pathlib
import random
import re

WORD = re.compile('[a-z0-9]+')
LETTERS = re.compile('[a-z]{3,20}')
STOP_WORDS = ['the', 'of', 'and', 'to', 'in']
# So many texts are kept to draw from, and so often one is drawn for a query before it is given up.
MOST_TEXTS, MOST_DRAWS = 6000, 1000


class Corpus:
    """Its words, in how many documents each stands, and some of its texts as rows of words."""

    def __init__(self, path):
        self.frequencies = collections.Counter()
        self.texts = []
        self.count = 0
        with (gzip.open if path.endswith('.gz') else open)(path, 'rt', encoding='utf8') as lines:
            for line in lines:
                document = json.loads(line)
                title, body = document.get('title') or '', document.get('body') or ''
                self.count += 1
                self.frequencies.update(set(WORD.findall(f'{title} {body}'.lower())))
                if body.isascii() and len(self.texts) < MOST_TEXTS:
                    words = WORD.findall(body.lower())
                    if len(words) > 60:
                        self.texts.append(words)
        self.words = sorted(word for word in self.frequencies if LETTERS.fullmatch(word))

    def within(self, least, most):
        """The words that stand in so many documents."""
        return [word for word in self.words if least <= self.frequencies[word] <= most]


class Queries:
    def __init__(self, corpus, count, seed):
        self.corpus, self.count, self.random = corpus, count, random.Random(seed)

    def words(self, least, most):
        candidates = self.corpus.within(least, most)
        return self.random.sample(candidates, min(self.count, len(candidates)))

    def drawn(self, draw):
        """Queries that `draw` makes of a text; it says None where it has none."""
        queries = []
        for _ in range(self.count * MOST_DRAWS if self.corpus.texts else 0):
            query = draw(self.random.choice(self.corpus.texts))
            if query is not None:
                queries.append(query)
                if len(queries) == self.count:
                    break
        return queries

    def several(self, sizes, least, most, also=None):
        """Words of one text, each in such a part of all documents, and one of `also`."""
        low, high = least * self.corpus.count, most * self.corpus.count

        def draw(text):
            size = self.random.choice(sizes)
            words = sorted({word for word in text if LETTERS.fullmatch(word) and low <= self.corpus.frequencies[word] <= high})
            if len(words) < size:
                return None
            return ' '.join(self.random.sample(words, size) + ([self.random.choice(also)] if also else []))
        return self.drawn(draw)

    def phrases(self):
        """Two to four words in a row, none of them very rare and at least one not very common."""
        least, most = max(3, 0.0005 * self.corpus.count), 0.2 * self.corpus.count

        def draw(text):
            size = self.random.choice([2, 2, 2, 3, 3, 4])
            start = self.random.randrange(len(text) - size)
            words = text[start:start + size]
            known = all(LETTERS.fullmatch(word) and self.corpus.frequencies[word] >= least for word in words)
            return ' '.join(words) if known and any(self.corpus.frequencies[word] < most for word in words) else None
        return self.drawn(draw)

    def parts(self, least, part):
        """Parts of words of so many letters or more, each once; words come as often as documents have them."""
        words = [word for word in self.corpus.words if len(word) >= least]
        if not words:
            return []
        drawn = self.random.choices(words, [self.corpus.frequencies[word] for word in words], k=self.count * 20)
        return list(dict.fromkeys(part(word) for word in drawn))[:self.count]

    def infix(self, word):
        size = self.random.randint(3, 6)
        start = self.random.randint(1, max(1, len(word) - size))
        return word[start:start + size]

    def kinds(self):
        total = self.corpus.count
        return {
            'term_common': self.words(0.08 * total, total), 'term_mid': self.words(0.005 * total, 0.02 * total), 'term_rare': self.words(2, 10),
            'and2': self.several([2], 0.002, 0.3), 'or2': self.several([2], 0.002, 0.3), 'or35': self.several([3, 4, 5], 0.001, 0.3),
            'and2_stop': self.several([1], 0.002, 0.05, STOP_WORDS), 'phrase': self.phrases(),
            'prefix3': self.parts(5, lambda word: word[:3]), 'infix': self.parts(7, self.infix)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('corpus', help='JSON Lines of title and body, or the same with .gz')
    parser.add_argument('folder')
    parser.add_argument('--count', type=int, default=200, help='queries of a kind (200)')
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    try:
        corpus = Corpus(options.corpus)
        folder = pathlib.Path(options.folder)
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError, AttributeError) as error:
        parser.error(f'{options.corpus} cannot be read as JSON Lines of title and body, or {options.folder} not be made: {error}')
    for kind, queries in Queries(corpus, options.count, options.seed).kinds().items():
        if not queries:
            print(f'{kind}: none can be drawn from this corpus')
            continue
        (folder / f'{kind}.tsv').write_text(''.join(f'{number}\t{query}\n' for number, query in enumerate(queries, 1)), encoding='utf8')
        print(f'{kind}: {len(queries)}, such as {", ".join(queries[:3])}')


if __name__ == '__main__':
    main()

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import queries

FOLDER = pathlib.Path(__file__).parent


def write_corpus(path, count=400):
    chance = random.Random(7)
    words = [''.join(chance.choices('abcdefghij', k=chance.randint(3, 12))) for _ in range(900)]
    weights = [1 / (place + 5) for place in range(len(words))]
    with open(path, 'w', encoding='utf8') as out:
        for number in range(count):
            body = ' '.join(chance.choices(words, weights, k=100))
            # Such a text is not drawn from.
            body += ' größe' if number % 3 == 0 else ''
            out.write(json.dumps({'id': str(number), 'title': words[number % 50], 'body': body}) + '\n')


class QueriesTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = cls.folder.name + '/corpus.jsonl'
        write_corpus(cls.path)
        cls.corpus = queries.Corpus(cls.path)
        cls.kinds = queries.Queries(cls.corpus, 30, 1).kinds()
        with open(cls.path, encoding='utf8') as lines:
            cls.documents = [json.loads(line) for line in lines]
        cls.texts = [f"{document['title']} {document['body']}".split() for document in cls.documents]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def frequency(self, word):
        return sum(word in text for text in self.texts)

    def test_words_are_as_frequent_as_their_kind_says(self):
        total = len(self.texts)
        for kind, least, most in (('term_common', 0.08 * total, total), ('term_mid', 0.005 * total, 0.02 * total), ('term_rare', 2, 10)):
            self.assertTrue(self.kinds[kind], kind)
            for word in self.kinds[kind]:
                self.assertTrue(least <= self.frequency(word) <= most, (kind, word))

    def test_several_words_stand_in_one_text(self):
        for kind, sizes in (('and2', {2}), ('or2', {2}), ('or35', {3, 4, 5})):
            self.assertEqual(len(self.kinds[kind]), 30)
            for query in self.kinds[kind]:
                words = query.split()
                self.assertIn(len(set(words)), sizes)
                self.assertTrue(any(set(words) <= set(text) for text in self.texts), query)
        for query in self.kinds['and2_stop']:
            self.assertIn(query.split()[1], queries.STOP_WORDS)

    def test_phrases_stand_so_in_a_text_of_ascii(self):
        bodies = [f" {document['body']} " for document in self.documents if document['body'].isascii()]
        for phrase in self.kinds['phrase']:
            self.assertTrue(any(f' {phrase} ' in body for body in bodies), phrase)

    def test_parts_are_of_words_and_come_once(self):
        words = {word for text in self.texts for word in text}
        for kind, is_part in (('prefix3', lambda part, word: word.startswith(part)), ('infix', lambda part, word: part in word[1:])):
            self.assertEqual(len(set(self.kinds[kind])), len(self.kinds[kind]))
            for part in self.kinds[kind]:
                self.assertTrue(any(is_part(part, word) for word in words), (kind, part))

    def test_same_seed_gives_same_queries(self):
        self.assertEqual(self.kinds, queries.Queries(queries.Corpus(self.path), 30, 1).kinds())
        self.assertNotEqual(self.kinds, queries.Queries(self.corpus, 30, 2).kinds())

    def test_kinds_that_cannot_be_drawn_are_left_out(self):
        path = self.folder.name + '/small.jsonl'
        pathlib.Path(path).write_text('{"id": "1", "title": "one", "body": "two"}\n', encoding='utf8')
        target = pathlib.Path(self.folder.name) / 'drawn'
        said = subprocess.run([sys.executable, FOLDER / 'queries.py', path, target], capture_output=True, text=True, check=True).stdout
        self.assertIn('phrase: none can be drawn from this corpus', said)
        self.assertEqual([file.name for file in target.iterdir()], ['term_common.tsv'])
        self.assertEqual(sorted(line.split('\t')[1] for line in (target / 'term_common.tsv').read_text().splitlines()), ['one', 'two'])


if __name__ == '__main__':
    unittest.main()

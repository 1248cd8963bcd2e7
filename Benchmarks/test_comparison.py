"""Tests of what makes figures of the drivers' lines: python3 -m unittest discover Benchmarks"""
import gzip
import json
import os
import pathlib
import random
import tempfile
import unittest

import bar
import comparison


def query(engine, kind, hits, number=1, time=1.0):
    return {'op': 'query', 'engine': engine, 'kind': kind, 'n': len(hits), 'p50_us': time, 'p99_us': time, 'hits': hits, 'round': number}


class Medians(unittest.TestCase):
    def test_rounds_become_their_median_and_kinds_stay_apart(self):
        seed = random.randrange(1 << 32)
        source = random.Random(seed)
        expected, lines = {}, []
        for kind in ('a', 'b'):
            for engine in ('x', 'y'):
                times = [source.random() for _ in range(3)]
                expected[engine, kind] = sorted(times)[1]
                lines += [query(engine, kind, [1, 2], number + 1, time) for number, time in enumerate(times)]
        source.shuffle(lines)
        found = {(line['engine'], line['kind']): line['p50_us'] for line in comparison.medians(lines)}
        self.assertEqual(found, expected, f'seed {seed}')

    def test_sizes_of_text_stay_apart(self):
        lines = [{'op': 'scale', 'engine': 'textsearch', 'text_bytes': size, 'seconds': size / 10, 'round': 1} for size in (10, 20)]
        self.assertEqual([line['seconds'] for line in comparison.medians(lines)], [1, 2])


class Hits(unittest.TestCase):
    def test_queries_with_as_many_hits_are_counted(self):
        lines = [query('fts5-contentless', 'or2_all', [1, 2, 3]), query('textsearch', 'or2_all', [1, 5, 3]), query('textsearch', 'or2', [9])]
        rows = {row['engine']: row for row in comparison.hit_differences(lines)}
        self.assertEqual(rows['textsearch']['same'], 2)
        self.assertEqual(rows['textsearch']['hits'], 9)
        self.assertEqual(rows['fts5-contentless']['same'], 3)

    def test_an_engine_that_answered_fewer_queries_is_shown(self):
        rows = comparison.hit_differences([query('fts5-contentless', 'or2_all', [1, 2, 3]), query('textsearch', 'or2_all', [1, 2])])
        self.assertEqual([(row['same'], row['answered'], row['queries']) for row in rows], [(3, 3, 3), (2, 2, 3)])
        report = comparison.text({'date': '', 'machine': {'system': '', 'processor': '', 'cores': 2}, 'quick': False, 'left_out': [], 'hits': rows,
                                  'figures': [], 'bars': [], 'steps': {}})
        self.assertIn('| or2_all | textsearch | 3 | 2 of 3, fts5-contentless; **answered only 2** |', report)
        self.assertEqual(report.count('answered only'), 1)


class Bars(unittest.TestCase):
    def index(self, engine, seconds, threads=1):
        return {'op': 'index', 'engine': engine, 'threads': threads, 'text_bytes': 100e6, 'seconds': seconds, 'bytes': 40e6}

    def test_rates_must_be_high_and_latencies_low(self):
        figures = [self.index('textsearch', 1), self.index('fts5-contentless', 2.5), self.index('tantivy', 1.5),
                   query('textsearch', 'phrase', [], time=20), query('tantivy', 'phrase', [], time=10)]
        rows = {(row['work'], row['against']): row for row in comparison.bars(figures)}
        self.assertTrue(rows['indexing, one thread', 'FTS5 contentless']['met'])
        self.assertFalse(rows['indexing, one thread', 'tantivy']['met'])
        self.assertEqual(rows['top 10, phrase, p50', 'tantivy']['ratio'], 2)
        self.assertFalse(rows['top 10, phrase, p50', 'tantivy']['met'])

    def test_ratios_are_of_the_values_of_one_round(self):
        # A machine that is slow in the first round for one engine and in the third for the other.
        ours, theirs = [40, 10, 10], [60, 15, 12]
        lines = [query(engine, 'phrase', [1], number + 1, time) for engine, times in (('textsearch', ours), ('tantivy', theirs))
                 for number, time in enumerate(times)]
        random.Random(5).shuffle(lines)
        rows = {row['work']: row for row in comparison.bars(comparison.medians(lines))}
        found = rows['top 10, phrase, p50']
        self.assertEqual((found['ours'], found['theirs']), (10, 15))
        self.assertEqual({line['values'] for line in comparison.medians(lines)}, {3})
        self.assertAlmostEqual(found['ratio'], 40 / 60)
        # An engine that was asked in the first rounds alone is compared in these.
        lines = [line for line in lines if line['engine'] == 'textsearch' or line['round'] == 1]
        lines += [query('textsearch', 'phrase', [1], 4, 1)]
        rows = {row['work']: row for row in comparison.bars(comparison.medians(lines))}
        self.assertAlmostEqual(rows['top 10, phrase, p50']['ratio'], 40 / 60)

    def test_a_round_that_one_of_both_lacks_is_left_out(self):
        lines = [query('textsearch', 'phrase', [1], number, time) for number, time in ((1, 10), (2, 1000), (3, 30))]
        lines += [query('tantivy', 'phrase', [1], number, time) for number, time in ((1, 10), (3, 10))]
        rows = {row['work']: row for row in comparison.bars(json.loads(json.dumps(comparison.medians(lines))))}
        found = rows['top 10, phrase, p50']
        self.assertEqual((found['ours'], found['theirs'], found['ratio']), (20, 10, 2))

    def test_what_has_no_bar_is_told_and_neither_met_nor_missed(self):
        figures = [self.index('textsearch', 1, threads=2), self.index('fts5-prefix', 1), self.index('fts5-prefix-content', 1)]
        rows = {row['against']: row for row in comparison.bars(figures) if row['work'] == 'size beside a prefix index'}
        contentless, content = rows['FTS5 prefix index, contentless'], rows['FTS5 prefix index with content']
        self.assertEqual((contentless['ratio'], contentless['met'], comparison.bar_of(contentless)), (1, None, ''))
        self.assertEqual((content['ratio'], content['met'], comparison.bar_of(content)), (1, False, '≤ 0.25 ×'))
        report = comparison.text({'date': 'today', 'quick': False, 'left_out': [], 'machine': {'system': 'a', 'processor': 'b', 'cores': 2}, 'hits': [],
                                  'figures': [], 'bars': comparison.bars(figures), 'steps': {}})
        self.assertIn('| 0.4 FTS5 prefix index, contentless | 1 |  |  |', report)
        self.assertIn('| 0.4 FTS5 prefix index with content | 1 | ≤ 0.25 × | no |', report)

    def test_what_was_not_measured_is_neither_met_nor_missed(self):
        rows = comparison.bars([])
        self.assertEqual({row['met'] for row in rows}, {None})
        self.assertEqual(len(rows), len(list(bar.rows([], comparison.find))) + len(list(bar.growth_rows([], comparison.find))))

    def test_growth_is_from_the_largest_size_that_has_a_tenth_beside_it(self):
        grown = []
        for size, rate, time in ((10, 170, 1), (30, 240, 10), (300, 216, 101), (1000, 100, 900)):
            grown.append({'op': 'growth', 'mb': size, 'text_bytes': size * 1e6, 'seconds': size / rate})
            grown += [{'op': 'query', 'kind': kind, 'mb': size, 'p50_us': cost} for kind, cost in (('phrase', time), ('term_rare', time ** 0.5))]
        rows = {row['work'].rsplit(': ')[-1]: row for row in comparison.bars([], grown)[-5:]}
        self.assertAlmostEqual(rows['rate']['ratio'], 0.9)
        self.assertTrue(rows['rate']['met'])
        self.assertAlmostEqual(rows['phrase, p50']['ratio'], 10.1)
        self.assertFalse(rows['phrase, p50']['met'])
        self.assertTrue(rows['term_rare, p50']['met'])
        self.assertIsNone(rows['prefix3_top, p50']['met'])


class Corpora(unittest.TestCase):
    def test_compressed_corpora_are_unpacked_once_and_others_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            packed = os.path.join(folder, 'some.jsonl.gz')
            with gzip.open(packed, 'wb') as out:
                out.write(b'{"id": "1"}\n')
            path = comparison.unpacked(packed, os.path.join(folder, 'work'))
            with open(path, 'rb') as lines:
                self.assertEqual(lines.read(), b'{"id": "1"}\n')
            stamp = os.stat(path).st_mtime_ns
            self.assertEqual(comparison.unpacked(packed, os.path.join(folder, 'work')), path)
            self.assertEqual(os.stat(path).st_mtime_ns, stamp)
            self.assertEqual(comparison.unpacked(path, folder), path)


class Queries(unittest.TestCase):
    def test_the_first_of_each_kind_are_taken_and_none_of_another_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            for name, kinds in (('one', ('or2', 'phrase')), ('other', ('or2',))):
                (path / name).mkdir()
                for kind in kinds:
                    (path / name / f'{kind}.tsv').write_text(''.join(f'{number}\t{name}\n' for number in range(5)))
                fewer = pathlib.Path(comparison.fewer_queries(str(path / name), folder, 2))
                self.assertEqual({file.stem: file.read_text() for file in fewer.iterdir()}, {kind: f'0\t{name}\n1\t{name}\n' for kind in kinds})


    def test_the_first_query_is_of_the_kind_or_else_of_the_first_kind(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind in ('phrase', 'term_mid'):
                (pathlib.Path(folder) / (kind + '.tsv')).write_text(f'1\t{kind} one\n2\tother\n')
            self.assertEqual(comparison.first_query(folder, 'term_mid'), 'term_mid one')
            self.assertEqual(comparison.first_query(folder, 'infix'), 'phrase one')


class Inputs(unittest.TestCase):
    def test_what_cannot_be_measured_is_refused_in_a_line(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            queries, corpus = place / 'queries', place / 'corpus.jsonl'
            queries.mkdir()
            (queries / 'phrase.tsv').write_text('1\ta b\n')
            corpus.write_text('{"id": "1", "title": "a"}\n')
            with gzip.open(place / 'corpus.jsonl.gz', 'wt') as out:
                out.write(corpus.read_text())
            comparison.check_inputs(str(queries), str(corpus), str(place / 'corpus.jsonl.gz'), None)
            for name, content in (('empty', b''), ('broken', b'{"id": "1"'), ('bytes', b'\xff\xfe\n'), ('number', b'{"id": 1}'), ('list', b'[]'),
                                  ('plain.gz', b'{"id": "1"}')):
                (place / name).write_bytes(content)
            for wrong in ('empty', 'broken', 'bytes', 'number', 'list', 'plain.gz', 'missing', 'queries'):
                with self.assertRaises(SystemExit, msg=wrong) as ended:
                    comparison.check_inputs(str(queries), str(corpus), str(place / wrong))
                self.assertTrue(ended.exception.code.startswith(str(place / wrong) + ': '), ended.exception.code)
            for wrong in (str(corpus), str(place), str(place / 'missing')):
                with self.assertRaises(SystemExit, msg=wrong) as ended:
                    comparison.check_inputs(wrong, str(corpus))
                self.assertTrue(ended.exception.code.startswith(wrong + ': '), ended.exception.code)


class Steps(unittest.TestCase):
    def test_every_line_belongs_to_a_step(self):
        lines = {'index': [{'op': 'index'}], 'short': [{'op': 'index', 'corpus': 'short'}],
                 'query': [query('x', 'or2', []), {'op': 'memory'}, {'op': 'tables'}], 'single': [{'op': 'single'}], 'open': [{'op': 'open'}],
                 'once': [query('x', 'fresh/or2', []), {'op': 'remove'}, {'op': 'scale'}, {'op': 'ceiling'}, {'op': 'index', 'streams': True},
                          {'op': 'index', 'scale': 5}]}
        self.assertEqual(list(lines), comparison.STEPS)
        for name, some in lines.items():
            for line in some:
                self.assertEqual(comparison.step(line), name)

    def test_steps_that_are_not_taken_again_are_kept_with_their_runs(self):
        index, single = {'op': 'index', 'seconds': 1}, {'op': 'single', 'p50_us': 2}
        none = {'figures': [], 'hits': [], 'steps': {}, 'inputs': {}}
        inputs = {'machine': {'cores': 2}, 'corpus': 'aa', 'short': None}
        before = {'machine': {'cores': 2}, 'corpus': 'aa', 'short': 'bb'}
        runs = {'index': {'date': 'monday'}, 'single': {'date': 'sunday'}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / 'results.json'
            self.assertEqual(comparison.kept(path, ['index'], inputs), none)
            path.write_text(json.dumps({'figures': [index, single], 'hits': [3], 'steps': runs, 'inputs': before}))
            self.assertEqual(comparison.kept(path, ['index'], inputs),
                             {'figures': [single], 'hits': [3], 'steps': {'single': runs['single']}, 'inputs': before})
            self.assertEqual(comparison.kept(path, ['query'], inputs)['hits'], [])
            self.assertEqual(comparison.kept(path, comparison.STEPS, inputs), none)
            with self.assertRaisesRegex(SystemExit, 'another machine and short'):
                comparison.kept(path, ['index'], {**inputs, 'machine': {'cores': 4}, 'short': 'cc'})
            path.write_text(json.dumps({'figures': [index], 'hits': []}))
            with self.assertRaisesRegex(SystemExit, 'another machine and corpus'):
                comparison.kept(path, ['single'], inputs)

    def test_checksums_tell_files_and_folders_apart_by_what_is_in_them(self):
        with tempfile.TemporaryDirectory() as folder:
            sums = []
            for name, text in (('or2.tsv', 'a'), ('phrase.tsv', 'a'), ('or2.tsv', 'b')):
                (pathlib.Path(folder) / name).write_text(text)
                sums.append(comparison.checksum(folder))
            self.assertEqual(len(set(sums)), 3)
            self.assertNotEqual(comparison.checksum(os.path.join(folder, 'or2.tsv')), comparison.checksum(os.path.join(folder, 'phrase.tsv')))

    def test_the_report_names_each_run_with_its_steps(self):
        load = [[1, 1, 1], [2, 2, 2]]
        report = comparison.text({
            'date': 'monday', 'machine': {'system': 'Linux', 'processor': '', 'cores': 2}, 'quick': False, 'left_out': [], 'hits': [],
            'figures': [], 'bars': [], 'steps': {'index': {'date': 'sunday', 'rounds': 3, 'load': load}, 'open': {'date': 'monday', 'rounds': 5, 'load': load},
                                                 'query': {'date': 'sunday', 'rounds': 3, 'load': load}}})
        self.assertIn('| index, query | sunday | 3 | 1.0 | 2.0 |', report)
        self.assertIn('| open | monday | 5 | 1.0 | 2.0 |', report)


if __name__ == '__main__':
    unittest.main()

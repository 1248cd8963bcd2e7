#!/usr/bin/env python3
"""Measures this engine beside others in one run: rounds of A B C A B C, medians, ratios against the bar. See Documentation/Benchmarks.md."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import time

import comparison
import turns

HERE = pathlib.Path(__file__).resolve().parent
SIZES = [500_000, 1_050_000, 2_100_000, 5_200_000, 7_900_000, 10_500_000, 12_600_000, 25_000_000, 50_000_000, 100_000_000]


class Run:
    """Starts drivers, of which one works at a time, and keeps the lines that they print."""

    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work).resolve()
        self.stores = self.work / 'stores'
        self.stores.mkdir(parents=True, exist_ok=True)
        self.lines = []
        self.round = 0
        self.bench = [str(pathlib.Path(options.benchmark).resolve()), 'driver']
        python = self.work / 'peers' / 'venv' / 'bin' / 'python'
        self.drivers = {'textsearch': self.bench}
        for name in ('fts5', 'xapian'):
            if (self.work / 'peers' / name).exists():
                self.drivers[name] = [str(self.work / 'peers' / name)]
        if python.exists() and subprocess.run([python, '-c', 'import tantivy'], capture_output=True).returncode == 0:
            self.drivers['tantivy'] = [str(python), str(HERE / 'Peers' / 'tantivy_driver.py')]
        self.left_out = [name for name in ('fts5', 'xapian', 'tantivy') if name not in self.drivers]

    def store(self, name):
        return str(self.stores / name)

    def call(self, driver, *arguments, one_core=False, **tags):
        """Runs a driver to its end; a driver that fails is named, and the others go on."""
        if driver not in self.drivers:
            return
        command = self.drivers[driver] + [str(argument) for argument in arguments]
        if one_core and shutil.which('taskset'):
            command = ['taskset', '-c', '0'] + command
        start = time.monotonic()
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        print(f'  round {self.round} {driver} {" ".join(map(str, arguments[:1]))} {tags or ""} '
              f'{time.monotonic() - start:.1f} s', file=sys.stderr)
        if done.returncode:
            print(f'compare: {driver} {arguments[0]} ended with {done.returncode}', file=sys.stderr)
        for line in done.stdout.splitlines():
            if line.startswith('{'):
                self.lines.append({**json.loads(line), **tags, 'round': self.round})

    def index(self):
        corpus, last = self.options.corpus, 0
        self.call('textsearch', 'index', self.store('ts'), corpus, '--threads', 1, one_core=True)
        self.call('fts5', 'index', self.store('fts5-contentless'), corpus, 'contentless', last, one_core=True)
        self.call('tantivy', 'index', self.store('tantivy'), corpus, 1, last, one_core=True)
        self.call('textsearch', 'index', self.store('ts'), corpus, '--threads', 2)
        self.call('tantivy', 'index', self.store('tantivy'), corpus, 2, last)
        self.call('textsearch', 'index', self.store('ts-every-word'), corpus, '--threads', 2, '--every-word')
        if self.round > 1:
            return
        # What only shows sizes and makes the stores for queries is done once.
        for variant in ('content', 'prefix', 'prefix-content', 'trigram', 'trigram-content'):
            self.call('fts5', 'index', self.store('fts5-' + variant), corpus, variant, last, one_core=True)
        # Only their sizes are of interest: those that are asked have no content either.
        for variant in ('prefix-content', 'trigram-content'):
            comparison.remove_store(self.store('fts5-' + variant))
        self.call('tantivy', 'index', self.store('tantivy-stored'), corpus, 1, last, 'stored', one_core=True)
        self.call('xapian', 'index', self.store('xapian'), corpus, last, one_core=True)

    def short(self):
        if not self.options.short:
            return
        corpus, tags = self.options.short, {'corpus': 'short'}
        self.call('textsearch', 'index', self.store('short'), corpus, '--threads', 2, **tags)
        self.call('fts5', 'index', self.store('short-fts5'), corpus, 'contentless', 0, **tags)
        self.call('tantivy', 'index', self.store('short-tantivy'), corpus, 2, 0, **tags)
        words = self.work / 'filter-words.txt'
        words.write_text('\n'.join(comparison.frequent_words(corpus, 200)) + '\n', encoding='utf8')
        for driver in ('textsearch', 'fts5', 'tantivy'):
            self.call(driver, 'filters', self.store(f'filters-{driver}'), corpus, words, **tags)

    def query(self):
        """All rounds at once, kind by kind."""
        queries = self.options.queries
        drivers = [turns.Driver(name, self.drivers[name] + ['query', self.store(store), queries, *rest]) for name, store, rest in (
            ('textsearch', 'ts', ['--turns', '--tables']), ('tantivy', 'tantivy', ['turns']),
            ('fts5', 'fts5-contentless', ['contentless', 'turns']), ('fts5', 'fts5-prefix', ['prefix', 'turns']),
            ('fts5', 'fts5-trigram', ['trigram', 'turns']), ('textsearch', 'ts-every-word', ['--turns', '--every-word']),
            ('xapian', 'xapian', ['turns'])) if name in self.drivers]
        self.lines += turns.take_turns(drivers, self.options.rounds)

    def single(self):
        objects = self.work / 'single.jsonl'
        count = 100 if self.options.quick else 500
        comparison.write_short_objects(self.options.corpus, objects, count)
        for driver, store, rest in (('textsearch', 'ts', []), ('fts5', 'fts5-contentless', ['contentless']),
                                    ('fts5', 'fts5-content', ['content']), ('tantivy', 'tantivy', []), ('xapian', 'xapian', [])):
            if driver not in self.drivers:
                continue
            copy = self.store('single')
            comparison.copy_store(self.store(store), copy)
            # Else the disk writes the copy meanwhile.
            os.sync()
            self.call(driver, 'single', copy, objects, *rest)
            comparison.remove_store(copy)

    def open(self):
        word = comparison.first_query(self.options.queries, 'term_mid')
        os.sync()
        for files in ('warm', 'evicted'):
            flag = ['--evicted'] if files == 'evicted' else []
            for _ in range(3):
                self.call('textsearch', 'open', self.store('ts'), word, *flag)
                self.call('fts5', 'open', self.store('fts5-contentless'), word, 'contentless', files)
                self.call('tantivy', 'open', self.store('tantivy'), word, files)
                self.call('xapian', 'open', self.store('xapian'), word, files)

    def once(self):
        """Memory of loads that stream, removals, sizes of text, and what the parts reach on their own."""
        corpus, tags = self.options.corpus, {'streams': True}
        self.call('textsearch', 'index', self.store('stream'), corpus, '--threads', 2, '--stream', **tags)
        self.call('fts5', 'index', self.store('stream-fts5'), corpus, 'contentless', 0, 'stream', **tags)
        self.call('tantivy', 'index', self.store('stream-tantivy'), corpus, 2, 0, 'stream', **tags)
        if not self.options.quick:
            self.call('xapian', 'index', self.store('stream-xapian'), corpus, 0, 'stream', **tags)
        if self.options.short:
            self.call('textsearch', 'remove', self.store('remove'), self.options.short, self.options.queries, corpus='short')
            self.call('fts5', 'remove', self.store('remove-fts5'), self.options.short, self.options.queries, corpus='short')
        self.call('textsearch', 'scale', self.store('scale'), corpus, *SIZES, '--threads', 1, one_core=True)
        self.call('textsearch', 'scale', self.store('scale'), corpus, *SIZES, '--threads', 2)
        for size in SIZES:
            self.call('fts5', 'index', self.store('scale-fts5'), corpus, 'contentless', size, one_core=True, scale=size)
        self.call('textsearch', 'ceilings', corpus)
        ceilings = self.work / 'peers' / 'ceilings'
        if ceilings.exists():
            self.drivers['ceilings'] = [str(ceilings)]
            self.call('ceilings', self.store('ceilings'))

    def steps(self, names):
        for self.round in range(1, self.options.rounds + 1):
            for name in names:
                if name == 'query' and self.round > 1 or name == 'once':
                    continue
                getattr(self, name)()
        self.round = 1
        if 'once' in names:
            self.once()


def machine():
    processor = ''
    try:
        with open('/proc/cpuinfo') as lines:
            processor = next((line.split(':', 1)[1].strip() for line in lines if line.startswith('model name')), '')
    except OSError:
        pass
    return {'system': platform.platform(), 'processor': processor, 'cores': os.cpu_count()}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('corpus', help='a JSON Lines file with id, title and body')
    parser.add_argument('queries', help='a folder of queries by kind, id<TAB>text a line')
    parser.add_argument('--short', help='a JSON Lines file of many short objects, for their row and for removals')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--quick', action='store_true', help='one round of fewer queries')
    parser.add_argument('--steps', nargs='+', choices=comparison.STEPS, default=comparison.STEPS,
                        help='only these; the other figures of the results that are there are kept')
    parser.add_argument('--benchmark', required=True, help='the Benchmark program, built for release')
    parser.add_argument('--work', default='.build/compare', help='a folder for stores and results')
    options = parser.parse_args()
    comparison.check_inputs(options.queries, options.corpus, options.short)
    options.corpus = comparison.unpacked(options.corpus, options.work)
    options.short = options.short and comparison.unpacked(options.short, options.work)
    load_before = os.getloadavg()
    if options.quick:
        options.rounds = 1
        options.queries = comparison.fewer_queries(options.queries, options.work, 50)
    run = Run(options)
    if run.left_out:
        print('compare: left out, since setup could not make their drivers:', ', '.join(run.left_out), file=sys.stderr)
    path = run.work / 'results.json'
    inputs = {'machine': machine(), 'corpus': comparison.checksum(options.corpus), 'queries': comparison.checksum(options.queries),
              'short': options.short and comparison.checksum(options.short)}
    # Read before anything is measured: results that cannot be read, or are of other inputs, are
    # seen before the minutes that measuring takes.
    kept = comparison.kept(path, options.steps, inputs)
    run.steps(options.steps)
    date = datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d %H:%M UTC')
    load = [load_before, os.getloadavg()]
    steps = {name: {'date': date, 'rounds': 1 if name == 'once' else options.rounds, 'load': load} for name in options.steps}
    results = {
        'date': date, 'machine': machine(), 'steps': {**kept['steps'], **steps}, 'quick': options.quick,
        'inputs': {**kept['inputs'], **{name: value for name, value in inputs.items() if value}},
        'left_out': run.left_out, 'hits': kept['hits'] + comparison.hit_differences(run.lines),
        'figures': kept['figures'] + comparison.medians(run.lines),
    }
    grown = run.work / 'growth.json'
    grown = json.loads(grown.read_text()) if grown.exists() else {'figures': []}
    results['growth_date'] = grown.get('date')
    results['bars'] = comparison.bars(results['figures'], grown['figures'])
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + '\n')
    report = comparison.text(results)
    (run.work / 'results.md').write_text(report)
    print(report)
    print('written:', path, file=sys.stderr)


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""Measures what ever more text costs: growth.py CORPUS QUERIES --benchmark PROGRAM [--sizes 10 30 100 300 1000]. See Documentation/Benchmarks.md."""
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys

import comparison


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('corpus')
    parser.add_argument('queries')
    parser.add_argument('--benchmark', required=True)
    parser.add_argument('--work', default='.build/compare')
    parser.add_argument('--sizes', type=int, nargs='+', default=[10, 30, 100, 300, 1000], help='megabytes of text')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--queries-of-a-kind', type=int, default=50, help='the first so many')
    options = parser.parse_args()
    comparison.check_inputs(options.queries, options.corpus)

    work = pathlib.Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    options.corpus = comparison.unpacked(options.corpus, work)
    options.queries = comparison.fewer_queries(options.queries, work, options.queries_of_a_kind)
    before, lines = os.getloadavg(), []
    for number in range(1, options.rounds + 1):
        for size in options.sizes:
            command = [options.benchmark, 'growth', options.corpus, '--queries', options.queries, '--size', str(size), '--store', str(work / 'growth.textindex')]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
            if done.returncode:
                sys.exit(f'growth: {size} MB ended with {done.returncode}')
            lines += [{**json.loads(line), 'round': number} for line in done.stdout.splitlines()]
    figures = comparison.medians(lines)

    columns = list(dict.fromkeys(line['kind'] for line in figures if line['op'] == 'query'))
    print('| MB | MB/s | index / text | peak MB | opening ms | ' + ' | '.join(columns) + ' |')
    print('|' + '---|' * (len(columns) + 5))
    for line in figures:
        if line['op'] != 'growth':
            continue
        times = {other['kind']: other['p50_us'] for other in figures if other['op'] == 'query' and other['mb'] == line['mb']}
        cells = [str(line['mb']), f"{line['text_bytes'] / 1e6 / line['seconds']:.1f}", f"{line['bytes'] / line['text_bytes']:.3f}",
                 f"{line['peak_mb'] - line['before_mb']:.0f}", f"{line['open_ms']:.2f}"]
        print('| ' + ' | '.join(cells + [f'{times[kind]:.0f}' for kind in columns]) + ' |')
    results = {
        'date': datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d %H:%M UTC'), 'rounds': options.rounds, 'quick': False,
        'machine': {'system': platform.platform(), 'cores': os.cpu_count()}, 'load': [before, os.getloadavg()], 'figures': figures,
    }
    (work / 'growth.json').write_text(json.dumps(results, indent=1) + '\n')
    print('written:', work / 'growth.json', file=sys.stderr)


if __name__ == '__main__':
    main()

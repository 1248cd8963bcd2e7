#!/usr/bin/env python3
"""Holds what does not depend on the machine's mood against committed thresholds: gates.py --benchmark PROGRAM [--record]

Counts of named operations on generated corpora: allocations, blocks of the store's files read, bytes written for each byte indexed, the size of the
index, and, by valgrind, instructions, how often LevelDB was asked, and the blocks of postings that were decoded, of all and as a part of those in
the lists of the query's words: the rest was skipped. A count that is over, missing or without a threshold fails. --record writes what is measured, with room above it,
as the new thresholds.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
THRESHOLDS = HERE / 'gates.json'
# Room above what was measured: threads share the work in another way in each run of a load.
ROOM = {'instructions': 1.03, 'reads': 1.05, 'decoded': 1.03, 'decoded_part': 1.03, 'allocations': 1.03, 'blocks': 1.10, 'written_per_text': 1.05, 'index_per_text': 1.01}
LOADS = {'index-bulk', 'index-bulk-1', 'index-one', 'update', 'remove', 'vacuum', 'open'}
LOAD_ROOM = 1.15
COUNTED = ['search-term-common', 'search-term-rare', 'search-and-2', 'search-or-2', 'search-or-5', 'search-phrase', 'search-prefix', 'search-infix',
           'search-fuzzy', 'count-keyword', 'enumerate-common']
# Searches on a larger corpus, where lists have so many blocks that some can be skipped; counted
# under names of their own.
LONG_LISTS = ['search-term-common', 'search-and-2-common', 'search-or-2-common', 'search-or-5-common', 'search-phrase']
LONG_LISTS_SIZE = 30
SEARCHES = 20
BY_VALGRIND = ('instructions', 'decoded', 'decoded_part', 'reads')
# What asks LevelDB for a key, or for the first one behind it.
READERS = ('cldb_get', 'cldb_iterator_seek', 'cldb_iterator_first', 'cldb_iterator_last')
# Decodes the documents of one block, and is all that is decoded where nobody scores: the private
# PostingsChunk.decodeDocuments, as Swift writes it.
DECODER = 'PostingsChunkV15decodeDocuments33_'


def probe(work):
    """The library that counts, compiled if need be. With valgrind's header it is another one, which also marks operations for callgrind."""
    source = HERE / 'Probe' / 'probe.c'
    marks = subprocess.run(['cc', '-fsyntax-only', '-include', 'valgrind/callgrind.h', '-x', 'c', os.devnull], capture_output=True)
    library = work / ('probe.so' if marks.returncode else 'probe-callgrind.so')
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        subprocess.run(['cc', '-O2', '-shared', '-fPIC', str(source), '-o', str(library), '-ldl'], check=True)
    return library


def run(options, library, arguments, before=(), program=None, folder='operations'):
    environment = {**os.environ, 'SWIFT_DETERMINISTIC_HASHING': '1'}
    command = [*before, str(program or options.benchmark), 'operations', '--json', '--directory', str(options.work / folder), *arguments]
    done = subprocess.run(['env', f'LD_PRELOAD={library}', *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode:
        sys.exit(f'gates: {" ".join(command)} ended with {done.returncode}\n{done.stderr[-2000:]}')
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{')]


def counts(options, library):
    measured = {}
    for line in run(options, library, ['--runs', '3']):
        if line['op'] == 'corpus':
            measured['corpus'] = {'index_per_text': line['index_per_text']}
            continue
        measured[line['name']] = {name: line[name] for name in ('allocations', 'blocks', 'written_per_text') if name in line}
    return measured


def calls(profile, function):
    """How often a function was called, by a profile of callgrind, which gives a name once and then its number."""
    names, callee, total = {}, '', 0
    for line in profile.splitlines():
        name = re.match(r'c?fn=(\(\d+\))(?: (.*))?$', line)
        if name:
            names.setdefault(name[1], name[2])
            if line.startswith('c'):
                callee = names[name[1]] or ''
        elif line.startswith('calls=') and function in callee:
            total += int(line[len('calls='):].split()[0])
    return total


def instructions(options, library, measured):
    """What valgrind counts, of all searches and of those with long lists, both at once: it uses one processor."""
    large = {name: {} for name in LONG_LISTS}

    def count_long_lists():
        size = ['--size', str(LONG_LISTS_SIZE)]
        # Made without valgrind, which would take minutes.
        run(options, library, [*size, '--prepare'], folder='long')
        count_by_valgrind(options, library, large, LONG_LISTS, 'long', size)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        long_lists = pool.submit(count_long_lists)
        count_by_valgrind(options, library, measured, COUNTED, 'operations')
        long_lists.result()
    measured.update({f'{name} {LONG_LISTS_SIZE} MB': counts for name, counts in large.items()})


def count_by_valgrind(options, library, measured, names, folder, arguments=()):
    """Instructions of an operation and blocks that it decodes, by callgrind, which gives the same numbers again and again."""
    # Without the compiler's notes for debuggers, whose newest form valgrind does not read.
    bare = options.work / f'Benchmark-{folder}'
    subprocess.run(['strip', '-g', '-o', str(bare), options.benchmark], check=True)
    output = options.work / f'callgrind-{folder}'
    for old in options.work.glob(f'{output.name}*'):
        old.unlink()
    lines = run(options, library, [*arguments, '--runs', '1', '--count', str(SEARCHES), *names],
                ['valgrind', '--tool=callgrind', '--quiet', f'--callgrind-out-file={output}'], bare, folder)
    lists = {line['name']: line['list_blocks'] for line in lines if 'list_blocks' in line}
    for path in options.work.glob(f'{output.name}.*'):
        text = path.read_text(errors='replace')
        trigger = re.search(r'^desc: Trigger: Client Request: (\S+)', text, re.M)
        # The sum of what the dump gives to functions. To `summary` something is added once, however
        # many searches there are: a million more where analyzers are made by another thread as
        # indexes are opened.
        total = re.search(r'^totals: (\d+)', text, re.M)
        if trigger and total:
            found = measured[trigger[1]]
            found['instructions'] = round(int(total[1]) / SEARCHES)
            found['decoded'] = calls(text, DECODER) / SEARCHES
            found['reads'] = sum(calls(text, reader) for reader in READERS) / SEARCHES
            for what, functions in (('decoded', DECODER), ('reads', ' or '.join(READERS))):
                if not found[what]:
                    sys.exit(f'gates: {trigger[1]} calls nothing with {functions} in its name; where has the function gone?')
            if trigger[1] in lists:
                found['decoded_part'] = found['decoded'] / lists[trigger[1]]
    without = [name for name in names if 'instructions' not in measured[name]]
    if without:
        sys.exit(f'gates: callgrind gave no instructions of {", ".join(without)}; {library.name} marks operations only if valgrind/callgrind.h was there')


def again(options, library, measured, thresholds):
    """Counts instructions once more where there were too many: threads that wait for one another spin, now more, now less. The fewest count."""
    def over(name):
        return measured.get(name, {}).get('instructions', 0) > thresholds[name].get('instructions', float('inf'))
    if not any(over(name) for name in thresholds):
        return
    print('gates: too many instructions; counted once more', file=sys.stderr)
    once_more = {name: {} for name in measured}
    instructions(options, library, once_more)
    for name, counts in once_more.items():
        if 'instructions' in counts:
            measured[name]['instructions'] = min(measured[name]['instructions'], counts['instructions'])


def room(operation, name):
    return max(ROOM[name], LOAD_ROOM if operation in LOADS and name in ('allocations', 'blocks') else 1)


def verdict(measured, thresholds):
    """A line for each count, and how many are over their threshold, missing, or without one."""
    lines, failures = [], 0
    for name in {**thresholds, **measured}:
        limits, counts = thresholds.get(name, {}), measured.get(name, {})
        for what in {**limits, **counts}:
            value, limit = counts.get(what), limits.get(what)
            mark = 'MISSING' if value is None else 'NEW' if limit is None else 'OVER' if value > limit else ''
            failures += mark != ''
            lines.append(f'{mark:8}{name:26} {what:17} {shown(value):>14} of {shown(limit)}')
    return lines, failures


def shown(value):
    return 'none' if value is None else f'{value:,.4g}'


def record(measured, thresholds):
    missing = [f'{name} {what}' for name, limits in thresholds.items() for what in limits if what not in measured.get(name, {})]
    if missing:
        sys.exit(f'gates: not recorded, since there is no count of {", ".join(missing)}; what is gone for good is removed from {THRESHOLDS.name} first')
    limits = {name: {what: round(value * room(name, what) + (0.05 if what == 'blocks' else 0), 4 if value < 10 else 0)
                     for what, value in counts.items()} for name, counts in measured.items()}
    THRESHOLDS.write_text(json.dumps(limits, indent=1, sort_keys=True) + '\n')
    return limits


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--benchmark', required=True)
    parser.add_argument('--work', type=pathlib.Path, default=pathlib.Path('.build/gates'))
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument('--record', action='store_true')
    mode.add_argument('--without-valgrind', action='store_true', help='hold only what is counted without it')
    options = parser.parse_args()
    if not options.without_valgrind and not shutil.which('valgrind'):
        sys.exit('gates: valgrind is missing; install it, or leave out its counts with --without-valgrind')
    options.benchmark = str(pathlib.Path(options.benchmark).resolve())
    options.work = options.work.resolve()
    # The index is made anew: it is what is measured.
    for folder in ('operations', 'long'):
        shutil.rmtree(options.work / folder, ignore_errors=True)
    options.work.mkdir(parents=True, exist_ok=True)
    library = probe(options.work)
    measured, thresholds = counts(options, library), json.loads(THRESHOLDS.read_text())
    if options.without_valgrind:
        thresholds = {name: {what: limit for what, limit in limits.items() if what not in BY_VALGRIND} for name, limits in thresholds.items()}
    else:
        instructions(options, library, measured)
    if options.record:
        thresholds = record(measured, thresholds)
    elif not options.without_valgrind:
        again(options, library, measured, thresholds)
    lines, failures = verdict(measured, thresholds)
    print('\n'.join(lines))
    print(f'{len(lines)} counts held against {THRESHOLDS.name}, {failures} over, missing or new')
    sys.exit(1 if failures else 0)


if __name__ == '__main__':
    main()

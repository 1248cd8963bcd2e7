"""What comparisons are made of: medians of the drivers' lines, differences of hits, ratios against the bar, and the table."""
import collections
import gzip
import json
import os
import pathlib
import re
import shutil
import statistics
import sys
import zlib

import bar

KEYS = ('op', 'engine', 'kind', 'what', 'threads', 'corpus', 'streams', 'scale', 'files', 'state', 'unit', 'mb')
# The numbers whose values of all rounds are kept, for ratios round by round.
TIMES = ('seconds', 'p50_us', 'p99_us')
STEPS = ['index', 'short', 'query', 'single', 'open', 'once']


def step(line):
    """The step of a comparison that a line is of."""
    if line['op'] == 'index':
        return 'once' if line.get('scale') or line.get('streams') else line.get('corpus') or 'index'
    if line['op'] == 'query' and line.get('corpus'):
        return line['corpus']
    if line['op'] == 'query' and '/' in line['kind'] or line['op'] in ('remove', 'scale', 'ceiling'):
        return 'once'
    return {'memory': 'query', 'tables': 'query'}.get(line['op'], line['op'])


def kept(path, steps, inputs):
    """What `path`, the results of an earlier comparison, holds of other steps than `steps`: nothing if there are none yet. Ends the program if
    they are not of the same inputs."""
    if set(steps) == set(STEPS) or not path.exists():
        return {'figures': [], 'hits': [], 'steps': {}, 'inputs': {}}
    results = json.loads(path.read_text())
    before = results.get('inputs') or dict.fromkeys(inputs, 'not named')
    other = [name for name, value in inputs.items() if value and before.get(name) and value != before[name]]
    if other:
        sys.exit(f'compare: {path} is of another {" and ".join(other)}: nothing is measured. Measure all steps, or name another folder with --work')
    return {
        'figures': [line for line in results['figures'] if step(line) not in steps], 'hits': [] if 'query' in steps else results['hits'],
        'steps': {name: run for name, run in results['steps'].items() if name not in steps}, 'inputs': before,
    }


def checksum(path):
    """Of a file, or of the queries in a folder."""
    value = 0
    for file in sorted(pathlib.Path(path).glob('*.tsv')) if os.path.isdir(path) else [pathlib.Path(path)]:
        value = zlib.crc32(file.name.encode(), value)
        with open(file, 'rb') as source:
            while part := source.read(1 << 20):
                value = zlib.crc32(part, value)
    return f'{value:08x}'


def check_inputs(queries, *corpora):
    """Ends the program with a line that says why, where something that is to be read is not there or is something else: before anything is built of it
    or measured."""
    for path in filter(None, corpora):
        try:
            with (gzip.open if str(path).endswith('.gz') else open)(path, 'rb') as lines:
                line = lines.readline()
            if not isinstance(json.loads(line).get('id'), str):
                raise ValueError
        except (ValueError, AttributeError):
            sys.exit(f'{path}: the first line is no JSON object with an "id"')
        except (OSError, EOFError) as error:
            sys.exit(f'{path}: {getattr(error, "strerror", None) or error}')
    if not any(pathlib.Path(queries).glob('*.tsv')):
        sys.exit(f'{queries}: no folder of queries, a file KIND.tsv for each kind')


def write_short_objects(corpus, path, count):
    """Objects of 200 words, from the end of what a corpus begins with."""
    with open(corpus, encoding='utf8') as lines, open(path, 'w', encoding='utf8') as out:
        for line in lines:
            entry = json.loads(line)
            words = (entry.get('body') or '').split()
            if len(words) < 200:
                continue
            out.write(json.dumps({'id': f'single-{count}', 'title': entry.get('title') or '', 'body': ' '.join(words[:200])}) + '\n')
            count -= 1
            if not count:
                return


def unpacked(path, folder):
    """The path of a corpus as all drivers can read it: one that is compressed is unpacked into `folder`, unless it was before."""
    if not path.endswith('.gz'):
        return path
    # Corpora of one name may lie in several folders.
    place = f'{zlib.crc32(os.path.abspath(path).encode()):08x}'
    target = pathlib.Path(folder) / place / pathlib.Path(path).stem
    if not target.exists() or target.stat().st_mtime < os.path.getmtime(path):
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix('.partial')
        with gzip.open(path) as source, open(partial, 'wb') as out:
            shutil.copyfileobj(source, out)
        partial.rename(target)
    return str(target)


def frequent_words(path, count):
    """The words of letters alone that most titles of a corpus have, the most frequent first."""
    found = collections.Counter()
    with open(path, encoding='utf8') as lines:
        for line in lines:
            found.update(set(re.findall('[a-z]{3,}', (json.loads(line).get('title') or '').lower())))
    return [word for word, _ in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))[:count]]


def copy_store(source, target):
    remove_store(target)
    if os.path.isdir(source):
        shutil.copytree(source, target)
    else:
        shutil.copyfile(source, target)


def remove_store(path):
    shutil.rmtree(path, ignore_errors=True)
    for end in ('', '-wal', '-shm'):
        if os.path.isfile(path + end):
            os.remove(path + end)


def first_query(folder, kind):
    """Of that kind, or of the first kind that there is."""
    paths = sorted(pathlib.Path(folder).glob('*.tsv'), key=lambda path: (path.stem != kind, path.name))
    with open(paths[0], encoding='utf8') as lines:
        return lines.readline().rstrip('\n').split('\t')[-1]


def fewer_queries(folder, work, count):
    """A folder in `work` with the first queries of each kind; another one for other queries, so that none of those are left in it."""
    target = pathlib.Path(work) / f'queries-{count}-{checksum(folder)}'
    target.mkdir(parents=True, exist_ok=True)
    for path in pathlib.Path(folder).glob('*.tsv'):
        lines = path.read_text(encoding='utf8').splitlines(True)
        (target / path.name).write_text(''.join(lines[:count]), encoding='utf8')
    return str(target)


def medians(lines):
    """One line for all rounds of the same work, with the median of each number, and `rounds`, the values of times by round. Of several lines of one round
    the last one's is taken there."""
    groups = {}
    for line in lines:
        groups.setdefault(tuple(line.get(key) for key in KEYS) + (line.get('text_bytes') if line['op'] == 'scale' else None,), []).append(line)
    result = []
    for group in groups.values():
        median = {}
        for name, value in group[0].items():
            if name == 'hits' and isinstance(value, list):
                median[name] = sum(value)
            elif name == 'round':
                continue
            elif isinstance(value, (int, float)) and not isinstance(value, bool):
                median[name] = statistics.median(line[name] for line in group)
            else:
                median[name] = value
        median['values'] = len(group)
        if len(group) > 1:
            median['rounds'] = {name: {str(line['round']): line[name] for line in group} for name in TIMES if name in group[0]}
        result.append(median)
    return result


def hit_differences(lines):
    """For each kind that gives all hits: how many, for how many queries as many as FTS5, and how many queries were answered of those that some engine did."""
    kinds = {}
    for line in lines:
        if line['op'] == 'query' and line['kind'].endswith('_all') and line['round'] == 1:
            kinds.setdefault(line['kind'], {})[line['engine']] = line['hits']
    rows = []
    for kind, engines in kinds.items():
        reference = next((name for name in ('fts5-contentless', 'fts5-trigram', 'tantivy') if name in engines), None)
        queries = max(map(len, engines.values()))
        for engine, hits in engines.items():
            against = engines[reference] if reference else hits
            same = sum(a == b for a, b in zip(hits, against))
            rows.append({'kind': kind, 'engine': engine, 'hits': sum(hits), 'queries': queries, 'answered': len(hits),
                         'reference': reference, 'same': same})
    return rows


def find(figures, **wanted):
    """The line that has all of this, or nothing."""
    for line in figures:
        if all(line.get(key) == value for key, value in wanted.items()):
            return line
    return None


def bar_of(row):
    """The ratio that is asked for, or the value; nothing where none is."""
    if row['bar'] is None:
        return ''
    return ('≥ ' if row['at_least'] else '≤ ') + f"{row['bar']:g}" + (' ×' if row['against'] else ' ' + row['unit'])


def bars(figures, grown=()):
    """Each row of the bar with both values, their ratio, and whether it is met. `grown`: the figures of growth, where it was measured."""
    rows = []
    for row in [*bar.rows(figures, find), *bar.growth_rows(grown, find)]:
        met = None
        if row['ratio'] is not None and row['bar'] is not None:
            met = row['ratio'] >= row['bar'] if row['at_least'] else row['ratio'] <= row['bar']
        rows.append({**row, 'met': met})
    return rows


def number(value):
    if value is None:
        return 'not measured'
    return f'{value:,.0f}' if abs(value) >= 1000 else f'{value:.3g}'


def table(heads, rows):
    cells = [[str(cell) for cell in row] for row in [heads] + rows]
    lines = ['| ' + ' | '.join(row) + ' |' for row in cells]
    lines.insert(1, '|' + '---|' * len(heads))
    return '\n'.join(lines) + '\n'


def text(results):
    """The results as Markdown."""
    figures = results['figures']
    machine = results['machine']
    runs = {}
    for name, run in results['steps'].items():
        runs.setdefault((run['date'], run['rounds'], run['load'][0][0], run['load'][1][0]), []).append(name)
    parts = [
        f"# Comparison of {results['date']}\n",
        f"{machine['system']}, {machine['processor']}, {machine['cores']} cores{'; quick mode' if results['quick'] else ''}.\n",
        table(['steps', 'of', 'rounds', 'load before', 'load after'], [
            [', '.join(names), date, rounds, f'{before:.1f}', f'{after:.1f}'] for (date, rounds, before, after), names in runs.items()]),
    ]
    if results.get('growth_date'):
        parts.append(f"Growth is of a run of its own, of {results['growth_date']}.\n")
    if results['left_out']:
        parts.append('Left out, since their drivers could not be made: ' + ', '.join(results['left_out']) + '.\n')
    parts.append('## Against the bar\n')
    parts.append(table(['work', 'ours', 'theirs', 'ratio', 'bar', 'met'], [
        [row['work'], f"{number(row['ours'])} {row['unit']}", f"{number(row['theirs'])} {row['against']}" if row['against'] else '',
         number(row['ratio']), bar_of(row),
         {True: 'yes', False: 'no', None: ''}[row['met']]] for row in results['bars']]))
    parts.append('## Indexing\n')
    indexed = [line for line in figures if line['op'] == 'index' and not line.get('scale')]
    parts.append(table(['engine', 'threads', 'corpus', 'MB/s', 'MB/s without the binding', 'processor s', 'index / text', 'peak MB'], [
        [line['engine'], line['threads'], (line.get('corpus') or 'large') + (', streamed' if line.get('streams') else ''),
         number(line['text_bytes'] / 1e6 / line['seconds']),
         number(line['text_bytes'] / 1e6 / (line['seconds'] - line['binding_s'])) if line.get('binding_s') else '',
         number(line['cpu_s']), number(line['bytes'] / line['text_bytes']), number(line['peak_mb'])] for line in indexed]))
    parts.append('## Queries: p50 / p99 in µs\n')
    asked = [line for line in figures if line['op'] == 'query' and '/' not in line['kind'] and not line['kind'].startswith('binding')]
    engines = list(dict.fromkeys(line['engine'] for line in asked))
    kinds = list(dict.fromkeys(line['kind'] for line in asked))
    values = sorted({line.get('values', 1) for line in asked})
    if values:
        parts.append(f"Medians of {' or '.join(map(str, values))} turns: the slower a driver, the fewer.\n")
    cells = {(line['kind'], line['engine']): f"{number(line['p50_us'])} / {number(line['p99_us'])}" for line in asked}
    parts.append(table(['kind'] + engines, [[kind] + [cells.get((kind, engine), '') for engine in engines] for kind in kinds]))
    parts.append('## What the calls through Python cost tantivy\n')
    parts.append(table(['work', 'p50 µs'], [[line['kind'].removeprefix('binding: '), number(line['p50_us'])] for line in figures
                                            if line['op'] == 'query' and line['kind'].startswith('binding')]))
    parts.append('## One object at a time: p50 / p99 in µs\n')
    parts.append(table(['engine', 'work', 'p50 / p99'], [[line['engine'], line['what'], f"{number(line['p50_us'])} / {number(line['p99_us'])}"]
                                                         for line in figures if line['op'] == 'single']))
    parts.append('## Opening, and the first answer, in ms\n')
    parts.append(table(['engine', 'files', 'opening', 'first answer'], [[line['engine'], line['files'], number(line['open_ms']), number(line['first_ms'])]
                                                                        for line in figures if line['op'] == 'open']))
    parts.append('## Three objects of five removed\n')
    parts.append(table(['engine', 'state', 'seconds', 'MB'] + ['term_common', 'or35', 'phrase', 'prefix3'], [
        [line['engine'], line['state'], number(line['seconds']), number(line['bytes'] / 1e6)]
        + [number((find(figures, op='query', engine=line['engine'], kind=f"{line['state']}/{kind}") or {}).get('p50_us'))
           for kind in ('term_common', 'or35', 'phrase', 'prefix3')] for line in figures if line['op'] == 'remove']))
    parts.append('## Memory while searching, MB\n')
    parts.append(table(['engine', 'resident', 'of it anonymous'], [[line['engine'], number(line['rss_mb']), number(line['anonymous_mb'])]
                                                                   for line in figures if line['op'] == 'memory']))
    tables = find(figures, op='tables')
    if tables:
        parts.append(f"## What the index is made of, before compression ({tables['file_bytes'] / 1e6:.1f} MB of files)\n")
        parts.append(table(['table', 'MB'], [[name, number(size / 1e6)] for name, size in sorted(tables['bytes'].items(), key=lambda item: -item[1])]))
    parts.append('## Ceilings\n')
    parts.append(table(['what', 'value'], [[line['what'], f"{number(line['value'])} {line['unit']}"] for line in figures if line['op'] == 'ceiling']))
    parts.append('## Hits of all queries of a kind, and how many queries have as many as the reference\n')
    parts.append(table(['kind', 'engine', 'hits', 'as many'], [
        [row['kind'], row['engine'], f"{row['hits']:,}", f"{row['same']} of {row['queries']}, {row['reference']}"
         + (f"; **answered only {row['answered']}**" if row['answered'] < row['queries'] else '')] for row in results['hits']]))
    parts.append(bar.DIFFERENCES)
    return '\n'.join(parts)

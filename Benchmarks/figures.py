#!/usr/bin/env python3
"""Draws the pictures of a comparison and of growth: figures.py FOLDER results.json [growth.json] [--png]"""
import json
import pathlib
import sys

import matplotlib

matplotlib.use('svg')
import matplotlib.pyplot as plt

# MHTextSearch on an iPhone 5, read off the chart in its README: MB of text, seconds to index, ms to
# search for "hat".
OLDER = [(0.53, 7, 0.5), (1.05, 16, 2), (2.1, 26, 8), (5.2, 57, 15), (7.9, 98, 30), (10.5, 141, 57), (12.6, 176, 68)]
COLORS = {'textsearch': '#d1495b', 'textsearch-every-word': '#e9a6ae', 'fts5-contentless': '#30638e', 'fts5-content': '#5b8db8',
          'fts5-prefix': '#8fb3d1', 'fts5-prefix-content': '#8fb3d1', 'fts5-trigram': '#bcd3e6', 'fts5-trigram-content': '#bcd3e6', 'tantivy': '#3c7a57', 'tantivy-stored': '#88b89c', 'xapian': '#b08d3c'}
NAMES = {'textsearch': 'TextSearch', 'textsearch-every-word': 'TextSearch, no stop words', 'fts5-contentless': 'FTS5 contentless',
         'fts5-content': 'FTS5 with content', 'fts5-prefix': 'FTS5 prefix index', 'fts5-trigram': 'FTS5 trigram', 'tantivy': 'tantivy',
         'fts5-prefix-content': 'FTS5 prefix index, content', 'fts5-trigram-content': 'FTS5 trigram, content',
         'tantivy-stored': 'tantivy, text stored', 'xapian': 'Xapian'}
KINDS = [('term_common', 'common term'), ('term_mid', 'middling term'), ('term_rare', 'rare term'), ('and2', '2 terms, all'),
         ('and2_stop', 'a term and a stop word'), ('or2', '2 terms, any'), ('or35', '3–5 terms, any'), ('phrase', 'phrase'), ('prefix3_top', 'prefix of 3'),
         ('infix_top', 'infix of 3–6'), ('fuzzy_top', '1 edit')]

plt.rcParams.update({'font.size': 10, 'axes.spines.top': False, 'axes.spines.right': False, 'axes.axisbelow': True,
                     'axes.grid': True, 'grid.color': '#e6e6e6', 'svg.fonttype': 'path', 'svg.hashsalt': 'figures', 'legend.frameon': False})


class Pictures:
    def __init__(self, folder, png):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.png = png

    def save(self, figure, name, note):
        figure.text(0.01, 0.005, note, fontsize=7, color='#666666')
        figure.tight_layout(rect=(0, 0.03, 1, 1))
        figure.savefig(self.folder / (name + '.svg'), metadata={'Date': None})
        if self.png:
            figure.savefig(self.folder / (name + '.png'), dpi=110)
        plt.close(figure)


def note(results, *steps, turns=True):
    """When and how these steps of a comparison, or growth, were measured. `turns`: whether what is shown of searches is their times, of many turns."""
    quick = ', quick mode' if results['quick'] else ''
    parts = [f"{results['machine']['cores']} cores, {results['machine']['system'].split('-with')[0]}{quick}"]
    for name in steps if 'steps' in results else [None]:
        run = results['steps'][name] if name else results
        # Searches take turns: see turns.py.
        rounds, unit = (run['rounds'], 'rounds') if name != 'query' else (3 * run['rounds'], 'turns at most') if turns else (1, '')
        part = (f"{run['date']}, {'one round' if rounds == 1 else f'medians of {rounds} {unit}'}, "
                f"load {run['load'][0][0]:.1f} to {run['load'][1][0]:.1f}")
        if part not in parts:
            parts.append(part)
    return '; '.join(parts)


def lines(results, op, **wanted):
    return [line for line in results['figures'] if line['op'] == op and all(line.get(key) == value for key, value in wanted.items())]


def threads(line):
    return f", {line['threads']} thread{'s' if line['threads'] > 1 else ''}"


def by_text_size(pictures, results):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.8))
    left.plot([x for x, _, _ in OLDER], [y for _, y, _ in OLDER], 's--', color='#888888', label='MHTextSearch, iPhone 5 (its chart)')
    right.plot([x for x, _, _ in OLDER], [y for _, _, y in OLDER], 's--', color='#888888', label='MHTextSearch, iPhone 5 (its chart)')
    curves = {}
    for line in [line for line in lines(results, 'index') if line.get('scale')] + lines(results, 'scale'):
        curves.setdefault((line['engine'], line['threads']), []).append(line)
    for (engine, count), curve in curves.items():
        curve.sort(key=lambda line: line['text_bytes'])
        sizes = [line['text_bytes'] / 1e6 for line in curve]
        left.plot(sizes, [line['seconds'] for line in curve], 'o-' if count == 1 else 'o:', color=COLORS[engine], label=NAMES[engine] + threads(curve[0]))
        # A search has one thread, however many the load had.
        if count == 1 and 'search_ms' in curve[0]:
            right.plot(sizes, [line['search_ms'] for line in curve], 'o-', color=COLORS[engine], label=NAMES[engine] + threads(curve[0]))
    left.set(title='Indexing', ylabel='seconds')
    right.set(title='Keyword “hat” inside words, least of 20 searches', ylabel='milliseconds')
    for axes in (left, right):
        axes.set(xscale='log', yscale='log', xlabel='MB of text')
        axes.legend(fontsize=8, loc='upper center', bbox_to_anchor=(0.5, -0.14))
    pictures.save(figure, 'text-size', note(results, 'once'))


def horizontal(axes, entries, title, unit):
    """Bars with their values, the first entry at the top."""
    labels = [NAMES.get(line['engine'], line['engine']) + extra for line, extra, _ in entries]
    values = [value for _, _, value in entries]
    places = range(len(values))
    axes.barh(places, values, color=[COLORS.get(line['engine'], '#999999') for line, _, _ in entries])
    axes.set_yticks(places, labels)
    axes.invert_yaxis()
    axes.set(title=title, xlabel=unit)
    axes.grid(axis='y', visible=False)
    for place, value in zip(places, values):
        axes.text(value, place, f' {value:.3g}', va='center', fontsize=8)
    axes.margins(x=0.14)


def throughput(pictures, results):
    indexed = [line for line in lines(results, 'index') if not line.get('scale') and not line.get('streams') and not line.get('corpus')]
    entries = [(line, threads(line), line['text_bytes'] / 1e6 / line['seconds']) for line in indexed]
    entries.sort(key=lambda entry: -entry[2])
    figure, axes = plt.subplots(figsize=(8, 0.36 * len(entries) + 1.4))
    horizontal(axes, entries, f"Indexing {indexed[0]['text_bytes'] / 1e6:.0f} MB of text", 'MB/s')
    pictures.save(figure, 'throughput', note(results, 'index'))


def size(pictures, results):
    best = {}
    for line in lines(results, 'index'):
        if not line.get('scale') and not line.get('streams') and not line.get('corpus'):
            best[line['engine']] = line
    entries = sorted(((line, '', line['bytes'] / line['text_bytes']) for line in best.values()), key=lambda entry: entry[2])
    figure, axes = plt.subplots(figsize=(8, 0.36 * len(entries) + 1.4))
    horizontal(axes, entries, 'Index size', 'bytes of index for each byte of text')
    pictures.save(figure, 'index-size', note(results, 'index'))


def memory(pictures, results):
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.2))
    entries = sorted(((line, '', line['peak_mb']) for line in lines(results, 'index', streams=True)), key=lambda entry: entry[2])
    horizontal(left, entries, 'Peak while indexing a stream', 'MB, whole process')
    entries = sorted(((line, '', line['anonymous_mb']) for line in lines(results, 'memory')), key=lambda entry: entry[2])
    horizontal(right, entries, 'Held after all kinds of query', 'MB, without program, libraries and mapped files')
    pictures.save(figure, 'memory', note(results, 'once', 'query', turns=False) + '; tantivy with Python')


def latency(pictures, results):
    engines = [name for name in ('textsearch', 'tantivy', 'fts5-contentless', 'xapian', 'fts5-trigram') if lines(results, "query", engine=name)]
    figure, axes = plt.subplots(figsize=(10, 5.2))
    height = 0.8 / len(engines)
    for place, engine in enumerate(engines):
        found = {line['kind']: line for line in lines(results, 'query', engine=engine)}
        for row, (kind, _) in enumerate(KINDS):
            line = found.get(kind)
            if not line:
                continue
            y = row + (place - (len(engines) - 1) / 2) * height
            axes.plot([line['p50_us'], line['p99_us']], [y, y], color=COLORS[engine], linewidth=2)
            axes.plot(line['p50_us'], y, 'o', color=COLORS[engine], markersize=5)
            axes.plot(line['p90_us'], y, '|', color=COLORS[engine], markersize=7)
            axes.plot(line['p99_us'], y, '>', color=COLORS[engine], markersize=4)
    for engine in engines:
        axes.plot([], [], 'o-', color=COLORS[engine], label=NAMES[engine])
    axes.set_yticks(range(len(KINDS)), [label for _, label in KINDS])
    axes.invert_yaxis()
    axes.set(xscale='log', xlabel='µs: median (dot), 90th (bar) and 99th percentile (arrow)', title='The best ten by relevance')
    axes.legend(loc='upper center', bbox_to_anchor=(0.5, -0.11), ncol=len(engines))
    pictures.save(figure, 'latency', note(results, 'query'))


def growth(pictures, results):
    grown = sorted(lines(results, 'growth'), key=lambda line: line['mb'])
    sizes = [line['mb'] for line in grown]
    figure, axes = plt.subplots(2, 2, figsize=(10, 7))
    rate, searches, held, opening = axes.flat
    rate.plot(sizes, [line['text_bytes'] / 1e6 / line['seconds'] for line in grown], 'o-', color=COLORS['textsearch'])
    rate.set(title='Indexing rate' + threads(grown[0]), ylabel='MB/s')
    rate.set_ylim(bottom=0)
    kinds = list(dict.fromkeys(line['kind'] for line in lines(results, 'query')))
    for number, kind in enumerate(kinds):
        found = sorted(lines(results, 'query', kind=kind), key=lambda line: line['mb'])
        searches.plot([line['mb'] for line in found], [line['p50_us'] for line in found], 'o-', markersize=4, label=kind, color=plt.cm.tab10(number))
    searches.set(title='Queries, median', ylabel='µs', yscale='log')
    searches.legend(fontsize=7, ncol=2)
    held.plot(sizes, [line['peak_mb'] - line['before_mb'] for line in grown], 'o-', color=COLORS['textsearch'], label='indexing, without the corpus')
    held.set(title='Peak memory', ylabel='MB')
    held.set_ylim(bottom=0)
    held.legend(fontsize=8)
    opening.plot(sizes, [line['open_ms'] for line in grown], 'o-', color=COLORS['textsearch'], label='opening')
    opening.plot(sizes, [line['open_ms'] + line['first_ms'] for line in grown], 'o--', color=COLORS['fts5-contentless'], label='to the first answer')
    opening.set(title='Opening', ylabel='ms')
    opening.set_ylim(bottom=0)
    opening.legend(fontsize=8)
    for part in axes.flat:
        part.set(xscale='log', xlabel='MB of text')
    pictures.save(figure, 'growth', note(results))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != '--png']
    if len(arguments) < 2:
        sys.exit(__doc__)
    pictures = Pictures(arguments[0], '--png' in sys.argv)
    for path in arguments[1:]:
        results = json.loads(pathlib.Path(path).read_text())
        if lines(results, 'growth'):
            growth(pictures, results)
            continue
        for picture in (by_text_size, throughput, size, memory, latency):
            picture(pictures, results)


if __name__ == '__main__':
    main()

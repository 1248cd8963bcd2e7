"""The bar that the engine is held against: ratios within one run, so that the machine's mood cancels out."""
import statistics

DIFFERENCES = """Why hits differ: in a query of several words this engine does not require stop words, and counts them little; for
`textsearch-every-word` no word is one. This engine and Xapian keep apostrophes, underscores and points between letters
within words, where FTS5 and tantivy cut; FTS5's trigrams match text, not words; tantivy leaves out words of more than 40 letters.
"""


def row(work, ours, theirs, against, bar, at_least=False, unit=''):
    """`ours` and `theirs`: a value, the values by round, or None. Told are the medians of the rounds that both have, and as ratio the median of their
    ratios in each: what a machine does for a while it does to both. A row that is against nothing has our value as its ratio."""
    ours, theirs = ({'1': value} if isinstance(value, (int, float)) else value or {} for value in (ours, theirs))
    common = [number for number in ours if number in theirs] if against else list(ours)
    ratios = [ours[number] / theirs[number] for number in common] if against else list(ours.values())
    ours, theirs, ratio = (statistics.median(values) if values else None for values in (
        [ours[number] for number in common], [theirs[number] for number in common] if against else [], ratios))
    return {'work': work, 'ours': ours, 'theirs': theirs, 'against': against, 'bar': bar, 'at_least': at_least, 'unit': unit, 'ratio': ratio}


def rounds(line, name):
    """The values of a line's number by round."""
    if not line or name not in line:
        return None
    return line.get('rounds', {}).get(name) or {'1': line[name]}


def rows(figures, find):
    """The rows: what is compared, both values, and the ratio that is asked for; `against` is empty where the value itself is, and the bar None where
    no ratio is asked for and it is told all the same."""

    def speed(line):
        return line and {number: line['text_bytes'] / 1e6 / seconds for number, seconds in rounds(line, 'seconds').items()}

    def share(line):
        return line['bytes'] / line['text_bytes'] if line else None

    def index(engine, threads=1, **more):
        return find(figures, op='index', engine=engine, threads=threads, scale=None, **{'corpus': None, 'streams': None, **more})

    def latency(engine, kind, part='p50_us'):
        return rounds(find(figures, op='query', engine=engine, kind=kind), part)

    ours = index('textsearch')
    ours2 = index('textsearch', 2)
    contentless = index('fts5-contentless')
    size = share(ours2)
    yield row('indexing, one thread', speed(ours), speed(contentless), 'FTS5 contentless', 2, True, 'MB/s')
    yield row('indexing, one thread', speed(ours), speed(index('tantivy')), 'tantivy', 1.6, True, 'MB/s')
    yield row('indexing, two threads', speed(ours2), speed(index('tantivy', 2)), 'tantivy', 2, True, 'MB/s')
    yield row('index size', size, share(contentless), 'FTS5 contentless', 0.85)
    yield row('index size', size, None, '', 0.45, unit='of the text')
    single = find(figures, op='single', engine='textsearch', what='add')
    for variant in ('contentless', 'content'):
        theirs = find(figures, op='single', engine='fts5-' + variant, what='add')
        yield row('one object committed alone, p50', rounds(single, 'p50_us'), rounds(theirs, 'p50_us'), 'FTS5 ' + variant, 0.5, unit='µs')
    yield row('one object committed alone, p99', single and single['p99_us'] / 1e3, None, '', 2, unit='ms')
    yield row('short strings, two threads', speed(index('textsearch', 2, corpus='short')), speed(index('fts5-contentless', corpus='short')),
              'FTS5 contentless', 1.5, True, 'MB/s')
    for kind in ('term_common', 'term_mid', 'term_rare', 'and2', 'and2_stop', 'or2', 'or35', 'phrase'):
        for part in ('p50', 'p99'):
            yield row(f'top 10, {kind}, {part}', latency('textsearch', kind, part + '_us'), latency('tantivy', kind, part + '_us'), 'tantivy', 1, unit='µs')
    for part in ('p50', 'p99'):
        yield row(f'top 10, term_common, {part}', latency('textsearch', 'term_common', part + '_us'),
                  latency('fts5-contentless', 'term_common', part + '_us'), 'FTS5 contentless', 0.1, unit='µs')
    yield row('prefix of 3 letters, all', latency('textsearch', 'prefix3_all'), latency('fts5-prefix', 'prefix3_all'), 'FTS5 prefix index', 1, unit='µs')
    yield row('prefix of 3 letters, counted', latency('textsearch', 'prefix3_count'), latency('fts5-prefix', 'prefix3_count'), 'FTS5 prefix index', 1, unit='µs')
    yield row('size beside a prefix index', size, share(index('fts5-prefix-content')), 'FTS5 prefix index with content', 0.25)
    yield row('size beside a prefix index', size, share(index('fts5-prefix')), 'FTS5 prefix index, contentless', None)
    yield row('prefix of 3 letters, top 10', latency('textsearch', 'prefix3_top'), latency('tantivy', 'prefix3_top'), 'tantivy', 0.5, unit='µs')
    yield row('infix, all', latency('textsearch', 'infix_all'), latency('fts5-trigram', 'infix_all'), 'FTS5 trigram', 0.5, unit='µs')
    yield row('infix, counted', latency('textsearch', 'infix_count'), latency('fts5-trigram', 'infix_count'), 'FTS5 trigram', 0.5, unit='µs')
    yield row('infix, top 10', latency('textsearch', 'infix_top'), latency('fts5-trigram', 'infix_top'), 'FTS5 trigram', 0.15, unit='µs')
    yield row('size beside trigrams', size, share(index('fts5-trigram-content')), 'FTS5 trigram with content', 0.125)
    yield row('size beside trigrams', size, share(index('fts5-trigram')), 'FTS5 trigram, contentless', None)
    yield row('fuzzy, one edit, top 10', latency('textsearch', 'fuzzy_top'), latency('tantivy', 'fuzzy_top'), 'tantivy', 0.5, unit='µs')
    common = latency('fts5-contentless', 'term_common_all')
    yield row('every hit of a common term', latency('textsearch', 'term_common_all'), common, 'FTS5 rowids', 0.7, unit='µs')
    yield row('the same by weight', latency('textsearch', 'term_common_weight'), common, 'FTS5 rowids', 1.5, unit='µs')
    for kind, what in (('filter_number', 'a number that a quarter has'), ('filter_category', 'one of five categories'), ('filter_few', 'a mark that 100 have')):
        for part in ('p50', 'p99'):
            yield row(f'top 20 of a word beside {what}, {part}', latency('textsearch', kind, part + '_us'), latency('tantivy', kind, part + '_us'),
                      'tantivy', 1, unit='µs')
        yield row(f'top 20 of a word beside {what}, p50', latency('textsearch', kind), latency('fts5-contentless', kind), 'FTS5 with a table', 0.05, unit='µs')
    for kind, what in (('filter_sort', 'a word'), ('all_sort', 'everything')):
        yield row(f'top 20 of {what} by a number', latency('textsearch', kind), latency('tantivy', kind), 'tantivy', 1, unit='µs')
    yield row('a range of numbers, counted', latency('textsearch', 'range_count'), latency('fts5-contentless', 'range_count'), 'an index of SQLite', 2, unit='µs')
    yield row('three facets beside a filter', latency('textsearch', 'filter_facets'), latency('textsearch', 'facets'), 'the facets alone', 1.3, unit='µs')
    opened = find(figures, op='open', engine='textsearch', files='warm')
    yield row('opening, to the first answer', opened and opened['open_ms'] + opened['first_ms'], None, '', 5, unit='ms')
    for kind in ('term_common', 'or35', 'phrase', 'prefix3'):
        yield row(f'after removals, {kind}', latency('textsearch', 'removed/' + kind), latency('textsearch', 'fresh/' + kind), 'a fresh index', 1.3, unit='µs')
    sizes = {state: (find(figures, op='remove', engine='textsearch', state=state) or {}).get('bytes') for state in ('fresh', 'optimized')}
    yield row('fresh size / size after optimize()', sizes['fresh'], sizes['optimized'], 'after optimize()', 0.9, True, 'bytes')
    streamed = find(figures, op='index', engine='textsearch', streams=True)
    yield row('memory, peak while indexing', streamed and streamed['peak_mb'], None, '', 250, unit='MB')
    memory = find(figures, op='memory', engine='textsearch')
    for name, unit in (('anonymous_mb', 'MB, anonymous'), ('rss_mb', 'MB, resident with program and libraries')):
        yield row('memory, held while searching', memory and memory[name], None, '', 64, unit=unit)


def growth_rows(figures, find):
    """What ten times the text costs, from the largest size that has a tenth beside it; sub-linear is less than ten times the time."""
    rates = {line['mb']: {number: line['text_bytes'] / 1e6 / seconds for number, seconds in rounds(line, 'seconds').items()}
             for line in figures if line['op'] == 'growth'}
    large = max((size for size in rates if size / 10 in rates), default=0)
    small = large / 10
    against = f'with {small:g} MB' if large else 'with a tenth'
    yield row('growth, 10 x the text: rate', rates.get(large), rates.get(small), against, 0.85, True, 'MB/s')
    for kind in ('term_rare', 'phrase', 'prefix3_top', 'prefix3_count'):
        ours, theirs = (rounds(find(figures, op='query', kind=kind, mb=size), 'p50_us') for size in (large, small))
        yield row(f'growth, 10 x the text: {kind}, p50', ours, theirs, against, 10, unit='µs')

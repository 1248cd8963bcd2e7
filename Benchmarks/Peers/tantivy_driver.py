#!/usr/bin/env python3
"""tantivy by its Python package, as its documentation has it. Queries are parsed beforehand; what the calls through Python cost is measured.

tantivy_driver.py index FOLDER CORPUS THREADS LIMIT [stored] [stream]   LIMIT: bytes of text at most, 0 for all
tantivy_driver.py query FOLDER QUERIES [turns]   turns: the kinds of query come by standard input, see Kinds in peers.hpp
tantivy_driver.py filters FOLDER CORPUS WORDS   words beside filters, and sort keys: see FilteredEntry.swift
tantivy_driver.py single FOLDER OBJECTS
tantivy_driver.py open FOLDER WORD warm|evicted
"""
import json
import os
import resource
import shutil
import sys
import time

import tantivy

HEAP = 256_000_000


def say(**figures):
    print(json.dumps(figures), flush=True)


def schema(stored):
    builder = tantivy.SchemaBuilder()
    builder.add_text_field('id', stored=True, tokenizer_name='raw', index_option='basic')
    builder.add_text_field('title', stored=stored)
    builder.add_text_field('body', stored=stored)
    return builder.build()


def documents(path, limit):
    text = 0
    with open(path, encoding='utf8') as lines:
        for number, line in enumerate(lines):
            entry = json.loads(line)
            title, body = entry.get('title') or '', entry.get('body') or ''
            yield str(number + 1), title, body
            text += len(title.encode()) + len(body.encode())
            if limit and text >= limit:
                return


def made(entry):
    return tantivy.Document(id=entry[0], title=entry[1], body=entry[2])


def text_size(entry):
    return len(entry[1].encode()) + len(entry[2].encode())


def files(folder):
    for root, _, names in os.walk(folder):
        yield from (os.path.join(root, name) for name in names)


def memory(name):
    with open('/proc/self/status') as lines:
        for line in lines:
            if line.startswith(name + ':'):
                return int(line.split()[1]) * 1024 / 1e6
    return 0


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def percentile(values, part):
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def index(folder, corpus, threads, limit, options):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    stored = 'stored' in options
    entries = documents(corpus, limit)
    binding, count, text = 0.0, 0, 0
    if 'stream' not in options:
        entries = list(entries)
        count, text = len(entries), sum(map(text_size, entries))
        # What Python and the copy of each text into Rust cost, without indexing.
        start = time.perf_counter()
        for entry in entries:
            made(entry)
        binding = time.perf_counter() - start
    start, processor = time.perf_counter(), processor_seconds()
    writer = tantivy.Index(schema(stored), path=folder).writer(heap_size=HEAP, num_threads=threads)
    for entry in entries:
        writer.add_document(made(entry))
        if 'stream' in options:
            count, text = count + 1, text + text_size(entry)
    writer.commit()
    writer.wait_merging_threads()
    seconds, used = time.perf_counter() - start, processor_seconds() - processor
    again = tantivy.Index.open(folder)
    again.writer(15_000_000, 1).garbage_collect_files()
    say(op='index', engine='tantivy' + ('-stored' if stored else ''), threads=threads, docs=count, text_bytes=text,
        seconds=round(seconds, 4), cpu_s=round(used, 4), binding_s=round(binding, 4),
        bytes=sum(map(os.path.getsize, files(folder))), peak_mb=round(memory('VmHWM'), 1))


# For so many seconds queries are run before they are timed: whoever waited for a turn finds caches
# that others used.
WARMING_TIME = .03


class Queries:
    """Times kinds of query: passes that are not timed, the first of which gives the hits, then three that are."""

    def __init__(self, store, folder):
        self.index = tantivy.Index.open(store)
        self.searcher = self.index.searcher()
        self.schema = self.index.schema
        self.folder = folder
        self.count = self.searcher.num_docs

    def texts(self, name):
        try:
            with open(os.path.join(self.folder, name + '.tsv'), encoding='utf8') as lines:
                return [line.rstrip('\n').split('\t', 1)[1] for line in lines]
        except FileNotFoundError:
            return []

    def parsed(self, text):
        return self.index.parse_query(text, ['title', 'body'])

    def in_fields(self, make):
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, make(self.schema, field)) for field in ('title', 'body')])

    def report(self, kind, queries, run, **tags):
        if not queries:
            return
        begin = time.perf_counter()
        hits = [run(query) for query in queries]
        while time.perf_counter() - begin < WARMING_TIME:
            for query in queries:
                run(query)
        passes = [[] for _ in queries]
        for _ in range(3):
            for query, times in zip(queries, passes):
                start = time.perf_counter()
                run(query)
                times.append((time.perf_counter() - start) * 1e6)
        # The time in the middle of the three that each query took.
        times = [percentile(times, .5) for times in passes]
        say(op='query', engine='tantivy', kind=kind, n=len(queries), p50_us=round(percentile(times, .5), 2),
            p90_us=round(percentile(times, .9), 2), p99_us=round(percentile(times, .99), 2), hits=hits, **tags)

    def top(self, query):
        return len(self.searcher.search(query, limit=10, count=False).hits)

    def all(self, query):
        return len(self.searcher.search(query, limit=self.count, count=False).hits)

    def counted(self, query):
        return self.searcher.search(query, limit=1, count=True).count

    def run(self, takes_turns):
        def joined(operator):
            return lambda text: self.parsed(f' {operator} '.join(f'"{word}"' for word in text.split()))

        def quoted(text):
            return self.parsed(f'"{text}"')

        def pattern(before, after):
            return lambda text: self.in_fields(lambda schema, field: tantivy.Query.regex_query(schema, field, before + text + after))

        def fuzzy(text):
            return self.in_fields(lambda schema, field: tantivy.Query.fuzzy_term_query(schema, field, text, distance=1))

        kinds = [(kind, kind, joined('AND'), self.top) for kind in ('term_common', 'term_mid', 'term_rare', 'and2', 'and2_stop')]
        kinds += [(kind, kind, joined('OR'), self.top) for kind in ('or2', 'or35')]
        kinds += [
            ('phrase', 'phrase', quoted, self.top),
            ('prefix3_top', 'prefix3', pattern('', '.*'), self.top),
            ('infix_top', 'infix', pattern('.*', '.*'), self.top),
            ('fuzzy_top', 'term_mid', fuzzy, self.top),
            ('term_common_all', 'term_common', quoted, self.all),
            ('and2_all', 'and2', joined('AND'), self.all),
            ('or2_all', 'or2', joined('OR'), self.all),
            ('phrase_all', 'phrase', quoted, self.all),
            ('prefix3_all', 'prefix3', pattern('', '.*'), self.all),
            ('infix_all', 'infix', pattern('.*', '.*'), self.all),
            ('term_common_count', 'term_common', quoted, self.counted),
            ('prefix3_count', 'prefix3', pattern('', '.*'), self.counted),
            ('infix_count', 'infix', pattern('.*', '.*'), self.counted),
        ]
        measures = {kind: lambda kind=kind, name=name, read=read, run=run: self.report(kind, [read(text) for text in self.texts(name)], run)
                    for kind, name, read, run in kinds}
        measures['binding: a search of nothing'] = lambda: self.report(
            'binding: a search of nothing', [tantivy.Query.empty_query()] * 1000, self.top)
        measures['binding: reading query text'] = lambda: self.report(
            'binding: reading query text', self.texts('or35'), lambda text: 0 if joined('OR')(text) is None else 1)
        measures['binding: all documents, by hits'] = lambda: self.report(
            'binding: all documents, by hits', [tantivy.Query.all_query()] * 20, self.all)
        for kind, measure in measures.items():
            if takes_turns:
                print(kind)
            else:
                measure()
        if takes_turns:
            print(flush=True)
            for line in sys.stdin:
                measures.get(line.rstrip('\n'), lambda: None)()
                print(flush=True)
        say(op='memory', engine='tantivy', what='searching', rss_mb=round(memory('VmRSS'), 1),
            anonymous_mb=round(memory('RssAnon'), 1))


def filters(folder, corpus, path):
    """Titles with a number, one of five categories and a mark that 100 have; each in a fast field, and indexed."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    builder = tantivy.SchemaBuilder()
    builder.add_text_field('title')
    builder.add_float_field('price', fast=True, indexed=True)
    builder.add_text_field('category', tokenizer_name='raw', fast=True)
    builder.add_boolean_field('rare', fast=True, indexed=True)
    titles = [title for _, title, _ in documents(corpus, 0)]
    every = max(len(titles) // 100, 1)
    writer = tantivy.Index(builder.build(), path=folder).writer(heap_size=HEAP, num_threads=1)
    for number, title in enumerate(titles):
        writer.add_document(tantivy.Document(title=title, price=number * 2654435761 % 10000 / 100, category='abcde'[number % 5],
                                             rare=number % every == 7))
    writer.commit()
    writer.wait_merging_threads()
    queries = Queries(folder, '')
    with open(path, encoding='utf8') as lines:
        words = lines.read().split()

    def parsed(text):
        return queries.index.parse_query(text, ['title'])

    def top(query, **order):
        return len(queries.searcher.search(query, limit=20, count=False, **order).hits)

    def by_price(query):
        return top(query, order_by_field='price', order=tantivy.Order.Asc)

    for kind, beside, run in (('filter_none', '', top), ('filter_number', ' +price:[0 TO 25}', top), ('filter_category', ' +category:b', top),
                              ('filter_few', ' +rare:true', top), ('filter_sort', '', by_price)):
        queries.report(kind, [parsed(f'+"{word}"{beside}') for word in words], run, corpus='short')
    queries.report('all_sort', [tantivy.Query.all_query()] * 20, by_price, corpus='short')
    queries.report('range_count', [parsed('price:[0 TO 1}')] * 20, queries.counted, corpus='short')


def single(folder, path):
    entries = list(documents(path, 0))
    writer = tantivy.Index.open(folder).writer(heap_size=64_000_000, num_threads=1)
    for what in ('add', 'update', 'remove'):
        times = []
        for number, entry in enumerate(entries):
            entry = (f'new{number}', entry[1], entry[2])
            start = time.perf_counter()
            if what != 'add':
                writer.delete_documents('id', entry[0])
            if what != 'remove':
                writer.add_document(made(entry))
            writer.commit()
            times.append((time.perf_counter() - start) * 1e6)
        say(op='single', engine='tantivy', what=what, n=len(times), p50_us=round(percentile(times, .5), 2),
            p99_us=round(percentile(times, .99), 2))


def opening(folder, word, state):
    if state == 'evicted':
        for name in files(folder):
            descriptor = os.open(name, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
    start = time.perf_counter()
    index = tantivy.Index.open(folder)
    searcher = index.searcher()
    opened = time.perf_counter()
    searcher.search(index.parse_query(f'"{word}"', ['title', 'body']), 10)
    say(op='open', engine='tantivy', files=state, open_ms=round((opened - start) * 1e3, 3),
        first_ms=round((time.perf_counter() - opened) * 1e3, 3))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    mode, folder, *rest = sys.argv[1:]
    if mode == 'index':
        index(folder, rest[0], int(rest[1]), int(rest[2]), rest[3:])
    elif mode == 'query':
        Queries(folder, rest[0]).run(takes_turns=rest[1:] == ['turns'])
    elif mode == 'filters':
        filters(folder, *rest[:2])
    elif mode == 'single':
        single(folder, rest[0])
    elif mode == 'open':
        opening(folder, rest[0], rest[1])
    else:
        sys.exit(__doc__)


main()

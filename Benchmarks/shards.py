#!/usr/bin/env python3
"""Measures shards that are served over HTTP, on one machine: latency and rate over four nodes beside one index, and the time and memory of 64 open shards.

    python3 Benchmarks/shards.py .build/release/textindex corpus.jsonl [--seconds 10] [--objects 20000]

The corpus is lines of JSON with id, title and body. Rates need wrk.
"""
import argparse
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.parse

NODES = 4
MANY = 64


class Server:
    """`textindex serve` with some options, until it is stopped."""

    def __init__(self, program, *options):
        self.process = subprocess.Popen([program, 'serve', *options, '--port', '0', '--rate', '0'], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r':(\d+)/', self.process.stdout.readline()).group(1))
        self.address = f'http://127.0.0.1:{self.port}'

    def memory(self):
        """The resident memory, in MB."""
        return int(re.search(r'VmRSS:\s+(\d+)', pathlib.Path(f'/proc/{self.process.pid}/status').read_text()).group(1)) / 1000

    def used(self):
        """The processor time, in seconds."""
        fields = pathlib.Path(f'/proc/{self.process.pid}/stat').read_text().rsplit(') ', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def stop(self):
        self.process.terminate()
        self.process.wait()


def build(program, work, lines, count):
    """A set of so many shards, by the rule of sets."""
    parts = [[] for _ in range(count)]
    for line in lines:
        identifier = str(json.loads(line)['id'])
        parts[int(hashlib.sha256(identifier.encode()).hexdigest()[:15], 16) % count].append(line)
    place = work / f'set{count}'
    for number, part in enumerate(parts):
        index = work / 'shard'
        quietly(program, 'index', '-', '--index', index, '--field', 'title', '--field', 'body', lines=part)
        quietly(program, 'set', 'add', place, '--shard', str(number), '--of', str(count), '--index', index)
        shutil.rmtree(index)
    quietly(program, 'set', 'commit', place)
    return place


def quietly(program, *arguments, lines=None):
    subprocess.run([program, *map(str, arguments)], input=''.join(lines) if lines is not None else None, text=True, check=True, stdout=subprocess.DEVNULL)


def queries(lines, count):
    """Texts of one to three words of the corpus, all different."""
    chosen = random.Random(1)
    words = sorted({word for line in lines[:2000] for word in re.findall(r'[a-z]{4,12}', line.lower())})
    found = set()
    while len(found) < count:
        found.add(' '.join(chosen.choices(words, k=chosen.choice([1, 1, 2, 3]))))
    return sorted(found)


def latencies(server, texts, more=''):
    """Milliseconds of each text, one after the other on one connection; `more` are further parameters."""
    connection = http.client.HTTPConnection('127.0.0.1', server.port)
    times = []
    for text in texts:
        start = time.perf_counter()
        connection.request('GET', '/v1/search?limit=10&snippets=0&steps=exact' + more + '&q=' + urllib.parse.quote_plus(text))
        answer = connection.getresponse()
        body = answer.read()
        times.append((time.perf_counter() - start) * 1000)
        assert answer.status == 200 and b'"isComplete":true' in body, body[:300]
    return times


def beside_before(server, texts):
    """Prints what a search over many shards takes, and where all matches of each shard are scored.

    That is what a federated search did before the statistics of queries were a value, on one thread. A least score that all
    have makes it do so still.
    """
    before, after = [], []
    for _ in range(3):
        for times, more in ((after, ''), (before, '&minimumScore=-1e300')):
            start = server.used()
            found = latencies(server, texts, more)
            times.append(((server.used() - start) * 1e6 / len(texts), statistics.median(found)))
    for name, times in (('the best alone', after), ('every match scored', before)):
        used, median = (statistics.median(values) for values in zip(*times))
        print(f'{MANY} shards in one process, {name}: p50 {median:.2f} ms, {used:.0f} µs of processor time a search')


def same(one, other, texts):
    """Asserts that hits and scores are equal."""
    def hits(server, text):
        connection = http.client.HTTPConnection('127.0.0.1', server.port)
        connection.request('GET', '/v1/search?limit=10&snippets=0&q=' + urllib.parse.quote_plus(text))
        return [(hit['id'], hit['score']) for hit in json.loads(connection.getresponse().read())['hits']]
    for text in texts:
        found, wanted = hits(one, text), hits(other, text)
        assert sorted(score for _, score in found) == sorted(score for _, score in wanted), (text, found, wanted)


def rate(servers, address, work, seconds):
    """Prints what wrk says, and the processor time of a request in all servers."""
    if not shutil.which('wrk'):
        return print('rate: not measured, as wrk is missing')
    script = pathlib.Path(__file__).resolve().parent.parent / 'Tests/Load/queries.lua'
    before = sum(server.used() for server in servers)
    report = subprocess.run(
        ['wrk', '-t1', '-c16', f'-d{seconds}s', '-s', script, address], env={**os.environ, 'QUERIES': str(work / 'words'), 'MORE': '&snippets=0&steps=exact'},
        capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    used = sum(server.used() for server in servers) - before
    print(f'rate: {report}; {used * 1e6 / int(report.split()[0]):.0f} µs of all servers a request')


def summary(name, times):
    times = sorted(times)
    print(f'{name}: p50 {statistics.median(times):.2f} ms, p90 {times[len(times) * 9 // 10]:.2f} ms, p99 {times[len(times) * 99 // 100]:.2f} ms')
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('corpus')
    parser.add_argument('--seconds', type=int, default=10)
    parser.add_argument('--objects', type=int, default=20000)
    options = parser.parse_args()
    with open(options.corpus) as file:
        lines = [line for _, line in zip(range(options.objects), file)]
    work = pathlib.Path(tempfile.mkdtemp())
    servers = []

    def serve(*arguments):
        servers.append(Server(options.program, *map(str, arguments)))
        return servers[-1]

    try:
        quietly(options.program, 'index', '-', '--index', work / 'one', '--field', 'title', '--field', 'body', lines=lines)
        quietly(options.program, 'publish', work / 'published', '--index', work / 'one')
        place = build(options.program, work, lines, NODES)
        texts = queries(lines, 1000)
        (work / 'words').write_text('\n'.join(sorted({text.split()[0] for text in texts})) + '\n')
        one = serve('--index', work / 'published')
        whole = serve('--index', place)
        nodes = [serve('--index', place, '--shards', number) for number in range(NODES)]
        spread = serve('--set', place, *[word for number, node in enumerate(nodes) for word in ('--replica', f'{number}={node.address}')])
        print(f'{len(lines)} objects, {sum(map(len, lines)) / 1e6:.0f} MB of lines')
        same(spread, one, texts[:200])
        print('200 queries: the same scores')
        for server in (one, whole, spread):
            latencies(server, texts[:100])
        base = summary('one index', latencies(one, texts))
        both = summary(f'two phases over {NODES} shards in one process', latencies(whole, texts))
        summary(f'two phases over {NODES} nodes', latencies(spread, texts))
        print(f'two phases are {both / base:.2f} × the time of one index')
        rate([spread, *nodes], spread.address, work, options.seconds)
        for server in servers:
            server.stop()
        servers.clear()
        many = serve('--index', build(options.program, work, lines, MANY))
        latencies(many, texts)
        beside_before(many, texts)
        print(f'{MANY} open shards after {len(texts)} queries: {many.memory():.0f} MB')
    finally:
        for server in servers:
            server.stop()
        shutil.rmtree(work)


if __name__ == '__main__':
    main()

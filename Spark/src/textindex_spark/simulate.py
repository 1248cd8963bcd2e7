"""Draws what latency to expect when many machines answer a search, before there are any.

    python3 -m textindex_spark.simulate --output Documentation/Figures

The objects lie in groups of nodes. The nodes of a group are replicas: they hold the same shards. A query
asks one node of each group twice, for statistics and then for results, and the slowest group decides.
A node has cores, divided into slots; requests that find none wait in line. Now and then a request stalls.
Hedging asks another replica if there is no answer after some time, and takes the first of both.

It is a model of queues with the costs of one machine, not a measurement of many. It has no slow networks,
no updates and no garbage collection. All choices come from the seed, so the pictures repeat.
"""

from __future__ import annotations

import argparse
import heapq
import os
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from .chart import Line, line_chart

Event = tuple[float, int, Callable[[float], None]]


@dataclass(frozen=True)
class Costs:
    """What was measured on one machine; Documentation/Scaling.md says how.

    Attributes:
        search_per_gb: ms of one core for a query over a gigabyte of text: words, pairs, phrases and
            prefixes.
        any_per_gb: the same for any of three to five words.
        request: ms of one core for a request for results besides: reading the page and writing JSON.
        statistics: ms of one core for what a node knows of a query.
        spread: how far queries differ: the deviation of the logarithm of their costs.
        network: ms that a message takes, the median. This one is assumed.
    """

    search_per_gb: float = 0.11
    any_per_gb: float = 0.18
    request: float = 0.4
    statistics: float = 0.2
    spread: float = 1.4
    network: float = 0.25


@dataclass(frozen=True)
class Cluster:
    """The machines and what they have to do.

    Attributes:
        text: GB of text in all.
        groups: into how many groups of nodes it is divided.
        replicas: how many nodes hold each group.
        rate: queries a second.
        seconds: for how long they come.
        cores: of a node; `parallel` of them search for one request.
        hedge: ms after which another replica is asked; None for never.
        budget: the most hedged requests for each request.
        stall: the share of requests that stall, for `stall_ms`.
        dead: how many nodes do not answer, which is noticed after `stale` ms.
        costs: what requests cost.
        seed: of all choices.
    """

    text: float = 10_000
    groups: int = 50
    replicas: int = 2
    rate: float = 100
    seconds: float = 20
    cores: int = 16
    parallel: int = 8
    hedge: float | None = None
    budget: float = 0.1
    stall: float = 0.002
    stall_ms: tuple[float, float] = (20, 100)
    dead: int = 0
    stale: float = 200
    costs: Costs = field(default_factory=Costs)
    seed: int = 1


@dataclass(frozen=True)
class Outcome:
    """What came of it.

    Attributes:
        latencies: ms of each query, the fastest first.
        requests: how many requests there were without the hedged ones.
        hedged: how many there were of these.
        busy: the share of slots that worked.
    """

    latencies: list[float]
    requests: int
    hedged: int
    busy: float

    def percentile(self, part: float) -> float:
        """The latency that so large a part of the queries has at most."""
        last = len(self.latencies) - 1
        return self.latencies[min(last, int(part * len(self.latencies)))] if last >= 0 else 0.0


class _Node:
    """A node with its slots and the requests in line."""

    def __init__(self, slots: int) -> None:
        self.free, self.is_dead, self.busy = slots, False, 0.0
        self.line: deque[_Request] = deque()

    @property
    def load(self) -> int:
        return len(self.line) - self.free


class _Query:
    """A query and its phase: 0 for statistics, 1 for results."""

    def __init__(self, begun: float, size: float) -> None:
        self.begun, self.size, self.phase, self.left = begun, size, 0, 0


class _Request:
    """What one group is asked in a phase of a query, and which of its nodes were asked."""

    def __init__(self, query: _Query, group: int, work: float) -> None:
        self.query, self.group, self.work = query, group, work
        self.is_answered = False
        self.asked: list[_Node] = []


class Simulation:
    """Runs the events of a cluster in the order of their times."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.random = cluster, random.Random(cluster.seed)
        slots = max(cluster.cores // cluster.parallel, 1)
        self.groups = [[_Node(slots) for _ in range(cluster.replicas)]
                       for _ in range(cluster.groups)]
        self.nodes = [node for group in self.groups for node in group]
        for node in self.random.sample(self.nodes, cluster.dead):
            node.is_dead = True
        self.slots = slots * len(self.nodes)
        self.events: list[Event] = []
        self.order = self.requests = self.hedged = 0
        self.latencies: list[float] = []

    def run(self) -> Outcome:
        """All queries, from the first to the last answer."""
        self._next_query(0)
        while self.events:
            now, _, action = heapq.heappop(self.events)
            action(now)
        busy = sum(node.busy for node in self.nodes) / (self.slots * self.cluster.seconds * 1000)
        return Outcome(sorted(self.latencies), self.requests, self.hedged, busy)

    def _at(self, time: float, action: Callable[[float], None]) -> None:
        self.order += 1  # So that events of one time come in the order in which they were made.
        heapq.heappush(self.events, (time, self.order, action))

    def _next_query(self, now: float) -> None:
        time = now + self.random.expovariate(self.cluster.rate / 1000)
        if time < self.cluster.seconds * 1000:
            self._at(time, self._begin)

    def _begin(self, now: float) -> None:
        self._next_query(now)
        spread = self.cluster.costs.spread
        self._ask_all(_Query(now, self.random.lognormvariate(-spread * spread / 2, spread)), now)

    def _ask_all(self, query: _Query, now: float) -> None:
        """Asks a node of each group."""
        cluster, costs = self.cluster, self.cluster.costs
        query.left = cluster.groups
        hedge = cluster.hedge
        if hedge is not None and query.phase == 0:
            hedge = max(2.0, hedge / 4)
        share = costs.search_per_gb * cluster.text / cluster.groups / cluster.parallel
        for group in range(cluster.groups):
            # A mean of 1: groups differ a little in what a query costs.
            work = share * query.size * self.random.lognormvariate(-0.045, 0.3)
            work = costs.request + work if query.phase else costs.statistics
            request = _Request(query, group, work)
            self.requests += 1
            self._send(request, now)
            if hedge is not None:
                self._at(now + hedge, partial(self._hedge, request))

    def _send(self, request: _Request, now: float) -> None:
        """Sends a request to the less loaded of two replicas that were not asked yet."""
        others = [node for node in self.groups[request.group] if node not in request.asked]
        if not others:
            return
        some = self.random.sample(others, min(2, len(others)))
        node = min(some, key=lambda node: node.load)
        request.asked.append(node)
        if node.is_dead:
            self._at(now + self.cluster.stale, partial(self._retry, request))
        else:
            self._at(now + self._network(), partial(self._arrive, request, node))

    def _network(self) -> float:
        return self.cluster.costs.network * self.random.lognormvariate(0, 0.5)

    def _retry(self, request: _Request, now: float) -> None:
        if not request.is_answered:
            self._send(request, now)

    def _hedge(self, request: _Request, now: float) -> None:
        allowed = self.cluster.budget * self.requests + 5
        untried = len(request.asked) < self.cluster.replicas
        if not request.is_answered and untried and self.hedged < allowed:
            self.hedged += 1
            self._send(request, now)

    def _arrive(self, request: _Request, node: _Node, now: float) -> None:
        if request.is_answered:
            return
        if node.free > 0:
            self._start(request, node, now)
        else:
            node.line.append(request)

    def _start(self, request: _Request, node: _Node, now: float) -> None:
        work = request.work
        if self.random.random() < self.cluster.stall:
            work += self.random.uniform(*self.cluster.stall_ms)
        node.free -= 1
        node.busy += work
        self._at(now + work, partial(self._finish, request, node))

    def _finish(self, request: _Request, node: _Node, now: float) -> None:
        node.free += 1
        while node.line and node.free > 0:
            waiting = node.line.popleft()
            if not waiting.is_answered:  # Else the other replica was first.
                self._start(waiting, node, now)
        if not request.is_answered:
            request.is_answered = True
            self._at(now + self._network(), partial(self._answer, request.query))

    def _answer(self, query: _Query, now: float) -> None:
        query.left -= 1
        if query.left:
            return
        if query.phase == 0:
            query.phase = 1
            self._ask_all(query, now)
        else:
            self.latencies.append(now - query.begun)


def simulate(cluster: Cluster) -> Outcome:
    """What latencies a cluster gives."""
    return Simulation(cluster).run()


def _curves(variants: list[tuple[str, Cluster]], change: str, values: list[float],
            part: float) -> list[Line]:
    """A percentile for values of one property, a curve for each variant."""
    lines = []
    for name, cluster in variants:
        points = []
        for value in values:
            number = int(value) if change in ("groups", "replicas", "dead") else value
            made = replace(cluster, **{change: number})  # type: ignore[arg-type]
            points.append((value, simulate(made).percentile(part)))
        lines.append(Line(name, points))
    return lines


def pictures(seed: int) -> dict[str, str]:
    """The pictures of Documentation/Scaling.md, by the names of their files, as SVG."""
    base = Cluster(seed=seed, seconds=16)
    hedged = replace(base, hedge=20)
    groups = [10.0, 15, 25, 50, 100, 200]
    after = [3.0, 5, 10, 20, 40, 80, 160]
    rates = [25.0, 50, 100, 200, 400, 600]
    below = "10 TB of text, 16 cores a node, 100 queries a second, stalls in 0.2 % of requests"
    pair = [("p99", base), ("p99, hedged after 20 ms", hedged)]
    made = {}
    made["scaling-groups"] = line_chart(
        "Latency by the number of groups (2 replicas)", below, "groups of nodes", "ms",
        _curves([("p50", base)], "groups", groups, 0.5) + _curves(pair, "groups", groups, 0.99))
    made["scaling-hedging"] = line_chart(
        "Latency by when another replica is asked (50 groups)", below,
        "asked again after so many ms", "p99 in ms",
        _curves([("2 replicas", base), ("3 replicas", replace(base, replicas=3)),
                 ("2 replicas, a node dead", replace(base, dead=1))], "hedge", after, 0.99))
    made["scaling-replicas"] = line_chart(
        "Latency by load and replicas (50 groups, hedged after 20 ms)", below.replace(
            "100 queries a second, ", ""), "queries a second", "p99 in ms",
        _curves([(f"{count} replica{'s' if count > 1 else ''}", replace(
            hedged, replicas=count)) for count in (1, 2, 3)], "rate", rates, 0.99))
    return made


def table(seed: int) -> str:
    """Figures beside the pictures."""
    base = Cluster(seed=seed)
    rows = [
        ("50 groups, 2 replicas", base), ("hedged after 20 ms", replace(base, hedge=20)),
        ("1 replica", replace(base, replicas=1)), ("3 replicas, hedged after 20 ms", replace(
            base, replicas=3, hedge=20)),
        ("a node dead", replace(base, dead=1)),
        ("a node dead, hedged after 20 ms", replace(base, dead=1, hedge=20)),
        ("400 queries a second, hedged after 20 ms", replace(base, rate=400, hedge=20, seconds=8)),
        ("any of 3 to 5 words, hedged after 60 ms", replace(base, hedge=60, costs=replace(
            base.costs, search_per_gb=base.costs.any_per_gb))),
    ]
    lines = ["| | p50 ms | p99 ms | p99.9 ms | hedged | busy |", "|---|---|---|---|---|---|"]
    for name, cluster in rows:
        made = simulate(cluster)
        parts = " | ".join(f"{made.percentile(part):.0f}" for part in (0.5, 0.99, 0.999))
        hedged = 100 * made.hedged / made.requests
        lines.append(f"| {name} | {parts} | {hedged:.1f} % | {100 * made.busy:.0f} % |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Writes the pictures into a folder, and prints the table."""
    parser = argparse.ArgumentParser(
        prog="python3 -m textindex_spark.simulate", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", default=".", help="the folder of the pictures")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.output, exist_ok=True)
    for name, picture in pictures(options.seed).items():
        with open(os.path.join(options.output, f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(picture)
    print(table(options.seed), end="")


if __name__ == "__main__":
    main()

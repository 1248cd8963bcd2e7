import TextIndexInterface
import TextSearch

/// What several shards of a node found, in the order of one index.
struct ShardHits<Object: Sendable> {
    struct Hit {
        /// Its place among the shards that were asked.
        let source: Int
        let item: SearchResultItem<Object>
        let rank: ShardRank
    }

    let hits: [Hit]
    private let results: [ResultPage<Object>]
    private let mark: IndexGeneration?
    private let request: ShardRequest<Object>
    private let facets: [FacetCounts<Object>]
    private let wordFinders: [@Sendable () -> [UnknownWord]?]

    /// - Throws: ``Problem`` where there are too many buckets to be told.
    init(
        _ found: [ShardRequest<Object>.Found], _ request: ShardRequest<Object>,
        within limits: ServerLimits, asMessage isMessage: Bool
    ) throws {
        facets = try (found.first?.facets ?? []).indices.map { number in
            try FacetCounts.wholeSum(of: found.map { $0.facets[number] })
        }
        // In JSON a bucket has its filter, too, and names.
        let size = facets.reduce(0) { $0 + $1.byteCount } * (isMessage ? 1 : 4)
        guard size <= limits.answerLength else {
            throw Problem.answerTooLarge(limits.answerLength)
        }
        results = found.map { $0.page }
        wordFinders = found.map { $0.findUnknownWords }
        self.request = request
        var mark = found.first?.mark
        for one in found.dropFirst() { mark?.add(one.mark) }
        self.mark = mark
        let ranking = request.shards.first.map { request.ranking(in: $0.served) } ?? .relevance
        let all = results.enumerated().flatMap { source, found in
            found.items.map { Hit(source: source, item: $0, rank: ShardRank($0, ranking)) }
        }
        // Those of one shard are in order.
        let isOrdered = results.count == 1
        let order =
            isOrdered
            ? Array(all.indices)
            : all.indices.sorted { a, b in
                if all[a].rank.precedes(all[b].rank, ranking) { return true }
                return a < b && !all[b].rank.precedes(all[a].rank, ranking)
            }
        hits = order.prefix(request.limit).map { all[$0] }
    }

    // MARK: What is told

    /// Hits in JSON without their places among all, one after the other.
    struct Shown {
        fileprivate(set) var bytes: [UInt8] = []
        fileprivate(set) var lengths: [Int] = []
    }

    /// - Parameters:
    ///   - first: where the hits begin that are shown; of the others only their ranks are told.
    ///   - count: how many are shown.
    ///   - limits: how many bytes the hits may have.
    ///   - render: makes the JSON of one.
    /// - Returns: What is shown.
    /// - Throws: ``Problem`` where it is too much; what `render` throws.
    func shown(
        from first: Int, count: Int, within limits: ServerLimits, _ render: (Hit) throws -> JSON
    ) throws -> Shown {
        var shown = Shown()
        for hit in hits.dropFirst(first).prefix(count) {
            let start = shown.bytes.count
            try render(hit).write(to: &shown.bytes)
            shown.lengths.append(shown.bytes.count - start)
            guard shown.bytes.count <= limits.answerLength else {
                throw Problem.answerTooLarge(limits.answerLength)
            }
        }
        return shown
    }

    private var total: Int { results.reduce(0) { $0 &+ $1.total.value } }
    private var isTotalExact: Bool { results.allSatisfy { $0.total.isExact } }
    var isComplete: Bool { results.allSatisfy { $0.isComplete } }
    private var steps: [String]? {
        request.asked.text.map { _ in
            results.reduce(SearchSteps()) { $0.union($1.steps) }.names
        }
    }

    /// The answer in JSON.
    func json(_ shown: Shown, _ unit: OffsetUnit) -> JSON {
        var list: [UInt8] = [UInt8(ascii: "[")]
        var rest = shown.bytes[...]
        for length in shown.lengths {
            if list.count > 1 { list.append(UInt8(ascii: ",")) }
            list += rest.prefix(length)
            rest = rest.dropFirst(length)
        }
        list.append(UInt8(ascii: "]"))
        return .members([
            "mark": .optional(mark?.description), "total": .int(total),
            "isTotalExact": .bool(isTotalExact), "isComplete": .bool(isComplete),
            "steps": steps.map { .array($0.map { .string($0) }) },
            "diagnostics": diagnostics(unit),
            "ranks": .array(hits.map { Self.json($0.rank, request.shards[$0.source].number) }),
            "lengths": .array(shown.lengths.map { .int($0) }), "hits": .encoded(list),
            "facets": facets.isEmpty
                ? nil
                : .array(
                    zip(request.facets, facets).map { FacetRenderer(choice: $0, counts: $1).json }),
        ])
    }

    /// The words that none of the shards has; nil where there is no time to find them.
    func unknownWords() -> [UnknownWord]? {
        let told = wordFinders.compactMap { $0() }
        return told.count == wordFinders.count ? UnknownWord.common(to: told) : nil
    }

    /// The answer as ``ShardReply`` reads it; `unknownWords` nil where they are not known.
    func message(
        _ shown: Shown, _ unit: OffsetUnit, _ unknownWords: [UnknownWord]?
    ) -> [UInt8] {
        var writer = ShardMessage.writer(capacity: 512 + 24 * hits.count + shown.bytes.count)
        writer.write(mark?.description ?? "")
        writer.write(total)
        writer.write(byte: (isTotalExact ? 1 : 0) | (isComplete ? 2 : 0))
        let steps = steps ?? []
        writer.write(steps.count)
        for step in steps { writer.write(step) }
        writer.write(diagnostics(unit).bytes)
        writer.write(hits.count)
        for hit in hits {
            writer.write(request.shards[hit.source].number)
            writer.write(hit.rank.score)
            writer.write(hit.rank.relevance)
            writer.write(byte: hit.rank.values.isEmpty ? 0 : 1)
            guard !hit.rank.values.isEmpty else { continue }
            writer.write(hit.rank.weight)
            writer.write((HitRenderer<Object>.encoded(hit.rank.values) ?? .null).bytes)
        }
        writer.write(shown.lengths.count)
        var rest = shown.bytes[...]
        for length in shown.lengths {
            writer.write(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        writer.write(facets.count)
        for counts in facets { counts.write(to: &writer) }
        writer.write(byte: unknownWords == nil ? 0 : 1)
        writer.write(unknownWords?.count ?? 0)
        for word in unknownWords ?? [] { word.write(to: &writer) }
        return writer.bytes
    }

    /// The remarks of all shards, each once: most are on the text, which is the same for all.
    private func diagnostics(_ unit: OffsetUnit) -> JSON {
        var all = results.first?.diagnostics ?? QueryDiagnostics()
        var known = Set(all)
        for result in results.dropFirst() {
            for diagnostic in result.diagnostics where known.insert(diagnostic).inserted {
                all.append(diagnostic)
            }
        }
        return ResultPage<Object>.json(all, request.asked.text, unit)
    }

    /// A rank, and the number of the shard that it is of.
    private static func json(_ rank: ShardRank, _ shard: Int) -> JSON {
        var values: [JSON] = [.int(shard), .number(rank.score), .number(rank.relevance)]
        if !rank.values.isEmpty {
            values.append(.number(rank.weight))
            values.append(HitRenderer<Object>.encoded(rank.values) ?? .null)
        }
        return .array(values)
    }
}

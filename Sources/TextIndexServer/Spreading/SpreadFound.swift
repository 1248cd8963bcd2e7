import TextSearch

/// What many shards found, merged: the ranks of all, and the hits of the page.
struct SpreadFound: Sendable {
    /// What one group found.
    struct Part: Sendable {
        let group: SpreadSearch.Group
        let reply: ShardReply
    }

    private(set) var parts: [Part]
    private(set) var missing: Set<Int>
    private let request: SpreadRequest
    /// The hits of the page, in order: whose they are, and where among those of that group.
    private let places: [(part: Int, place: Int)]
    /// The hits of the page in JSON; nil where they are not shown yet, or are lost.
    private var hits: [ArraySlice<UInt8>?]

    init(_ request: SpreadRequest, _ parts: [Part], missing: Set<Int>) {
        self.request = request
        self.parts = parts
        self.missing = missing
        let ranking = request.ranking
        var all: [(part: Int, place: Int)] = []
        for (part, found) in parts.enumerated() {
            all += found.reply.ranks.indices.map { (part, $0) }
        }
        func rank(_ hit: (part: Int, place: Int)) -> ShardReply.Rank {
            parts[hit.part].reply.ranks[hit.place]
        }
        all.sort { a, b in
            let (first, second) = (rank(a), rank(b))
            if first.rank.precedes(second.rank, ranking) { return true }
            if second.rank.precedes(first.rank, ranking) { return false }
            // Of the same shard, in the order in which it has them.
            return (first.shard, a.place) < (second.shard, b.place)
        }
        places = Array(all.dropFirst(request.page.offset).prefix(request.page.limit))
        hits = places.map { hit in
            let shown = parts[hit.part].reply.hits
            return hit.place < shown.count ? shown[hit.place] : nil
        }
    }

    /// The hits of the page that are not shown yet: of each group a range of its own.
    var hidden: [Int: Range<Int>] {
        var ranges: [Int: Range<Int>] = [:]
        for (hit, shown) in zip(places, hits) where shown == nil {
            let known = ranges[hit.part]
            let lower = min(known?.lowerBound ?? hit.place, hit.place)
            let upper = max(known?.upperBound ?? hit.place + 1, hit.place + 1)
            ranges[hit.part] = lower..<upper
        }
        return ranges
    }

    /// Takes hits that were asked for later.
    mutating func show(_ part: Int, from first: Int, _ shown: [ArraySlice<UInt8>]) {
        for (number, hit) in places.enumerated() where hit.part == part && hits[number] == nil {
            let place = hit.place - first
            if shown.indices.contains(place) { hits[number] = shown[place] }
        }
    }

    /// Gives up a group whose hits nobody shows any more.
    mutating func lose(_ part: Int) { missing.formUnion(parts[part].group.shards) }

    /// Whether it is what one index of all objects would find.
    var isComplete: Bool { missing.isEmpty && parts.allSatisfy(\.reply.isComplete) }

    /// The answer to a client.
    func json(_ names: [String], _ generation: String) throws -> JSON {
        var steps = SearchSteps()
        var total = 0
        for part in parts {
            steps.formUnion(part.reply.steps)
            total = total.addingReportingOverflow(part.reply.total).partialValue
        }
        let isExact = missing.isEmpty && parts.allSatisfy(\.reply.isTotalExact)
        return .members([
            "total": .int(total), "isTotalExact": .bool(isExact), "isComplete": .bool(isComplete),
            "steps": request.hasText && !request.onlyCounts
                ? .array(steps.names.map { .string($0) }) : nil,
            "set": .string(generation),
            "missing": missing.isEmpty
                ? nil : .array(missing.sorted().map { .string(names[$0]) }),
            "hits": request.onlyCounts ? nil : .encoded(listed),
            "facets": request.facets.isEmpty ? nil : .array(try facets),
            "diagnostics": request.onlyCounts ? nil : .array(diagnostics),
        ])
    }

    /// What all shards counted; lower bounds where some are missing.
    private var facets: [JSON] {
        get throws {
            try zip(request.page.facets, request.facets.indices).map { choice, number in
                var counts = try FacetCounts.sum(of: parts.map { $0.reply.facets[number] })
                if !missing.isEmpty { counts = counts.atLeast }
                return FacetRenderer(choice: choice, counts: counts).json
            }
        }
    }

    /// The hits with their places among all.
    private var listed: [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        for (number, hit) in hits.enumerated() {
            guard let hit else { continue }
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            bytes += "{\"rank\":\(request.page.offset + number),".utf8
            bytes += hit.dropFirst()
        }
        bytes.append(UInt8(ascii: "]"))
        return bytes
    }

    /// The remarks of all, each once: most are on the text, which is the same for all.
    private var diagnostics: [JSON] {
        var known: Set<[UInt8]> = []
        let told = parts.flatMap(\.reply.diagnostics).filter { known.insert($0.bytes).inserted }
        // Shards that are missing may have the words.
        let words = parts.compactMap(\.reply.unknownWords)
        guard missing.isEmpty, words.count == parts.count else { return told }
        var more = QueryDiagnostics()
        for word in UnknownWord.common(to: words).prefix(Self.mostWords) {
            more.append(word.diagnostic)
        }
        let isText = request.hasText && request.parameters.mode != .keyword
        if isText, isComplete, told.isEmpty, more.isEmpty,
            parts.allSatisfy({ $0.reply.total == 0 })
        {
            more.append(
                QueryDiagnostic(
                    kind: .noMatch, utf8Range: 0..<0,
                    message: "No object matches the whole query."))
        }
        guard
            case .array(let all) = ResultPage<Never>.json(
                more, request.parameters.text, request.showing.unit)
        else { return told }
        return told + all
    }

    /// As many as one index reports.
    private static var mostWords: Int { 8 }
}

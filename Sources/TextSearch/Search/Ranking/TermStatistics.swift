import Synchronization

/// The texts and document frequencies of the terms that a query matched, made when first asked for.
///
/// **Thread safety**: may be used from any thread.
final class TermStatistics: Sendable {
    private let bytes: [UInt8]
    private let terms: [MatchedTerms.Term]
    private let table = Mutex<Table?>(nil)

    /// The distinct terms.
    struct Table: Sendable {
        /// By the terms' numbers in hits.
        var distinct: [Int] = []
        var texts: [String] = []
        var documentFrequencies: [Int] = []
    }

    init(_ matched: borrowing MatchedTerms) {
        bytes = matched.bytes.withElements { Array($0) }
        terms = matched.terms.withElements { Array($0) }
    }

    func withTable<R: Sendable>(_ body: (Table) -> R) -> R {
        let made = table.withLock { table in
            let made = table ?? makeTable()
            table = made
            return made
        }
        return body(made)
    }

    private func makeTable() -> Table {
        var table = Table()
        var numbers: [ArraySlice<UInt8>: Int] = [:]
        // A term is found once in each segment for each part of the query that it matches; those of
        // one part add up.
        var counts: [[UInt32: Int]] = []
        for term in terms {
            let text = bytes[Int(term.start)..<(Int(term.start) + Int(term.length))]
            let number = numbers[text] ?? table.texts.count
            if number == table.texts.count {
                numbers[text] = number
                table.texts.append(String(decoding: text, as: UTF8.self))
                counts.append([:])
            }
            table.distinct.append(number)
            counts[number][term.part, default: 0] += Int(term.documentCount)
        }
        table.documentFrequencies = counts.map { $0.values.max() ?? 0 }
        return table
    }
}

/// The terms of one match.
struct MatchedTermList: Sendable {
    private let hits: ArraySlice<Hit>
    private let statistics: TermStatistics

    init(_ hits: ArraySlice<Hit>, _ statistics: TermStatistics) {
        self.hits = hits
        self.statistics = statistics
    }

    private struct Place: Hashable {
        var string: UInt32
        var position: UInt32
        var term: Int
    }

    func terms(stringCount: Int) -> [MatchedTerm] {
        statistics.withTable { table in
            var order: [Int] = []
            var positions: [Int: [[Int]]] = [:]
            // Several parts of a query may find the same.
            var seen: Set<Place> = []
            for hit in hits where Int(hit.string) < stringCount {
                let term = table.distinct[Int(hit.term)]
                let place = Place(string: hit.string, position: hit.position, term: term)
                guard seen.insert(place).inserted else { continue }
                if positions[term] == nil { order.append(term) }
                positions[term, default: [[Int]](repeating: [], count: stringCount)][
                    Int(hit.string)
                ].append(Int(hit.position))
            }
            return order.map {
                MatchedTerm(
                    text: table.texts[$0], positions: positions[$0] ?? [],
                    documentFrequency: table.documentFrequencies[$0])
            }
        }
    }
}

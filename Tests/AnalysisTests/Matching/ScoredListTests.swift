import Testing

@testable import TestSupport
@testable import TextSearch

/// Lists of scored documents over many windows and blocks, put together in each way.
@Suite("The best of scored lists, against all sums")
struct ScoredListTests {
    private struct List {
        var documents: [UInt32] = []
        var scores: [Double] = []
    }

    private static func cursors(_ lists: [List], first: UInt32) -> CursorRow {
        var cursors = CursorRow(capacity: lists.count)
        for list in lists {
            cursors.append {
                $0.begin(ScoredList(list.documents[...], list.scores[...], first: first))
            }
        }
        return cursors
    }

    /// Lists of very different lengths and scores; some have their best documents close together.
    private static func list(_ first: UInt32, _ generator: inout SeededGenerator) -> List {
        var list = List()
        let step = generator.element([1, 3, 40, 700, 3000])
        let most = generator.element([0.5, 1, 4, 20])
        let peak = generator.int(0...20_000)
        var document = generator.int(0...step)
        while document < 20_000 {
            list.documents.append(first + UInt32(document))
            let isHigh = abs(document - peak) < 800
            let score = Double(generator.int(1...16)) / 16 * most
            list.scores.append(isHigh ? score * 3 : generator.once(in: 300) ? -score : score)
            document += generator.int(1...step)
        }
        return list
    }

    /// The documents of all cursors, without scores.
    private static func common(_ lists: [List], first: UInt32) throws -> [UInt32] {
        var cursors = Self.cursors(lists, first: first)
        var candidates = Candidates()
        var documents: [UInt32] = []
        while !cursors[0].isAtEnd {
            try cursors[0].begin(&candidates)
            for other in cursors.indices.dropFirst() { try cursors[other].restrict(&candidates) }
            documents += (0..<candidates.count).map { candidates.document($0) }
            cursors[0].enterNextBlock()
        }
        return documents
    }

    private static func sums(_ lists: [List], needsAll: Bool) -> [UInt32: Double] {
        var sums: [UInt32: (sum: Double, count: Int)] = [:]
        for list in lists {
            for (document, score) in zip(list.documents, list.scores) {
                let known = sums[document] ?? (0, 0)
                sums[document] = (known.sum + score, known.count + 1)
            }
        }
        return sums.filter { !needsAll || $0.value.count == lists.count }.mapValues(\.sum)
    }

    @Test(
        "Any and all of several lists have the documents and scores of a plain table",
        arguments: testSeeds(40))
    func best(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<6 {
            let capacity = generator.element([1, 2, 10, 100])
            let countLimit = generator.element([0, 0, 10, 1000, 100_000])
            let clock = SearchClock(.unlimited, longest: nil)
            var unions = TopDocuments(capacity: capacity, countLimit: countLimit, clock: clock)
            var intersections = TopDocuments(
                capacity: capacity, countLimit: countLimit, clock: clock)
            var window = ScoreWindow()
            var parts = UnionParts(capacity: 5)
            var candidates = Candidates()
            var any: [UInt32: Double] = [:]
            var all: [UInt32: Double] = [:]
            let count = generator.int(1...5)
            // Segments one after the other, as a search goes through them.
            for number in 0..<generator.int(1...3) {
                let first = UInt32(number) * 20_000
                let lists = (0..<count).map { _ in Self.list(first, &generator) }
                    .filter { !$0.documents.isEmpty }
                guard !lists.isEmpty else { continue }
                let segment = TopDocuments.Segment(firstDocument: first)
                var cursors = Self.cursors(lists, first: first)
                try unions.addUnion(of: &cursors, in: segment, &window, &parts)
                cursors = Self.cursors(lists, first: first)
                try intersections.addIntersection(of: &cursors, in: segment, &candidates)
                let common = try Self.common(lists, first: first)
                #expect(
                    common == Self.sums(lists, needsAll: true).keys.map { $0 - first }.sorted(),
                    "seed \(seed): documents")
                any.merge(Self.sums(lists, needsAll: false)) { $1 }
                all.merge(Self.sums(lists, needsAll: true)) { $1 }
            }
            compare(unions, any, capacity, countLimit, "seed \(seed): any")
            compare(intersections, all, capacity, countLimit, "seed \(seed): all")
        }
    }

    private func compare(
        _ top: borrowing TopDocuments, _ sums: [UInt32: Double], _ capacity: Int,
        _ countLimit: Int, _ note: Comment
    ) {
        let expected = sums.sorted {
            $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key
        }.prefix(capacity)
        let found = top.heap.sorted
        #expect(found.map(\.document) == expected.map(\.key), note)
        #expect(found.map(\.score) == expected.map(\.value), note)
        let counted = top.counted
        if top.countsAll {
            #expect(counted == sums.count, note)
        } else {
            #expect(counted <= sums.count && counted >= min(countLimit, sums.count), note)
        }
    }
}

import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Scores of a short range of documents")
struct ScoreWindowTests {
    @Test("A window's sums and rows are those of a table", arguments: testSeeds(20))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var window = ScoreWindow()
        for _ in 0..<12 {
            let rows = generator.int(1...5)
            let first: UInt32 = [
                0, 5, 1 << 20, UInt32.max - 2000, UInt32.max - 1023, UInt32.max - 100, .max,
            ][generator.int(0...6)]
            window.begin(at: first)
            #expect(window.last - Int64(first) < Int64(ScoreWindow.size))
            window.makeRows(rows)
            var sums: [UInt32: Double] = [:]
            var table: [UInt32: [Double]] = [:]
            // Parts come in any order, each once; some have no row.
            for row in Array(0..<rows).shuffled(using: &generator) where !generator.once(in: 4) {
                let hasRow = !generator.once(in: 4)
                var documents: [UInt32] = []
                var next = Int64(first) + Int64(generator.int(0...50))
                while next <= Int64(UInt32.max), documents.count < 3000 {
                    documents.append(UInt32(next))
                    next += Int64(generator.int(1...(generator.once(in: 8) ? 600 : 3)))
                }
                let added = documents.map { _ in Double(generator.int(-4...40)) / 8 }
                let inside = documents.prefix { Int64($0) < Int64(first) + Int64(ScoreWindow.size) }
                let start = generator.int(0...inside.count)
                let end = documents.withUnsafeBufferPointer { documents in
                    added.withUnsafeBufferPointer {
                        window.add(documents, $0, from: start, row: hasRow ? row : nil)
                    }
                }
                #expect(end == inside.count, "seed \(seed): from \(first)")
                for place in start..<max(start, end) {
                    sums[documents[place], default: 0] += added[place]
                    guard hasRow else { continue }
                    table[documents[place], default: .init(repeating: 0, count: rows)][row] =
                        added[place]
                }
            }
            // What is asked for comes one by one.
            let asked = generator.int(0...(rows - 1))
            for document in sums.keys.sorted() where generator.once(in: 5) {
                let score = Double(generator.int(1...40)) / 8
                window.set(score, of: document, row: asked)
                table[document, default: .init(repeating: 0, count: rows)][asked] = score
            }
            var found: [UInt32] = []
            let most = generator.once(in: 2) ? 40 : 200
            let least = generator.once(in: 2) ? -.infinity : Double(generator.int(-8...most)) / 8
            let (segment, dead) = Self.segment(sums.keys.sorted(), first, &generator)
            let living = sums.filter { !dead.contains($0.key) }
            let count = window.drain(atLeast: least, in: segment) { document, sum in
                found.append(document)
                #expect(sum == sums[document], "seed \(seed): \(document)")
            }
            #expect(count == living.count, "seed \(seed): from \(first)")
            #expect(
                found == living.filter { $0.value >= least }.keys.sorted(),
                "seed \(seed): from \(first)")
            for document in sums.keys {
                let expected = table[document]?.reduce(0, +) ?? 0
                #expect(window.sum(of: document) == expected, "seed \(seed): \(document)")
            }
            let left = window.drain(atLeast: -.infinity, in: .init()) { _, _ in
                Issue.record("seed \(seed): it was emptied")
            }
            #expect(left == 0)
            // Nor is anything left of the dead's sums, to which the next are added.
            let again = sums.keys.sorted()
            let twos = again.map { _ in 2.0 }
            let end = again.withUnsafeBufferPointer { again in
                twos.withUnsafeBufferPointer { window.add(again, $0, from: 0, row: nil) }
            }
            #expect(end == again.count)
            let added = window.drain(atLeast: -.infinity, in: .init()) { document, sum in
                #expect(sum == 2, "seed \(seed): \(document)")
            }
            #expect(added == again.count, "seed \(seed): from \(first)")
        }
    }

    /// A segment in which some documents are dead, and these; in every other case none.
    private static func segment(
        _ documents: [UInt32], _ first: UInt32, _ generator: inout SeededGenerator
    ) -> (TopDocuments.Segment, Set<UInt32>) {
        // Tombstones have a place for each page up to the last one.
        guard first < 1 << 30, generator.once(in: 2) else { return (.init(), []) }
        // Where the segment begins is no matter of words of bits.
        let start = UInt32(generator.int(0...5000))
        let dead = documents.filter { _ in generator.once(in: 3) }
        var tombstones = Tombstones()
        tombstones.insert(dead.map { start + $0 })
        return (.init(firstDocument: start, dead: tombstones), Set(dead))
    }
}

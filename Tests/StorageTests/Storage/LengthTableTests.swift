import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Lengths by document and string")
struct LengthTableTests {
    /// The table of some documents, appended in pages. Those at the beginning that are even may be
    /// appended as such.
    private static func table(
        _ documents: [[UInt32]], pages: Int, evenOnes: Bool = false
    ) -> LengthTable {
        var table = LengthTable()
        var (all, ends): ([UInt32], [UInt32]) = ([], [])
        var isEven = evenOnes
        for page in stride(from: 0, to: documents.count, by: pages) {
            let (first, start) = (ends.count, all.count)
            for document in documents[page..<min(page + pages, documents.count)] {
                all += document
                ends.append(UInt32(all.count))
            }
            let widths = Set(documents[..<min(page + pages, documents.count)].map(\.count))
            isEven = isEven && widths.count == 1 && all[start...].allSatisfy { $0 <= UInt16.max }
            if isEven, let width = widths.first, width > 0 {
                all[start...].map { UInt16($0) }.withUnsafeBufferPointer {
                    table.append($0, width: width)
                }
            } else {
                table.append(ends[first...], of: all, from: start)
            }
        }
        return table
    }

    @Test(
        "A table has the lengths of the documents, and none without strings",
        arguments: testSeeds(20))
    func model(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let width = generator.int(1...5)
        let mayBeEmpty = generator.once(in: 2)
        let documents = (0..<generator.int(1...300)).map { _ -> [UInt32] in
            mayBeEmpty && generator.once(in: 3)
                ? [] : (0..<width).map { _ in generator.number(upTo: 16) }
        }
        let table = Self.table(
            documents, pages: generator.int(1...100), evenOnes: generator.once(in: 2))
        #expect(table.isWhole, "seed \(seed)")
        #expect(table.documentCount == documents.count, "seed \(seed)")
        let asked = (0..<UInt32(documents.count + 3)).filter { _ in !generator.once(in: 4) }
        for string in 0...width {
            let expected = asked.map { document -> Double in
                let strings = document < documents.count ? documents[Int(document)] : []
                return string < strings.count ? Double(strings[string]) : 0
            }
            #expect(
                asked.map { Double(table.length(of: Int($0), string: string)) } == expected,
                "seed \(seed)")
            // Whether the last one is beyond the table or not.
            for count in [asked.count, asked.count / 2] {
                let loaded = [Double](unsafeUninitializedCapacity: count) { room, loaded in
                    asked.withUnsafeBufferPointer {
                        guard let base = room.baseAddress else { return }
                        table.load(
                            UnsafeBufferPointer(rebasing: $0[..<count]), string: string, into: base)
                        loaded = count
                    }
                }
                #expect(loaded == Array(expected[..<count]), "seed \(seed)")
            }
        }
    }

    @Test(
        "A segment whose documents differ, or lack strings, has no table of lengths"
    )
    func none() {
        #expect(Self.table([[1, 2], [], [65_535, 0]], pages: 2).isWhole)
        #expect(!Self.table([[1], [2, 3]], pages: 2).isWhole)
        for evenOnes in [false, true] {
            #expect(!Self.table([[1, 65_536]], pages: 1, evenOnes: evenOnes).isWhole)
            #expect(!Self.table([[1, 2], [3]], pages: 1, evenOnes: evenOnes).isWhole)
        }
        // A hundred thousand times two hundred strings is nothing to make room for.
        let empty = [[UInt32]](repeating: [], count: 100_000)
        #expect(!Self.table(empty + [[UInt32](repeating: 1, count: 200)], pages: 4096).isWhole)
        let many = [[UInt32]](repeating: [1, 1], count: 100)
        #expect(!Self.table(many + empty, pages: 4096).isWhole)
        #expect(Self.table(empty, pages: 4096).isWhole)
    }
}

import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Strings of which each document has as many")
struct EvenStringsTests {
    /// The first strings of documents with so many strings each, and where each string belongs.
    private static func plain(_ counts: [Int]) -> (
        firsts: [UInt32], places: [(document: UInt32, string: UInt32)]
    ) {
        var firsts: [UInt32] = []
        var places: [(document: UInt32, string: UInt32)] = []
        for (document, count) in counts.enumerated() {
            firsts.append(UInt32(places.count))
            for string in 0..<count { places.append((UInt32(document), UInt32(string))) }
        }
        return (firsts, places)
    }

    private static func evenStrings(_ firsts: [UInt32], _ stringCount: Int) -> EvenStrings? {
        firsts.withUnsafeBufferPointer { EvenStrings($0, stringCount: stringCount) }
    }

    @Test("Even strings are divided as their documents have them", arguments: 1...40)
    func even(each: Int) throws {
        for documentCount in [1, 2, 3, 127, 1000] {
            let (firsts, places) = Self.plain(Array(repeating: each, count: documentCount))
            let even = try #require(Self.evenStrings(firsts, places.count))
            let isSame = places.indices.allSatisfy { even[UInt32($0)] == places[$0] }
            #expect(isSame, "\(documentCount) documents with \(each) strings each")
        }
    }

    @Test(
        "One document with more or fewer strings leaves no even strings",
        arguments: testSeeds(20))
    func uneven(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var counts = Array(repeating: generator.int(1...6), count: generator.int(2...200))
        let (one, other) = (0, generator.int(1...(counts.count - 1)))
        counts[one] += 1
        #expect(Self.evenStrings(Self.plain(counts).firsts, counts.reduce(0, +)) == nil)
        // As many in all as if they were even.
        counts[other] -= 1
        #expect(Self.evenStrings(Self.plain(counts).firsts, counts.reduce(0, +)) == nil)
    }

    @Test("An empty segment has no even strings")
    func none() {
        #expect(Self.evenStrings([], 0) == nil)
        #expect(Self.evenStrings([0, 0], 0) == nil)
    }
}

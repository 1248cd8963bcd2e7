import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Stored places of words against plain arrays")
struct WordPlaceTests {
    static func encoded(_ starts: [UInt32]) -> [UInt8] {
        var scratch = Buffer<UInt8>()
        var output = Buffer<UInt8>()
        starts.withUnsafeBufferPointer {
            WordStarts.encode($0, scratch: &scratch, into: &output)
        }
        return output.toArray()
    }

    static func starts(_ count: Int, _ generator: inout SeededGenerator) -> [UInt32] {
        var next: UInt64 = UInt64(generator.number(upTo: 12))
        let widest = generator.int(2...20)
        var starts: [UInt32] = []
        while starts.count < count, next <= UInt64(UInt32.max) {
            starts.append(UInt32(next))
            // Several words may begin at one place.
            if generator.int(0...5) > 0 { next += 1 + UInt64(generator.number(upTo: widest)) }
        }
        return starts
    }

    @Test("Word starts read back in any order", arguments: testSeeds(12))
    func wordStarts(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for count in [0, 1, 2, 14, 511, 512, 513, 1024, 1025, 3000] {
            let starts = Self.starts(count, &generator)
            let tail = [UInt8].random(generator.int(0...9), &generator)
            try (Self.encoded(starts) + tail).withExactBytes { bytes in
                var reader = ByteReader(bytes)
                var places = try WordStarts.Reader(&reader)
                #expect(reader.remaining == tail.count, "seed \(seed)")
                #expect(places.wordCount == starts.count, "seed \(seed)")
                for word in starts.indices where try places.start(ofWord: word) != starts[word] {
                    Issue.record("seed \(seed): word \(word) of \(count)")
                }
                for _ in 0..<min(starts.count, 300) {
                    let word = generator.int(0...(starts.count - 1))
                    #expect(try places.start(ofWord: word) == starts[word], "seed \(seed)")
                }
                #expect(throws: MalformedData.self) { try places.start(ofWord: starts.count) }
                #expect(throws: MalformedData.self) { try places.start(ofWord: -1) }
            }
        }
    }

    @Test(
        "The widest gaps between words are read back",
        arguments: [
            [0, .max], [.max], [0, 1, 16, 17, 33], [.max - 1, .max], [0, 0, 0, 1, 1],
            [7, 7, .max, .max],
        ])
    func widestGaps(starts: [UInt32]) throws {
        try Self.encoded(starts).withExactBytes { bytes in
            var reader = ByteReader(bytes)
            var places = try WordStarts.Reader(&reader)
            for (word, start) in starts.enumerated() {
                #expect(try places.start(ofWord: word) == Int(start))
            }
        }
    }

    @Test("A place that does not ascend does not spoil the others")
    func unorderedStarts() throws {
        let starts: [UInt32] = [4, 4, 3, 20, 19, 40]
        try Self.encoded(starts).withExactBytes { bytes in
            var reader = ByteReader(bytes)
            var places = try WordStarts.Reader(&reader)
            let read = try starts.indices.map { word throws(MalformedData) in
                try places.start(ofWord: word)
            }
            #expect(read == [4, 4, 4, 20, 20, 40])
        }
    }

    @Test("Terms that share a place have maps of their own")
    func alternatives() throws {
        func fold(_ term: String, _ lengths: [(Int, Int)]) -> FoldedWord {
            var fold = FoldedWord()
            fold.bytes = Array(term.utf8)
            fold.isRegular = lengths.isEmpty
            fold.clusters = lengths.map { .init(foldedLength: $0, utf16Length: $1) }
            return fold
        }
        var output = Buffer<UInt8>()
        IrregularWords.encode(3, after: -1, fold("geturl", []), into: &output)
        IrregularWords.encodeAlternative(fold("retrieve", [(8, 3)]), into: &output)
        IrregularWords.encode(5, after: 3, fold("x", [(1, 6)]), into: &output)
        IrregularWords.encodeAlternative(fold("get", []), into: &output)
        try output.toArray().withExactBytes { bytes in
            let words = try IrregularWords(Array(bytes)[...])
            func range(_ word: Int, _ term: String, _ bytes: Range<Int>) -> Range<Int>? {
                Array(term.utf8).withUnsafeBufferPointer {
                    words.utf16Range(ofWord: word, term: $0, bytes: bytes)
                }
            }
            #expect(range(3, "geturl", 3..<6) == nil)
            #expect(range(3, "retrieve", 2..<4) == 0..<3)
            #expect(range(3, "other", 0..<1) == nil)
            #expect(range(5, "x", 0..<1) == 0..<6)
            #expect(range(5, "get", 1..<2) == nil)
            #expect(range(5, "other", 0..<1) == 0..<6)
            #expect(range(4, "get", 0..<1) == nil)
        }
    }

    @Test(
        "Irregular words give the characters under any part of the term", arguments: testSeeds(12))
    func irregularWords(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var words: [Int: [FoldedWord.Cluster]] = [:]
        var output = Buffer<UInt8>()
        var word = -1
        for _ in 0..<generator.int(1...30) {
            let next = word + 1 + Int(generator.number(upTo: 9))
            var fold = FoldedWord()
            fold.isRegular = false
            fold.clusters = (0..<generator.int(1...12)).map { _ in
                .init(
                    foldedLength: generator.once(in: 6) ? 0 : generator.int(1...4),
                    utf16Length: generator.int(1...40))
            }
            IrregularWords.encode(next, after: word, fold, into: &output)
            words[next] = fold.clusters
            word = next
        }
        try output.toArray().withExactBytes { bytes in
            let decoded = try IrregularWords(Array(bytes)[...])
            let none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
            for word in 0...(word + 1) {
                guard let clusters = words[word] else {
                    #expect(decoded.utf16Range(ofWord: word, term: none, bytes: 0..<1) == nil)
                    continue
                }
                // For every byte of the term and every unit of the text, the character that it is
                // of.
                let byteOwners = clusters.enumerated().flatMap {
                    Array(repeating: $0, count: $1.foldedLength)
                }
                let unitOwners = clusters.enumerated().flatMap {
                    Array(repeating: $0, count: $1.utf16Length)
                }
                for lower in byteOwners.indices {
                    for upper in (lower + 1)...byteOwners.count {
                        let owners = byteOwners[lower]...byteOwners[upper - 1]
                        let first = unitOwners.firstIndex(of: owners.lowerBound)
                        let last = unitOwners.lastIndex(of: owners.upperBound)
                        let range = decoded.utf16Range(
                            ofWord: word, term: none, bytes: lower..<upper)
                        #expect(range?.lowerBound == first, "seed \(seed)")
                        #expect(range.map { $0.upperBound - 1 } == last, "seed \(seed)")
                    }
                }
            }
        }
    }
}

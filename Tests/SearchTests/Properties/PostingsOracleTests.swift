import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Stored postings against plain arrays")
struct PostingsOracleTests {
    @Test("Postings decode to what was encoded", arguments: testSeeds(15))
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var chunk = PostingsChunk()
        for count in [1, 2, 3, 127, 128, 129, 255, 256, 257, 1000].shuffled(using: &generator) {
            let postings = PlainPostings.random(count, &generator)
            let (bytes, positions) = postings.encoded()
            let decoded = try PlainPostings(&chunk, bytes, positions: positions)
            // Outside the macro, which would print thousands of numbers.
            let isSame = decoded == postings
            #expect(isSame, "seed \(seed), \(count) documents")

            let wanted = Set(postings.documents.map(\.number).filter { _ in generator.once(in: 2) })
            let some = try PlainPostings(&chunk, bytes, positions: positions) {
                wanted.contains($0)
            }
            let areSame = zip(some.documents, postings.documents).allSatisfy { found, document in
                wanted.contains(document.number)
                    ? found == document : found.runs.allSatisfy { $0.positions.isEmpty }
            }
            #expect(areSame, "seed \(seed), \(count) documents")
        }
    }

    @Test("Postings of indexes before format 8 are read, and copied as those of today")
    func withoutFrames() throws {
        var generator = SeededGenerator(seed: 8)
        var chunk = PostingsChunk()
        for count in [1, 2, 40, 127, 128, 129, 1000] {
            let postings = PlainPostings.random(count, &generator)
            let (bytes, positions) = try postings.encodedWithoutFrames()
            #expect(try PlainPostings(&chunk, bytes, positions: positions) == postings)
            var encoder = PostingsEncoder()
            let stored = chunk.inlinePositions.map { Array(bytes[$0...]) } ?? positions
            try stored.withExactBytes {
                try encoder.append(chunk, positions: $0, segmentCount: .max) { $0 }
            }
            var copied = Buffer<UInt8>()
            encoder.encode(into: &copied, Impacts(LengthColumn()))
            let new = postings.encoded()
            #expect(copied.toArray() == new.chunk)
            #expect(encoder.hasInlinePositions || encoder.positions.toArray() == new.positions)
        }
    }

    @Test(
        "Places of some documents, block by block", arguments: testSeeds(15), [true, false])
    func runs(seed: UInt64, arePacked: Bool) throws {
        var generator = SeededGenerator(seed: seed)
        var chunk = PostingsChunk()
        var room = Buffer<UInt32>()
        for count in [1, 2, 3, 127, 128, 129, 300].shuffled(using: &generator) {
            let postings = PlainPostings.random(count, &generator)
            let (bytes, positions) =
                arePacked ? postings.encoded() : try postings.encodedWithoutFrames()
            let stored = try bytes.withExactBytes { try StoredPostings($0) }
            var rest = postings.documents[...]
            for block in 0..<stored.blockCount {
                try chunk.decodeBlock(block, of: stored, with: .frequencies)
                let own = rest.prefix(chunk.documentCount)
                rest = rest.dropFirst(own.count)
                // The positions of this test are one page long at most, as those of few documents
                // are.
                guard stored.isSingle || stored.directory.blocks[block].page == 0 else { break }
                let start = stored.isSingle ? 0 : stored.directory.blocks[block].positionStart
                let stretch = chunk.inlinePositions.map { bytes[$0...] } ?? positions[start...]
                var places = Buffer<UInt32>()
                var expected: [PlainPostings.Document] = []
                var limits: [[UInt32]: UInt32] = [:]
                for (place, document) in own.enumerated() where generator.once(in: 2) {
                    places.append(UInt32(place))
                    // Of each run nothing, all, or as far as a position.
                    var wanted = PlainPostings.Document(number: document.number, runs: [])
                    for run in document.runs where !generator.once(in: 4) {
                        let most = run.positions.randomElement(using: &generator) ?? 0
                        limits[[document.number, run.string]] = generator.once(in: 3) ? .max : most
                        wanted.runs.append(run)
                    }
                    if !wanted.runs.isEmpty { expected.append(wanted) }
                }
                var found: [PlainPostings.Document] = []
                try Array(stretch).withExactBytes { raw in
                    try chunk.forEachRun(positions: raw, at: places, &room) {
                        limits[[$0, $1]]
                    } _: {
                        found.add(Array($2), of: $0, string: $1)
                    } endPiece: {
                    }
                }
                // What lies behind the limit may be there or not.
                let isSame = found.upTo(limits) == expected.upTo(limits)
                #expect(isSame, "seed \(seed), block \(block) of \(count) documents")
            }
        }
    }

    @Test(
        "Postings that are copied from chunk to chunk, some left out, stay right",
        arguments: testSeeds(15))
    func copies(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var chunk = PostingsChunk()
        for counts in [[1], [1, 1], [3, 200], [128, 1, 129], [300, 300, 2, 500]] {
            var encoder = PostingsEncoder()
            var expected: [PlainPostings.Document] = []
            var offset: UInt32 = 0
            for count in counts {
                let postings = PlainPostings.random(count, &generator)
                let kept = generator.int(0...3)
                let wanted = Set(
                    postings.documents.map(\.number).filter { _ in
                        kept > 0 && (kept == 3 || generator.once(in: 2))
                    })
                let (bytes, positions) = postings.encoded()
                try bytes.withExactBytes { try chunk.decode($0) }
                let stored = chunk.inlinePositions.map { Array(bytes[$0...]) } ?? positions
                try stored.withExactBytes {
                    try encoder.append(
                        chunk, positions: $0,
                        segmentCount: Int(postings.documents.last?.number ?? 0) + 1
                    ) { wanted.contains($0) ? $0 + offset : nil }
                }
                for var document in postings.documents where wanted.contains(document.number) {
                    document.number += offset
                    expected.append(document)
                }
                offset += (postings.documents.last?.number ?? 0) + 1
            }
            // A term without documents is never encoded.
            guard !expected.isEmpty else { continue }
            // As if it had been encoded at once, to the byte.
            let (bytes, positions) = PlainPostings(documents: expected).encoded()
            var copied = Buffer<UInt8>()
            encoder.encode(into: &copied, Impacts(LengthColumn()))
            let isSame = copied.toArray() == bytes
            #expect(isSame, "seed \(seed), \(counts)")
            if !encoder.hasInlinePositions {
                let areSame = encoder.positions.toArray() == positions
                #expect(areSame, "seed \(seed), \(counts)")
            }
        }
    }

    @Test("Positions that end too soon are an error, whoever copies them")
    func shortPositions() throws {
        var generator = SeededGenerator(seed: 3)
        let (bytes, positions) = PlainPostings.random(300, &generator).encoded()
        var chunk = PostingsChunk()
        try bytes.withExactBytes { try chunk.decode($0) }
        var encoder = PostingsEncoder()
        #expect(throws: MalformedData.self) {
            try Array(positions.dropLast()).withExactBytes {
                try encoder.append(chunk, positions: $0, segmentCount: .max) { $0 }
            }
        }
        // Nor may there be more.
        #expect(throws: MalformedData.self) {
            try (positions + [1]).withExactBytes {
                try encoder.append(chunk, positions: $0, segmentCount: .max) { $0 }
            }
        }
    }

    @Test("A document beyond its segment, or without occurrences, is an error for who copies it")
    func impossibleDocuments() throws {
        let run = PlainPostings.Run(string: 0, positions: [4])
        let none = PlainPostings.Run(string: 0, positions: [])
        for (documents, segmentCount): ([PlainPostings.Document], Int) in [
            ([.init(number: 7, runs: [run])], 7),
            ([.init(number: 3, runs: [run]), .init(number: 8, runs: [run])], 8),
            ([.init(number: .max, runs: [run])], 5),
            ([.init(number: 3, runs: [none])], 9),
            ([.init(number: 3, runs: [run]), .init(number: 4, runs: [])], 9),
        ] {
            let (bytes, _) = PlainPostings(documents: documents).encoded()
            var chunk = PostingsChunk()
            try bytes.withExactBytes { try chunk.decode($0) }
            var encoder = PostingsEncoder()
            let stored = chunk.inlinePositions.map { Array(bytes[$0...]) } ?? []
            #expect(throws: MalformedData.self) {
                try stored.withExactBytes {
                    try encoder.append(
                        chunk, positions: $0, segmentCount: segmentCount
                    ) { $0 &+ 9 }
                }
            }
        }
    }

    @Test("The largest numbers are encoded and decoded")
    func extremes() throws {
        var chunk = PostingsChunk()
        let largest = PlainPostings.Run(string: .max, positions: [0, .max])
        for documents: [PlainPostings.Document] in [
            [.init(number: .max, runs: [largest])],
            [.init(number: 0, runs: [largest]), .init(number: .max, runs: [largest])],
            [.init(number: 0, runs: [.init(string: 0, positions: [0]), largest])],
        ] {
            let postings = PlainPostings(documents: documents)
            let (bytes, positions) = postings.encoded()
            #expect(try PlainPostings(&chunk, bytes, positions: positions) == postings)
        }
    }

    @Test("A chunk that is cut short is malformed, never something else", arguments: testSeeds(4))
    func truncation(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let postings = PlainPostings.random(200, &generator)
        let (bytes, positions) = postings.encoded()
        #expect(!positions.isEmpty)
        var chunk = PostingsChunk()
        for count in bytes.indices {
            let whole = try? PlainPostings(&chunk, Array(bytes[..<count]), positions: positions)
            #expect(whole == nil, "seed \(seed): \(count) of \(bytes.count) bytes")
        }
        for count in positions.indices {
            let whole = try? PlainPostings(&chunk, bytes, positions: Array(positions[..<count]))
            #expect(whole == nil, "seed \(seed): \(count) of \(positions.count) bytes")
        }
    }

    @Test("Packed integers of every width are read back", arguments: 0...32)
    func bitPacking(width: Int) throws {
        var generator = SeededGenerator(seed: UInt64(width))
        let mask = width == 0 ? 0 : UInt32.max >> UInt32(32 - width)
        for count in [0, 1, 2, 7, 8, 9, 31, 63, 64, 65, 127, 128] {
            var values = (0..<count).map { _ in UInt32(truncatingIfNeeded: generator.next()) & mask
            }
            if count > 0, width > 0 { values[count / 2] |= 1 << UInt32(width - 1) }
            var packed = Buffer<UInt8>()
            values.withUnsafeBufferPointer {
                #expect(BitPacking.width(of: $0) == (count == 0 ? 0 : width))
                BitPacking.pack($0, width: width, into: &packed)
            }
            let bytes = packed.toArray()
            #expect(bytes.count == BitPacking.byteCount(count: count, width: width))
            // With and without other bytes behind.
            for tail in [0, 1, 7, 8] {
                var unpacked = [UInt32](repeating: 0xdead_beef, count: count)
                try (bytes + [UInt8](repeating: 0xff, count: tail)).withExactBytes { bytes in
                    try unpacked.withUnsafeMutableBufferPointer {
                        try BitPacking.unpack(bytes, width: width, into: $0)
                    }
                }
                #expect(unpacked == values, "\(count) values of \(width) bits")
            }
            guard !bytes.isEmpty else { continue }
            #expect(throws: MalformedData.self) {
                var unpacked = [UInt32](repeating: 0, count: count)
                try Array(bytes.dropLast()).withExactBytes { bytes in
                    try unpacked.withUnsafeMutableBufferPointer {
                        try BitPacking.unpack(bytes, width: width, into: $0)
                    }
                }
            }
        }
    }
}

extension [PlainPostings.Document] {
    /// Adds a piece of a run.
    fileprivate mutating func add(_ positions: [UInt32], of document: UInt32, string: UInt32) {
        if last?.number != document { append(.init(number: document, runs: [])) }
        if self[count - 1].runs.last?.string != string {
            self[count - 1].runs.append(.init(string: string, positions: []))
        }
        let run = self[count - 1].runs.count - 1
        self[count - 1].runs[run].positions += positions
    }

    /// The same without the positions behind limits, by document and string.
    fileprivate func upTo(_ limits: [[UInt32]: UInt32]) -> Self {
        map { document in
            var document = document
            for run in document.runs.indices {
                let most = limits[[document.number, document.runs[run].string]] ?? 0
                document.runs[run].positions.removeAll { $0 > most }
            }
            return document
        }
    }
}

import Foundation
import Testing

@testable import TextSearch

/// A term's postings as plain values.
struct PlainPostings: Equatable {
    struct Run: Equatable {
        var string: UInt32
        /// Ascending.
        var positions: [UInt32]
    }

    struct Document: Equatable {
        var number: UInt32
        var runs: [Run]
    }

    var documents: [Document]

    static func random(_ count: Int, _ generator: inout SeededGenerator) -> PlainPostings {
        let gapBits = generator.int(0...14)
        let positionBits = generator.int(1...20)
        let oddStrings = generator.int(1...20)
        let usual = generator.number(upTo: 4)
        var number = UInt64(generator.number(upTo: gapBits))
        var documents: [Document] = []
        for _ in 0..<count {
            var strings: Set<UInt32> = [usual]
            if generator.once(in: oddStrings) {
                strings = Set((0..<generator.int(1...4)).map { _ in generator.number(upTo: 6) })
            }
            let runs = strings.sorted().map { string in
                let frequency = generator.once(in: 10) ? generator.int(1...40) : 1
                let positions = (0..<frequency).map { _ in generator.number(upTo: positionBits) }
                return Run(string: string, positions: Set(positions).sorted())
            }
            documents.append(Document(number: UInt32(number), runs: runs))
            number += 1 + UInt64(generator.number(upTo: gapBits))
        }
        return PlainPostings(documents: documents)
    }

    /// The chunk, and the positions that did not go into it.
    func encoded() -> (chunk: [UInt8], positions: [UInt8]) {
        var encoder = PostingsEncoder()
        // Left over from the term before.
        encoder.beginDocument(3)
        encoder.beginString(1)
        encoder.addPosition(gap: 8)
        encoder.endDocument()
        encoder.begin()
        for document in documents {
            encoder.beginDocument(document.number)
            for run in document.runs {
                encoder.beginString(run.string)
                var previous: UInt32 = 0
                for position in run.positions {
                    encoder.addPosition(gap: position - previous)
                    previous = position
                }
            }
            encoder.endDocument()
        }
        var chunk = Buffer<UInt8>()
        encoder.encode(into: &chunk, Impacts(LengthColumn()))
        return (chunk.toArray(), encoder.hasInlinePositions ? [] : encoder.positions.toArray())
    }

    /// What a chunk decodes to; of the documents that are not `wanted` only the strings, without
    /// positions.
    init(
        _ chunk: inout PostingsChunk, _ bytes: [UInt8], positions: [UInt8],
        where wanted: (UInt32) -> Bool = { _ in true }
    ) throws {
        try bytes.withExactBytes { try chunk.decode($0) }
        documents = (0..<chunk.documentCount).map { index in
            Document(
                number: chunk.documents[index],
                runs: chunk.runRange(at: index).map { run in
                    Run(string: chunk.runs[run].string, positions: [])
                })
        }
        var places: [UInt32: Int] = [:]
        for (place, document) in documents.enumerated() { places[document.number] = place }
        let stored = chunk.inlinePositions.map { Array(bytes[$0...]) } ?? positions
        var found = documents
        var stray = 0
        try stored.withExactBytes { bytes in
            try chunk.forEachOccurrence(positions: bytes, where: wanted) {
                document, string, position in
                guard let place = places[document],
                    let run = found[place].runs.firstIndex(where: { $0.string == string })
                else { return stray += 1 }
                found[place].runs[run].positions.append(position)
            }
        }
        documents = found
        #expect(stray == 0)
    }

    init(documents: [Document]) { self.documents = documents }

    /// A chunk and its positions as indexes before format 8 have them: all positions are varints.
    func encodedWithoutFrames() throws -> (chunk: [UInt8], positions: [UInt8]) {
        let (bytes, _) = encoded()
        var ends: [Int] = []
        var positions = Buffer<UInt8>()
        for (place, document) in documents.enumerated() {
            for run in document.runs {
                var last: UInt32 = 0
                for position in run.positions {
                    positions.appendVarint(UInt64(position - last))
                    last = position
                }
            }
            if place % PostingsEncoder.blockSize == PostingsEncoder.blockSize - 1 {
                ends.append(positions.count)
            }
        }
        ends.append(positions.count)
        var chunk = Buffer<UInt8>()
        try bytes.withExactBytes { bytes in
            var reader = ByteReader(bytes)
            let flags = try reader.byte() & ~PostingsEncoder.packed
            let isInline = flags & PostingsEncoder.inlinePositions != 0
            chunk.append(flags)
            if documents.count > PostingsEncoder.blockSize {
                for _ in 0..<3 { chunk.appendVarint(try reader.varint()) }
                let count = (documents.count - 1) / PostingsEncoder.blockSize + 1
                for block in 0..<count {
                    for _ in 0..<2 { chunk.appendVarint(try reader.varint()) }
                    _ = try reader.varint()
                    chunk.appendVarint(ends[block] - (block == 0 ? 0 : ends[block - 1]))
                    for _ in 0..<2 { chunk.append(try reader.byte()) }
                }
            }
            var chunkReader = PostingsChunk()
            try chunkReader.decode(bytes)
            let end = chunkReader.inlinePositions ?? bytes.count
            chunk.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[reader.offset..<end]))
            if isInline { positions.withElements { chunk.append(contentsOf: $0) } }
            if isInline { positions.removeAll() }
        }
        return (chunk.toArray(), positions.toArray())
    }
}

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
                for (place, document) in own.enumerated() where generator.once(in: 2) {
                    places.append(UInt32(place))
                    expected.append(document)
                }
                var found: [PlainPostings.Document] = []
                try Array(stretch).withExactBytes { raw in
                    try chunk.forEachRun(positions: raw, at: places, &room) {
                        let run = PlainPostings.Run(string: $1, positions: Array($2))
                        if found.last?.number == $0 {
                            found[found.count - 1].runs.append(run)
                        } else {
                            found.append(.init(number: $0, runs: [run]))
                        }
                    } endPiece: {
                    }
                }
                let isSame = found == expected
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

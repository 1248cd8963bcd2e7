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

import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Lists of segments")
struct SegmentListTests {
    static func manifest(_ generator: inout SeededGenerator) -> Manifest {
        var manifest = Manifest()
        for _ in 0..<generator.int(0...20) {
            manifest.nextDocument += generator.number(upTo: 16)
            let count = Int(generator.number(upTo: 20))
            let segment = Manifest.Segment(
                number: generator.number(upTo: 32), firstDocument: manifest.nextDocument,
                documentCount: count, termCount: Int(generator.number(upTo: 32)),
                partCount: Int(generator.number(upTo: 32)))
            if generator.once(in: 3) {
                manifest.rebuilt.append(segment)
            } else {
                manifest.segments.append(segment)
            }
            manifest.nextDocument += UInt32(count)
        }
        manifest.nextSegment = generator.number(upTo: 32)
        manifest.watermark = generator.number(upTo: 32)
        manifest.retired = (0..<generator.int(0...9)).map { _ in generator.number(upTo: 32) }
        return manifest
    }

    @Test(
        "Manifests decode to what was encoded, and a changed byte is noticed",
        arguments: testSeeds(20))
    func manifests(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let manifest = Self.manifest(&generator)
        var bytes = manifest.encoded()
        #expect(try bytes.withExactBytes { try Manifest($0) } == manifest, "seed \(seed)")
        for count in bytes.indices {
            #expect(throws: (any Error).self, "seed \(seed)") {
                try Array(bytes[..<count]).withExactBytes { try Manifest($0) }
            }
        }
        let place = generator.int(1...(bytes.count - 1))
        bytes[place] ^= 1 << UInt8(generator.int(0...7))
        #expect(throws: MalformedData.self, "seed \(seed)") {
            try bytes.withExactBytes { try Manifest($0) }
        }
        bytes[0] = Manifest.format + 1
        let error = #expect(throws: TextIndexError.self, "seed \(seed)") {
            try bytes.withExactBytes { try Manifest($0) }
        }
        #expect(error?.code == .unsupportedFormat)
    }

    @Test("Merging comes to an end, and leaves few segments", arguments: testSeeds(20))
    func mergePolicy(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var segments: [MergePolicy.Segment] = []
        var total = 0
        var rewritten = 0
        let widest = generator.int(1...12)
        // Vocabularies grow slower than what is indexed.
        let growth = generator.element([0.5, 0.6, 0.85, 1])
        func terms(_ documents: Int) -> Int { Int(3 * pow(Double(documents), growth)) }
        // Loads in bulk begin and end.
        var isLoading = false
        for _ in 0..<600 {
            let size = 1 + Int(generator.number(upTo: widest))
            total += size
            segments.append(.init(documents: size, terms: terms(size), dead: 0))
            if generator.once(in: 3) {
                let victim = generator.int(0...(segments.count - 1))
                segments[victim].dead = generator.int(0...segments[victim].documents)
            }
            var rounds = 0
            if generator.once(in: 50) { isLoading.toggle() }
            while let run = MergePolicy.next(segments, isLoading: isLoading) {
                #expect(!run.isEmpty && segments.indices.contains(run.lowerBound))
                #expect(run.upperBound <= segments.count)
                guard run.upperBound <= segments.count else { return }
                let documents = segments[run].reduce(0) { $0 + $1.documents }
                rewritten += documents
                segments.replaceSubrange(
                    run, with: [.init(documents: documents, terms: terms(documents), dead: 0)])
                rounds += 1
                #expect(rounds < 1000, "seed \(seed): merging does not end")
                guard rounds < 1000 else { return }
            }
            let share = isLoading ? 2 : 4
            #expect(segments.allSatisfy { $0.dead * share <= $0.documents }, "seed \(seed)")
            #expect(segments.count <= MergePolicy.most, "seed \(seed): \(segments.count) segments")
        }
        #expect(segments.reduce(0) { $0 + $1.documents } == total)
        // Each document is rewritten a few times, not once for every segment that comes later.
        #expect(rewritten < total * 20, "seed \(seed): \(rewritten) of \(total)")
    }

    @Test(
        "A load writes each document a few times, however slow its vocabulary grows",
        arguments: [0.5, 0.6, 0.7, 0.85, 1])
    func mergesOfALoad(growth: Double) {
        var sizes: [Int] = []
        var rewritten = 0
        for _ in 0..<1000 {
            sizes.append(1)
            while let run = MergePolicy.next(
                sizes.map {
                    .init(documents: $0, terms: Int(30_000 * pow(Double($0), growth)), dead: 0)
                }, isLoading: true)
            {
                let merged = sizes[run].reduce(0, +)
                rewritten += merged
                sizes.replaceSubrange(run, with: [merged])
            }
            #expect(sizes.count <= MergePolicy.most)
        }
        #expect(rewritten <= 3 * 1000, "\(rewritten), of \(growth)")
    }

    @Test("Weights and lengths of documents are read back", arguments: testSeeds(10))
    func columns(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let special: [Double] = [0, -0.0, 1, -1.5, 0.1, .infinity, .leastNonzeroMagnitude, 1e300]
        for kinds in 1...special.count {
            let weights = (0..<generator.int(1...300)).map { _ in
                special[generator.int(0...(kinds - 1))]
            }
            var output = Buffer<UInt8>()
            Column.encodeWeights(weights, into: &output)
            var decoded: [Double] = []
            try output.toArray().withExactBytes {
                try Column.decodeWeights($0, count: weights.count, into: &decoded)
            }
            #expect(decoded.map(\.bitPattern) == weights.map(\.bitPattern), "seed \(seed)")
        }
        let lengths = (0..<generator.int(1...300)).map { _ in
            (0..<generator.int(0...4)).map { _ in generator.number(upTo: 32) }
        }
        var output = Buffer<UInt8>()
        for strings in lengths {
            output.appendVarint(strings.count)
            for length in strings { output.appendVarint(UInt64(length)) }
        }
        var column = LengthColumn()
        try output.toArray().withExactBytes {
            try column.decodePage($0, count: lengths.count)
        }
        #expect(column.count == lengths.count)
        for (document, strings) in lengths.enumerated() {
            #expect(Array(column.of(document)) == strings, "seed \(seed)")
        }
    }
}

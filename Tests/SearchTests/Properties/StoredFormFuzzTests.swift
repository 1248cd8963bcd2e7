import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Whatever bytes a decoder is given, it throws or gives something, reads only those bytes, and
/// comes to an end.
@Suite("Decoders on bytes that no encoder wrote")
struct StoredFormFuzzTests {
    private static let rounds = 10_000

    /// Feeds `decode` random bytes, and `samples` cut short, changed and joined.
    private func fuzz(
        seed: UInt64, _ samples: (inout SeededGenerator) -> [UInt8],
        _ decode: ([UInt8], inout SeededGenerator) throws -> Void
    ) {
        var generator = SeededGenerator(seed: seed)
        let good = (0..<40).map { _ in samples(&generator) }
        for sample in good {
            #expect(throws: Never.self, "seed \(seed)") { try decode(sample, &generator) }
        }
        var refusedCount = 0
        for _ in 0..<Self.rounds {
            var bytes = generator.element(good)
            switch generator.int(0...4) {
            case 0: bytes = .random(generator.int(0...60), &generator)
            case 1: bytes.removeLast(generator.int(0...bytes.count))
            case 2: bytes.removeFirst(generator.int(0...bytes.count))
            case 3:
                let extremes: [UInt8] = [0, 1, 0x7f, 0x80, 0xff]
                for _ in 0..<generator.int(1...4) where !bytes.isEmpty {
                    let place = generator.int(0...(bytes.count - 1))
                    bytes[place] =
                        generator.once(in: 2)
                        ? generator.element(extremes) : UInt8.random(in: 0...255, using: &generator)
                }
            default:
                let place = generator.int(0...bytes.count)
                bytes.insert(
                    contentsOf: [UInt8].random(generator.int(1...10), &generator), at: place)
            }
            do { try decode(bytes, &generator) } catch { refusedCount += 1 }
        }
        // Nothing but the samples of positions that lie in their chunk is empty.
        #expect(refusedCount > 0 || good.allSatisfy(\.isEmpty), "seed \(seed)")
    }

    @Test(arguments: testSeeds(1)) func wordStarts(seed: UInt64) {
        fuzz(seed: seed) { generator in
            WordPlaceTests.encoded(WordPlaceTests.starts(generator.int(0...600), &generator))
        } _: { bytes, generator in
            try bytes.withExactBytes { raw in
                var reader = ByteReader(raw)
                var places = try WordStarts.Reader(&reader)
                guard places.wordCount > 0 else { return }
                for _ in 0..<4 {
                    _ = try places.start(ofWord: generator.int(0...(places.wordCount - 1)))
                }
            }
        }
    }

    @Test(arguments: testSeeds(1)) func attributePages(seed: UInt64) {
        fuzz(seed: seed) { generator in
            let builder = AttributePageBuilder()
            for place in 0..<100 where !generator.once(in: 4) {
                builder.begin(place)
                for _ in 0..<generator.element([1, 1, 1, 0, 3]) {
                    var value = Buffer<UInt8>()
                    ColumnValue.append(
                        generator.element(["a", "ab", "b", 1, 2.5, true]), to: &value)
                    value.withElements { builder.add($0) }
                }
            }
            var output = Buffer<UInt8>()
            builder.encode(count: 100, into: &output)
            return output.toArray()
        } _: { bytes, _ in
            try bytes.withExactBytes { raw in
                let page = try AttributePage(raw, count: 100)
                page.forEachDocument { _, values in
                    for value in values {
                        page.withValue(Int(value)) {
                            _ = ColumnValue.value(UnsafeRawBufferPointer($0))
                        }
                    }
                }
                var builder = AttributeColumnBuilder(documentCount: 100)
                try builder.add(page, at: 0)
                let column = try builder.finish(SearchClock(.unlimited, longest: nil))
                for code in 0..<column.codeCount { column.forEachValue(of: code) { _ in } }
            }
        }
    }

    @Test(arguments: testSeeds(1)) func attributeDirectories(seed: UInt64) {
        fuzz(seed: seed) { generator in
            var directory = AttributeDirectory()
            directory.hasMore = generator.once(in: 2)
            directory.entries = (0..<generator.int(0...5)).map { number in
                AttributeDirectory.Entry(
                    name: "name \(number)", isWhole: generator.once(in: 2),
                    pages: (0..<300).filter { _ in generator.once(in: 3) })
            }
            var output = Buffer<UInt8>()
            directory.encode(into: &output)
            return output.toArray()
        } _: { bytes, _ in
            try bytes.withExactBytes { raw in
                let directory = try AttributeDirectory(raw)
                var output = Buffer<UInt8>()
                directory.encode(into: &output)
            }
        }
    }

    @Test(arguments: testSeeds(1)) func irregularWords(seed: UInt64) {
        fuzz(seed: seed, Self.irregular) { bytes, generator in
            try bytes.withExactBytes { raw in
                let words = try IrregularWords(Array(raw)[...])
                for _ in 0..<8 {
                    let lower = generator.int(0...255)
                    let upper = lower + generator.int(0...255)
                    _ = [UInt8].random(generator.int(0...2), &generator).withUnsafeBufferPointer {
                        words.utf16Range(
                            ofWord: generator.int(0...9), term: $0, bytes: lower..<upper)
                    }
                }
            }
        }
    }

    @Test(arguments: testSeeds(1)) func postings(seed: UInt64) {
        fuzz(seed: seed) { generator in
            PlainPostings.random(generator.int(1...140), &generator).encoded().chunk
        } _: { bytes, generator in
            // Enough for every chunk that is good.
            let positions = [UInt8](repeating: 1, count: 4096)
            try Self.decodePostings(bytes, positions: positions)
            try? Self.decodePostings(bytes, positions: .random(300, &generator))
        }
    }

    @Test(arguments: testSeeds(1)) func positions(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (chunk, positions) = PlainPostings.random(140, &generator).encoded()
        fuzz(seed: seed) { _ in
            positions
        } _: { bytes, _ in
            try Self.decodePostings(chunk, positions: bytes)
        }
    }

    private static func decodePostings(_ bytes: [UInt8], positions: [UInt8]) throws {
        var chunk = PostingsChunk()
        try bytes.withExactBytes { try chunk.decode($0) }
        let stored = chunk.inlinePositions.map { Array(bytes[$0...]) } ?? positions
        try stored.withExactBytes { raw in
            try chunk.forEachOccurrence(positions: raw, where: { $0 & 1 == 0 }) { _, _, _ in }
            // As many as there should be, where each is a byte.
            var count = 0
            chunk.forEachRun { _, run in count += Int(run.frequency) }
            let exact = chunk.inlinePositions == nil ? raw.prefix(count) : raw[...]
            copyTwice(chunk, positions: UnsafeRawBufferPointer(rebasing: exact))
        }
        let postings = try bytes.withExactBytes { try StoredPostings($0) }
        let scoring = TermScoring(
            saturation: BM25().saturation, idf: 1, factors: [],
            strings: SegmentNorms(LengthColumn(), BM25(), averages: [4]))
        var scores = Buffer<Double>()
        var weighted = Buffer<Double>()
        for block in 0..<postings.blockCount {
            try chunk.decodeBlock(block, of: postings, with: .frequencies)
            scoring.score(chunk, into: &scores, &weighted)
            #expect(scores.count == chunk.documentCount)
            let places = Array(0..<UInt32(chunk.documentCount))
            places.withUnsafeBufferPointer {
                scoring.score(at: $0, of: chunk, into: &scores, &weighted)
            }
            #expect(scores.count == chunk.documentCount)
            try chunk.decodeBlock(block, of: postings, with: .documents)
        }
    }

    /// Merges what was decoded with itself; what comes of it can be decoded, or it is refused.
    private static func copyTwice(
        _ chunk: borrowing PostingsChunk, positions: UnsafeRawBufferPointer
    ) {
        let segmentCount = 1 << 20
        var encoder = PostingsEncoder()
        for round in 0..<2 {
            let offset = UInt32(round * segmentCount)
            let done: Void? = try? encoder.append(
                chunk, positions: positions, segmentCount: segmentCount
            ) { $0 & 1 == 0 ? $0 &+ offset : nil }
            if done == nil { return }
        }
        guard encoder.documentCount > 0 else { return }
        var merged = Buffer<UInt8>()
        encoder.encode(into: &merged, Impacts(LengthColumn()))
        var again = PostingsChunk()
        let isWhole: Void? = try? merged.withBytes { try again.decode($0) }
        #expect(isWhole != nil && again.documentCount == encoder.documentCount)
    }

    @Test(arguments: testSeeds(1)) func manifests(seed: UInt64) {
        fuzz(seed: seed) { generator in
            SegmentListTests.manifest(&generator).encoded()
        } _: { bytes, _ in
            var bytes = bytes
            // With a right checksum, so that what is behind it is read.
            if bytes.count > 9 {
                let sum = bytes[9...].withUnsafeBufferPointer { Checksum.of($0) }
                for place in 0..<8 {
                    bytes[1 + place] = UInt8(truncatingIfNeeded: sum >> UInt64(place * 8))
                }
            }
            let manifest = try bytes.withExactBytes { try Manifest($0) }
            for segment in manifest.segments + manifest.rebuilt { _ = segment.documents }
        }
    }

    @Test(arguments: testSeeds(1)) func objectRecords(seed: UInt64) {
        fuzz(seed: seed) { generator in
            var output = Buffer<UInt8>()
            let object = IndexedObject(
                strings: ["a", "b"], weight: generator.once(in: 2) ? 0 : 1.5,
                context: generator.once(in: 2) ? [:] : ["a": [1, "x", nil], "b": ["c": true]],
                attributes: generator.once(in: 2) ? [:] : ["n": 3, "s": ["x", "y"]])
            [1, 2, 3].withUnsafeBufferPointer {
                _ = ObjectRecord.encodeHead(identifier: $0, object: object, into: &output)
            }
            for _ in 0..<2 {
                let starts = WordPlaceTests.starts(generator.int(0...20), &generator)
                output.append(bytes: WordPlaceTests.encoded(starts))
                output.appendPrefixed(Self.irregular(&generator))
            }
            return output.toArray()
        } _: { bytes, generator in
            try bytes.withExactBytes { raw in
                _ = try ObjectRecord.identifier(raw)
                var record = try ObjectRecord(raw)
                let term = Array("strée".utf8)
                try term.withUnsafeBufferPointer { term in
                    for string in 0..<min(record.stringCount, 3) {
                        let lower = generator.int(0...term.count)
                        let upper = generator.int(lower...term.count)
                        guard let count = record.wordCounts[string].nonZero else { continue }
                        _ = try record.location(
                            string: string, word: generator.int(0...(count - 1)), term: term,
                            bytes: lower..<upper)
                    }
                }
            }
        }
    }

    private static func irregular(_ generator: inout SeededGenerator) -> [UInt8] {
        var output = Buffer<UInt8>()
        var word = -1
        for _ in 0..<generator.int(0...5) {
            let next = word + generator.int(1...3)
            var fold = FoldedWord()
            fold.isRegular = generator.once(in: 4)
            fold.clusters = (0..<generator.int(1...9)).map { _ in
                .init(foldedLength: generator.int(0...4), utf16Length: generator.int(1...9))
            }
            IrregularWords.encode(next, after: word, fold, into: &output)
            for _ in 0..<generator.int(0...2) {
                fold.bytes = .random(generator.int(0...2), &generator)
                IrregularWords.encodeAlternative(fold, into: &output)
            }
            word = next
        }
        return output.toArray()
    }

    @Test(arguments: testSeeds(1)) func columns(seed: UInt64) {
        fuzz(seed: seed) { generator in
            var output = Buffer<UInt8>()
            let kinds = generator.int(1...3)
            let weights = (0..<100).map { _ in [1, 2.5, 0.1][generator.int(0...(kinds - 1))] }
            Column.encodeWeights(weights, into: &output)
            return output.toArray()
        } _: { bytes, _ in
            try bytes.withExactBytes { raw in
                var weights: [Double] = []
                try Column.decodeWeights(raw, count: 100, into: &weights)
            }
        }
        fuzz(seed: seed) { generator in
            (0..<50).flatMap { _ in [2, UInt8(generator.int(0...127)), 5] }
        } _: { bytes, _ in
            try bytes.withExactBytes { raw in
                var lengths = LengthColumn()
                var later = lengths
                _ = try? later.decodePage(raw, count: 50)
                // What is damaged leaves nothing behind for the page after it.
                let before = later.count
                #expect(before == 0 || before == 50)
                let sound: [UInt8] = [2, 7, 5, 1, 9]
                try sound.withUnsafeBytes { try later.decodePage($0, count: 2) }
                #expect(Array(later.of(before)) == [7, 5] && Array(later.of(before + 1)) == [9])
                try lengths.decodePage(raw, count: 50)
                for document in 0..<50 { _ = lengths.of(document) }
            }
        }
    }

    @Test(arguments: testSeeds(1)) func engagements(seed: UInt64) {
        fuzz(seed: seed) { generator in
            var entry = QueryEngagements()
            var object = EngagedObject()
            for _ in 0..<generator.int(1...5) {
                let name = Array(TestWord.random(&generator).folded.utf8)
                let time = Double(generator.int(-9...9))
                entry.objects[name] = StoredEngagement(strength: 0.5, time: time)
                object.queries[name] = time
            }
            var output = Buffer<UInt8>()
            generator.once(in: 2) ? entry.encode(into: &output) : object.encode(into: &output)
            return output.toArray()
        } _: { bytes, _ in
            try bytes.withExactBytes { raw in
                let entry = try? QueryEngagements(raw)
                let object = try? EngagedObject(raw)
                if entry == nil, object == nil { throw MalformedData() }
                // What is read is what would be written.
                var output = Buffer<UInt8>()
                if let entry { entry.encode(into: &output) } else { object?.encode(into: &output) }
                output.withBytes { raw in
                    if let entry { #expect((try? QueryEngagements(raw)) == entry) }
                    if entry == nil { #expect((try? EngagedObject(raw)) == object) }
                }
            }
        }
    }

    @Test(arguments: testSeeds(1)) func journalAndVocabulary(seed: UInt64) {
        fuzz(seed: seed) { generator in
            JournalEntry.encode(
                IndexedObject(
                    strings: (0..<3).map { _ in TestString.random(&generator).source },
                    language: StemmerLanguage.allCases.randomElement(using: &generator)))
        } _: { bytes, _ in
            _ = try bytes.withExactBytes { try JournalEntry.decode($0) }
        }
        fuzz(seed: seed) { generator in
            let terms = (0..<9).map { _ in Array(TestWord.random(&generator).folded.utf8) }
            let chunks = terms.map { _ in (0..<generator.int(0...9)).map { UInt8($0) } }
            return VocabularyPart.stored(terms, chunks: chunks)
        } _: { bytes, _ in
            try bytes.withExactBytes { raw in
                var terms = 0
                let part = try VocabularyPart(raw)
                part.forEachTerm(where: { _ in true }) { _, number in
                    terms += 1
                    part.withInlinePostings(of: number) { #expect($0.count > 0) }
                }
                #expect(terms == part.termCount)
            }
        }
        fuzz(seed: seed) { generator in
            let terms = (0..<9).map { _ in Array(TestWord.random(&generator).folded.utf8) }
            let chunks = terms.map { _ in (0..<generator.int(0...9)).map { UInt8($0) } }
            return VocabularyPart.stored(terms, chunks: chunks)
        } _: { bytes, generator in
            // A word that may be there, and its neighbours.
            let start = generator.int(0...bytes.count)
            let word = Array(bytes[start...].prefix { $0 != 0 })
            try bytes.withExactBytes { raw in
                for wanted in [word, word + [0x61], []] {
                    _ = try wanted.withUnsafeBufferPointer {
                        try VocabularyPart.withPostings(of: $0, in: raw) { Array($0).count }
                    }
                }
            }
        }
    }
}

extension Int {
    /// The number, or nil for zero.
    fileprivate var nonZero: Int? { self == 0 ? nil : self }
}

import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Lengths of strings")
struct LengthColumnTests {
    @Test("The lengths of a memory segment are those of its documents", arguments: testSeeds(20))
    func segments(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var whole = LengthColumn()
        var single = LengthColumn()
        let most = generator.element([0, 1, 1, 3])
        for _ in 0..<generator.int(1...5) {
            let objects = (0..<generator.int(0...9)).map { number in
                let strings = (0..<(generator.once(in: 9) ? generator.int(0...4) : most)).map { _ in
                    String(repeating: "word ", count: generator.int(0...7))
                }
                return (identifier: [UInt8(number)], object: IndexedObject(strings: strings))
            }
            let segment = MemorySegment.analysing(objects, Analyzer(.init()), textByteCount: 0)
            let gap = whole.count + generator.element([0, 0, 2])
            whole.skip(to: gap)
            while single.count < gap { single.append(EmptyCollection()) }
            whole.append(segment)
            for object in objects {
                single.append(
                    object.object.strings.map { UInt32($0.split(separator: " ").count) })
            }
        }
        #expect(whole.count == single.count, "seed \(seed)")
        for document in 0..<(whole.count + 2) {
            let plain = document < single.count ? single.of(document) : []
            if document < whole.count { #expect(whole.of(document) == plain, "seed \(seed)") }
            for string in 0..<4 {
                let length = string < plain.count ? Int(plain[string]) : 0
                let isSame =
                    whole.length(of: document, string: string) == length
                    && single.length(of: document, string: string) == length
                #expect(isSame, "seed \(seed): string \(string) of document \(document)")
            }
        }
        #expect(whole.averages() == single.averages(), "seed \(seed)")
    }

    @Test(
        "Pages of lengths are read back, whether their documents have the same number of strings or not",
        arguments: testSeeds(40))
    func pages(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var column = LengthColumn()
        var documents: [[UInt32]] = []
        let most = generator.int(0...3)
        let bits = generator.element([7, 14, 16, 32])
        for _ in 0..<generator.int(1...4) {
            let isEven = !generator.once(in: 3)
            let page = (0..<generator.int(1...60)).map { _ in
                (0..<(isEven ? most : generator.int(0...most))).map { _ in
                    generator.number(upTo: bits)
                }
            }
            var bytes = Buffer<UInt8>()
            for strings in page {
                bytes.appendVarint(strings.count)
                for length in strings { bytes.appendVarint(UInt64(length)) }
            }
            try bytes.toArray().withExactBytes {
                // What is said of all pages is no more than a hint.
                try column.decodePage(
                    $0, count: page.count, total: generator.element([0, 1, 200, Int(UInt32.max)]))
            }
            documents += page
        }
        #expect(column.count == documents.count, "seed \(seed)")
        for (document, strings) in documents.enumerated() {
            #expect(column.of(document) == strings, "seed \(seed)")
            for string in 0...3 {
                let length = string < strings.count ? Int(strings[string]) : 0
                #expect(column.length(of: document, string: string) == length, "seed \(seed)")
            }
        }
        checkSlots(of: column, documents, &generator, seed)
        for string in 0...3 {
            let lengths = documents.compactMap { string < $0.count ? $0[string] : nil }
            let most = string < column.sums.count ? column.sums[string].most : 0
            #expect(most == lengths.max() ?? 0, "seed \(seed)")
            guard !lengths.isEmpty else { continue }
            let average = Double(lengths.reduce(0) { $0 + UInt64($1) }) / Double(lengths.count)
            #expect(column.averages()[string] == average, "seed \(seed)")
        }
    }

    @Test("A column takes documents one by one from another", arguments: testSeeds(20))
    func documents(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let most = generator.int(1...3)
        let isEven = generator.once(in: 2)
        var (source, copy, plain) = (LengthColumn(), LengthColumn(), LengthColumn())
        for _ in 0..<generator.int(1...40) {
            source.append(
                (0..<(isEven ? most : generator.int(0...most))).map { _ in
                    generator.number(upTo: generator.element([7, 15, 17]))
                })
        }
        for _ in 0..<60 {
            let document = generator.int(0...(source.count - 1))
            if generator.once(in: 8) {
                copy.append(EmptyCollection())
                plain.append(EmptyCollection())
            }
            copy.append(document, of: source)
            plain.append(source.of(document))
        }
        #expect(copy.count == plain.count, "seed \(seed)")
        for document in 0..<plain.count {
            #expect(copy.of(document) == plain.of(document), "seed \(seed)")
        }
        #expect(copy.averages() == plain.averages(), "seed \(seed)")
    }

    @Test("A damaged page leaves what was read before", arguments: testSeeds(40))
    func damage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let width = generator.int(1...2)
        let page = (0..<generator.int(1...20)).map { _ in
            (0..<width).map { _ in generator.number(upTo: 14) >> 1 }
        }
        var bytes: [UInt8] = []
        var encoded = Buffer<UInt8>()
        for strings in page {
            encoded.appendVarint(strings.count)
            for length in strings { encoded.appendVarint(UInt64(length)) }
        }
        bytes = encoded.toArray()
        var column = LengthColumn()
        try bytes.withExactBytes { try column.decodePage($0, count: page.count) }
        let cut = Array(bytes.dropLast(generator.int(1...bytes.count)))
        #expect(throws: MalformedData.self, "seed \(seed)") {
            try cut.withExactBytes { try column.decodePage($0, count: page.count) }
        }
        #expect(column.count == page.count, "seed \(seed)")
        for (document, strings) in page.enumerated() {
            #expect(column.of(document) == strings, "seed \(seed)")
        }
    }

    /// The places of all strings in a row, and the walk over some of them.
    private func checkSlots(
        of column: LengthColumn, _ documents: [[UInt32]], _ generator: inout SeededGenerator,
        _ seed: UInt64
    ) {
        let slots = column.slots
        let all = documents.enumerated().flatMap { document, strings in
            strings.indices.map { (document: document, string: $0, length: strings[$0]) }
        }
        let width = slots.width
        let counts = Set(documents.map(\.count)).subtracting([0])
        #expect(width == 0 || counts == [width], "seed \(seed)")
        if counts.count == 1, all.allSatisfy({ $0.length <= UInt16.max }) {
            #expect(width > 0, "seed \(seed)")
        }
        let slotCount = width > 0 ? documents.count * width : all.count
        #expect(column.slotCount == slotCount, "seed \(seed)")
        var walk = column.makeSlotWalk()
        for (number, text) in all.enumerated() {
            let slot = width > 0 ? text.document * width + text.string : number
            #expect(slots.slot(of: text.document, string: text.string) == slot, "seed \(seed)")
            if generator.once(in: 3) { continue }
            let place = walk.place(of: UInt32(slot))
            #expect(place == (UInt32(text.document), UInt32(text.string)), "seed \(seed)")
            #expect(walk.length(of: UInt32(slot)) == text.length, "seed \(seed)")
            #expect(walk.end == slot + documents[text.document].count - text.string, "seed \(seed)")
        }
        for (document, strings) in documents.enumerated() {
            for string in 0...3 {
                #expect(
                    column.has(string, of: document) == (string < strings.count), "seed \(seed)")
            }
            let room = width > 0 ? width : strings.count
            #expect(slots.slot(of: document, string: room) == nil, "seed \(seed)")
        }
        #expect(slots.slot(of: documents.count, string: 0) == nil, "seed \(seed)")
        #expect(!column.has(0, of: documents.count), "seed \(seed)")
    }
}

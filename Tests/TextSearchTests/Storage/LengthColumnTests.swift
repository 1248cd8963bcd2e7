import Testing

@testable import TextSearch

@Suite("Lengths of strings")
struct LengthColumnTests {
    @Test("Those of memory segments as those of their documents", arguments: testSeeds(20))
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
            let plain = document < single.count ? Array(single.of(document)) : []
            if document < whole.count { #expect(whole.of(document) == plain[...], "seed \(seed)") }
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
}

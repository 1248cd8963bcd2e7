import Foundation
import Testing

@testable import TextSearch

/// The defects of MHTextSearch, the system this one grew out of, each shown to be gone. Numbers are those of the list in
/// the documentation of this suite's cases.
@Suite("Defects of the ancestor that must not come back")
struct AncestorDefectTests {
    private func withIndex(
        _ texts: [String: [String]], weights: [String: Double] = [:],
        configuration: TextIndexConfiguration = .init(),
        _ body: (TextIndex<String>) throws -> Void
    ) throws {
        let directory = temporaryDirectory("ancestor")
        let index = try TextIndex<String>(at: directory, configuration: configuration)
        defer {
            try? index.close()
            try? TextIndex<String>.destroy(at: directory)
        }
        index.identifier = { Data($0.utf8) }
        index.indexer = { name, _ in
            texts[name].map { IndexedObject(strings: $0, weight: weights[name] ?? 0) }
        }
        for name in texts.keys.sorted() {
            let operation = index.indexObject(name)
            operation.waitUntilFinished()
            #expect(operation.error == nil)
        }
        for _ in 0..<2 {
            try body(index)
            // The same again from flushed segments.
            try index.flush()
        }
    }

    private func names(_ index: TextIndex<String>, _ keyword: String) throws -> [String] {
        try index.searchResults(forKeyword: keyword).map {
            String(decoding: $0.identifier, as: UTF8.self)
        }
    }

    private func matched(
        _ index: TextIndex<String>, _ keyword: String, in text: String
    ) throws -> [String] {
        try index.searchResults(forKeyword: keyword).flatMap { item in
            item.resultTokens.compactMap { item.range(of: $0, in: text).map { String(text[$0]) } }
        }
    }

    @Test("M1: words whose folded length differs are found whole, with exact ranges")
    func m01FoldedLengthDiffers() throws {
        for (text, keywords) in [
            ("Die Straße lang", ["strasse", "straße", "STRASSE", "rasse", "aß"]),
            ("Andre\u{301} sprach", ["andre", "André", "ndré"]),
            ("ein ﬁnaler Zug", ["final", "ﬁn", "inal"]),
        ] {
            try withIndex(["a": [text]]) { index throws in
                for keyword in keywords {
                    #expect(try names(index, keyword) == ["a"], "\(keyword) in \(text)")
                    let found = try matched(index, keyword, in: text)
                    #expect(found.count == 1)
                    #expect(text.contains(found[0]))
                }
            }
        }
        try withIndex(["a": ["Die Straße lang"]]) { index throws in
            #expect(try matched(index, "strasse", in: "Die Straße lang") == ["Straße"])
            #expect(try matched(index, "s", in: "Die Straße lang") == ["S", "ß", "ß"])
        }
    }

    @Test("M2: a suffix is found whatever letters stand before it")
    func m02OneEncodingForAll() throws {
        try withIndex(["a": ["Łódź"], "b": ["żółw"], "c": ["日本odz"]]) { index throws in
            #expect(try names(index, "odz") == ["a", "c"])
            #expect(try names(index, "lodz") == ["a"])
            #expect(try names(index, "olw") == ["b"])
        }
    }

    @Test("M3: letters of one script are not found as bytes of another")
    func m03NoHitsAcrossEncodings() throws {
        try withIndex(["a": ["\u{6261}\u{6262} text"], "b": ["\u{6100} bb"]]) { index throws in
            #expect(try names(index, "ab") == [])
            #expect(try names(index, "ba") == [])
            #expect(try names(index, "b") == ["b"])
        }
    }

    @Test("M4: discarding duplicates loses no word, with NULs or letters beyond Latin")
    func m04DuplicatesAreExact() throws {
        var configuration = TextIndexConfiguration()
        configuration.discardDuplicateTokens = true
        let text = "一二 一三 один одна \0 one once only ones one"
        try withIndex(["a": [text, text]], configuration: configuration) { index throws in
            for keyword in ["二", "三", "один", "одна", "once", "only", "ones"] {
                #expect(try names(index, keyword) == ["a"], "\(keyword)")
            }
            let item = try #require(try index.searchResults(forKeyword: "only").first)
            #expect(item.resultTokens.map(\.string) == [0, 1])
            let one = try #require(try index.searchResults(forKeyword: "one").first)
            // "one" once and "ones" once in each string.
            #expect(one.resultTokens.count == 4)
        }
    }

    @Test("M5: order is total and repeatable, with more matches first among equals")
    func m05TotalOrder() throws {
        try withIndex([
            "a": ["duck"], "b": ["duck duck"], "c": ["duck"], "d": ["a duck"],
            "e": ["duck duck duck"],
        ]) { index throws in
            for _ in 0..<5 { #expect(try names(index, "duck") == ["e", "b", "a", "c", "d"]) }
            let reversed = try index.searchResults(forKeyword: "duck", options: .reverse)
            #expect(
                reversed.map { String(decoding: $0.identifier, as: UTF8.self) }
                    == ["d", "c", "a", "b", "e"])
        }
    }

    @Test("M6: weights keep the precision of Double")
    func m06DoubleWeights() throws {
        let weights = ["a": 16_777_216.0, "b": 16_777_217.0, "c": 1.0 / 3]
        try withIndex(["a": ["duck"], "b": ["duck"], "c": ["duck"]], weights: weights) {
            index throws in
            #expect(try names(index, "duck") == ["b", "a", "c"])
            #expect(
                try index.searchResults(forKeyword: "duck").map(\.weight)
                    == [16_777_217, 16_777_216, 1.0 / 3])
        }
    }

    @Test("M7: folding knows no locale: dotted and dotless i meet")
    func m07NoLocale() throws {
        try withIndex(["a": ["ISTANBUL"], "b": ["İstanbul"], "c": ["ıstanbul"]]) { index throws in
            for keyword in ["istanbul", "ISTANBUL", "İSTANBUL", "ıstanbul"] {
                #expect(try names(index, keyword) == ["a", "b", "c"], "\(keyword)")
            }
        }
    }

    @Test("M8: identifiers that begin alike, or hold any bytes, do not touch each other")
    func m08IdentifiersAreApart() throws {
        let directory = temporaryDirectory("ancestor")
        let index = try TextIndex<[UInt8]>(at: directory)
        defer {
            try? index.close()
            try? TextIndex<[UInt8]>.destroy(at: directory)
        }
        let identifiers: [[UInt8]] = [
            [1], [1, 0], [1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0], [255, 255, 255, 255], [255], [0],
            [1, 255, 255, 255, 255, 0],
        ]
        index.identifier = { Data($0) }
        index.indexer = { _, _ in IndexedObject(strings: ["first"]) }
        for identifier in identifiers { index.indexObject(identifier).waitUntilFinished() }
        try index.flush()
        index.indexer = { _, _ in IndexedObject(strings: ["second"]) }
        index.updateIndex(for: [1]).waitUntilFinished()
        #expect(try index.searchResults(forKeyword: "first").count == identifiers.count - 1)
        #expect(try index.searchResults(forKeyword: "second").map(\.identifier) == [Data([1])])
        index.removeIndex(for: [255]).waitUntilFinished()
        #expect(try index.searchResults(forKeyword: "first").count == identifiers.count - 2)
        #expect(try index.contains(identifier: Data([255, 255, 255, 255])))
    }

    @Test("M9: stored numbers have one byte order and width on every machine")
    func m09PortableNumbers() throws {
        #expect(Key.document(.objects, 0x0102_0304) == [0x6f, 1, 2, 3, 4])
        var buffer = Buffer<UInt8>()
        buffer.appendLittleEndian(0x0102_0304_0506_0708)
        #expect(buffer.toArray() == [8, 7, 6, 5, 4, 3, 2, 1])
        buffer.removeAll()
        buffer.appendVarint(UInt64(300))
        #expect(buffer.toArray() == [0xac, 2])
    }

    @Test("M10: several words, stop words in queries, phrases, fields, fuzzy words and limits")
    func m10Queries() throws {
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "text"]
        let texts = [
            "a": ["Peking duck", "the glaze"], "b": ["Duck", "in Peking they say"],
            "c": ["Goose", "no duck here"],
        ]
        try withIndex(texts, configuration: configuration) { index throws in
            #expect(try names(index, "duck peking").sorted() == ["a", "b"])
            #expect(try names(index, "the duck").sorted() == ["a", "b", "c"])
            func found(_ text: String, limit: Int = 20) throws -> [String] {
                try index.search(text, limit: limit).map {
                    String(decoding: $0.identifier, as: UTF8.self)
                }.sorted()
            }
            #expect(try found("\"peking duck\"") == ["a"])
            #expect(try found("title:duck") == ["a", "b"])
            #expect(try found("title:duck -peking").isEmpty)
            #expect(try found("dukc~1") == ["a", "b", "c"])
            #expect(try found("duck", limit: 2).count == 2)
            #expect(try index.search("duck", limit: 1).totalCount == 3)
        }
    }

    @Test("M11: an enumeration that stops makes no items beyond")
    func m11StoppingSavesWork() throws {
        var texts: [String: [String]] = [:]
        var weights: [String: Double] = [:]
        for number in 0..<300 {
            texts["\(number)"] = ["duck \(number)"]
            weights["\(number)"] = Double(number)
        }
        try withIndex(texts, weights: weights) { index throws in
            nonisolated(unsafe) var seen: [Double] = []
            try index.enumerateResults(forKeyword: "duck") { item, rank, count, stop in
                #expect(count == 300)
                seen.append(item.weight)
                if rank == 4 { stop() }
            }
            #expect(seen == [299, 298, 297, 296, 295])
        }
    }

    @Test("M12: no context is an empty one, and no object getter no crash")
    func m12NoContextNoGetter() throws {
        try withIndex(["a": ["duck"]]) { index throws in
            let item = try #require(try index.searchResults(forKeyword: "duck").first)
            #expect(item.context.isEmpty)
            #expect(item.object == nil)
            #expect(throws: TextIndexError.self) { try index.object(for: Data([1])) }
        }
    }

    @Test("M13: the directory is the one that was asked for, and nothing else")
    func m13DirectoryAsGiven() throws {
        let directory = temporaryDirectory("ancestor")
        let index = try TextIndex<String>(at: directory)
        try index.close()
        #expect(
            FileManager.default.fileExists(atPath: directory.appendingPathComponent("CURRENT").path)
        )
        let again = try TextIndex<String>(at: directory)
        try again.close()
        try TextIndex<String>.destroy(at: directory)
        #expect(!FileManager.default.fileExists(atPath: directory.path))
    }

    @Test("M14: typographic apostrophes are apostrophes")
    func m14Apostrophes() throws {
        var configuration = TextIndexConfiguration()
        configuration.stopWords = .words(["don't"])
        try withIndex(["a": ["I don’t know"], "b": ["l’orange"]], configuration: configuration) {
            index throws in
            #expect(try names(index, "don").isEmpty)
            #expect(try names(index, "l'orange") == ["b"])
            #expect(try names(index, "l’or") == ["b"])
            #expect(try names(index, "orange") == ["b"])
        }
    }

    @Test("The ancestor's own facts: accents, prefixes, weights, contexts, removal, update")
    func ancestorsOwnTests() throws {
        try withIndex(["a": ["Marc-André Jenkins"]]) { index throws in
            let item = try #require(try index.searchResults(forKeyword: "a").first)
            let text = "Marc-André Jenkins"
            #expect(
                item.resultTokens.compactMap {
                    item.range(of: $0, in: text).map { String(text[$0]) }
                }
                    == ["a", "A"])
        }
        let people = ["Jane", "Jack", "James", "Thomas", "Ruth", "Peter", "Janet", "Walter"]
        let directory = temporaryDirectory("ancestor")
        let index = try TextIndex<Int>(at: directory)
        defer {
            try? index.close()
            try? TextIndex<Int>.destroy(at: directory)
        }
        let names = Dictionary(uniqueKeysWithValues: people.enumerated().map { ($0, $1) })
        index.identifier = { number in withUnsafeBytes(of: number.bigEndian) { Data($0) } }
        index.indexer = { number, _ in
            names[number].map {
                IndexedObject(
                    strings: [$0], weight: Double(number), context: ["name": .string($0)])
            }
        }
        for number in people.indices { index.indexObject(number) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        func found(_ keyword: String) throws -> [String] {
            try index.searchResults(forKeyword: keyword).compactMap {
                if case .string(let name) = $0.context["name"] { name } else { nil }
            }
        }
        #expect(try found("ja") == ["Janet", "James", "Jack", "Jane"])
        #expect(try found("er") == ["Walter", "Peter"])
        #expect(try found("th") == ["Ruth", "Thomas"])
        for number in [3, 4] { index.removeIndex(for: number) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        #expect(try found("th").isEmpty)
    }
}

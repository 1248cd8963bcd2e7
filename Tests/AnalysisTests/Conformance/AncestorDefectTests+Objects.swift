import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Defects of the ancestor that are not ours: objects, order and storage")
struct AncestorObjectDefectTests {
    @Test("M5: the order is total and repeatable, whatever the counts of matches")
    func m05_orderIsTotal() throws {
        let texts = ["duck", "duck duck", "x duck", "duck duck duck", "x duck duck", "duck"]
        let notes = texts.enumerated().map { PlainNote("\($0)", $1) }
        let index = try PlainNoteIndex(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            for _ in 0..<5 { #expect(try index.ids("duck") == ["3", "1", "0", "5", "4", "2"]) }
            let items = try index.index.searchResults(forKeyword: "duck")
            for a in items {
                for b in items {
                    let order = index.index.compare(a, b).rawValue
                    #expect(order == -index.index.compare(b, a).rawValue)
                    if order < 0 { #expect(a.rank < b.rank) }
                }
            }
        }
    }

    @Test("M6: weights keep their 53 bits")
    func m06_weightsAreDoubles() throws {
        let weights = [16_777_216, 16_777_217, 1_700_000_000.25, 1_700_000_000.5, 0.1, -0.1]
        let notes = weights.enumerated().map { PlainNote("\($0)", "duck", weight: $1) }
        let index = try PlainNoteIndex(notes)
        for stage in Stage.allCases {
            try index.enter(stage)
            let items = try index.index.searchResults(forKeyword: "duck")
            #expect(items.map(\.weight) == weights.sorted(by: >))
            #expect(items.map(\.id) == ["3", "2", "1", "0", "4", "5"])
        }
    }

    @Test("M8: identifiers that begin with each other are different objects")
    func m08_identifiersArePrefixFree() throws {
        var identifiers: [Data] = (0...9).map { Data([1] + [UInt8](repeating: 0, count: $0)) }
        identifiers += (1...9).map { Data([UInt8](repeating: 0xff, count: $0)) }
        identifiers += [Data([0]), Data([0, 0]), Data([1, 0, 0xff]), Data("ÿ".utf8)]
        let directory = temporaryDirectory("identifiers")
        let index = try TextIndex<Data>(at: directory)
        defer {
            try? index.close()
            try? FileManager.default.removeItem(at: directory)
        }
        let text = Shared("duck ÿÿÿ \u{ff}x")
        index.identifier = { $0 }
        index.indexer = { _, _ in IndexedObject(strings: [text.change { $0 }]) }
        func found(_ keyword: String) throws -> Set<Data> {
            Set(try index.searchResults(forKeyword: keyword).map(\.identifier))
        }
        for identifier in identifiers { index.indexObject(identifier) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        #expect(try found("duck") == Set(identifiers))
        #expect(try found("ÿÿ") == Set(identifiers))
        for (round, identifier) in identifiers.enumerated() {
            text.change { $0 = "goose" }
            index.updateIndex(for: identifier).waitUntilFinished()
            if round == 5 { try index.flush() }
            if round == 10 { try index.optimize() }
            #expect(try found("duck") == Set(identifiers[(round + 1)...]))
            #expect(try found("goose") == Set(identifiers[...round]))
        }
        for (round, identifier) in identifiers.enumerated() {
            index.removeIndex(forIdentifier: identifier).waitUntilFinished()
            #expect(try found("goose") == Set(identifiers[(round + 1)...]))
        }
        #expect(index.count == 0)
    }

    @Test("M9: what is stored has fixed widths and byte orders")
    func m09_storedFormIsPortable() throws {
        #expect(Key.document(.objects, 0x0102_0304) == [0x6f, 1, 2, 3, 4])
        #expect(Key.document(.tombstones, 0xff) == [0x64, 0, 0, 0, 0xff])
        var key = Buffer<UInt8>()
        [UInt8]("duck".utf8).withUnsafeBufferPointer {
            Key.term(.postings, $0, segment: 7, into: &key)
        }
        #expect(key.toArray() == [0x73, 0, 0, 0, 7, 0x70] + Array("duck".utf8) + [0])
        var manifest = Manifest()
        manifest.nextDocument = 300
        manifest.nextSegment = 2
        manifest.watermark = 299
        manifest.segments = [
            .init(
                number: 1, firstDocument: 0, documentCount: 299, termCount: 5, partCount: 9,
                digest: 0x0102_0304_0506_0708)
        ]
        manifest.rebuilt = [
            .init(number: 3, firstDocument: 299, documentCount: 1, termCount: 4, partCount: 7)
        ]
        manifest.retired = [0]
        let segment: [UInt8] = [1, 0, 0xab, 2, 5, 9, 8, 7, 6, 5, 4, 3, 2, 1]
        let rebuilt: [UInt8] = [3, 0xab, 2, 1, 4, 7, 0, 0, 0, 0, 0, 0, 0, 0]
        let stored: [UInt8] = [0xac, 2, 2, 0xab, 2, 1] + segment + [1] + rebuilt + [1, 0]
        #expect(Array(manifest.encoded().dropFirst(9)) == stored)
        #expect(manifest.encoded().first == Manifest.format)
        var weights = Buffer<UInt8>()
        Column.encodeWeights([1, 0.1], into: &weights)
        #expect(
            weights.toArray() == [2, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]
                + [0x9a, 0x99, 0x99, 0x99, 0x99, 0x99, 0xb9, 0x3f])
    }

    @Test(
        "M10: several words, stop words in keywords, phrases, fields, limits, fuzzy words, relevance"
    )
    func m10_queries() throws {
        let notes = [
            PlainNote("a", "Peking duck", "roasted in a wood oven"),
            PlainNote("b", "Duck from Peking", "duck duck duck"),
            PlainNote("c", "Goose", "the peking way with wood"),
        ]
        let index = try PlainNoteIndex(notes) { $0.fields = ["title", "body"] }
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(Set(try index.ids("peking duck")) == ["a", "b"])
            #expect(Set(try index.ids("the duck")) == ["a", "b"])
            #expect(try index.ids(.phrase("peking duck")) == ["a"])
            #expect(try index.ids(.phrase("duck from peking")) == ["b"])
            #expect(try index.ids(.any(of: [.term("goose"), .term("oven")])) == ["a", "c"])
            #expect(try index.ids(.all(of: [.term("duck"), .none(of: [.term("oven")])])) == ["b"])
            #expect(try index.ids(.field("title", .term("peking"))) == ["a", "b"])
            #expect(try index.ids(.field("body", .term("peking"))) == ["c"])
            #expect(try index.ids(.fuzzy("pekign", distance: 1)) == ["a", "b", "c"])
            let best = try index.index.search(.term("duck"), limit: 1)
            #expect(best.map(\.id) == ["b"] && best.totalCount == 2)
        }
    }

    @Test(
        "M11: an enumeration that is stopped asks for no more objects, and counting asks for none")
    func m11_workIsForWhatIsWanted() throws {
        let index = try PlainNoteIndex(
            (0..<300).map { PlainNote("\($0)", "duck", weight: Double($0 % 7)) })
        let asked = Shared(0)
        index.index.objectGetter = { data in
            asked.change { $0 += 1 }
            return PlainNote(String(decoding: data, as: UTF8.self))
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            asked.change { $0 = 0 }
            #expect(try index.index.resultCount(forKeyword: "uc") == 300)
            let calls = Shared(0)
            try index.index.enumerateResults(forKeyword: "uc") { item, rank, count, stop in
                calls.change { $0 += 1 }
                #expect(item.weight == 6 && count == 300)
                if rank == 2 {
                    #expect(item.object?.id == item.id)
                    #expect(item.object?.id == item.id)
                    stop()
                }
            }
            #expect(calls.change { $0 } == 3)
            #expect(asked.change { $0 } == 1)
        }
    }

    @Test("M12: no context is an empty context; hooks that are missing are errors, not crashes")
    func m12_nothingIsNotNull() throws {
        let index = try PlainNoteIndex([
            PlainNote("a", "duck"), PlainNote("b", "duck", context: ["x": .null]),
        ])
        for stage in Stage.allCases {
            try index.enter(stage)
            let items = try index.index.searchResults(forKeyword: "duck")
            #expect(items.map(\.context) == [[:], ["x": .null]])
            #expect(items[0].object == nil)
        }
        index.index.objectGetter = { _ in throw CancellationError() }
        #expect(try index.index.searchResults(forKeyword: "duck")[0].object == nil)
        index.index.indexer = nil
        let unindexed = index.index.indexObject(PlainNote("c", "duck"))
        unindexed.waitUntilFinished()
        #expect((unindexed.error as? TextIndexError)?.code == .missingHook)
        index.index.identifier = nil
        let unidentified = index.index.indexObject(PlainNote("c", "duck"))
        unidentified.waitUntilFinished()
        #expect((unidentified.error as? TextIndexError)?.code == .missingHook)
        #expect(index.index.count == 2)
    }

    @Test("M13: the index lies in the directory that was named, however it is written")
    func m13_directoryIsTheOneNamed() throws {
        let directory = temporaryDirectory("named.index")
        defer { try? FileManager.default.removeItem(at: directory) }
        for path in [
            directory.path, directory.path + "/",
            directory.path + "/../\(directory.lastPathComponent)",
        ] {
            let index = try TextIndex<PlainNote>(at: URL(fileURLWithPath: path))
            index.identifier = { $0.identifier }
            index.indexer = { note, _ in IndexedObject(strings: note.strings) }
            index.indexObject(PlainNote(path, "duck")).waitUntilFinished()
            try index.close()
        }
        let names = try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: [.isDirectoryKey])
        #expect(names.contains { $0.lastPathComponent == "CURRENT" })
        #expect(
            try names.allSatisfy {
                try $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == false
            })
        let index = try TextIndex<PlainNote>(at: directory)
        #expect(index.count == 3)
        try index.close()
    }
}

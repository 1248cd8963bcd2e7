import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Whatever an application hands over: a clear error or a right answer, and nothing else is lost.
@Suite("Bad input")
struct BadInputTests {
    private func withIndex(
        _ configuration: TextIndexConfiguration = .init(),
        _ body: (TextIndex<String>, URL) throws -> Void
    ) throws {
        let directory = temporaryDirectory("bad")
        let index = try TextIndex<String>(at: directory, configuration: configuration)
        index.identifier = { Data($0.prefix(100).utf8) }
        index.indexer = { text, _ in IndexedObject(strings: [text]) }
        try body(index, directory)
        try index.close()
        try TextIndex<String>.destroy(at: directory)
    }

    private func code(_ error: (any Error)?) -> TextIndexError.Code? {
        (error as? TextIndexError)?.code
    }

    @discardableResult
    private func finished(_ operation: IndexingOperation) -> IndexingOperation {
        operation.waitUntilFinished()
        return operation
    }

    @Test("Large and strange texts are indexed, found, and come back after reopening")
    func strangeTexts() throws {
        let texts: [(text: String, keyword: String)] = [
            ("a\0b needle\0", "needle"),
            ("x" + String(repeating: "\u{301}\u{327}", count: 500_000) + " needle", "needle"),
            (String(repeating: "\u{301}", count: 100_000) + " needle", "needle"),
            (String(repeating: "w", count: 10_000_000) + " needle", "needle"),
            (String(repeating: "\u{200d}", count: 10_000) + "needle", "needle"),
            (String(repeating: "word ", count: 1_000_000) + "needle", "needle"),
            (String(repeating: "漢", count: 200_000) + "needle", "needle"),
            ("\u{feff}needle\u{fffe}\u{202e}", "needle"),
            ("needle\r\n\u{85}\u{2028}", "needle"),
        ]
        let directory = temporaryDirectory("strange")
        for _ in 0..<2 {
            let index = try TextIndex<Int>(at: directory)
            index.identifier = { Data("\($0)".utf8) }
            index.indexer = { number, _ in IndexedObject(strings: [texts[number].text]) }
            if index.count == 0 {
                for number in texts.indices {
                    #expect(finished(index.indexObject(number)).error == nil, "text \(number)")
                }
            }
            let found = try index.searchResults(forKeyword: "needle")
            #expect(found.count == texts.count)
            for item in found {
                let number = try #require(Int(String(decoding: item.identifier, as: UTF8.self)))
                let token = try #require(item.resultTokens.first)
                let text = texts[number].text
                let units = text.utf16
                let start = units.index(
                    units.startIndex, offsetBy: item.range(of: token).location)
                let end = units.index(start, offsetBy: item.range(of: token).length)
                #expect(String(text[start..<end]) == "needle", "text \(number)")
            }
            try index.close()
        }
        try TextIndex<Int>.destroy(at: directory)
    }

    @Test("A string of 50 MB is indexed, and a longer text than the limit is refused")
    func longTexts() throws {
        try withIndex { index, _ throws in
            let text = String(repeating: "lorem ipsum dolor sit amet ", count: 50_000_000 / 27)
            #expect(finished(index.indexObject(text + "needle")).error == nil)
            let item = try #require(try index.searchResults(forKeyword: "needle").first)
            #expect(item.range(of: item.resultTokens[0]).location == text.utf8.count)
        }
        var configuration = TextIndexConfiguration()
        configuration.maximumTextLength = 100
        try withIndex(configuration) { index, _ throws in
            let operation = finished(index.indexObject(String(repeating: "a", count: 101)))
            #expect(code(operation.error) == .limitExceeded)
            #expect(finished(index.indexObject(String(repeating: "a", count: 100))).error == nil)
        }
    }

    @Test(
        "Empty and missing strings, odd weights and identifiers of any length are indexed or refused"
    )
    func oddObjects() throws {
        try withIndex { index, _ throws in
            index.indexer = { name, _ in
                switch name {
                case "none": IndexedObject(strings: [])
                case "empty": IndexedObject(strings: ["", ""])
                case "nan": IndexedObject(strings: ["a"], weight: .nan)
                case "infinite": IndexedObject(strings: ["a"], weight: -.infinity)
                default: nil
                }
            }
            for name in ["none", "empty", "infinite", "left out"] {
                #expect(finished(index.indexObject(name)).error == nil)
            }
            #expect(code(finished(index.indexObject("nan")).error) == .invalidArgument)
            #expect(index.count == 3)
            #expect(try index.searchResults(forKeyword: "").count == 3)
            #expect(try index.searchResults(forKeyword: "").last?.weight == -.infinity)
            for length in [0, 4097] {
                index.identifier = { _ in Data(repeating: 7, count: length) }
                #expect(code(finished(index.indexObject("none")).error) == .invalidArgument)
            }
            index.identifier = { _ in Data(repeating: 0, count: 4096) }
            #expect(finished(index.indexObject("none")).error == nil)
            #expect(try index.contains(identifier: Data(repeating: 0, count: 4096)))
            #expect(try !index.contains(identifier: Data()))
            #expect(finished(index.removeIndex(forIdentifier: Data("unknown".utf8))).error == nil)
        }
    }

    @Test("Contexts and keywords beyond their limits are refused")
    func limits() throws {
        try withIndex { index, _ throws in
            var nested = ContextValue.null
            for _ in 0..<70 { nested = .array([nested]) }
            for value in [nested, .string(String(repeating: "x", count: 2 << 20))] {
                index.indexer = { _, _ in IndexedObject(strings: ["a"], context: ["value": value]) }
                #expect(code(finished(index.indexObject("big")).error) == .limitExceeded)
            }
            index.indexer = { _, _ in
                IndexedObject(
                    strings: ["a"], context: ["value": .data(Data(count: 900_000))],
                    attributes: ["tag": "b"])
            }
            #expect(finished(index.indexObject("big")).error == nil)
            #expect(
                try index.item(for: Data("big".utf8))?.context["value"]
                    == .data(Data(count: 900_000)))
            let words = (0..<2000).map { "w\($0)" }.joined(separator: " ")
            let error = #expect(throws: TextIndexError.self) {
                try index.searchResults(forKeyword: words)
            }
            #expect(error?.code == .limitExceeded)
            #expect(try index.search(words).isEmpty)
            let repeated = String(repeating: "w1 ", count: 100_000)
            #expect(try index.searchResults(forKeyword: repeated).isEmpty)
            #expect(try index.search("\"\(repeated)\"").isEmpty)
        }
    }

    @Test("Missing hooks and hooks that throw fail their operation alone")
    func hooks() async throws {
        struct Refused: Error {}
        let directory = temporaryDirectory("hooks")
        let index = try TextIndex<Int>(at: directory)
        #expect(code(await result(index.indexObject(1))) == .missingHook)
        index.identifier = { Data("\($0)".utf8) }
        #expect(code(await result(index.indexObject(1))) == .missingHook)
        index.indexer = { number, _ in
            if number % 3 == 0 { throw Refused() }
            return IndexedObject(strings: ["item"])
        }
        let operations = (0..<30).map { index.indexObject($0) }
        for (number, operation) in operations.enumerated() {
            let error = await result(operation)
            #expect((error is Refused) == (number % 3 == 0))
        }
        #expect(index.count == 20)
        let report = try await index.indexObjects(0..<60)
        #expect(report.failureCount == 20 && report.failures[1].offset == 3)
        #expect(index.count == 40)
        try await index.shutdown()
        #expect(code(await result(index.indexObject(1))) == .closed)
        await #expect(throws: TextIndexError.self) { try await index.indexObjects(0..<3) }
        try TextIndex<Int>.destroy(at: directory)
    }

    private func result(_ operation: IndexingOperation) async -> (any Error)? {
        do {
            _ = try await operation.value()
            return nil
        } catch {
            return error
        }
    }

    @Test("Directories that are none, hold other things, are open or have bad names are refused")
    func directories() throws {
        let manager = FileManager.default
        let base = temporaryDirectory("places")
        try manager.createDirectory(at: base, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: base) }
        let file = base.appendingPathComponent("file")
        try Data("text".utf8).write(to: file)
        #expect(throws: TextIndexError.self) { try TextIndex<Int>(at: file) }
        let foreign = base.appendingPathComponent("foreign")
        try manager.createDirectory(at: foreign, withIntermediateDirectories: true)
        try Data("text".utf8).write(to: foreign.appendingPathComponent("letter.txt"))
        #expect(throws: TextIndexError.self) { try TextIndex<Int>(at: foreign) }
        #expect(manager.fileExists(atPath: foreign.appendingPathComponent("letter.txt").path))

        let directory = base.appendingPathComponent("deep/er/index")
        let index = try TextIndex<Int>(at: directory)
        let link = base.appendingPathComponent("link")
        try manager.createSymbolicLink(at: link, withDestinationURL: directory)
        for alias in [
            directory.path, directory.path + "/", base.path + "/./deep/er/index",
            base.path + "/deep/../deep/er/index", link.path,
        ] {
            let error = #expect(throws: TextIndexError.self) {
                try TextIndex<Int>(at: URL(fileURLWithPath: alias))
            }
            #expect(error?.code == (alias == link.path ? .untrusted : .locked), "\(alias)")
            #expect(throws: TextIndexError.self) {
                try TextIndex<Int>.destroy(at: URL(fileURLWithPath: alias))
            }
        }
        try index.close()
        try index.close()
        for name in ["", ".", "..", "a/b", "../a", "a\0b", String(repeating: "n", count: 300)] {
            #expect(throws: TextIndexError.self) { try TextIndex<Int>(named: name) }
        }
    }

    @Test("A newer format is refused without touching a byte")
    func newerFormat() throws {
        let directory = temporaryDirectory("newer")
        try TextIndex<Int>(at: directory).close()
        let store = try IndexStore(at: directory, configuration: .init())
        let batch = StoreBatch()
        batch.put(Manifest.key, [Manifest.format + 1, 1, 2, 3])
        try store.commit(batch, sync: true)
        try store.close()
        let error = #expect(throws: TextIndexError.self) { try TextIndex<Int>(at: directory) }
        #expect(error?.code == .unsupportedFormat)
        let again = try IndexStore(at: directory, configuration: .init())
        #expect(try again.value(Manifest.key) == [Manifest.format + 1, 1, 2, 3])
        try again.close()
        try TextIndex<Int>.destroy(at: directory)
    }

    @Test("A flipped bit anywhere gives an error or the right answer", arguments: testSeeds(2))
    func flippedBits(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let directory = temporaryDirectory("flips")
        func open() throws -> TextIndex<Int> {
            let index = try TextIndex<Int>(at: directory)
            index.identifier = { Data("\($0)".utf8) }
            index.indexer = { number, _ in
                IndexedObject(strings: ["common word\(number)", "other text \(number % 7)"])
            }
            return index
        }
        let index = try open()
        for number in 0..<300 { index.indexObject(number) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        try index.optimize()
        for number in 300..<320 { index.indexObject(number) }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        try index.close()
        let manager = FileManager.default
        let copy = temporaryDirectory("flips-copy")
        try manager.copyItem(at: directory, to: copy)
        let files = try manager.contentsOfDirectory(atPath: copy.path).filter { $0 != "LOCK" }
        var refused = 0
        for _ in 0..<60 {
            try manager.removeItem(at: directory)
            try manager.copyItem(at: copy, to: directory)
            let name = files[Int.random(in: 0..<files.count, using: &generator)]
            let path = directory.appendingPathComponent(name)
            var data = try Data(contentsOf: path)
            guard !data.isEmpty else { continue }
            data[Int.random(in: 0..<data.count, using: &generator)] ^=
                1
                << UInt8.random(in: 0..<8, using: &generator)
            try data.write(to: path)
            do {
                let index = try open()
                defer { try? index.close() }
                let all = try index.searchResults(forKeyword: "common")
                let some = try index.searchResults(forKeyword: "ther")
                #expect(some.count == all.count, "seed \(seed), \(name)")
                #expect(all.count == 320, "seed \(seed), \(name)")
            } catch let error as TextIndexError {
                refused += 1
                #expect(
                    [.corrupted, .io, .invalidArgument, .unsupportedFormat].contains(error.code),
                    "seed \(seed), \(name): \(error)")
            }
        }
        #expect(refused > 0)
        try? manager.removeItem(at: directory)
        try? manager.removeItem(at: copy)
    }
}

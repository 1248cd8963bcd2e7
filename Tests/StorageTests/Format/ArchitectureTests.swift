import Foundation
import RegexBuilder
import Testing

@testable import TestSupport

/// The order of the folders of the library: each may know those before it only.
@Suite("Architecture")
struct ArchitectureTests {
    /// The folders, lowest first. `Documentation/Architecture.md` says what is in each.
    private static let order = [
        "Base", "Text", "Objects", "Store", "Segments", "Query", "Search", "Results", "Features",
        "Writing", "Maintenance", "TextIndex", "Following", "Items",
    ]

    /// A source file, without comments and the text of literals.
    private struct Source: Sendable {
        let name: String
        let folder: String
        let code: String
        private let words: [Word]

        init(name: String, folder: String, _ text: String) {
            self.name = name
            self.folder = folder
            let bytes = Self.bare(Array(text.utf8))
            code = String(decoding: bytes, as: UTF8.self)
            words = Self.words(bytes)
        }

        /// A text without comments and what is in literals. Of a literal with an interpolation the
        /// code within goes as well: types are rarely named there.
        ///
        /// Regular expressions take seconds for this and for ``words``.
        private static func bare(_ text: [UInt8]) -> [UInt8] {
            var bare: [UInt8] = []
            for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            {
                var place = line.startIndex
                var end = line.endIndex
                while place < end {
                    if line[place...].starts(with: [0x2F, 0x2F]) { end = place }
                    place += 1
                }
                place = line.startIndex
                while place < end {
                    bare.append(line[place])
                    if line[place] == quote, let close = closing(line[..<end], after: place) {
                        bare.append(quote)
                        place = close
                    }
                    place += 1
                }
                bare.append(UInt8(ascii: "\n"))
            }
            return bare
        }

        private static let quote = UInt8(ascii: "\"")

        private static func closing(_ line: ArraySlice<UInt8>, after open: Int) -> Int? {
            var place = open + 1
            while place < line.endIndex, line[place] != quote {
                place += line[place] == UInt8(ascii: "\\") ? 2 : 1
            }
            return place < line.endIndex ? place : nil
        }

        /// A word of code, with what is before it, back to the word before, and the sign after it.
        private struct Word: Sendable {
            let text: Substring
            let before: Substring
            let next: UInt8?
        }

        private static func words(_ bytes: [UInt8]) -> [Word] {
            func text(_ range: Range<Int>) -> Substring {
                Substring(String(decoding: bytes[range], as: UTF8.self))
            }
            var words: [Word] = []
            var end = 0
            var place = 0
            while place < bytes.count {
                let start = place
                while place < bytes.count, isOfWord(bytes[place]) { place += 1 }
                if place > start {
                    words.append(
                        Word(
                            text: text(start..<place), before: text(end..<start),
                            next: place < bytes.count ? bytes[place] : nil))
                    end = place
                } else {
                    place += 1
                }
            }
            return words
        }

        private static func isOfWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
                true
            default: false
            }
        }

        /// The types that it declares outside of others, but for private ones.
        var types: [Substring] {
            // A regular expression within the loop would be compiled for each line.
            let modifiers = /(?:(?:public|open|package|internal|final|indirect)\s+)*/
            let kinds = /(?:struct|class|enum|protocol|actor|typealias)/
            let declaration = Regex {
                modifiers
                kinds
                /\s+/
                Capture { /[A-Z]\w*/ }
            }
            return code.split(separator: "\n").compactMap { line in
                line.first?.isLetter == true ? line.prefixMatch(of: declaration)?.1 : nil
            }
        }

        /// All names in it that begin with a capital letter.
        var names: Set<Substring> {
            Set(words.map(\.text).filter { $0.utf8.first.map { 0x41...0x5A ~= $0 } ?? false })
        }

        /// The names of all functions, variables and cases that it declares.
        var declarations: [Substring] {
            zip(words, words.dropFirst()).compactMap { keyword, word in
                let isDeclared =
                    ["func", "var", "let", "case"].contains(keyword.text)
                    && word.before.allSatisfy { $0.isWhitespace || $0 == "`" }
                return isDeclared ? word.text : nil
            }
        }

        /// The members that its extensions declare, but for private ones.
        var extensionMembers: [Substring] {
            let opening = #/(public |package )?extension /#
            let member = #/ {4}(?:[^ ()=]+ )*(?:func|var|let) `?(\w+)/#
            var isInExtension = false
            return code.split(separator: "\n").compactMap { line in
                if line.first != " " { isInExtension = line.starts(with: opening) }
                guard isInExtension, !line.contains("private ") else { return nil }
                return line.prefixMatch(of: member)?.1
            }
        }

        /// What is called or read of something in it.
        var calls: Set<Substring> {
            Set(words.filter { $0.before.last == "." || $0.next == UInt8(ascii: "(") }.map(\.text))
        }
    }

    /// What is named in a file of a folder that may not know of it.
    private static func violations(_ sources: [Source]) -> [String] {
        var owners: [Substring: Source] = [:]
        for source in sources {
            for type in source.types where owners[type] == nil { owners[type] = source }
        }
        var found: [String] = []
        for source in sources {
            for name in source.names.sorted() {
                guard let owner = owners[name], owner.name != source.name,
                    let own = order.firstIndex(of: source.folder),
                    let other = order.firstIndex(of: owner.folder), other > own
                else { continue }
                found.append("\(source.folder)/\(source.name) names \(owner.folder)'s \(name)")
            }
        }
        return found + violationsOfMembers(sources)
    }

    /// The same of members that only extensions in later folders have, if nothing else in the
    /// library has the same name.
    private static func violationsOfMembers(_ sources: [Source]) -> [String] {
        var counts: [Substring: Int] = [:]
        var owners: [Substring: Source] = [:]
        for source in sources {
            for name in source.declarations { counts[name, default: 0] += 1 }
            for name in source.extensionMembers { owners[name] = source }
        }
        var found: [String] = []
        for source in sources {
            for name in source.calls.sorted() where counts[name] == 1 {
                guard let owner = owners[name], let own = order.firstIndex(of: source.folder),
                    let other = order.firstIndex(of: owner.folder), other > own
                else { continue }
                found.append("\(source.folder)/\(source.name) uses \(owner.folder)'s \(name)")
            }
        }
        return found
    }

    /// All sources of the library, read once.
    private static let all = Result { try read() }

    private static func read() throws -> [Source] {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let root = package.appendingPathComponent("Sources/TextSearch")
        let files = try #require(
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var sources: [Source] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let depth = root.pathComponents.count
            sources.append(
                Source(
                    name: file.lastPathComponent, folder: file.pathComponents[depth],
                    try String(contentsOf: file, encoding: .utf8)))
        }
        return sources
    }

    @Test("A folder knows those before it only")
    func foldersAreInOrder() throws {
        let sources = try Self.all.get()
        #expect(Set(sources.map(\.folder)) == Set(Self.order))
        #expect(sources.count > 300)
        #expect(Self.violations(sources) == [])
    }

    @Test("A name from a later folder is found, one in a comment or in a literal is none")
    func violationsAreFound() {
        let low = Source(
            name: "Low.swift", folder: "Base",
            """
            // High is no reference.
            struct Low { let text = "High" }
            """)
        let high = Source(
            name: "High.swift", folder: "Store", "final class High { let low: Low }")
        #expect(Self.violations([low, high]) == [])
        let wrong = Source(name: "Wrong.swift", folder: "Text", "enum Wrong { case high(High) }")
        #expect(Self.violations([low, high, wrong]) == ["Text/Wrong.swift names Store's High"])
        let member = Source(
            name: "More.swift", folder: "Store", "extension Low {\n    var height: Int { 1 }\n}")
        let user = Source(name: "User.swift", folder: "Text", "let user = low.height")
        #expect(
            Self.violations([low, member, user]) == ["Text/User.swift uses Store's height"])
    }

    @Test("Only the store knows of LevelDB")
    func onlyStoreImportsLevelDB() throws {
        for source in try Self.all.get() where source.folder != "Store" {
            let imports = source.code.matches(of: /import\s+C?LevelDB\b/)
            #expect(imports.isEmpty, "\(source.folder)/\(source.name) imports LevelDB")
        }
    }
}

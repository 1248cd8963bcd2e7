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
    private struct Source {
        let name: String
        let folder: String
        let code: String

        init(name: String, folder: String, _ text: String) {
            self.name = name
            self.folder = folder
            // Of a literal with an interpolation the code within goes as well: types are rarely
            // named there.
            code = text.replacing(/\/\/.*/, with: "").replacing(/"(\\.|[^"\\\n])*"/, with: "\"\"")
        }

        /// The types that it declares outside of others, but for private ones.
        var types: [Substring] {
            let modifiers = /(?:(?:public|open|package|internal|final|indirect)\s+)*/
            let kinds = /(?:struct|class|enum|protocol|actor|typealias)/
            return code.split(separator: "\n").compactMap { line in
                line.prefixMatch(
                    of: Regex {
                        modifiers
                        kinds
                        /\s+/
                        Capture { /[A-Z]\w*/ }
                    })?.1
            }
        }

        /// All names in it that begin with a capital letter.
        var names: Set<Substring> { Set(code.matches(of: /\b[A-Z]\w*/).map(\.output)) }

        /// The names of all functions, variables and cases that it declares.
        var declarations: [Substring] {
            code.matches(of: /\b(?:func|var|let|case)\s+`?(\w+)/).map(\.1)
        }

        /// The members that its extensions declare, but for private ones.
        var extensionMembers: [Substring] {
            var isInExtension = false
            return code.split(separator: "\n").compactMap { line in
                if line.first != " " {
                    isInExtension = line.starts(with: #/(public |package )?extension /#)
                }
                guard isInExtension, !line.contains("private ") else { return nil }
                return line.prefixMatch(of: #/ {4}(?:[^ ()=]+ )*(?:func|var|let) `?(\w+)/#)?.1
            }
        }

        /// What is called or read of something in it.
        var calls: Set<Substring> {
            Set(code.matches(of: /\.(\w+)/).map(\.1) + code.matches(of: /\b(\w+)\(/).map(\.1))
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

    /// All sources of the library.
    private static func sources() throws -> [Source] {
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
        let sources = try Self.sources()
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
        for source in try Self.sources() where source.folder != "Store" {
            let imports = source.code.matches(of: /import\s+C?LevelDB\b/)
            #expect(imports.isEmpty, "\(source.folder)/\(source.name) imports LevelDB")
        }
    }
}

import Foundation
import Testing

// Systems other than Linux refuse such names.
#if os(Linux)
    /// Names of files that are not UTF-8.
    @Suite struct NameTests {
        let folder: TestFolder
        let command: Command
        /// `café.txt` in Latin-1.
        private static let latin = "caf\\351.txt"

        init() async throws {
            folder = try TestFolder()
            command = Command(folder: folder)
            let made = try await command.shell(
                """
                mkdir texts "$(printf 'texts/d\\351')"
                echo 'A duck.' > "$(printf 'texts/\(Self.latin)')"
                echo 'Another duck.' > "$(printf 'texts/d\\351/b.txt')"
                echo '{"id": 1, "title": "A third duck"}' > "$(printf 'l\\351.jsonl')"
                """)
            #expect(made.status == 0, "\(made.error)")
        }

        @Test func theyAreIndexedInFolders() async throws {
            let result = try await command.run("index", "texts", "--index", "index")
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.hasPrefix("2 objects indexed;"))
            let hits = try await command.search("duck").hits
            #expect(
                Set(hits.map(\.identifier)) == ["texts/caf\u{FFFD}.txt", "texts/d\u{FFFD}/b.txt"])
            #expect(
                Set(hits.map { $0.snippets.first?.text }) == ["A duck.", "Another duck."])
            #expect(hits.allSatisfy { $0.identifierBytes?.isEmpty == false })
            let again = try await command.run("index", "texts", "--index", "index", "--sync")
            #expect(again.output.hasPrefix("0 objects indexed, 2 unchanged;"))
        }

        @Test func theyCanBeNamed() async throws {
            let result = try await command.shell(
                #""$0" index "$(printf 'texts/\#(Self.latin)')" "$(printf 'l\351.jsonl')" -i index"#
            )
            #expect(result.status == 0, "\(result.error)")
            #expect(result.output.hasPrefix("2 objects indexed;"))
            let hits = try await command.search("duck").hits
            #expect(Set(hits.map { $0.snippets.first?.text }) == ["A duck.", "A third duck"])
            let removed = try await command.shell(
                #"cd texts; "$0" remove "$(printf '\#(Self.latin)')" -i ../index"#)
            #expect(removed.output == "1 object removed\n", "\(removed.error)")
            #expect(try await command.search("duck").identifiers == ["1"])
        }

        @Test func theyVanish() async throws {
            try await command.run("index", "texts", "--index", "index")
            _ = try await command.shell("rm texts/*.txt")
            let result = try await command.run("index", "texts", "--index", "index", "--sync")
            #expect(result.output.hasPrefix("0 objects indexed, 1 unchanged, 1 removed;"))
        }

        @Test func anIndexCannotBeMadeFromSuchAFolder() async throws {
            let result = try await command.shell(#"cd texts/d*; "$0" index b.txt -i ../../index"#)
            #expect(result.status == 2)
            #expect(result.error.contains("not UTF-8"))
            try await command.run("index", "texts", "--index", "index")
            let again = try await command.shell(#"cd texts/d*; "$0" index b.txt -i ../../index"#)
            #expect(again.output.hasPrefix("0 objects indexed, 1 unchanged;"), "\(again.error)")
        }
    }
#endif

#if os(Linux) || os(macOS)
    import Foundation
    import Testing

    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// `repl` in a terminal.
    @Suite(.timeLimit(.minutes(30))) struct ReplTests {
        let folder: TestFolder
        let command: Command

        init() async throws {
            folder = try TestFolder()
            command = Command(folder: folder)
            try await index(["a": "One duck among birds.", "b": "Duck duck.", "c": "北京烤鸭 here."])
        }

        private func index(_ texts: [String: String]) async throws {
            let lines = texts.sorted { $0.key < $1.key }.map {
                "{\"id\":\"\($0.key)\",\"body\":\"\($0.value)\",\"kind\":\"bird\"}\n"
            }
            try folder.write(lines.joined(), to: "notes.jsonl")
            let result = try await command.run(
                "index", "notes.jsonl", "--field", "body", "--attribute", "kind", "--index",
                "index", "--sync")
            #expect(result.status == 0, "\(result.error)")
        }

        /// Runs `body` on a thread of its own: it waits for the terminal.
        private func use(
            _ arguments: [String], columns: Int = 80, rows: Int = 16,
            environment: [String: String] = [:],
            _ body: @escaping @Sendable (PseudoTerminal) throws -> Void
        ) async throws {
            let folder = folder
            try await withCheckedThrowingContinuation {
                (done: CheckedContinuation<Void, any Error>) in
                Thread.detachNewThread {
                    done.resume(
                        with: Result {
                            let terminal = try PseudoTerminal(
                                ["repl", "--index", "index"] + arguments, columns: columns,
                                rows: rows, in: folder, environment: environment)
                            try body(terminal)
                        })
                }
            }
        }

        private static func leave(_ terminal: PseudoTerminal, by keys: String = "\u{1B}") throws {
            terminal.send(keys)
            #expect(try terminal.end() == 0)
            #expect(terminal.isRestored)
            #expect(terminal.screen.unknown == [])
        }

        @Test func hitsComeWithEveryLetter() async throws {
            try await use([]) { terminal in
                try terminal.wait("all") { $0.text.contains("3 hits") }
                #expect(terminal.screen.isAlternate && !terminal.screen.wraps)
                terminal.send("du")
                try terminal.wait("two hits") { $0.text.contains("2 hits") }
                try terminal.wait("texts") { $0.text.contains("1. b") && $0.text.contains("2. a") }
                #expect(terminal.screen.lines[0] == "> du")
                try terminal.wait("counts") { $0.lines[3...].contains { $0.hasSuffix("2") } }
                try terminal.wait("a suggestion") { $0.lines[1] == "Tab: duck" }
                terminal.send("\t")
                try terminal.wait("the word") { $0.lines[0] == "> duck" }
                // In the middle, and back.
                terminal.send("\u{1B}[D\u{1B}[D\u{7F}")
                try terminal.wait("a letter less") { $0.lines[0] == "> dck" }
                try terminal.wait("no hit") { $0.text.contains("0 hits") }
                try Self.leave(terminal)
            }
        }

        @Test func textInPieces() async throws {
            try await use([]) { terminal in
                try terminal.wait("all") { $0.text.contains("3 hits") }
                for byte in Array("北京".utf8) { terminal.send([byte]) }
                try terminal.wait("the text") { $0.lines[0] == "> 北京" }
                try terminal.wait("its hit") { $0.text.contains("1 hit ") }
                #expect(terminal.screen.column == 6)
                terminal.send("\u{15}\u{1B}[200~du\u{1B}[31mck\r\u{1B}[201~")
                try terminal.wait("the paste") { $0.lines[0] == "> du[31mck" }
                try Self.leave(terminal, by: "\u{3}")
            }
        }

        @Test func anObjectIsShownHere() async throws {
            try await use(["birds"]) { terminal in
                try terminal.wait("its hit") { $0.text.contains("1 hit ") }
                terminal.send("\r")
                try terminal.wait("the object") {
                    $0.lines[0] == "a" && $0.text.contains("One duck among birds.")
                }
                terminal.send("q")
                try terminal.wait("the hits") { $0.lines[0] == "> birds" }
                try Self.leave(terminal)
            }
        }

        @Test func aFileIsOpened() async throws {
            try folder.write("A text of swans.", to: "-swans.txt")
            try await command.run("index", "./-swans.txt", "--index", "files")
            // Reads from the terminal, as a pager does: it must be in front, and see whole lines.
            let pager = "sh -c 'cat \"$1\"; echo asking; read line; echo \"got $line\"' sh"
            let environment = ["PAGER": pager]
            try await use(["--index", "files", "swans"], environment: environment) { terminal in
                try terminal.wait("its hit") { $0.text.contains("1 hit ") }
                terminal.send("\r")
                try terminal.wait("the text") { !$0.isAlternate && $0.text.contains("asking") }
                #expect(terminal.screen.text.contains("A text of swans."))
                #expect(terminal.isRestored)
                terminal.send("here\n")
                try terminal.wait("the screen again") { $0.isAlternate && $0.lines[0] == "> swans" }
                try Self.leave(terminal)
            }
        }

        @Test func whatIsOpenedIsLearned() async throws {
            try await use(["--learn", "duck"]) { terminal in
                try terminal.wait("hits") { $0.text.contains("1. b") && $0.text.contains("2. a") }
                terminal.send("\u{1B}[B\r")
                try terminal.wait("the object") { $0.lines[0] == "a" }
                terminal.send("q")
                try terminal.wait("hits") { $0.lines[0] == "> duck" }
                try Self.leave(terminal)
            }
            let listed = try await command.run("engage", "list", "--index", "index")
            #expect(listed.output.hasPrefix("duck\ta\t1\t"), "\(listed.output)")
        }

        @Test func anySize() async throws {
            try await use(["duck"], columns: 20, rows: 5) { terminal in
                try terminal.wait("hits") { $0.lines[1].hasPrefix("1. b") }
                #expect(terminal.screen.lines[4].hasPrefix("2 hits in"))
                terminal.resize(100, 20)
                try terminal.wait("more") {
                    $0.text.contains("Esc leaves") && $0.text.contains("kind")
                }
                terminal.resize(2, 1)
                try terminal.wait("next to nothing") { $0.lines[0] != "" || $0.showsCursor }
                terminal.resize(40, 10)
                try terminal.wait("hits") { $0.text.contains("2. a") }
                try Self.leave(terminal)
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signals(number: Int32) async throws {
            try await use(["duck"]) { terminal in
                try terminal.wait("hits") { $0.text.contains("2 hits") }
                terminal.signal(number)
                #expect(try terminal.end() == 130)
                #expect(terminal.isRestored)
            }
        }

        #if os(Linux)
            @Test(arguments: [true, false]) func stopping(byKey: Bool) async throws {
                try await use(["duck"]) { terminal in
                    try terminal.wait("hits") { $0.text.contains("2 hits") }
                    if byKey { terminal.send("\u{1A}") } else { terminal.signal(SIGTSTP) }
                    try terminal.waitUntilStopped()
                    try terminal.wait("the other screen") { !$0.isAlternate }
                    #expect(terminal.isRestored)
                    terminal.signal(SIGCONT)
                    try terminal.wait("hits again") { $0.isAlternate && $0.text.contains("2 hits") }
                    terminal.send("s")
                    try terminal.wait("another text") { $0.lines[0] == "> ducks" }
                    try Self.leave(terminal)
                }
            }
        #endif

        @Test func aNewGenerationIsShown() async throws {
            try await command.run("publish", "published", "--index", "index")
            let command = command
            try await use(["--index", "published", "--interval", "0.02", "duck"]) { terminal in
                try terminal.wait("hits") {
                    $0.text.contains("2 hits") && $0.text.contains("generation 1")
                }
                let done = DispatchSemaphore(value: 0)
                Task {
                    try await self.index(["a": "A duck.", "b": "Duck duck.", "d": "Third duck."])
                    try await command.run("publish", "published", "--index", "index")
                    done.signal()
                }
                done.wait()
                try terminal.wait("the newest") {
                    $0.text.contains("3 hits") && $0.text.contains("generation 2")
                }
                try Self.leave(terminal)
            }
        }

        @Test func withoutATerminal() async throws {
            let result = try await command.run("repl", "--index", "index")
            #expect(result.status == 2)
            #expect(
                result.error
                    == "textindex: repl needs a terminal for its input and output; textindex search needs none\n"
            )
        }
    }
#endif

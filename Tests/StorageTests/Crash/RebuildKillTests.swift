#if os(Linux) || os(macOS)
    import Foundation
    import LevelDB
    import PowerCuts
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    // The thread sanitizer's build has a mutex of its own.
    #if !THREAD_SANITIZER
        import Synchronization
    #endif

    /// Processes that rebuild while they index are killed; the index answers as before or as after,
    /// and a rebuild goes on.
    @Suite("Crash: rebuild", .serialized, .timeLimit(.minutes(30)))
    struct RebuildKillTests {
        @Test(
            "An index killed while it is rebuilt has its old state or its new one, and goes on",
            arguments: 0..<(2 * Scale.killRepetitions))
        func kills(series: Int) async throws {
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            var life = try Life()
            let rounds = Scale.killed(of: 14)
            for round in 0..<rounds {
                var work = CrashingWork(
                    seed: generator.next(), firstVersion: (round + 1) * 1_000_000,
                    isBulky: (round + series) % 4 == 0,
                    lifetime: Double.random(in: 0.01...0.6, using: &generator))
                if round % 3 == 1 {
                    work.finishesOne = true
                    work.lifetime /= 60
                }
                try await life.killAndCheck(work, "seed \(seed), round \(round)")
            }
            #expect(life.interruptedCount + life.switchedCount > 0)
            try await life.finish("seed \(seed)")
            Scale.report(
                Scale.kills, "kills",
                ["kills": rounds, "rebuilds": rounds, "finished": life.known.finishedCount])
        }

        @Test(
            "An index killed before a file operation of a rebuild has its old state or its new one, and goes on",
            arguments: [Fault.Operation.create, .append, .sync, .rename, .remove],
            0..<Scale.killRepetitions)
        func killsAtFileOperations(operation: Fault.Operation, series: Int) async throws {
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            var life = try Life()
            for round in Scale.killed(upTo: 6) {
                var work = CrashingWork(
                    seed: generator.next(), firstVersion: (round + 1) * 1_000_000,
                    isBulky: round % 3 == 2, lifetime: 0.7)
                work.fatalOperation = CrashingWork.operations.firstIndex(of: operation)
                let most = round * round * (operation == .append ? 60 : 1)
                work.operationsBefore = series == 0 ? most : generator.int(0...most)
                try await life.killAndCheck(work, "\(operation), seed \(seed), round \(round)")
            }
            try await life.finish("\(operation), seed \(seed)")
            Scale.report(
                Scale.kills, "kills",
                ["kills": 6, "rebuilds": 6, "finished": life.known.finishedCount])
        }

        /// One index over many processes, each of which rebuilds it from what it finds to the other
        /// settings, and back.
        private struct Life {
            let folder = try? TemporaryFolder("rebuild-crash")
            let url: URL
            var known = WorkJournal.History()
            var hasStopWords = true
            /// How often a kill came before the switch, with segments written, and how often after
            /// it.
            private(set) var interruptedCount = 0
            private(set) var switchedCount = 0

            init() throws {
                url = try #require(folder).url
                let index = try openNotes(at: url.appendingPathComponent("index"), tinyBuffers())
                try index.closeVerified()
            }

            mutating func killAndCheck(_ work: CrashingWork, _ comment: Comment) async throws {
                let path = url.path
                let before = hasStopWords
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = path as String, work = work as CrashingWork, before = before as Bool] in
                    try work.rebuildUntilKilled(
                        in: URL(fileURLWithPath: path, isDirectory: true), hasStopWords: before)
                }
                if let failure = try? String(
                    contentsOf: CrashingWork.failureFile(in: url), encoding: .utf8)
                {
                    Issue.record("\(failure); \(comment.rawValue)")
                }
                let journal = WorkJournal(at: url.appendingPathComponent("journal"))
                try known.extend(with: journal)
                let index = try Self.open(url, hasStopWords: hasStopWords)
                try check(index, comment)
                if index.writer.state.withLock({ !$0.rebuilt.segments.isEmpty }) {
                    interruptedCount += 1
                }
                if try !index.needsRebuild {
                    hasStopWords.toggle()
                    switchedCount += 1
                }
                try await onThread { try index.closeVerified() }
            }

            mutating func check(_ index: TextIndex<WorkNote>, _ comment: Comment) throws {
                let notes = try consistentNotes(index, comment)
                for problem in known.problems(with: notes) {
                    Issue.record("\(problem); \(comment.rawValue)")
                }
                known.acceptAtLeast(notes)
                // Every note has the word, if it is a word.
                let isStopWord = try index.needsRebuild == hasStopWords
                let count = try index.resultCount(forKeyword: "the")
                #expect(count == (isStopWord ? 0 : notes.count), comment)
            }

            /// Rebuilds to the end.
            mutating func finish(_ comment: Comment) async throws {
                let journal = WorkJournal(at: url.appendingPathComponent("journal"))
                try journal.readLatest()
                let index = try Self.open(url, hasStopWords: hasStopWords)
                index.objectGetter = { journal.note($0) }
                let report = try await index.rebuild()
                #expect(report.failureCount == 0)
                #expect(try !index.needsRebuild)
                try check(index, comment)
                try await onThread { try index.optimize() }
                try check(index, comment)
                let count = index.count
                try await onThread { try index.closeVerified() }
                try expectNothingLeftOver(
                    at: url.appendingPathComponent("index"), count: count, comment)
            }

            static func open(_ url: URL, hasStopWords: Bool) throws -> TextIndex<WorkNote> {
                try openNotes(
                    at: url.appendingPathComponent("index"),
                    CrashingWork.configuration(hasStopWords: hasStopWords))
            }
        }
    }

    extension CrashingWork {
        /// Takes an index with these stop words, or the other ones already, to the other ones.
        static func configuration(hasStopWords: Bool) -> TextIndexConfiguration {
            var configuration = tinyBuffers()
            configuration.indexesStopWords = false
            configuration.stopWords = hasStopWords ? .english : .none
            configuration.previousAnalysis = .init(configuration)
            configuration.stopWords = hasStopWords ? .none : .english
            configuration.reopensForRebuild = true
            configuration.largestLastPass = 20
            return configuration
        }

        /// Rebuilds to and fro, and works, for ever; does not return.
        func rebuildUntilKilled(in folder: URL, hasStopWords: Bool) throws {
            let journal = WorkJournal(at: folder.appendingPathComponent("journal"))
            try journal.open()
            if !finishesOne { armDeath(in: folder) }
            let index = try openNotes(
                at: folder.appendingPathComponent("index"),
                Self.configuration(hasStopWords: hasStopWords))
            if finishesOne {
                // From the first segment of a rebuild on, on however slow a machine.
                Thread.detachNewThread {
                    while index.writer.state.withLock({ $0.rebuilt.segments.isEmpty }) {
                        Thread.sleep(forTimeInterval: 0.001)
                    }
                    armDeath(in: folder)
                }
            }
            index.objectGetter = { journal.note($0) }
            Task.detached {
                var hasStopWords = hasStopWords
                while true {
                    do {
                        let report = try await index.rebuild(
                            with: Self.configuration(hasStopWords: hasStopWords))
                        guard report.failureCount == 0 else { Self.end("\(report)", journal) }
                    } catch { Self.end("rebuild: \(error)", journal) }
                    hasStopWords.toggle()
                }
            }
            run(index, journal)
        }
    }
#endif

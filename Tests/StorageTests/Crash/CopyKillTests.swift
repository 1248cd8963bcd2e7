#if os(Linux) || os(macOS)
    import Foundation
    import LevelDB
    import PowerCuts
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    /// Processes are killed amid a purge, a repair or a backup: there is the old index or the new
    /// one, whole, and nothing that a repair put aside is ever lost.
    @Suite("Killed copies", .serialized, .timeLimit(.minutes(30)))
    struct CopyKillTests {
        /// The kinds of file operation, and how many of each a piece of work makes.
        private static func operationCounts(
            of work: CopyingWork, in folder: URL
        ) throws -> [(operation: Int, count: UInt64)] {
            try CrashingWork.operations.indices.map { operation in
                try work.prepare(folder)
                let fault = Fault(CrashingWork.operations[operation], at: folder.path, .count)
                return try fault.whileArmed { seen in
                    try work.run(in: folder)
                    return (operation, seen())
                }
            }
        }

        @Test(
            "A copy killed at chosen file operations and random moments leaves a whole index",
            arguments: CopyingWork.Kind.allCases, 0..<Scale.killRepetitions)
        func kills(kind: CopyingWork.Kind, series: Int) async throws {
            let folder = try TemporaryFolder("copykill")
            let seed = Scale.seed(series)
            var kills = 0
            var generator = SeededGenerator(seed: seed)
            var work = CopyingWork(kind: kind, master: folder("master").path)
            try work.makeMaster()
            let begin = ContinuousClock.now
            let counts = try Self.operationCounts(of: work, in: folder("work"))
            let seconds = (ContinuousClock.now - begin) / .seconds(counts.count)
            let right = try work.answers(in: folder("work"))
            for (operation, count) in counts where count > 0 {
                // The last ones are around the moment when the new index takes the place of the old
                // one.
                let last = Int(count) - 1
                let chosen = [last, generator.int(0...last), max(last - 1, 0), 0]
                for skip in Set(chosen.prefix(max(2, Scale.killed(of: 4)))).sorted() {
                    work.fatalOperation = operation
                    work.operationsBefore = skip
                    work.lifetime = 60
                    try await killAndCheck(
                        work, in: folder("work"), right, "seed \(seed), \(operation) \(skip)")
                    kills += 1
                }
            }
            work.fatalOperation = nil
            for round in 0..<Scale.killed(of: 4) {
                work.lifetime = Double.random(in: 0...seconds, using: &generator)
                try await killAndCheck(work, in: folder("work"), right, "seed \(seed), \(round)")
                kills += 1
            }
            Scale.report(Scale.kills, "kills", ["kills": kills, "copies": kills])
        }

        private func killAndCheck(
            _ work: CopyingWork, in folder: URL, _ right: [String: [String]], _ comment: Comment
        ) async throws {
            try work.prepare(folder)
            let path = folder.path
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, work = work as CopyingWork] in
                try work.runUntilKilled(in: URL(fileURLWithPath: path, isDirectory: true))
            }
            #expect(try work.keepsOriginal(in: folder), comment)
            if !work.kind.isRepair {
                // Whole as it is, before anything is done again.
                let isSame = try work.answers(in: folder) == right
                #expect(isSame, comment)
            }
            try? FileManager.default.removeItem(at: folder.appendingPathComponent("backup"))
            try work.run(in: folder)
            let isSame = try work.answers(in: folder) == right
            #expect(isSame, comment)
            #expect(try work.keepsOriginal(in: folder), comment)
            // What was cut short has gone.
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(!names.contains { $0.hasPrefix(".") }, comment)
        }
    }

    /// What a child process does with an index until it is killed.
    struct CopyingWork: Codable, Sendable {
        enum Kind: String, Codable, CaseIterable {
            case purge, backup, repair, repairUnopened

            var isRepair: Bool { self == .repair || self == .repairUnopened }
        }

        let kind: Kind
        /// The directory with the files to begin with.
        let master: String
        var lifetime = 60.0
        /// The kind of file operation, in `CrashingWork.operations`, before which the process is
        /// killed.
        var fatalOperation: Int?
        var operationsBefore = 0
        /// The file that is damaged, and how, for repairs.
        private var damagedFile = ""

        init(kind: Kind, master: String) {
            self.kind = kind
            self.master = master
        }

        private static func index(_ folder: URL) -> URL { folder.appendingPathComponent("index") }

        private var masterURL: URL { URL(fileURLWithPath: master, isDirectory: true) }

        private var configuration: TextIndexConfiguration {
            var configuration = TextIndexConfiguration()
            configuration.analysis = TextAnalysis(stemming: .language(.english))
            return configuration
        }

        /// Makes the index that everything begins with.
        mutating func makeMaster() throws {
            let index = try openVerified(at: masterURL)
            try fillVerified(index)
            try index.store.compact()
            try index.closeVerified()
            let files = try DirectoryContents(of: masterURL).files
            let name: String?
            switch kind {
            case .purge, .backup: return
            case .repair:
                name =
                    files.filter { $0.key.hasSuffix(".ldb") }
                    .max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.key
            case .repairUnopened: name = files.keys.first { $0.hasPrefix("MANIFEST") }
            }
            damagedFile = try #require(name)
            var bytes = try #require(files[damagedFile])
            bytes[bytes.count / 3] ^= 0x20
            try bytes.write(to: masterURL.appendingPathComponent(damagedFile))
        }

        /// Puts the files back that everything begins with.
        func prepare(_ folder: URL) throws {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            try DirectoryContents(of: masterURL).write(to: Self.index(folder))
        }

        func run(in folder: URL) throws {
            let directory = Self.index(folder)
            switch kind {
            case .purge:
                try TextIndex<WorkNote>.purge(at: directory, configuration: configuration)
            case .backup:
                let index = try openVerified(at: directory)
                try index.backup(to: folder.appendingPathComponent("backup"))
                try index.close()
            case .repair, .repairUnopened:
                try TextIndex<WorkNote>.repair(at: directory, configuration: configuration)
            }
        }

        /// Does not return.
        func runUntilKilled(in folder: URL) throws {
            let lifetime = lifetime
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: lifetime)
                kill(getpid(), SIGKILL)
            }
            if let fatalOperation {
                _ = Fault(
                    CrashingWork.operations[fatalOperation], at: folder.path, .kill,
                    skip: UInt64(operationsBefore)
                ).arm()
            }
            try run(in: folder)
            kill(getpid(), SIGKILL)
        }

        /// What every index that lies in the folder, but damaged ones, says of its objects; each is
        /// verified.
        func answers(in folder: URL) throws -> [String: [String]] {
            var answers: [String: [String]] = [:]
            for name in ["index", "backup"] {
                let directory = folder.appendingPathComponent(name)
                guard FileManager.default.fileExists(atPath: directory.path) else { continue }
                let index = try openVerified(at: directory)
                for keyword in ["", "stamp", "body"] {
                    answers[keyword] = (answers[keyword] ?? [])
                    let found = try index.searchResults(forKeyword: keyword).map {
                        "\($0.identifier.base64EncodedString()) \($0.weight) \($0.resultTokens)"
                    }
                    if name == "index" { answers[keyword] = found }
                    #expect(answers[keyword] == found)
                }
                answers["lost"] = try index.lostIdentifiers.map { $0.base64EncodedString() }
                try index.closeVerified()
            }
            return answers
        }

        /// Whether the file that was damaged is still somewhere as it was.
        func keepsOriginal(in folder: URL) throws -> Bool {
            if !kind.isRepair { return true }
            let original = try Data(contentsOf: masterURL.appendingPathComponent(damagedFile))
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .contains { name in
                    let file = folder.appendingPathComponent(name)
                        .appendingPathComponent(damagedFile)
                    return !name.hasPrefix(".") && (try? Data(contentsOf: file)) == original
                }
        }
    }
#endif

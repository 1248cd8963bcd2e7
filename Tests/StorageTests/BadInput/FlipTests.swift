#if os(Linux) || os(macOS)
    import Foundation
    import PowerCuts
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    /// Flipped bits, cuts, zeros and noise in every file of a closed index: an error that is typed,
    /// or every answer is right; never another answer, never a crash. In processes of their own, so
    /// that a crash is known for one, and for whose.
    @Suite("Flipped bits", .serialized, .timeLimit(.minutes(30)))
    struct FlipTests {
        private static let flipsEach = 250

        @Test(
            "Damage at random offsets gives an error or right answers",
            arguments: 0..<Scale.repetitions(Scale.flips, of: flipsEach))
        func damage(series: Int) async throws {
            let folder = try TemporaryFolder("flips")
            let path = folder.url.path
            let seed = Scale.seed(series)
            // The figures come from the process through a file: a line before each damage, and one
            // after it.
            await #expect(processExitsWith: .success) {
                [path = path as String, seed = seed as UInt64] in
                try FlipRun(seed: seed, folder: URL(fileURLWithPath: path, isDirectory: true))
                    .run(flips: Self.flipsEach)
            }
            let lines = try String(contentsOf: folder("verdicts"), encoding: .utf8)
                .split(separator: "\n")
            let isWhole = lines.count.isMultiple(of: 2) && !lines.isEmpty
            #expect(isWhole, "seed \(seed): it crashed on \(lines.last ?? "nothing")")
            var counts: [String: Int] = [:]
            var refusedFiles: Set<Substring> = []
            for place in stride(from: 0, to: lines.count - 1, by: 2) {
                let verdict = lines[place + 1].prefix { $0 != " " }
                counts[String(verdict), default: 0] += 1
                if verdict == "wrong" {
                    Issue.record("seed \(seed): \(lines[place]): \(lines[place + 1])")
                }
                if verdict == "refused" || verdict == "found" {
                    refusedFiles.insert(lines[place].split(separator: " ").last ?? "")
                }
            }
            #expect(refusedFiles.contains("CURRENT"))
            #expect(refusedFiles.contains { $0.hasSuffix(".ldb") })
            #expect(refusedFiles.contains { $0.hasSuffix(".log") })
            #expect(refusedFiles.contains { $0.hasPrefix("MANIFEST") })
            Scale.report(
                Scale.flips, "flips",
                [
                    "flips": Self.flipsEach, "others": lines.count / 2 - Self.flipsEach,
                    "refused": counts["refused", default: 0],
                    "found": counts["found", default: 0], "cut": counts["cut", default: 0],
                    "harmless": counts["harmless", default: 0],
                    "wrong": counts["wrong", default: 0], "crashes": isWhole ? 0 : 1,
                ])
        }
    }

    /// What the process does in which an index is damaged.
    private struct FlipRun {
        let seed: UInt64
        let folder: URL

        /// Flips so many bits, each in a copy of its own, and does half as much damage of other
        /// kinds.
        func run(flips: Int) throws {
            let url = folder.appendingPathComponent("verdicts")
            try Data().write(to: url)
            let output = try FileHandle(forWritingTo: url)
            var generator = SeededGenerator(seed: seed)
            let copies = try DamagedCopies(in: folder)
            let others: [DamagedCopies.Damage.Kind] = [.cut, .zeros, .noise]
            for number in 0..<(flips + flips / 2) {
                let kind = number < flips ? .flip : others[number % others.count]
                let damage = copies.randomDamage(kind, &generator)
                try output.write(contentsOf: Data("\(damage)\n".utf8))
                let (verdict, why) = try copies.verdict(on: damage, &generator)
                // Of a message the first line.
                let reason = why.prefix { $0 != "\n" }
                try output.write(contentsOf: Data("\(verdict.rawValue) \(reason)\n".utf8))
            }
        }
    }
#endif

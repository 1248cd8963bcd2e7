// A sanitizer needs much more address space than this.
#if os(Linux) && !THREAD_SANITIZER && !ADDRESS_SANITIZER
    import Foundation
    import PowerCuts
    import Testing

    @testable import TestSupport
    @testable import TextSearch

    /// A process that may use little memory.
    @Suite("Memory limit", .timeLimit(.minutes(60)))
    struct MemoryLimitTests {
        /// Of address space, which counts stacks and what the allocator sets aside as well as what
        /// is used.
        static let limit = 512 << 20

        @Test(
            "More text than memory streams in, is merged, verified and found with 512 MB of address space"
        )
        func streams() async throws {
            let folder = try TemporaryFolder("memory")
            let path = folder.url.path
            let megabytes = 4
            let seed = Scale.seed(0)
            // What goes wrong ends the process.
            await #expect(processExitsWith: .success) {
                [path = path as String, megabytes = megabytes as Int, seed = seed as UInt64] in
                try await MemoryLimitRun(
                    directory: URL(fileURLWithPath: path).appendingPathComponent("index"),
                    megabytes: megabytes, seed: seed
                ).run()
            }
            let index = try openNotes(at: folder("index"))
            let count = index.count
            #expect(count > 0)
            try await index.shutdown()
        }
    }

    /// What the process does that has little memory.
    private struct MemoryLimitRun {
        private struct Difference: Error { var what: String }

        let directory: URL
        let megabytes: Int
        let seed: UInt64

        private static let wordsEach = 600

        func run() async throws {
            guard AddressSpaceLimit.set(MemoryLimitTests.limit) else {
                throw Difference(what: "no limit")
            }
            let index = try TextIndex<Int>(at: directory)
            index.identifier = { WorkNote.identifier($0) }
            let seed = seed
            index.indexer = { number, _ in
                IndexedObject(strings: [Self.text(number, seed: seed)])
            }
            let count = max(1, megabytes * 1_000_000 / Self.text(0, seed: seed).utf8.count)
            let report = try await index.indexObjects(0..<count)
            try expect(report.indexedCount == count && index.count == count, "\(report)")
            // Each object has a word that is its own.
            for number in stride(from: 0, to: count, by: max(1, count / 50)) {
                let found = try await index.search("only\(number)x", limit: 5)
                try expect(found.map(\.identifier) == [WorkNote.identifier(number)], "\(number)")
            }
            try await expect(try index.search("every*", limit: 10).totalCount.value > 0, "a prefix")
            try await index.optimize()
            let verification = try await index.verify(depth: .full)
            try expect(verification.isClean, "\(verification)")
            try await index.shutdown()
        }

        private func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
            guard condition else { throw Difference(what: what()) }
        }

        /// Words as a text has them: few that are everywhere, and many that are rare.
        private static func text(_ number: Int, seed: UInt64) -> String {
            var generator = SeededGenerator(seed: seed &+ UInt64(number))
            var text = "everywhere only\(number)x"
            for _ in 0..<wordsEach {
                let rank = generator.next() >> (UInt64.random(in: 44...62, using: &generator))
                text += " w\(String(rank &* 2_654_435_761 % 16_777_213, radix: 26))"
            }
            return text
        }
    }
#endif

import Foundation
import LevelDB
import PowerCuts
import Testing

/// Power cuts after any operation on files, in every way that file systems know: the database
/// opens, holds the state after some of the writes, in their order, and no less than what was
/// synced.
@Suite struct PowerCutTests {
    /// Writes on a simulated disk, and what a reader may find after a power cut.
    private struct History {
        struct Write {
            /// Operations of the disk before it began and when it had returned.
            var begin: UInt64
            var end: UInt64
            var isSynced: Bool
        }

        let disk: SimulatedDisk
        var writes: [Write] = []
        /// The entries after so many writes.
        var states: [[String: String]]

        /// How many writes a power cut after so many operations may leave.
        func allowed(after operation: UInt64) -> ClosedRange<Int> {
            let least = writes.lastIndex { $0.isSynced && $0.end <= operation }.map { $0 + 1 } ?? 0
            let most = writes.lastIndex { $0.begin < operation }.map { $0 + 1 } ?? 0
            return least...max(least, most)
        }
    }

    /// Places of cuts in each history; there are sixteen kinds of cut.
    private static let cutCount = 220
    /// How often six histories of one life, and four of two, are made, each time with other seeds.
    private static let repetitions = Scale.repetitions(
        Scale.images.map { $0 / 2 }, of: 6 * 16 * cutCount)

    private let path: String
    private let options: DatabaseOptions
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("db")
        var options = DatabaseOptions()
        options.writeBufferSize = 64 << 10
        options.maxFileSize = 1 << 20
        options.compression = false
        self.options = options
    }

    /// Writes at random through several openings, with flushes and compactions.
    private func work(
        on history: inout History, lives: Int, writes: ClosedRange<Int>, isPower: Bool,
        _ random: inout SeededGenerator
    ) throws {
        try history.disk.mounted(at: path) {
            for _ in 0..<lives {
                let database = try Database(at: path, mode: .openOrCreate, options: options)
                for _ in 0..<Int.random(in: writes, using: &random) {
                    try write(to: database, &history, isPower: isPower, &random)
                }
                if Int.random(in: 0..<3, using: &random) == 0 {
                    try database.compact(from: nil, to: nil)
                }
                try database.close()
            }
        }
    }

    private func write(
        to database: Database, _ history: inout History, isPower: Bool,
        _ random: inout SeededGenerator
    ) throws {
        var state = history.states[history.states.count - 1]
        let batch = WriteBatch()
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let key = "key \(Int.random(in: 0..<30, using: &random))"
            if Int.random(in: 0..<4, using: &random) == 0 {
                batch.delete(bytes(key))
                state[key] = nil
            } else {
                // Now and then longer than a block of the log.
                let isLong = Int.random(in: 0..<40, using: &random) == 0
                let length = Int.random(in: 0...(isLong ? 80_000 : 1500), using: &random)
                let value = "\(history.writes.count) " + String(repeating: "v", count: length)
                batch.put(bytes(key), bytes(value))
                state[key] = value
            }
        }
        // What makes every state different from every other.
        batch.put(bytes("count"), bytes("\(history.states.count)"))
        state["count"] = "\(history.states.count)"
        let isSynced = isPower || Int.random(in: 0..<12, using: &random) == 0
        let begin = history.disk.operationCount
        try database.write(batch, sync: isSynced)
        history.writes.append(
            History.Write(begin: begin, end: history.disk.operationCount, isSynced: isSynced))
        history.states.append(state)
    }

    private enum Outcome {
        /// It holds so many writes; opening discarded so many bytes.
        case opened(count: Int, discarded: Int)
        /// Noise that is taken for damage to the last write.
        case refused
        case failed
    }

    /// Opens what a cut left, and expects an allowed state.
    private func check(
        _ disk: SimulatedDisk, _ cut: SimulatedDisk.Cut, _ allowed: ClosedRange<Int>,
        _ states: [[String: String]], _ comment: Comment
    ) throws -> Outcome {
        try disk.mounted(at: path) {
            let database: Database
            do {
                database = try Database(at: path, mode: .openOrCreate, options: options)
            } catch let error as LevelDBError where cut.isTakenForDamage(error.message) {
                return .refused
            } catch {
                Issue.record("not opened: \(error); \(comment)")
                return .failed
            }
            defer { try? database.close() }
            var found: [String: String] = [:]
            for entry in try database.contents() {
                found[String(decoding: entry[0], as: UTF8.self)] = String(
                    decoding: entry[1], as: UTF8.self)
            }
            let count = found["count"].flatMap { Int($0) } ?? 0
            #expect(allowed.contains(count), "\(count) is not in \(allowed); \(comment)")
            guard states.indices.contains(count) else { return .failed }
            #expect(found == states[count], "not a state that there was; \(comment)")
            return .opened(
                count: count, discarded: database.discarded.reduce(0) { $0 + $1.length })
        }
    }

    @Test(
        "A power cut at any time leaves a state that the durability allows",
        arguments: [false, true],
        0..<(Scale.images == nil ? Scale.sample(of: 3) : 3 * repetitions))
    func anyTime(isPower: Bool, series: Int) throws {
        let seed = Scale.seed(series)
        var random = SeededGenerator(seed: seed)
        var history = History(disk: SimulatedDisk(), states: [[:]])
        try work(on: &history, lives: 4, writes: 10...150, isPower: isPower, &random)
        let total = history.disk.operationCount
        let places = (0..<Self.cutCount).map { _ in UInt64.random(in: 0...total, using: &random) }
        var images = 0
        var discarded = 0
        var refused = 0
        for operation in places.sorted() {
            for cut in SimulatedDisk.Cut.all(after: operation, seed: random.next()) {
                let image = history.disk.image(of: cut)
                let outcome = try check(
                    image, cut, history.allowed(after: operation), history.states,
                    "power \(isPower), seed \(seed), \(cut)")
                images += 1
                switch outcome {
                case .opened(_, let length): discarded += length > 0 ? 1 : 0
                case .refused: refused += 1
                case .failed: return
                }
            }
        }
        #expect(images == 16 * Self.cutCount)
        #expect(discarded > images / 20, "\(images) images, \(discarded) with discards")
        #expect(refused <= 1 + images / 1000, "seed \(seed): \(refused) of \(images) refused")
        Scale.report(
            Scale.images, "images", ["images": images, "ofDatabases": images, "refused": refused])
    }

    /// Manifests that name a log and no new table, with one log after the other.
    @Test(
        "A power cut amid creating, opening, and beginning logs without entries leaves a database that opens"
    )
    func manifests() throws {
        let disk = SimulatedDisk()
        var written: UInt64 = 0
        try disk.mounted(at: path) {
            try Database(at: path, mode: .create, options: options).close()
            for life in 0..<3 {
                let database = try Database(at: path, mode: .open, options: options)
                if life == 0 {
                    try database.put("count", "1", sync: true)
                    written = disk.operationCount
                } else {
                    for _ in 0..<life { try database.beginTable() }
                    try database.compact(from: [0], to: [0])
                }
                try database.close()
            }
        }
        for operation in 0...disk.operationCount {
            for cut in SimulatedDisk.Cut.all(after: operation, seed: operation) {
                _ = try check(
                    disk.image(of: cut), cut, operation < written ? 0...1 : 1...1,
                    [[:], ["count": "1"]], "\(cut)")
            }
        }
    }

    /// The power fails again while the database recovers, or later in its second life.
    @Test(
        "A power cut amid the opening after a power cut leaves a state that is allowed",
        arguments: [false, true], 0..<(2 * repetitions))
    func twice(isPower: Bool, series: Int) throws {
        let seed = Scale.seed(1000 + series)
        var random = SeededGenerator(seed: seed)
        var history = History(disk: SimulatedDisk(), states: [[:]])
        try work(on: &history, lives: 2, writes: 10...80, isPower: isPower, &random)
        var images = 0
        for operation in 0...history.disk.operationCount
        where Int.random(in: 0..<20, using: &random) == 0 {
            for cut in SimulatedDisk.Cut.all(after: operation, seed: random.next()) {
                let comment: Comment = "power \(isPower), seed \(seed), \(cut)"
                let allowed = history.allowed(after: operation)
                let first = history.disk.image(of: cut)
                let count: Int
                switch try check(first, cut, allowed, history.states, comment) {
                case .opened(let found, _): count = found
                case .refused: continue
                case .failed: return
                }
                // Recovery itself, without anything written; then a life with writes.
                var second = History(disk: first, states: Array(history.states[...count]))
                let recovered = first.operationCount
                second.writes = (0..<count).map { _ in
                    History.Write(begin: 0, end: recovered, isSynced: true)
                }
                try work(on: &second, lives: 1, writes: 0...6, isPower: isPower, &random)
                for _ in 0..<3 {
                    let operation = UInt64.random(in: 0...first.operationCount, using: &random)
                    let again = SimulatedDisk.Cut.all(after: operation, seed: random.next())
                        .randomElement(using: &random)
                    guard let again else { continue }
                    // What the first cut left is durable, whatever becomes of its recovery.
                    let later = second.allowed(after: operation)
                    let least = max(later.lowerBound, count)
                    let most = max(later.upperBound, count)
                    let outcome = try check(
                        first.image(of: again), again, least...most, second.states,
                        "\(comment.rawValue), then \(again)")
                    images += 1
                    if case .failed = outcome { return }
                }
            }
        }
        #expect(images > 40, "\(images) images")
        Scale.report(Scale.images, "images", ["images": images, "twice": images])
    }
}

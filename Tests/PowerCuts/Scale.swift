import Foundation

/// How much the long tests do: a number of the environment, as `make torture` gives it; without
/// one, what every run of the suite does.
package enum Scale {
    /// Processes that are killed, about.
    package static let kills = number("TEXTSEARCH_KILLS")
    /// Images that power cuts leave, half of them of an index.
    package static let images = number("TEXTSEARCH_IMAGES")
    /// Flipped bits.
    package static let flips = number("TEXTSEARCH_FLIPS")
    /// Whether every operation on files is made to fail in every script: any number.
    package static let faults = number("TEXTSEARCH_FAULTS")
    /// Seconds of random transactions against tables that indexes follow.
    package static let oracle = number("TEXTSEARCH_ORACLE_SECONDS")
    /// Seconds of work and searches at once.
    package static let soak = number("TEXTSEARCH_SOAK_SECONDS")

    /// Whether property tests take all of their seeds, as `make nightly` does.
    package static let isWhole = number("TEXTSEARCH_WHOLE") ?? 0 != 0

    private static func number(_ name: String) -> Int? {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
    }

    /// How many of so many rounds a test does: a sixth, two at least of more than three, unless it
    /// is to do all.
    package static func sample(of rounds: Int) -> Int {
        isWhole ? rounds : max((rounds + 5) / 6, min(2, (rounds + 2) / 3))
    }

    /// The seeds from `first` on, so many in all, of which a test takes a sample.
    package static func seeds(_ count: Int, from first: UInt64 = 0) -> Range<UInt64> {
        first..<first + UInt64(sample(of: count))
    }

    /// Places from 0 on, of which a test looks at every fifth, unless it is to look at all.
    package static func sample(upTo end: Int) -> StrideTo<Int> {
        stride(from: 0, to: end, by: isWhole ? 1 : 5)
    }

    /// How many of so many processes that a test kills one after the other it does kill: a sixth,
    /// unless it is to kill more than the suite does.
    package static func killed(of rounds: Int) -> Int {
        kills == nil ? sample(of: rounds) : rounds
    }

    /// Which of so many rounds, each of which gets further than those before it, a test does: every
    /// third, the last among them, unless it is to kill more than the suite does.
    package static func killed(upTo end: Int) -> StrideTo<Int> {
        let isAll = isWhole || kills != nil
        return stride(from: isAll ? 0 : (end + 2) % 3, to: end, by: isAll ? 1 : 3)
    }

    /// How often the tests of the suite are done, each time with other seeds, when they do `amount`
    /// each time.
    package static func repetitions(_ wanted: Int?, of amount: Int) -> Int {
        max(1, ((wanted ?? 0) + amount - 1) / amount)
    }

    /// Does something for one seed, and for as long as a long test is to last (`seconds`) for
    /// further ones, `stride` apart: several tests may do the same at once.
    package static func seeds(
        for seconds: Int?, from first: UInt64, stride: UInt64,
        isolation: isolated (any Actor)? = #isolation, _ body: (UInt64) async throws -> Void
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds ?? 0)
        var seed = first
        repeat {
            try await body(seed)
            seed &+= stride
        } while ContinuousClock.now < end
    }

    /// The tests of the suite kill about so many processes.
    package static let killRepetitions = repetitions(kills, of: 200)

    /// The seed of one of many series: from `SEED` of the environment on, or fixed.
    package static func seed(_ series: Int) -> UInt64 {
        let first = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
        return first.map { $0 &+ UInt64(series) } ?? UInt64(series + 1) &* 7919
    }

    /// Prints what a test did, for `Scripts/torture` to add up. Only where it does more than in the
    /// suite.
    package static func report(
        _ wanted: Int?, _ form: String, _ figures: KeyValuePairs<String, Int>
    ) {
        guard wanted != nil else { return }
        let list = figures.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        // One write, so that tests that run at once do not mix their lines.
        FileHandle.standardOutput.write(Data("figures \(form) \(list)\n".utf8))
    }
}

/// What the scores of a query depend on besides an object itself, as a value: of one index, or
/// added up over several.
///
/// Use it to search indexes in several processes, or on several machines, as if they were one.
/// First each index says what it knows of the query. The sums go to each of them, and each gives
/// its best results by these. Merged by score, the results are those of one index with all
/// objects, and the scores are equal to the last bit.
///
/// ```swift
/// var sum = try QueryStatistics.sum(of: shards.map { try $0.statistics(of: "peking duck") })
/// while !sum.isComplete {
///     sum = try .sum(of: shards.map { try $0.statistics(of: "peking duck", known: sum) })
/// }
/// let found = try shards.map { try $0.search("peking duck", statistics: sum) }
/// ```
///
/// One round is enough for a typed query without ``Query/first(of:)``, and for most texts. Each
/// further step that a text needs (``SearchSteps``) takes one or two more. Results with the same
/// score come in the order of the indexes, then in that of each index.
///
/// Sums do not depend on the order of the indexes. A value can be stored as JSON. It holds words of
/// the query, and words of the indexes that are near them.
///
/// **Thread safety**: an immutable value.
public struct QueryStatistics: Codable, Sendable, Equatable {
    /// What one evaluation of a query, or of a step, found out.
    struct Reading: Codable, Sendable, Equatable {
        /// How the query was evaluated, which gives its words an order.
        enum Way: String, Codable, Sendable {
            /// As the search for the best documents does: parts with other cursors come first.
            case best
            /// In the order of the query.
            case whole
        }

        var way: Way
        var shared: SharedStatistics
        /// So many rounds are left until scores of tiers are right.
        var roundsLeft = 0
    }

    /// The version of the form that is written.
    static let currentVersion = 1

    /// The version of the form; others are refused.
    public let version: Int
    /// A fingerprint of the fields and of the analysis. Only statistics with the same add up.
    public let analysis: String
    /// A mark of the content that was searched: equal if nothing was committed in between. That of
    /// several indexes is made of theirs; see ``SearchResults/generation``.
    public private(set) var generation: IndexGeneration
    /// How many indexes they are of.
    public internal(set) var indexCount = 1
    /// In the order of the evaluations.
    var readings: [Reading] = []
    /// How many objects were found where a step depends on it, in the order of the steps. Where a
    /// search ends with the first, any of its words are enough if that is none.
    var counts: [Int] = []
    var words = WordStatistics()
    /// Whether the steps ended.
    var isEnded = false
    /// If the last count is so great, no further step is taken.
    var enough: Int?

    init(analysis: String, generation: IndexGeneration) {
        version = Self.currentVersion
        self.analysis = analysis
        self.generation = generation
    }

    /// Whether a search with these statistics gives the results of one index. Otherwise another
    /// round is needed; see ``TextIndex``.
    public var isComplete: Bool {
        guard readings.allSatisfy({ $0.roundsLeft == 0 }) else { return false }
        if isEnded { return true }
        guard let enough, let count = counts.last else { return false }
        return count >= enough
    }

    /// Whether some part of the query, as it was asked, is in no object of any index.
    var lacksWords: Bool { readings.first?.shared.frequencies.contains(0) ?? false }

    /// Adds those of another index, of the same round of the same query.
    ///
    /// - Parameter other: what the other index said.
    /// - Throws: ``TextIndexError``: `.configurationMismatch` if the indexes analyse text
    ///   differently; `.invalidArgument` for statistics of another query or round, or of a version
    ///   that is not known.
    public mutating func add(_ other: QueryStatistics) throws {
        try check()
        try other.check()
        guard analysis == other.analysis else {
            throw TextIndexError(
                .configurationMismatch,
                "Indexes that are searched together need the same fields and analysis settings.")
        }
        guard readings.map(\.way) == other.readings.map(\.way),
            counts.count == other.counts.count, isEnded == other.isEnded, enough == other.enough
        else {
            throw TextIndexError(
                .invalidArgument, "The statistics are of different queries or rounds.")
        }
        for place in readings.indices {
            readings[place].shared.add(other.readings[place].shared)
            readings[place].roundsLeft = max(
                readings[place].roundsLeft, other.readings[place].roundsLeft)
        }
        for place in counts.indices {
            counts[place] = counts[place].addingClamped(other.counts[place])
        }
        words.add(other.words)
        generation.add(other.generation)
        indexCount = indexCount.addingClamped(other.indexCount)
    }

    /// Returns the sum of the statistics of several indexes.
    ///
    /// - Parameter all: the statistics, at least one.
    /// - Returns: The sum.
    /// - Throws: ``TextIndexError``, as ``add(_:)``; `.invalidArgument` without any.
    public static func sum(of all: some Sequence<QueryStatistics>) throws -> QueryStatistics {
        var sum: QueryStatistics?
        for one in all {
            if sum == nil { sum = one } else { try sum?.add(one) }
        }
        guard let sum else {
            throw TextIndexError(.invalidArgument, "There are no statistics to add up.")
        }
        return sum
    }

    /// Refuses what this version does not know.
    func check() throws {
        guard version == Self.currentVersion else {
            throw TextIndexError(
                .invalidArgument,
                "The statistics have version \(version); this one reads \(Self.currentVersion).")
        }
        guard indexCount > 0, words.isPossible, counts.allSatisfy({ $0 >= 0 }),
            readings.allSatisfy({ (0...Self.mostRounds).contains($0.roundsLeft) })
        else {
            throw TextIndexError(
                .invalidArgument, "The statistics have numbers that no index has.")
        }
    }

    /// No query nests deeper.
    private static let mostRounds = 1 << 20
}

/// A mark of the content of an index, or of several together.
///
/// Two states of an index have the same mark if nothing was indexed or removed between them. The
/// mark of several indexes is made of theirs, in whatever order. It finds accidents, not attacks.
///
/// **Thread safety**: an immutable value.
public struct IndexGeneration: Hashable, Sendable, Codable, CustomStringConvertible {
    private var mark: UInt64

    init(_ mark: UInt64) { self.mark = mark }

    /// The mark as a number.
    var word: UInt64 { mark }

    /// Makes it the mark of this content and of another one together.
    ///
    /// - Parameter other: the mark of the other content.
    public mutating func add(_ other: IndexGeneration) { mark &+= other.mark }

    /// The mark as sixteen hexadecimal digits.
    public var description: String {
        let digits = String(mark, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Creates a mark from its description.
    ///
    /// - Parameter description: sixteen hexadecimal digits.
    public init?(_ description: String) {
        guard description.utf8.count == 16, let mark = UInt64(description, radix: 16) else {
            return nil
        }
        self.mark = mark
    }

    /// Reads a mark as its description.
    ///
    /// - Parameter decoder: where it is read from.
    /// - Throws: A `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let mark = IndexGeneration(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "A generation has sixteen hexadecimal digits.")
        }
        self = mark
    }

    /// Writes the mark as its description.
    ///
    /// - Parameter encoder: where it is written.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

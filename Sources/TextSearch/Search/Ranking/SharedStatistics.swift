/// What scores depend on beside an object itself, of one index or added up over several.
///
/// Words and tiers have no names: they come in the order in which a query is evaluated, which is
/// the same in all indexes that analyse alike.
struct SharedStatistics: Equatable, Sendable, Codable {
    var documentCount = 0
    /// The words in each string of all objects, and how many objects have such a string. Whole
    /// numbers: sums are exact.
    private var lengthTotals: [Double] = []
    private var lengthCounts: [Double] = []
    /// In how many documents each word of the query is.
    private(set) var frequencies: [Int] = []
    /// The least score of each tier of what is found first; nil where nothing is in it.
    private(set) var tiers: [Double?] = []

    init() {}

    /// Those of an index, without a query.
    init(_ snapshot: Snapshot) throws {
        documentCount = snapshot.count
        let lengths = try snapshot.lengthStatistics()
        lengthTotals = lengths.totals
        lengthCounts = lengths.counts
    }

    /// Whether scores of tiers were built on one another.
    var hasTiers: Bool { !tiers.isEmpty }

    func averageLength(of string: Int) -> Double {
        string < lengthTotals.count ? lengthTotals[string] / max(lengthCounts[string], 1) : 0
    }

    mutating func note(frequency: Int) { frequencies.append(frequency) }

    mutating func setFrequencies(_ others: [Int]) { frequencies = others }

    mutating func note(tier scores: [Double]) { tiers.append(scores.least) }

    /// Adds those of another index.
    mutating func add(_ other: SharedStatistics) {
        documentCount = documentCount.addingClamped(other.documentCount)
        Self.add(other.lengthTotals, to: &lengthTotals) { $0 + $1 }
        Self.add(other.lengthCounts, to: &lengthCounts) { $0 + $1 }
        Self.add(other.frequencies, to: &frequencies) { $0.addingClamped($1) }
        for (place, theirs) in other.tiers.enumerated() {
            guard place < tiers.count else {
                tiers.append(theirs)
                continue
            }
            guard let theirs else { continue }
            guard let ours = tiers[place] else {
                tiers[place] = theirs
                continue
            }
            tiers[place] = min(ours, theirs)
        }
    }

    private static func add<Number>(
        _ others: [Number], to all: inout [Number], _ sum: (Number, Number) -> Number
    ) {
        for (place, other) in others.enumerated() {
            if place < all.count {
                all[place] = sum(all[place], other)
            } else {
                all.append(other)
            }
        }
    }
}

// MARK: - As a value for other processes

extension SharedStatistics {
    private enum CodingKeys: String, CodingKey {
        case documentCount = "objects"
        case lengthTotals = "words"
        case lengthCounts = "strings"
        case frequencies
        case tiers
    }

    /// Nothing that another process says is negative, or no number.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        documentCount = try container.decode(Int.self, forKey: .documentCount)
        lengthTotals = try container.decode([Double].self, forKey: .lengthTotals)
        lengthCounts = try container.decode([Double].self, forKey: .lengthCounts)
        frequencies = try container.decode([Int].self, forKey: .frequencies)
        // As text, which has a form of infinity, and of every number exactly.
        let texts = try container.decodeIfPresent([String?].self, forKey: .tiers) ?? []
        tiers = texts.map { $0.flatMap { Double($0) } }
        let areNumbers = zip(texts, tiers).allSatisfy { text, tier in
            text == nil || tier.map { !$0.isNaN } ?? false
        }
        guard areNumbers, isPossible else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "Statistics have numbers that no index has."))
        }
    }

    /// Whether some index may have said it.
    private var isPossible: Bool {
        documentCount >= 0 && frequencies.allSatisfy { $0 >= 0 }
            && (lengthTotals + lengthCounts).allSatisfy { $0 >= 0 && $0.isFinite }
            && lengthTotals.count == lengthCounts.count
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(documentCount, forKey: .documentCount)
        try container.encode(lengthTotals, forKey: .lengthTotals)
        try container.encode(lengthCounts, forKey: .lengthCounts)
        try container.encode(frequencies, forKey: .frequencies)
        if hasTiers { try container.encode(tiers.map { $0.map { "\($0)" } }, forKey: .tiers) }
    }
}

// MARK: - As bytes

extension SharedStatistics {
    func write(to writer: inout MessageWriter) {
        writer.write(documentCount)
        writer.write(lengthTotals.count)
        for (total, count) in zip(lengthTotals, lengthCounts) {
            writer.write(total)
            writer.write(count)
        }
        writer.write(frequencies.count)
        for frequency in frequencies { writer.write(frequency) }
        writer.write(tiers.count)
        for tier in tiers {
            writer.write(byte: tier == nil ? 0 : 1)
            if let tier { writer.write(tier) }
        }
    }

    /// Nothing that another process says is negative, or no number.
    init(reading reader: inout MessageReader) throws {
        documentCount = try reader.number()
        for _ in 0..<(try reader.count(ofAtLeast: 16)) {
            lengthTotals.append(try reader.double())
            lengthCounts.append(try reader.double())
        }
        for _ in 0..<(try reader.count()) { note(frequency: try reader.number()) }
        for _ in 0..<(try reader.count()) {
            switch try reader.byte() {
            case 0: tiers.append(nil)
            case 1: tiers.append(try reader.double())
            default: throw MalformedMessage()
            }
        }
        guard isPossible, tiers.allSatisfy({ !($0?.isNaN ?? false) }) else {
            throw MalformedMessage()
        }
    }
}

extension Int {
    /// The sum, or the greatest number where it is more.
    func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension Snapshot {
    /// How occurrences count in each of its segments, by the lengths of all indexes.
    func norms(_ similarity: BM25, as known: SharedStatistics) throws -> [SegmentNorms] {
        let strings = try lengthStatistics().averages.indices
        return try norms(similarity, averages: strings.map { known.averageLength(of: $0) })
    }
}

/// What an evaluation knows of all indexes, and finds out about its own.
struct StatisticsExchange: Sendable {
    /// Of all indexes: the words of the query only once they were looked for in all.
    let known: SharedStatistics
    /// Of this one.
    private(set) var found: SharedStatistics

    init(known: SharedStatistics, own: SharedStatistics) {
        self.known = known
        found = own
    }

    /// In how many documents of all indexes the next word of the query is, which is in `own` of
    /// this one.
    mutating func frequency(_ own: Int) -> Int {
        let place = found.frequencies.count
        found.note(frequency: own)
        return place < known.frequencies.count ? known.frequencies[place] : own
    }

    /// The least score of the next tier over all indexes; nil when nothing is in it.
    mutating func least(_ scores: [Double]) -> Double? {
        let place = found.tiers.count
        found.note(tier: scores)
        return place < known.tiers.count ? known.tiers[place] : found.tiers[place]
    }
}

import Foundation

/// BM25F with parameters resolved for an index's strings; see ``BM25Parameters`` for the formulas.
struct BM25: Sendable, Equatable {
    /// The largest `k1` and the largest weight of a field.
    static let largest = 1e6

    let saturation: Saturation
    private let fields: [Field]
    private let others: Field

    struct Field: Sendable, Equatable {
        var weight: Double
        var b: Double
    }

    init(_ parameters: BM25Parameters = BM25Parameters(), fields: [String] = []) {
        let standard = BM25Parameters()
        saturation = Saturation(
            k1: Self.clamped(parameters.k1, 0...Self.largest, or: standard.k1))
        let b = Self.clamped(parameters.b, 0...1, or: standard.b)
        others = Field(weight: 1, b: b)
        self.fields = fields.enumerated().map { place, name in
            let usual = place == 0 && fields.count > 1 ? BM25Parameters.firstFieldWeight : 1
            return Field(
                weight: Self.clamped(
                    parameters.fieldWeights[name] ?? usual, 0...Self.largest, or: usual),
                b: Self.clamped(parameters.fieldB[name] ?? b, 0...1, or: b))
        }
    }

    private static func clamped(
        _ value: Double, _ bounds: ClosedRange<Double>, or standard: Double
    ) -> Double {
        value.isNaN ? standard : min(max(value, bounds.lowerBound), bounds.upperBound)
    }

    /// The weight of a word that `documentFrequency` of `documentCount` objects hold; never
    /// negative.
    func idf(documentFrequency: Int, documentCount: Int) -> Double {
        let n = Double(documentCount)
        let df = Double(min(documentFrequency, documentCount))
        return log(1 + (n - df + 0.5) / (df + 0.5))
    }

    /// Whether no score above 0 comes near the least numbers there are, where rounding takes more
    /// than a share of a number.
    var hasUsualScores: Bool {
        let all = [saturation.k1, others.weight] + fields.map(\.weight)
        return all.allSatisfy { $0 == 0 || $0 >= 1e-100 }
    }

    /// The parameters of a string.
    func field(_ string: Int) -> Field { string < fields.count ? fields[string] : others }

    /// How the frequency of a word makes a score.
    struct Saturation: Sendable, Equatable {
        let k1: Double

        /// The score of a word with frequency `tf`, normalised, weighted and summed over the
        /// strings.
        @inline(__always)
        func score(idf: Double, frequency tf: NormalizedFrequency) -> Double {
            let score = idf * tf.weighted * (k1 + 1) / (tf.weighted + k1 * tf.divisor)
            // With k1 = 0 too, what does not occur scores nothing.
            return tf.weighted > 0 ? score : 0
        }
    }
}

/// How occurrences in one of the strings of objects count.
struct StringNorm: Sendable {
    private let weight: Double
    /// What a string of no words is divided by, and what each of its words adds to that.
    private let base: Double
    private let slope: Double
    /// What each occurrence counts at the most, however short the string is.
    let largest: Double

    init(_ field: BM25.Field, averageLength: Double) {
        weight = field.weight
        base = averageLength > 0 ? 1 - field.b : 1
        slope = averageLength > 0 ? field.b / averageLength : 0
        // No infinity: nothing times that is not a number.
        largest = base > 0 ? weight / base : .greatestFiniteMagnitude
    }

    /// The share of a string of `length` words in the frequency of a word that stands `tf` times in
    /// it.
    @inline(__always)
    func normalized(frequency tf: Double, length: Double) -> NormalizedFrequency {
        let divisor = base + slope * length
        // A string of no words has no occurrences either.
        let isThere = divisor > 0
        return NormalizedFrequency(
            weighted: isThere ? weight * tf : 0, divisor: isThere ? divisor : 1)
    }
}

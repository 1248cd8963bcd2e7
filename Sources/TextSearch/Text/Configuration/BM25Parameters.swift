/// The parameters of relevance, which is BM25F.
///
/// With `tf(f)` the occurrences of a word in field `f` of an object, `len(f)` that field's words
/// and `avglen(f)` their average over all objects that have it, a word that `df` of `N` objects
/// hold adds
///
///     tf~   = Σ w(f) · tf(f) / (1 − b(f) + b(f) · len(f) / avglen(f))
///     idf   = ln(1 + (N − df + 0.5) / (df + 0.5))
///     score = idf · tf~ · (k1 + 1) / (k1 + tf~)
///
/// to an object's relevance: Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple
/// weighted fields" (CIKM 2004), with the normalisation of each field by its own length (Zaragoza
/// and others, "Microsoft Cambridge at TREC-13", 2004) and an `idf` that is never negative, as
/// Lucene has it. All counts are of living objects, exact after updates and removals.
///
/// ```swift
/// var parameters = BM25Parameters()
/// parameters.fieldWeights["title"] = 3
/// let results = try index.search("peking duck", ranking: .relevance(parameters))
/// ```
///
/// No value is refused. NaN counts as the default, and a value out of bounds as the nearest bound.
public struct BM25Parameters: Hashable, Sendable, Codable {
    /// How soon further occurrences stop counting: 0 for at once; at most 1,000,000.
    ///
    /// 2 by default: of 1.2, 1.5, 1.8 and 2 it orders the Cranfield and CISI collections best.
    public var k1 = 2.0
    /// How much the length of a field counts, from 0 to 1, unless `fieldB` says otherwise; 0.75 by
    /// default.
    public var b = 0.75
    /// How much an occurrence in a field counts, by the field's name: at most 1,000,000, 0 for a
    /// field that does not count. By default the first of several fields, mostly a title, counts
    /// ``firstFieldWeight``, and others 1. Strings without a name count 1.
    public var fieldWeights: [String: Double] = [:]
    /// How much the length of a field counts, by the field's name, if it differs from `b`.
    public var fieldB: [String: Double] = [:]

    /// How much an occurrence in the first of several fields counts, unless ``fieldWeights`` says
    /// otherwise: 3. Of 0.5, 1, 2 and 3 it orders the Cranfield and CISI collections best. Known
    /// items are found by their titles about as well with anything from 1 to 8.
    public static let firstFieldWeight = 3.0

    /// Creates parameters with the defaults of the properties.
    public init() {}

    /// Creates parameters.
    ///
    /// - Parameters:
    ///   - k1: how soon further occurrences stop counting.
    ///   - b: how much the length of a field counts.
    ///   - fieldWeights: how much an occurrence in a field counts.
    ///   - fieldB: how much the length of a field counts, if it differs from `b`.
    public init(
        k1: Double = 2, b: Double = 0.75, fieldWeights: [String: Double] = [:],
        fieldB: [String: Double] = [:]
    ) {
        self.k1 = k1
        self.b = b
        self.fieldWeights = fieldWeights
        self.fieldB = fieldB
    }
}

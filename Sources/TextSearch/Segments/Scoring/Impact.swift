/// What a block of postings says of the scores in it: an upper bound of the *impacts* of its
/// documents.
///
/// The impact of a term on a document is its frequency normalised by the lengths of the strings, as
/// BM25F has it, but with fixed parameters (`b` = 0.75, every string weighs 1) and with the average
/// lengths of the segment alone. So it can be stored when the segment is written, while what a
/// search scores by depends on its parameters and on the whole index; `ImpactScale` says by how
/// much the two can differ at most.
enum Impact {
    static let b = 0.75

    /// The upper half of a single-precision number that is not smaller than `impact`.
    static func stored(_ impact: Double) -> UInt16 {
        guard impact.isFinite, impact < Double(Float.greatestFiniteMagnitude) / 2 else {
            return UInt16(Float.infinity.bitPattern >> 16)
        }
        let bits = Float(impact).nextUp.bitPattern
        return UInt16(truncatingIfNeeded: (bits + 0xffff) >> 16)
    }

    static func read(_ stored: UInt16) -> Double {
        let bound = Double(Float(bitPattern: UInt32(stored) << 16))
        // Nothing below zero and no NaN was ever written.
        return bound >= 0 ? bound : .infinity
    }
}

/// The lengths of a segment's strings as weights of the occurrences in them.
struct Impacts {
    private let lengths: LengthColumn
    /// `b` over the average length of each string.
    private let slopes: [Double]

    init(_ lengths: LengthColumn) {
        self.lengths = lengths
        slopes = lengths.averages().map { $0 > 0 ? Impact.b / $0 : 0 }
    }

    /// What one occurrence in a string of a document counts.
    @inline(__always)
    func weight(of document: UInt32, string: UInt32) -> Double {
        let string = Int(string)
        return weight(
            string: string, length: lengths.length(of: Int(document), string: string))
    }

    /// What one occurrence counts in a string of so many words.
    @inline(__always)
    func weight(string: Int, length: Int) -> Double {
        guard string < slopes.count else { return 1 / (1 - Impact.b) }
        return 1 / (1 - Impact.b + slopes[string] * Double(length))
    }
}

/// By how much what a search scores by can exceed the impacts of a segment.
struct ImpactScale {
    /// The same for what each of the segment's strings adds to them.
    let ofStrings: [Double]

    /// No normalised frequency of the search is more than this times the impact.
    var largest: Double { ofStrings.max() ?? 0 }

    /// For each string the ratio of the two weights is monotone in the length, so that its extremes
    /// are at the shortest and the longest string. Strings of which there is no norm add nothing.
    init(_ lengths: LengthColumn, norm: (Int) -> StringNorm?) {
        var ofStrings: [Double] = []
        ofStrings.reserveCapacity(lengths.sums.count)
        for (string, sum) in lengths.sums.enumerated() {
            guard let norm = norm(string) else {
                ofStrings.append(0)
                continue
            }
            let slope = sum.average > 0 ? Impact.b / sum.average : 0
            func ratio(length: Double) -> Double {
                norm.normalized(frequency: 1, length: length).value
                    * (1 - Impact.b + slope * length)
            }
            // What has an occurrence has a word. Rounding on either side.
            let most = max(ratio(length: 1), ratio(length: max(Double(sum.most), 1)))
            ofStrings.append(most * (1 + 1e-9))
        }
        self.ofStrings = ofStrings
    }
}

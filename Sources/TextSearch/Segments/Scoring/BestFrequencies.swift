/// Finds the documents that score best for a word by how often it stands in them, before anybody
/// knows in how many it stands.
///
/// How rare the word is multiplies all scores alike: the best documents are the same without it,
/// but for what rounding does. So all are kept that are as good as the worst of the best, or
/// nearly, and only these are scored in the end.
struct BestFrequencies: ~Copyable {
    private let saturation: BM25.Saturation
    /// The best of those that were offered, by what they would score for a word of rarity 1.
    private var heap: TopHeap
    /// What is kept scores this at least.
    private var threshold = -Double.infinity
    private var documents = Buffer<UInt32>()
    private var frequencies = Buffer<NormalizedFrequency>()

    /// What is kept has this normalised frequency at least.
    private(set) var least = -Double.infinity
    /// False: nothing is known of scores that differ little, and all documents are kept.
    private let isSelective: Bool
    /// What was offered last, and how often in a row, with ascending documents.
    private var last = (document: UInt32.max, frequency: NormalizedFrequency(), count: 0)

    /// How many documents the word stands in.
    var found = 0

    /// Scores that differ by less than this share may be the same, or the other way round, once
    /// they are multiplied and rounded.
    private static let margin = 1e-12

    /// `count` must not be 0.
    init(count: Int, _ similarity: BM25) {
        heap = TopHeap(capacity: count)
        saturation = similarity.saturation
        isSelective = similarity.hasUsualScores
    }

    /// False for what need not be offered.
    @inline(__always)
    borrowing func mayKeep(_ frequency: NormalizedFrequency) -> Bool {
        frequency.weighted >= least * frequency.divisor
    }

    /// Where each occurrence adds `largest` at the most to the normalised frequency: how many there
    /// must be for what is offered.
    borrowing func leastCount(_ largest: Double) -> Int {
        Int(exactly: (least / largest).rounded(.up)) ?? 0
    }

    mutating func offer(_ document: UInt32, _ frequency: NormalizedFrequency) {
        let score = saturation.score(idf: 1, frequency: frequency)
        guard score >= threshold, !isOneTooMany(document, frequency) else { return }
        documents.append(document)
        frequencies.append(frequency)
        let worst = heap.threshold
        heap.offer(document, score)
        guard isSelective, heap.threshold > worst else { return }
        threshold = heap.threshold * (1 - Self.margin)
        least = saturation.frequency(scoring: threshold) * (1 - 1e-9)
    }

    /// Whether there are enough documents with lower numbers and this very frequency, as where most
    /// objects are one word.
    private mutating func isOneTooMany(
        _ document: UInt32, _ frequency: NormalizedFrequency
    ) -> Bool {
        if frequency == last.frequency, document > last.document {
            last.count &+= 1
        } else {
            last.frequency = frequency
            last.count = 1
        }
        last.document = document
        return last.count > heap.capacity
    }

    /// The best documents, best first, those with lower numbers before others with the same score.
    consuming func entries(idf: Double) -> [TopHeap.Entry] {
        var top = TopHeap(capacity: heap.capacity)
        for place in 0..<documents.count {
            top.offer(
                documents[place], saturation.score(idf: idf, frequency: frequencies[place]))
        }
        return top.sorted
    }
}

extension BM25.Saturation {
    /// The least normalised frequency that scores so much where a word's rarity is 1; minus
    /// infinity where none can be told.
    fileprivate func frequency(scoring score: Double) -> Double {
        let rest = k1 + 1 - score
        return k1 > 0 && rest > 0 ? k1 * score / rest : -.infinity
    }
}

/// The words of a phrase, each distinct one once.
struct PhraseWords {
    /// The distinct words.
    private(set) var patterns: [TermPattern] = []
    /// Of each word which of the patterns it is, and its position in the phrase; these ascend.
    private(set) var words: [Int] = []
    private(set) var offsets: [Int] = []

    private enum Key: Hashable {
        case exact([UInt8])
        case stemmed([UInt8], [[UInt8]])
        case prefix([UInt8])
    }

    init(_ all: [(offset: Int, pattern: TermPattern)]) {
        var known: [Key: Int] = [:]
        for (offset, pattern) in all {
            let key: Key? =
                switch pattern {
                case .exact(let bytes): .exact(bytes)
                case .stemmed(let bytes, let stems): .stemmed(bytes, stems)
                case .prefix(let bytes): .prefix(bytes)
                default: nil
                }
            offsets.append(offset)
            if let key, let number = known[key] {
                words.append(number)
                continue
            }
            if let key { known[key] = patterns.count }
            words.append(patterns.count)
            patterns.append(pattern)
        }
    }

    /// Those of the words that are single terms, where some are and some are not.
    var finished: PhraseWords? {
        let row = zip(offsets, words).map { (offset: $0, pattern: patterns[$1]) }
        let some = row.filter { if case .exact = $0.pattern { true } else { false } }
        return some.isEmpty || some.count == row.count ? nil : PhraseWords(some)
    }

    /// Whether no two words share a place.
    var haveOwnPlaces: Bool { Set(offsets).count == offsets.count }

    /// The terms, where each word is one.
    var terms: [[UInt8]]? {
        var terms: [[UInt8]] = []
        for case .exact(let bytes) in patterns { terms.append(bytes) }
        return terms.count == patterns.count ? terms : nil
    }
}

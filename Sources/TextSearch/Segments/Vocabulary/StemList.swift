/// Which terms of a segment have which stem, sorted; for queries that are to find inflected words.
///
/// The stem of a word is that of how it is written, and a term may be written in several ways. So a
/// term has a stem in all documents of the segment that have the term, or only in some of them.
///
/// **Thread safety**: an immutable value.
struct StemList: Sendable {
    struct Stemmed {
        var pair: StemPair
        /// The documents in which the term has the stem, ascending; nil for all that have the term.
        var documents: [UInt32]?
    }

    /// A term that has a stem that is looked for.
    struct Term: Sendable, Equatable {
        var bytes: [UInt8]
        /// As in `Stemmed`.
        var documents: [UInt32]?
    }

    private struct Entry: Sendable {
        var start: UInt32
        var keyLength: UInt16
        var termLength: UInt16
        /// Where its documents end in `documents`; they begin where those before end.
        var documentEnd: UInt32
        var isWhole: Bool
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var documents: [UInt32] = []

    init() {}

    /// Complexity: sorts the stems.
    init(_ all: [Stemmed]) {
        var last: Stemmed?
        for next in all.sorted(by: { $0.pair < $1.pair }) {
            guard let known = last else {
                last = next
                continue
            }
            if known.pair == next.pair {
                last?.documents = Self.union(known.documents, next.documents)
            } else {
                append(known)
                last = next
            }
        }
        if let last { append(last) }
    }

    /// Of nil, which stands for all documents, and of ascending numbers.
    static func union(_ a: [UInt32]?, _ b: [UInt32]?) -> [UInt32]? {
        guard let a, let b else { return nil }
        return Set(a + b).sorted()
    }

    var isEmpty: Bool { entries.isEmpty }
    var byteCount: Int {
        bytes.count + entries.count * MemoryLayout<Entry>.stride
            + documents.count * MemoryLayout<UInt32>.stride
    }

    private mutating func append(_ stemmed: Stemmed) {
        let (key, term) = (stemmed.pair.key, stemmed.pair.term)
        documents += stemmed.documents ?? []
        entries.append(
            Entry(
                start: UInt32(bytes.count), keyLength: UInt16(clamping: key.count),
                termLength: UInt16(clamping: term.count),
                documentEnd: UInt32(documents.count), isWhole: stemmed.documents == nil))
        bytes += key
        bytes += term
    }

    private func key(_ entry: Entry) -> ArraySlice<UInt8> {
        bytes[Int(entry.start)..<(Int(entry.start) + Int(entry.keyLength))]
    }

    private func term(at index: Int) -> Term {
        let entry = entries[index]
        let start = Int(entry.start) + Int(entry.keyLength)
        let firstDocument = index == 0 ? 0 : Int(entries[index - 1].documentEnd)
        return Term(
            bytes: Array(bytes[start..<(start + Int(entry.termLength))]),
            documents: entry.isWhole
                ? nil : Array(documents[firstDocument..<Int(entry.documentEnd)]))
    }

    /// The terms that have a stem.
    ///
    /// Complexity: logarithmic in the number of stems.
    func terms(of key: [UInt8]) -> [Term] {
        var place = entries.firstPlace { !self.key($0).lexicographicallyPrecedes(key) }
        var terms: [Term] = []
        while place < entries.count, self.key(entries[place]).elementsEqual(key) {
            terms.append(term(at: place))
            place += 1
        }
        return terms
    }

    /// Calls `body` with each stem and each of its terms, in order.
    func forEach(_ body: (Stemmed) throws -> Void) rethrows {
        for index in entries.indices {
            let term = term(at: index)
            let pair = StemPair(key: Array(key(entries[index])), term: term.bytes)
            try body(Stemmed(pair: pair, documents: term.documents))
        }
    }

    /// Calls `body` with each stem and its terms, in order.
    func forEachKey(_ body: (_ key: ArraySlice<UInt8>, _ terms: [Term]) throws -> Void) rethrows {
        var index = 0
        while index < entries.count {
            let key = self.key(entries[index])
            var terms: [Term] = []
            while index < entries.count, self.key(entries[index]) == key {
                terms.append(term(at: index))
                index += 1
            }
            try body(key, terms)
        }
    }
}

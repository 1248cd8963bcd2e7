/// What a verification has read of a flushed segment.
final class SegmentExamination {
    let manifest: Manifest.Segment
    /// The sum over the entries that were found under its keys.
    var digest: UInt64 = 0
    /// Documents of the range that are not the segment's, by relative number.
    private(set) var missing: Set<UInt32> = []
    private(set) var weights: [Double] = []
    private(set) var lengths = LengthColumn()
    /// Hashes of the identifiers; 0 where there is none.
    private(set) var identifiers: [UInt64] = []
    private(set) var attributes: AttributeExamination
    private(set) var vocabulary: [VocabularyPart] = []
    private(set) var termCount = 0
    private var lastTerm: [UInt8]?
    /// The pages that are read next, by column.
    private var nextPage: [UInt8: Int] = [:]

    init(_ manifest: Manifest.Segment) {
        self.manifest = manifest
        attributes = AttributeExamination(documentCount: manifest.documentCount)
    }

    /// Whether the columns were there in full, so that others can be compared with them.
    var hasColumns: Bool {
        [weights.count, lengths.count, identifiers.count].allSatisfy {
            $0 == manifest.documentCount
        }
    }

    func owns(_ document: UInt32) -> Bool {
        manifest.documents.contains(document)
            && !missing.contains(document - manifest.firstDocument)
    }

    /// Takes a page of a column; pages of a column come in order.
    func addPage(
        _ page: Int, of column: UInt8, _ value: UnsafeRawBufferPointer
    ) throws(MalformedData) {
        if column == Column.attributeNames { return try attributes.addDirectory(page, value) }
        if column == Column.attributes { return try attributes.addPage(page, value) }
        if column == Column.formerLists { return }
        let pageSize = column == Column.identifiers ? IdentifierPage.size : Column.pageSize
        let count = min(pageSize, manifest.documentCount - page * pageSize)
        guard count > 0 else { throw MalformedData() }
        if column != Column.missing {
            guard page == nextPage[column, default: 0] else { throw MalformedData() }
            nextPage[column] = page + 1
        }
        switch column {
        case Column.missing: try addMissing(page, count: count, value)
        case Column.weights: try Column.decodeWeights(value, count: count, into: &weights)
        case Column.lengths: try lengths.decodePage(value, count: count)
        case Column.identifiers:
            let page = try IdentifierPage(value, count: count)
            for place in 0..<count {
                identifiers.append(
                    page.withIdentifier(at: place) { $0.isEmpty ? 0 : Verifier.hash($0) })
            }
        default: throw MalformedData()
        }
    }

    private func addMissing(
        _ page: Int, count: Int, _ value: UnsafeRawBufferPointer
    ) throws(MalformedData) {
        guard value.count == Column.pageSize / 8 else { throw MalformedData() }
        for index in 0..<(value.count * 8) where value[index >> 3] & 1 << UInt8(index & 7) != 0 {
            guard index < count else { throw MalformedData() }
            missing.insert(UInt32(page * Column.pageSize + index))
        }
    }

    /// Takes a part of the vocabulary; parts come in order, and so do the terms.
    func addPart(_ number: UInt32, _ value: UnsafeRawBufferPointer) throws(MalformedData) {
        guard Int(number) == vocabulary.count else { throw MalformedData() }
        let part = try VocabularyPart(value)
        var isSorted = true
        part.forEachTerm { term in
            let bytes = Array(term)
            if let lastTerm, !lastTerm.lexicographicallyPrecedes(bytes) { isSorted = false }
            lastTerm = bytes
        }
        guard isSorted else { throw MalformedData() }
        vocabulary.append(part)
        termCount += part.termCount
    }

    /// Whether the vocabulary was there in full.
    var hasVocabulary: Bool {
        termCount == manifest.termCount && vocabulary.count == manifest.partCount
    }

    /// The postings of a term, where the vocabulary has them.
    func inlinePostings(at place: TermPlace) -> [UInt8]? {
        vocabulary[Int(place.part)].withInlinePostings(of: Int(place.term)) { Array($0) }
    }

    func has(_ term: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !vocabulary.isEmpty else { return false }
        let walk = FlushedTerms.Walk(vocabulary, from: term)
        return !walk.isAtEnd && walk.withTerm { TermOrder.compare($0, term) } == 0
    }
}

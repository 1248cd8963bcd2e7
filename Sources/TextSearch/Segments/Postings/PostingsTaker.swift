/// Takes the postings of terms of one segment, where nobody asks which terms these are.
protocol PostingsTaker: AnyObject {
    /// Makes room for those of so many terms.
    func expect(termCount: Int)

    /// Takes stored postings, which `reader` decodes; false where they are not the segment's.
    func take(
        _ postings: UnsafeRawBufferPointer, _ reader: inout TermPostingsReader
    ) throws -> Bool

    /// Takes those of some neighbouring terms that stand in the vocabulary, and notes in `entries`
    /// which terms have entries of their own.
    func take(
        _ places: Range<Int>, of part: VocabularyPart, _ reader: inout TermPostingsReader,
        entries: inout Buffer<UInt32>
    ) throws -> Bool
}

extension SegmentWriter.Part {
    /// Calls `body` with a term's occurrences in living documents, in text order; only `strings` are looked in.
    @inline(__always)
    func forEachOccurrence(
        of term: Int, in strings: StringSelection, without dead: Tombstones,
        _ body: (_ document: UInt32, _ string: UInt32, MemorySegment.Occurrence) -> Void
    ) {
        segment.withOccurrences(of: term) { occurrences in
            for occurrence in occurrences {
                let (relative, index) = segment.place(ofString: occurrence.string)
                let document = firstDocument + relative
                if strings.contains(index), !dead.contains(document) {
                    body(document, index, occurrence)
                }
            }
        }
    }
}

/// What a rebuild has written beside the state that searches see.
///
/// Invariants:
/// 1. The segments are in the order of their documents and do not overlap; they are only added to
///    until the switch.
/// 2. Document numbers come from the one counter of the index, so a visible segment's range may
///    hold some of these, and the other way round. Each side knows what of its range is not its
///    own: as dead there, as missing here.
struct RebuiltSegments: Sendable {
    private(set) var segments: [FlushedSegment] = []
    /// Numbers within the segments that are not theirs.
    private(set) var missing = Tombstones()
    /// Numbers that were taken for objects on their way into a segment.
    private(set) var reserved: [Range<UInt32>] = []

    /// Adds a segment; what was reserved up to its end is in it, or never will be.
    mutating func append(_ segment: FlushedSegment, missing documents: [UInt32]) {
        segments.append(segment)
        missing.insert(documents)
        let end = segment.manifest.documents.upperBound
        reserved.removeAll { $0.lowerBound < end }
    }

    mutating func reserve(_ documents: Range<UInt32>) { reserved.append(documents) }

    /// Gives back the end of what was reserved last.
    mutating func giveBack(_ documents: Range<UInt32>) {
        guard let last = reserved.popLast() else { return }
        let rest = last.lowerBound..<max(last.lowerBound, documents.lowerBound)
        if !rest.isEmpty { reserved.append(rest) }
    }

    mutating func forgetReserved() { reserved = [] }

    /// Whether a segment holds the document.
    ///
    /// Complexity: logarithmic in the number of segments.
    func contains(_ document: UInt32) -> Bool {
        let place = segments.firstPlace { $0.manifest.documents.upperBound > document }
        return place < segments.count
            && segments[place].manifest.documents.contains(document)
            && !missing.contains(document)
    }

    /// Whether what is stored under the number belongs to the rebuild, now or soon: nobody else may
    /// delete it.
    func owns(_ document: UInt32) -> Bool {
        contains(document) || reserved.contains { $0.contains(document) }
    }
}

extension MemorySegment {
    /// One segment out of several that follow each other. Records are left out: they must be in the
    /// store.
    ///
    /// Complexity: linear in the postings, times the logarithm of the number of segments in the
    /// terms.
    static func merging(_ segments: [MemorySegment]) -> MemorySegment {
        var strings = StringTable()
        var documents = DocumentTable()
        var stringOffsets: [UInt32] = []
        var parts: [(segment: MemorySegment, offset: UInt32)] = []
        var textByteCount = 0
        for segment in segments {
            stringOffsets.append(UInt32(strings.count))
            let documentOffset = UInt32(documents.count)
            parts.append((segment, documentOffset))
            let stringOffset = strings.count
            for document in 0..<segment.documentCount {
                segment.documents.withIdentifier(of: document) {
                    documents.begin(
                        identifier: $0, weight: segment.documents.weights[document],
                        firstString: stringOffset + Int(segment.documents.firstString[document]))
                }
                segment.documents.withAttributes(of: document) { documents.setAttributes($0) }
            }
            for string in 0..<segment.strings.count {
                strings.append(
                    document: segment.strings.document[string] + documentOffset,
                    index: segment.strings.index[string], firstWord: 0,
                    length: segment.strings.length[string])
            }
            textByteCount += segment.textByteCount
        }
        return MemorySegment(
            terms: MemoryTerms(merging: segments, stringOffsets: stringOffsets),
            stems: StemList(merging: parts), strings: strings, documents: documents,
            textByteCount: textByteCount)
    }
}

extension MemoryTerms {
    /// Those of several segments, whose strings are numbered from the offsets on.
    fileprivate init(merging segments: [MemorySegment], stringOffsets: [UInt32]) {
        var bytes = Buffer<UInt8>(capacity: 4096)
        var starts = Buffer<UInt32>()
        var prefixes = Buffer<UInt64>()
        var ends = Buffer<UInt32>()
        var occurrences = Buffer<Occurrence>()
        let merge = TermMerge(segments)
        merge.forEachTerm { term, range in
            prefixes.append(TermOrder.prefix(term))
            starts.append(UInt32(bytes.count))
            bytes.append(contentsOf: term)
            bytes.append(0)
            for index in range {
                let entry = merge.entries[index]
                let offset = stringOffsets[Int(entry.segment)]
                segments[Int(entry.segment)].terms.withOccurrences(of: Int(entry.term)) {
                    for occurrence in $0 {
                        occurrences.append(
                            Occurrence(
                                string: occurrence.string &+ offset,
                                position: occurrence.position))
                    }
                }
            }
            ends.append(UInt32(occurrences.count))
        }
        starts.append(UInt32(bytes.count))
        self.init(
            bytes: bytes, starts: starts, prefixes: prefixes, occurrenceEnds: ends,
            occurrences: occurrences)
    }
}

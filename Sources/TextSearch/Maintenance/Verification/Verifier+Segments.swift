import Foundation

/// The tables that have a segment's number in their keys.
extension Verifier {
    func examineColumns() throws {
        try forEachEntry(of: .columns) { key, value in
            guard let segment = try segment(key, value) else {
                return countUnnamed(.columns)
            }
            guard key.count == Key.segmentPrefixLength + 5 else { throw MalformedData() }
            try segment.addPage(
                Int(try Key.lastNumber(key)), of: key[Key.segmentPrefixLength], value)
        }
        for segment in visible + rebuilt where !segment.hasColumns {
            report.add(
                .missing, .columns, segment: segment.manifest.number,
                "weights, lengths or identifiers are not there in full")
        }
        for segment in visible + rebuilt where !segment.attributes.isWhole {
            report.add(
                .missing, .columns, segment: segment.manifest.number,
                "attributes are not there in full")
        }
        for (segment, inUse) in zip(visible, view.snapshot.flushed)
        where segment.missing.count != inUse.missingCount {
            report.add(
                .mismatch, .columns, segment: segment.manifest.number,
                "other documents are marked as missing than when it was opened")
        }
    }

    func examineVocabulary() throws {
        try forEachEntry(of: .vocabulary) { key, value in
            guard let segment = try segment(key, value) else {
                return countUnnamed(.vocabulary)
            }
            guard key.count == Key.segmentPrefixLength + 4 else { throw MalformedData() }
            try segment.addPart(try Key.lastNumber(key), value)
        }
        for segment in visible + rebuilt {
            report.termCount += segment.termCount
            guard !segment.hasVocabulary else { continue }
            report.add(
                .mismatch, .vocabulary, segment: segment.manifest.number,
                "there are \(segment.termCount) terms in \(segment.vocabulary.count) parts where \(segment.manifest.termCount) in \(segment.manifest.partCount) were written"
            )
        }
    }

    func examineStems() throws {
        try forEachEntry(of: .stems) { key, value in
            guard let segment = try segment(key, value) else {
                return countUnnamed(.stems)
            }
            guard key.count > Key.segmentPrefixLength, !value.isEmpty else {
                throw MalformedData()
            }
            for term in try StoredStems.decode(value) {
                let isThere = term.bytes.withUnsafeBufferPointer { segment.has($0) }
                let last = term.documents?.last.map { Int($0) } ?? 0
                guard isThere, last < segment.manifest.documentCount else {
                    report.add(
                        .mismatch, .stems, segment: segment.manifest.number, key: Data(key),
                        "a stem of a term or of a document that the segment does not have")
                    continue
                }
            }
        }
    }

    /// Walks over the vocabularies, the postings and the positions side by side: all three are in
    /// the order of segments, then of terms.
    func examinePostings() throws {
        var examiner = PostingsExaminer()
        let postings = EntryWalk(self, .postings, view.cursor)
        let positions = EntryWalk(self, .positions, view.second)
        try reading(.postings) { try postings.begin() }
        try reading(.positions) { try positions.begin() }
        for segment in segments.values.sorted(by: { $0.manifest.number < $1.manifest.number }) {
            let impacts = Impacts(segment.lengths)
            try FlushedTerms.forEach(in: [segment.vocabulary]) { term, holders in
                for holder in holders {
                    try examine(
                        term, at: holder.place, segment, impacts, &examiner, postings, positions)
                }
            }
        }
        try postings.finish()
        try positions.finish()
    }

    /// Examines the postings of a term and their positions.
    private func examine(
        _ term: UnsafeBufferPointer<UInt8>, at place: TermPlace, _ segment: SegmentExamination,
        _ impacts: Impacts, _ examiner: inout PostingsExaminer, _ postings: EntryWalk,
        _ positions: EntryWalk
    ) throws {
        let number = segment.manifest.number
        var key = Buffer<UInt8>()
        Key.term(.postings, term, segment: number, into: &key)
        let inline = segment.inlinePostings(at: place)
        guard let chunk = try inline ?? postings.take(key.toArray(), number) else { return }
        do {
            var pages: [[UInt8]] = []
            for page in 0..<(try examiner.pageCount(of: chunk)) {
                Key.positions(term, segment: number, page: page, into: &key)
                guard let bytes = try positions.take(key.toArray(), number) else { break }
                pages.append(bytes)
            }
            try examiner.examine(chunk, pages: pages, segment, impacts) {
                report.occurrenceCount += 1
                guard occurrences != nil else { return }
                occurrences?[$0 + segment.manifest.firstDocument, default: 0] &+=
                    Self.digest(term, $1, $2)
            }
        } catch let fault as PostingsExaminer.Fault {
            report.add(
                .mismatch, .postings, segment: number, key: Data(key.toArray()), fault.message)
        } catch is MalformedData {
            report.add(
                .malformed, .postings, segment: number, key: Data(key.toArray()),
                "the postings cannot be decoded")
        }
    }

    /// The digest of one occurrence of a term.
    static func digest(
        _ term: UnsafeBufferPointer<UInt8>, _ string: UInt32, _ position: UInt32
    ) -> UInt64 {
        let place = EntryDigest.mixed(UInt64(string) << 32 | UInt64(position))
        return withUnsafeBytes(of: place) { EntryDigest.of(UnsafeRawBufferPointer(term), $0) }
    }
}

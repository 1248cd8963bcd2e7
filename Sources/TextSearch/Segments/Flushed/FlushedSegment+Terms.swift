/// Looks for single terms: only the parts of the vocabulary that are asked for are read.
extension FlushedSegment {
    /// Where a term stands in the vocabulary; nil where the segment does not have it.
    ///
    /// Complexity: logarithmic in the number of terms.
    func place(of term: UnsafeBufferPointer<UInt8>) throws -> TermPlace? {
        guard let part = try partNumber(of: term), let number = try self.part(part).number(of: term)
        else { return nil }
        return TermPlace(part: UInt32(part), term: UInt32(number))
    }

    /// The only part that may have a term.
    private func partNumber(of term: UnsafeBufferPointer<UInt8>) throws -> Int? {
        let behind = try (0..<manifest.partCount).firstPlace {
            try !begins($0, notBehind: term)
        }
        return behind > 0 ? behind - 1 : nil
    }

    /// Lends the stored postings of a term to `body`; nil where the segment does not have it.
    func withPostings<R>(
        of term: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        if hasVocabulary {
            guard let place = try place(of: term) else { return nil }
            return try withPostings(of: term, at: place, body)
        }
        // What is an entry of its own needs no part of the vocabulary, and what is in one not all
        // of it.
        if let found = try withEntry(of: term, body) { return found }
        guard let part = try partNumber(of: term) else { return nil }
        return try withPart(part) { whole in
            try VocabularyPart.withPostings(of: term, in: whole) { chunk in
                guard !chunk.isEmpty else {
                    throw TextIndexError.corrupted("postings of segment \(number)")
                }
                return try body(chunk)
            }
        }
    }

    /// Lends the stored postings of a term of the vocabulary to `body`.
    func withPostings<R>(
        of term: UnsafeBufferPointer<UInt8>, at place: TermPlace,
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        if let found = try withInlinePostings(at: place, body) { return found }
        guard let found = try withEntry(of: term, body) else {
            throw TextIndexError.corrupted("postings of segment \(number)")
        }
        return found
    }

    /// Lends the postings that stand in the vocabulary to `body`; nil where they are an entry of
    /// their own.
    func withInlinePostings<R>(
        at place: TermPlace, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        let part = try part(Int(place.part))
        return try IndexStore.translating(.vocabulary) {
            try part.withInlinePostings(of: Int(place.term), body)
        }
    }

    private func withEntry<R>(
        of term: UnsafeBufferPointer<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R? {
        var key = Buffer<UInt8>(capacity: term.count + 8)
        Key.term(.postings, term, segment: number, into: &key)
        return try store.withValue(key, .postings, body)
    }

    /// Whether the first term of a part does not come behind `term`.
    private func begins(
        _ number: Int, notBehind term: UnsafeBufferPointer<UInt8>
    ) throws -> Bool {
        if let part = loadedPart(number) { return part.begins(notBehind: term) }
        let first = try firstTerm(ofPart: number)
        return first.withUnsafeBufferPointer { TermOrder.compare($0, term) <= 0 }
    }

    /// More parts than this are read once and for all, with the rest of the vocabulary; those of
    /// several segments have to find room among the recent ones.
    private static let mostSingleParts = 2

    /// Calls `body` with each part of the vocabulary that has terms with a beginning, its number,
    /// and where in it they are, in order.
    ///
    /// Complexity: logarithmic in the number of terms, and linear in the parts that have them;
    /// linear in all of them for the first of the segment's beginnings that many have.
    func forEachRange(
        beginningWith prefix: UnsafeBufferPointer<UInt8>,
        _ body: (_ part: VocabularyPart, _ number: Int, _ places: Range<Int>) throws -> Void
    ) throws {
        if (1...VocabularySamples.longestPrefix).contains(prefix.count), !prefix.contains(0),
            let (parts, samples) = loadedVocabulary
        {
            return try samples.forEachRange(beginningWith: prefix, in: parts, body)
        }
        try forEachPart(beginningWith: prefix) { part, number in
            let places = part.places(beginningWith: prefix)
            if !places.isEmpty { try body(part, number, places) }
        }
    }

    /// Calls `body` with each part of the vocabulary that may have terms with a beginning, and its
    /// number, in order.
    ///
    /// Complexity: logarithmic in the number of parts, and linear in those that have them; linear
    /// in all of them for the first of the segment's beginnings that many have.
    private func forEachPart(
        beginningWith prefix: UnsafeBufferPointer<UInt8>,
        _ body: (_ part: VocabularyPart, _ number: Int) throws -> Void
    ) throws {
        let count = manifest.partCount
        let behind = try (0..<count).firstPlace { try !begins($0, notBehind: prefix) }
        // The one before may have some at its end.
        let first = max(behind - 1, 0)
        let end = try (behind..<count).firstPlace { try !begins($0, with: prefix) }
        if !hasVocabulary, end - first <= Self.mostSingleParts {
            for number in first..<end { try body(part(number), number) }
        } else {
            let parts = try vocabulary()
            for number in first..<end { try body(parts[number], number) }
        }
    }

    private func begins(
        _ number: Int, with prefix: UnsafeBufferPointer<UInt8>
    ) throws -> Bool {
        if let part = loadedPart(number) { return part.begins(with: prefix) }
        return try firstTerm(ofPart: number).starts(with: prefix)
    }

    func part(_ number: Int) throws -> VocabularyPart {
        if let part = loadedPart(number) { return part }
        let name = PatternCaches.PartKey(segment: self.number, part: number)
        let recent = caches.patterns.parts
        if let part = recent.value(for: name) { return part }
        let part = try withPart(number) { try VocabularyPart($0) }
        noteRead(of: part)
        recent.insert(part, for: name, byteCount: part.byteCount)
        return part
    }

    /// Lends a stored part to `body`.
    func withPart<R>(
        _ number: Int, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        var key = Buffer<UInt8>(capacity: 16)
        Key.part(.vocabulary, segment: self.number, part: UInt32(number), into: &key)
        guard let found = try store.withValue(key, .vocabulary, body) else {
            throw TextIndexError.corrupted("vocabulary of segment \(self.number)")
        }
        return found
    }
}

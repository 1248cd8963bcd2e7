extension TermHits {
    /// Counts the words of flushed segments that begin with a prefix, as far as it goes by what is
    /// known of prefixes that were typed before.
    ///
    /// The counts are those of ``CountFinder/counts(_:)``; the terms are not noted in `matched`.
    mutating func countTyped(
        _ prefix: [UInt8], _ strings: StringSelection, _ typed: TypedPrefixes, _ needs: MatchNeeds,
        into counts: inout Buffer<WordCount>
    ) throws {
        let segments = snapshot.flushed
        var known = segments.map { typed.counts(of: prefix, in: $0.number) }
        for found in known.compactMap({ $0 }) { expansions.meet(found.termCount) }
        if expansions.isExceeded { throw TooManyTerms() }
        let missing = segments.indices.filter { known[$0] == nil }
        if !missing.isEmpty {
            let sums = try sums(of: prefix, in: missing.map { segments[$0] }, typed, needs)
            for (place, sums) in zip(missing, sums) { known[place] = sums }
        }
        let share = MemoryShare(clock)
        for (segment, sums) in zip(segments, known) {
            guard let sums else { continue }
            // Before the memory is taken: a count has 12 bytes, where 5 were.
            try share.grow(to: counts.byteCount(adding: sums.byteCount / 5))
            if try isCut(needs, afterWork: sums.byteCount / 128) { break }
            Self.append(
                sums, try segment.lengths(), segment.manifest.firstDocument, strings,
                snapshot.hasDead(in: segment) ? snapshot.dead : nil, to: &counts)
        }
    }

    /// Adds up the words of segments of which nothing is known.
    private mutating func sums(
        of prefix: [UInt8], in segments: [FlushedSegment], _ typed: TypedPrefixes,
        _ needs: MatchNeeds
    ) throws -> [PrefixCounts] {
        let lengths = try segments.map { try $0.lengths() }
        let sums = lengths.map { SlotSums(slotCount: $0.slotCount) }
        let slots = lengths.map(\.slots)
        let share = MemoryShare(clock)
        defer { withExtendedLifetime(share) {} }
        var termCounts = [Int](repeating: 0, count: segments.count)
        let numbers = segments.map(\.number)
        if let words = typed.words(covering: prefix, numbers) {
            let places = Dictionary(uniqueKeysWithValues: zip(numbers, numbers.indices))
            words.forEach(beginningWith: prefix) { segment in
                if let place = places[segment] { termCounts[place] += 1 }
            } entry: { segment, slot, count in
                if let place = places[segment] { sums[place].counter.add(slot, count) }
            }
            for count in termCounts { expansions.meet(count) }
            if expansions.isExceeded { throw TooManyTerms() }
            return zip(sums, termCounts).map { PrefixCounts($0, termCount: $1) }
        }
        try Self.read(prefix, segments, slots, sums, &termCounts, typed, share, needs, &self)
        let counts = zip(sums, termCounts).map { PrefixCounts($0, termCount: $1) }
        // What was cut short is of no use to anybody else, and what was read has room that what is
        // soon added up again would take.
        if !clock.isSpent {
            for (counts, number) in zip(counts, numbers) {
                typed.keep(counts, of: prefix, in: number)
            }
        }
        return counts
    }

    private static func read(
        _ prefix: [UInt8], _ segments: [FlushedSegment], _ slots: [SlotPlaces],
        _ sums: [SlotSums], _ termCounts: inout [Int], _ typed: TypedPrefixes,
        _ share: MemoryShare, _ needs: MatchNeeds, _ hits: inout Self
    ) throws {
        var words = TypedWords(prefix: prefix, segments: segments.map(\.number))
        try forEachTermInOrder(&hits, of: .prefix(prefix), in: segments, needs) {
            hits, term, _, place, postings in
            try hits.reader.readCounts(postings)
            // Its counter may begin to hold all strings of its segment; what is kept of words has a
            // bound, and lasts.
            let held = sums.reduce(0) { $0 + $1.counter.byteCount }
            try share.grow(to: held + words.byteCount)
            try hits.clock.work(hits.reader.chunk.documentCount)
            termCounts[place] += 1
            words.begin(term, segment: segments[place].number)
            var isSound = true
            hits.reader.chunk.forEachRun { document, run in
                if let slot = slots[place].slot(of: Int(document), string: Int(run.string)) {
                    sums[place].counter.add(UInt32(truncatingIfNeeded: slot), run.frequency)
                    words.add(UInt32(truncatingIfNeeded: slot), run.frequency)
                } else {
                    isSound = false
                }
            }
            if !isSound { throw missing(segments[place]) }
        }
        if !hits.clock.isSpent { typed.keep(words) }
    }

    /// Appends the counts of living documents in the strings that are looked in.
    private static func append(
        _ sums: PrefixCounts, _ lengths: LengthColumn, _ first: UInt32,
        _ strings: StringSelection, _ dead: Tombstones?, to counts: inout Buffer<WordCount>
    ) {
        var walk = lengths.makeSlotWalk()
        sums.forEach { slot, count in
            let place = walk.place(of: slot)
            let number = first &+ place.document
            if strings.contains(place.string), dead?.contains(number) != true {
                counts.append(WordCount(document: number, string: place.string, count: count))
            }
        }
    }
}

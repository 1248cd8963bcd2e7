/// How often words stand in the strings of a flushed segment, to be read in the order of documents.
final class SegmentSums {
    let lengths: LengthColumn
    let slots: SlotPlaces
    var counter: SlotCounter
    let firstDocument: UInt32
    private let strings: StringSelection
    /// The dead documents of the segment, if it has some.
    let dead: Tombstones?
    let clock: SearchClock
    private let share: MemoryShare
    /// Those of the segment, for who asks for the best documents.
    let weights: LazySlotWeights

    /// Only `strings` of what is added count.
    init(
        _ lengths: LengthColumn, _ strings: StringSelection, firstDocument: UInt32,
        dead: Tombstones?, _ spare: SpareSlots, _ weights: LazySlotWeights = LazySlotWeights(),
        clock: SearchClock
    ) {
        self.clock = clock
        share = MemoryShare(clock)
        self.lengths = lengths
        slots = lengths.slots
        self.strings = strings
        self.firstDocument = firstDocument
        self.dead = dead
        self.weights = weights
        counter = SlotCounter(slotCount: lengths.slotCount, width: max(slots.width, 1), spare)
    }

    deinit { counter.giveBack() }

    /// Adds up the postings of a term, which `reader` decodes; in how many documents they are. Nil
    /// where a string is none of the segment's.
    func add(
        _ postings: UnsafeRawBufferPointer, _ reader: inout TermPostingsReader
    ) throws -> UInt32? {
        // Lent once for all postings: each access to a part of an object is checked as the program
        // runs.
        let documents = try Self.add(postings, strings, &reader, at: slots, to: &counter, clock)
        try share.grow(to: counter.byteCount)
        return documents
    }

    /// Adds up the postings of a term in some documents, which ascend; false where a string is none
    /// of the segment's.
    func add(
        _ postings: UnsafeRawBufferPointer, _ reader: inout TermPostingsReader,
        among documents: ArraySlice<UInt32>
    ) throws -> Bool {
        let (slots, first, strings) = (slots, firstDocument, strings)
        if let (document, run) = try TermPostingsReader.readSingle(postings) {
            guard strings.contains(run.string), documents.holds(first &+ document) else {
                return true
            }
            let isSound = Self.add(run, document, at: slots, to: &counter)
            try share.grow(to: counter.byteCount)
            return isSound
        }
        var isSound = true
        try reader.readRuns(postings, of: documents, from: first) { chunk in
            chunk.forEachRun(of: documents, from: first) { document, run in
                if !strings.contains(run.string) { return }
                isSound = Self.add(run, document, at: slots, to: &counter) && isSound
            }
            return !clock.isOver(afterWork: 128)
        }
        try share.grow(to: counter.byteCount)
        return isSound
    }

    /// How many sums there are at the most.
    var touchedCount: Int { counter.touchedCount }

    @inline(__always)
    private static func add(
        _ postings: UnsafeRawBufferPointer, _ strings: StringSelection,
        _ reader: inout TermPostingsReader, at slots: SlotPlaces,
        to counter: inout SlotCounter, _ clock: SearchClock
    ) throws -> UInt32? {
        if case .all = strings {
            if let (document, run) = try TermPostingsReader.readSingle(postings) {
                return add(run, document, at: slots, to: &counter) ? 1 : nil
            }
            if counter.isInPlace, slots.width > 0 {
                return try addInPlace(postings, &reader, at: slots, to: &counter, clock)
            }
        }
        return try addInOrder(postings, strings, &reader, at: slots, to: &counter, clock)
    }

    /// The same run by run. When the time is over it ends after a block: who calls looks at the
    /// clock again.
    private static func addInOrder(
        _ postings: UnsafeRawBufferPointer, _ strings: StringSelection,
        _ reader: inout TermPostingsReader, at slots: SlotPlaces,
        to counter: inout SlotCounter, _ clock: SearchClock
    ) throws -> UInt32? {
        var isSound = true
        var documents = DocumentCounter()
        try reader.readRuns(postings) { chunk in
            chunk.forEachRun { document, run in
                if !strings.contains(run.string) { return }
                documents.count(document)
                isSound = add(run, document, at: slots, to: &counter) && isSound
            }
            return !clock.isOver(afterWork: 128)
        }
        return isSound ? documents.count : nil
    }

    /// The same where each string has its place in memory: block by block, without runs of those
    /// that have the term in the usual string alone.
    private static func addInPlace(
        _ postings: UnsafeRawBufferPointer, _ reader: inout TermPostingsReader,
        at slots: SlotPlaces, to counter: inout SlotCounter, _ clock: SearchClock
    ) throws -> UInt32? {
        var isSound = true
        var documents: UInt32 = 0
        try reader.readFrequencies(postings) { chunk in
            documents &+= UInt32(truncatingIfNeeded: chunk.documentCount)
            isSound = add(chunk, at: slots, to: &counter) && isSound
            return !clock.isOver(afterWork: 128)
        }
        return isSound ? documents : nil
    }

    private static func add(
        _ block: borrowing PostingsChunk, at slots: SlotPlaces,
        to counter: inout SlotCounter
    ) -> Bool {
        var isSound = true
        if block.others.count < block.documentCount {
            isSound = block.documents.withElements { documents in
                block.frequencies.withElements {
                    counter.add($0, to: documents, string: Int(block.usualString))
                }
            }
        }
        for number in 0..<block.others.count {
            let document = block.documents[Int(block.others[number])]
            for run in block.runRange(at: number) {
                isSound = add(block.runs[run], document, at: slots, to: &counter) && isSound
            }
        }
        return isSound
    }

    @inline(__always)
    private static func add(
        _ run: PostingsRun, _ document: UInt32, at slots: SlotPlaces,
        to counter: inout SlotCounter
    ) -> Bool {
        guard let slot = slots.slot(of: Int(document), string: Int(run.string)) else {
            return false
        }
        if slots.width > 0 {
            counter.add(document, string: run.string, run.frequency)
        } else {
            counter.add(UInt32(truncatingIfNeeded: slot), run.frequency)
        }
        return true
    }

    /// Appends the counts of living documents.
    func append(to counts: inout Buffer<WordCount>) {
        let sums = counter.sums()
        var walk = lengths.makeSlotWalk()
        for number in 0..<sums.count {
            let sum = sums[number]
            let place = walk.place(of: sum.slot)
            let document = firstDocument &+ place.document
            if let dead, dead.contains(document) { continue }
            counts.append(
                WordCount(document: document, string: place.string, count: sum.count))
        }
    }

    /// Appends the living documents, which ascend.
    func append(to documents: inout [UInt32]) {
        let sums = counter.sums()
        documents.reserveCapacity(documents.count &+ sums.count)
        var walk = lengths.makeSlotWalk()
        for number in 0..<sums.count {
            let document = firstDocument &+ walk.place(of: sums[number].slot).document
            if document == documents.last || dead?.contains(document) ?? false { continue }
            documents.append(document)
        }
    }

    /// Appends the living documents, and how often the words stand there, normalised by `norms` of
    /// the strings and added up over them.
    func append(
        _ norms: [StringNorm], _ work: MatchWork, to documents: inout Buffer<UInt32>,
        _ frequencies: inout Buffer<NormalizedFrequency>
    ) throws {
        let sums = counter.sums()
        let (numbers, outputs) = (
            documents.tail(room: sums.count), frequencies.tail(room: sums.count)
        )
        let (first, dead) = (firstDocument, dead)
        var walk = lengths.makeSlotWalk()
        let found = try sums.withElements { sums in
            try norms.withUnsafeBufferPointer { norms in
                var found = 0
                var last: UInt32?
                for (number, sum) in sums.enumerated() {
                    if number & 1_023 == 1_023, try work.isOver(after: 1_024) { break }
                    let place = walk.place(of: sum.slot)
                    let document = first &+ place.document
                    let string = Int(place.string)
                    var frequency = NormalizedFrequency()
                    if string < norms.count {
                        frequency = norms[string].normalized(
                            frequency: Double(sum.count),
                            length: Double(walk.length(of: sum.slot)))
                    }
                    if document == last {
                        outputs[found &- 1].add(frequency)
                        continue
                    }
                    if let dead, dead.contains(document) { continue }
                    last = document
                    numbers[found] = document
                    outputs[found] = frequency
                    found &+= 1
                }
                return found
            }
        }
        documents.commit(found)
        frequencies.commit(found)
    }
}

extension SegmentSums: PostingsTaker {
    /// So many postings has a term in the mean, or more, but for names and numbers.
    private static let likelyPostings = 8

    func expect(termCount: Int) { counter.expect(termCount &* Self.likelyPostings) }

    func take(
        _ postings: UnsafeRawBufferPointer, _ reader: inout TermPostingsReader
    ) throws -> Bool {
        try add(postings, &reader) != nil
    }

    func take(
        _ places: Range<Int>, of part: VocabularyPart, _ reader: inout TermPostingsReader,
        entries: inout Buffer<UInt32>
    ) throws -> Bool {
        let isSound = try Self.add(
            places, of: part, strings, &reader, at: slots, to: &counter, &entries, clock)
        try share.grow(to: counter.byteCount)
        return isSound
    }

    private static func add(
        _ places: Range<Int>, of part: VocabularyPart, _ strings: StringSelection,
        _ reader: inout TermPostingsReader, at slots: SlotPlaces,
        to counter: inout SlotCounter, _ entries: inout Buffer<UInt32>, _ clock: SearchClock
    ) throws -> Bool {
        var isSound = true
        try part.forEachChunk(in: places, entries: &entries) {
            let found = try add($0, strings, &reader, at: slots, to: &counter, clock)
            isSound = found != nil && isSound
        }
        return isSound
    }
}

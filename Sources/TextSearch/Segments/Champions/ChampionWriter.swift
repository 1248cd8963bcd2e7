/// Makes the lists of a segment out of the postings that were put aside as it was written.
struct ChampionWriter: ~Copyable {
    private let infixes: StopWordInfixes
    private let lengths: LengthColumn
    private let impacts: Impacts
    private let spare = SpareSlots()
    /// What stands in fewer documents is quickly found out, and has no list.
    private let leastDocuments: Int
    /// For which documents have a keyword there are so many bytes; the lists behind do not say it. Verification makes lists in the same way and compares them as wholes.
    private let mostDocumentBytes: Int
    private var choice = ChampionChoice()
    private var reader = TermPostingsReader()

    /// `lengths` are those of the segment's documents.
    init(
        _ infixes: StopWordInfixes, _ lengths: LengthColumn, leastDocuments: Int,
        mostDocumentBytes: Int = 8 << 20
    ) {
        self.mostDocumentBytes = mostDocumentBytes
        self.infixes = infixes
        self.lengths = lengths
        impacts = Impacts(lengths)
        self.leastDocuments = leastDocuments
    }

    /// Puts the page of lists into a batch, if there are any.
    ///
    /// Complexity: that of ``lists(_:check:)``.
    mutating func write(
        _ postings: [StopWordPostings], segment: UInt32, into batch: StoreBatch,
        check: () throws -> Void = {}
    ) throws {
        let lists = try lists(postings, check: check)
        guard !lists.isEmpty else { return }
        var key = Buffer<UInt8>(capacity: 16)
        Key.column(segment: segment, column: Column.champions, page: 0, into: &key)
        var page = Buffer<UInt8>()
        lists.encode(into: &page)
        batch.put(key, page)
    }

    /// The lists of what was put aside, by several threads, each of other terms. Asks `check` before each.
    ///
    /// Complexity: linear in the postings that were put aside.
    mutating func lists(
        _ postings: [StopWordPostings], check: () throws -> Void = {}
    ) throws -> ChampionLists {
        var lists = ChampionLists()
        guard postings.allSatisfy(\.isWhole) else { return lists }
        var documentBytes = 0
        for (number, word) in infixes.words.enumerated() {
            try check()
            guard var list = try list(number, postings) else { continue }
            documentBytes += list.documents.bytes.count
            if documentBytes > mostDocumentBytes { list.documents = ListedDocuments() }
            lists.add(list, for: word)
        }
        return lists
    }

    /// Nil also where a posting names a string that is not there: who needs it finds out.
    private mutating func list(
        _ number: Int, _ postings: [StopWordPostings]
    ) throws -> ChampionList? {
        let termCount = postings.reduce(0) { $0 + $1.termCount(of: number) }
        guard termCount > 0 else { return nil }
        let sums = SegmentSums(
            lengths, .all, firstDocument: 0, dead: nil, spare,
            clock: SearchClock(.unlimited, longest: nil))
        var isSound = true
        for postings in postings {
            try postings.forEach(of: number) {
                if try sums.add($0, &reader) == nil { isSound = false }
            }
        }
        guard isSound else { return nil }
        return choice.choose(
            sums, impacts, termCount: termCount, leastDocuments: leastDocuments)
    }
}

/// Chooses the documents of a list, group by group.
private struct ChampionChoice: ~Copyable {
    /// Strings and frequencies from these on have no groups.
    private static let (stringCount, frequencyCount) = (8, 64)
    /// Of more documents that are in no group, and more than a sixteenth of all, so many are kept.
    private static let mostOthers = 256

    /// All documents that have the keyword.
    private var documents = Buffer<UInt32>()
    /// The best documents of each group, the shortest first: the length, then the document.
    private var kept = Buffer<UInt64>(
        repeating: 0, count: stringCount * frequencyCount * ChampionList.groupSize)
    private var keptCounts = [Int](repeating: 0, count: stringCount * frequencyCount)
    /// Where the counts of documents that are in no group begin.
    private var others = Buffer<UInt32>()

    /// Nil where there are too few documents.
    mutating func choose(
        _ sums: SegmentSums, _ impacts: Impacts, termCount: Int, leastDocuments: Int
    ) -> ChampionList? {
        let found = sums.counter.sums()
        guard found.count >= leastDocuments else { return nil }
        for group in keptCounts.indices { keptCounts[group] = 0 }
        documents.removeAll()
        others.removeAll()
        var list = ChampionList()
        list.termCount = termCount
        var walk = sums.lengths.makeSlotWalk()
        var place = 0
        while place < found.count {
            let first = place
            let (document, string) = walk.place(of: found[first].slot)
            let length = walk.length(of: found[first].slot)
            repeat { place += 1 } while place < found.count && found[place].slot < walk.end
            documents.append(document)
            if place - first == 1, string < Self.stringCount,
                found[first].count < Self.frequencyCount
            {
                let group = Int(string) * Self.frequencyCount + Int(found[first].count)
                offer(UInt64(length) << 32 | UInt64(document), to: group)
                continue
            }
            others.append(UInt32(truncatingIfNeeded: first))
        }
        guard documents.count >= leastDocuments else { return nil }
        list.documentCount = documents.count
        list.documents = ListedDocuments(documents, of: sums.lengths.count)
        list.groups = groups()
        chooseOthers(sums.lengths, found, impacts, for: &list)
        return list
    }

    /// Gives a list the documents that are in no group, or those of them that have the highest impacts.
    private borrowing func chooseOthers(
        _ lengths: LengthColumn, _ found: borrowing Buffer<SlotCounter.SlotCount>,
        _ impacts: Impacts, for list: inout ChampionList
    ) {
        var most = 0.0
        if others.count <= max(Self.mostOthers, documents.count / 16) {
            forEachOther(lengths, found) { list.others += $0 }
        } else {
            var best = TopHeap(capacity: Self.mostOthers)
            forEachOther(lengths, found) { best.offer($0[0].document, Self.impact($0, impacts)) }
            let kept = Set(best.sorted.map(\.document))
            forEachOther(lengths, found) { counts in
                if kept.contains(counts[0].document) {
                    list.others += counts
                } else {
                    most = max(most, Self.impact(counts, impacts))
                }
            }
        }
        list.leftOut = most > 0 ? Impact.stored(most) : 0
    }

    private static func impact(_ counts: [ChampionList.Count], _ impacts: Impacts) -> Double {
        counts.reduce(0) {
            $0 + Double($1.frequency) * impacts.weight(of: $1.document, string: $1.string)
        }
    }

    /// Calls `body` with the counts of each document that is in no group: one at least.
    private borrowing func forEachOther(
        _ lengths: LengthColumn, _ found: borrowing Buffer<SlotCounter.SlotCount>,
        _ body: (_ counts: [ChampionList.Count]) -> Void
    ) {
        var walk = lengths.makeSlotWalk()
        var counts: [ChampionList.Count] = []
        for other in 0..<others.count {
            var place = Int(others[other])
            counts.removeAll(keepingCapacity: true)
            repeat {
                let (document, string) = walk.place(of: found[place].slot)
                counts.append(
                    .init(document: document, string: string, frequency: found[place].count))
                place += 1
            } while place < found.count && found[place].slot < walk.end
            body(counts)
        }
    }

    private mutating func offer(_ document: UInt64, to group: Int) {
        let size = ChampionList.groupSize
        let start = group * size
        var count = keptCounts[group]
        kept.withMutableElements { kept in
            if count == size {
                guard document < kept[start + size - 1] else { return }
                count -= 1
            }
            var place = start + count
            while place > start, kept[place - 1] > document {
                kept[place] = kept[place - 1]
                place -= 1
            }
            kept[place] = document
            count += 1
        }
        keptCounts[group] = count
    }

    private func groups() -> [ChampionList.Group] {
        var groups: [ChampionList.Group] = []
        for frequency in (1..<Self.frequencyCount).reversed() {
            for string in 0..<Self.stringCount {
                let group = string * Self.frequencyCount + frequency
                guard keptCounts[group] > 0 else { continue }
                let start = group * ChampionList.groupSize
                let documents = (start..<(start + keptCounts[group])).map {
                    UInt32(truncatingIfNeeded: kept[$0])
                }
                groups.append(
                    ChampionList.Group(
                        string: UInt32(string), frequency: UInt32(frequency),
                        documents: documents.sorted()))
            }
        }
        return groups
    }
}

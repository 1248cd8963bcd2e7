/// The list of a keyword in a flushed segment, in place of what its words add up to there.
struct Champions {
    let list: ChampionList
    let lengths: LengthColumn
    let firstDocument: UInt32
    /// The dead documents of the segment, if it has some.
    private let dead: Tombstones?
    /// How many living documents have the keyword.
    private let documentCount: Int

    /// Nil where the segment has no list of the keyword, or, where some of its documents are dead, the list does not say which of them have it.
    init?(
        _ pattern: TermPattern, _ stopWords: StopWordInfixes, in segment: FlushedSegment,
        dead: Tombstones?
    ) throws {
        guard let list = try segment.championList(of: pattern, stopWords) else { return nil }
        self.list = list
        self.dead = dead
        if let dead {
            let documents = segment.manifest.documents
            guard let deadCount = try list.documents.deadCount(dead, in: documents) else {
                return nil
            }
            documentCount = list.documentCount - deadCount
        } else {
            documentCount = list.documentCount
        }
        lengths = try segment.lengths()
        firstDocument = segment.manifest.firstDocument
    }

    /// Offers its documents to who keeps the best of them, and counts all that have the keyword; appends what those have at the most that were left out: the first one of a full group that may be better than all of it, and any that is in no group.
    func offer(
        _ norms: [StringNorm], to best: inout BestFrequencies,
        leaving bounds: inout [NormalizedFrequency]
    ) {
        best.found += documentCount
        for group in list.groups {
            var longest = 0
            var livingCount = 0
            for document in group.documents {
                let length = lengths.length(of: Int(document), string: Int(group.string))
                longest = max(longest, length)
                guard isLive(document) else { continue }
                livingCount += 1
                var frequency = NormalizedFrequency()
                frequency.add(group.frequency, in: group.string, of: length, norms)
                offer(document, frequency, to: &best)
            }
            guard group.isFull else { continue }
            // Those as long as the longest come behind it by their numbers. Where a longer one scores clearly less than what is kept, the longest scores clearly less than shorter ones, too:
            // with each word a score falls by less than with the one before. Where so many of the group are dead that it is not enough by itself, one as long may be better.
            var bound = NormalizedFrequency()
            bound.add(
                group.frequency, in: group.string,
                of: livingCount < best.capacity ? longest : longest + 1, norms)
            bounds.append(bound)
        }
        var place = 0
        while place < list.others.count {
            let document = list.others[place].document
            var frequency = NormalizedFrequency()
            repeat {
                let count = list.others[place]
                let length = lengths.length(of: Int(document), string: Int(count.string))
                frequency.add(count.frequency, in: count.string, of: length, norms)
                place += 1
            } while place < list.others.count && list.others[place].document == document
            guard isLive(document) else { continue }
            offer(document, frequency, to: &best)
        }
        guard list.leftOut > 0 else { return }
        let scale = ImpactScale(lengths) { $0 < norms.count ? norms[$0] : nil }
        bounds.append(
            NormalizedFrequency(weighted: Impact.read(list.leftOut) * scale.largest))
    }

    private func isLive(_ document: UInt32) -> Bool {
        guard let dead else { return true }
        return !dead.contains(firstDocument &+ document)
    }

    private func offer(
        _ document: UInt32, _ frequency: NormalizedFrequency, to best: inout BestFrequencies
    ) {
        if best.mayKeep(frequency) { best.offer(firstDocument &+ document, frequency) }
    }
}

extension NormalizedFrequency {
    /// Adds that of a string of so many words, as sums are added up.
    fileprivate mutating func add(
        _ frequency: UInt32, in string: UInt32, of length: Int, _ norms: [StringNorm]
    ) {
        guard string < norms.count else { return }
        add(norms[Int(string)].normalized(frequency: Double(frequency), length: Double(length)))
    }
}

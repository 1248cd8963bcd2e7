/// Which documents of a segment are the best for its sums.
extension SegmentSums {
    /// Offers the living documents to who keeps the best of them.
    func offerAll(_ norms: [StringNorm], to best: inout BestFrequencies) {
        norms.withUnsafeBufferPointer { norms in
            if slots.width > 0, counter.isInPlace {
                let norms = UnsafeBufferPointer(rebasing: norms.prefix(slots.width))
                if dead == nil, slots.width <= 2, norms.count == slots.width,
                    let weights = weights.get(lengths, width: slots.width)
                {
                    offerByWeights(norms, weights, width: slots.width, to: &best)
                } else {
                    offerInPlace(norms, to: &best)
                }
            } else {
                offerInOrder(norms, to: &best)
            }
        }
    }

    private func offerInOrder(
        _ norms: UnsafeBufferPointer<StringNorm>, to best: inout BestFrequencies
    ) {
        var walk = lengths.makeSlotWalk()
        let sums = counter.sums()
        sums.withElements { sums in
            var place = 0
            while place < sums.count {
                let document = firstDocument &+ walk.place(of: sums[place].slot).document
                var frequency = NormalizedFrequency()
                repeat {
                    let (slot, count) = (sums[place].slot, sums[place].count)
                    let string = Int(walk.place(of: slot).string)
                    if string < norms.count {
                        frequency.add(
                            norms[string].normalized(
                                frequency: Double(count), length: Double(walk.length(of: slot))))
                    }
                    place &+= 1
                } while place < sums.count && sums[place].slot < walk.end
                if let dead, dead.contains(document) { continue }
                best.found &+= 1
                if best.mayKeep(frequency) { best.offer(document, frequency) }
            }
        }
    }

    /// The same where each string has its place in memory, a document has one or two, and none is
    /// dead: lengths are looked at where one of sixteen documents may be among the best.
    private func offerByWeights(
        _ norms: UnsafeBufferPointer<StringNorm>, _ weights: SlotWeights, width: Int,
        to best: inout BestFrequencies
    ) {
        var goal = SlotWeights.Goal(ImpactScale(lengths) { norms[$0] }, width: width)
        goal.raise(to: best.least)
        counter.withSums { sums in
            lengths.withTable { lengths in
                for word in 0..<sums.wordCount {
                    let documents = sums.documents(word)
                    guard documents != 0 else { continue }
                    best.found &+= documents.nonzeroBitCount
                    let candidates = documents & weights.candidates(goal, inWord: word, of: sums)
                    guard candidates != 0 else { continue }
                    sums.forEachDocument(of: candidates, in: word) {
                        Self.offer($0, sums, lengths, norms, firstDocument, to: &best)
                    }
                    goal.raise(to: best.least)
                }
            }
        }
    }

    /// Offers a document.
    @inline(__always)
    private static func offer(
        _ document: Int, _ sums: SlotMemory.Sums, _ lengths: UnsafeBufferPointer<UInt16>,
        _ norms: UnsafeBufferPointer<StringNorm>, _ firstDocument: UInt32,
        to best: inout BestFrequencies
    ) {
        let start = document &* sums.width
        var frequency = NormalizedFrequency()
        for string in norms.indices {
            let count = sums.count(document, string: string)
            if count == 0 { continue }
            frequency.add(
                norms[string].normalized(
                    frequency: Double(count), length: Double(lengths[start &+ string])))
        }
        if best.mayKeep(frequency) {
            best.offer(firstDocument &+ UInt32(truncatingIfNeeded: document), frequency)
        }
    }

    /// So many groups of 64 documents are looked at in one go, at first few: what the best of them
    /// have is asked of all others.
    private static let (firstRangeSize, rangeSize) = (2, 32)

    /// The same where each string has its place in memory: some thousand documents at a time, each
    /// step without branches that would often be foreseen wrongly.
    private func offerInPlace(
        _ norms: UnsafeBufferPointer<StringNorm>, to best: inout BestFrequencies
    ) {
        let largest = norms.reduce(0) { max($0, $1.largest) }
        var documents = Buffer<UInt32>(capacity: 64 * Self.rangeSize)
        counter.withSums { sums in
            lengths.withTable { lengths in
                var (first, size) = (0, Self.firstRangeSize)
                while first < sums.wordCount {
                    let range = first..<min(first + size, sums.wordCount)
                    first += size
                    size = min(2 * size, Self.rangeSize)
                    let least = best.leastCount(largest)
                    let room = documents.tail(room: 64 * range.count)
                    var count = 0
                    for word in range {
                        sums.forEachDocument(of: sums.documents(word), in: word) {
                            room[count] = UInt32(truncatingIfNeeded: $0)
                            count &+= 1
                        }
                    }
                    documents.commit(count)
                    if let dead {
                        documents.keep { dead.contains(firstDocument &+ $0) ? 0 : 1 }
                    }
                    best.found &+= documents.count
                    Self.keep(&documents, least, sums)
                    for place in 0..<documents.count {
                        Self.offer(
                            Int(documents[place]), sums, lengths, norms, firstDocument, to: &best)
                    }
                    documents.removeAll()
                }
            }
        }
    }

    /// Leaves the documents that have `least` occurrences.
    private static func keep(
        _ documents: inout Buffer<UInt32>, _ least: Int, _ sums: SlotMemory.Sums
    ) {
        guard least > 1 else { return }
        documents.keep { document in
            var count = 0
            for string in 0..<sums.width {
                count &+= Int(sums.count(Int(document), string: string))
            }
            return (least &- 1 &- count) >> (Int.bitWidth - 1) & 1
        }
    }
}

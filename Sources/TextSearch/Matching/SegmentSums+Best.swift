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
                    offerInPlace(norms, width: slots.width, to: &best)
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

    /// The same where each string has its place in memory, a document has one or two, and none is dead: lengths are looked at where one of the documents of 64 slots may be among the best.
    private func offerByWeights(
        _ norms: UnsafeBufferPointer<StringNorm>, _ weights: SlotWeights, width: Int,
        to best: inout BestFrequencies
    ) {
        var goal = SlotWeights.Goal(ImpactScale(lengths) { norms[$0] }, width: width)
        goal.raise(to: best.least)
        counter.withSlots { counts, touched in
            lengths.withTable { lengths in
                for word in touched.indices where touched[word] != 0 {
                    // A bit for each document, where its first slot is.
                    var rest =
                        width == 2
                        ? (touched[word] | touched[word] >> 1) & 0x5555_5555_5555_5555
                        : touched[word]
                    best.found &+= rest.nonzeroBitCount
                    guard weights.mayReach(goal, inWord: word, counts) else { continue }
                    while rest != 0 {
                        let slot = word << 6 | rest.trailingZeroBitCount
                        rest &= rest &- 1
                        let document = width == 2 ? slot >> 1 : slot
                        Self.offer(
                            UInt32(truncatingIfNeeded: document), counts, lengths, norms, width,
                            firstDocument, to: &best)
                    }
                    goal.raise(to: best.least)
                }
            }
        }
    }

    /// Offers a document.
    @inline(__always)
    private static func offer(
        _ document: UInt32, _ counts: UnsafeBufferPointer<UInt32>,
        _ lengths: UnsafeBufferPointer<UInt16>, _ norms: UnsafeBufferPointer<StringNorm>,
        _ width: Int, _ firstDocument: UInt32, to best: inout BestFrequencies
    ) {
        let start = Int(document) &* width
        var frequency = NormalizedFrequency()
        for string in norms.indices where counts[start &+ string] > 0 {
            frequency.add(
                norms[string].normalized(
                    frequency: Double(counts[start &+ string]),
                    length: Double(lengths[start &+ string])))
        }
        if best.mayKeep(frequency) { best.offer(firstDocument &+ document, frequency) }
    }

    /// So many groups of 64 slots are looked at in one go, at first few: what the best of them have is asked of all others.
    private static let (firstRangeSize, rangeSize) = (4, 64)

    /// The same where each document has room for `width` strings and each of these has its place in memory: some thousand slots at a time, each step without branches that
    /// would often be foreseen wrongly.
    private func offerInPlace(
        _ norms: UnsafeBufferPointer<StringNorm>, width: Int, to best: inout BestFrequencies
    ) {
        let largest = norms.reduce(0) { max($0, $1.largest) }
        var documents = Buffer<UInt32>(capacity: 64 * Self.rangeSize)
        var last = UInt32.max
        counter.withSlots { counts, touched in
            lengths.withTable { lengths in
                var (first, size) = (0, Self.firstRangeSize)
                while first < touched.count {
                    let range = first..<min(first + size, touched.count)
                    first += size
                    size = min(2 * size, Self.rangeSize)
                    let least = best.leastCount(largest)
                    Self.append(touched, range, width, behind: &last, to: &documents)
                    if let dead {
                        documents.keep { dead.contains(firstDocument &+ $0) ? 0 : 1 }
                    }
                    best.found &+= documents.count
                    Self.keep(&documents, least, counts, width)
                    for place in 0..<documents.count {
                        Self.offer(
                            documents[place], counts, lengths, norms, width, firstDocument,
                            to: &best)
                    }
                    documents.removeAll()
                }
            }
        }
    }

    /// 1 if there are so many occurrences, else 0.
    @inline(__always)
    private static func isEnough(_ count: Int, _ least: Int) -> Int {
        (least &- 1 &- count) >> (Int.bitWidth - 1) & 1
    }

    /// Leaves the documents that have `least` occurrences.
    private static func keep(
        _ documents: inout Buffer<UInt32>, _ least: Int, _ counts: UnsafeBufferPointer<UInt32>,
        _ width: Int
    ) {
        guard least > 1 else { return }
        switch width {
        case 1: documents.keep { isEnough(Int(counts[Int($0)]), least) }
        case 2:
            documents.keep {
                isEnough(Int(counts[Int($0) &* 2]) &+ Int(counts[Int($0) &* 2 &+ 1]), least)
            }
        default:
            documents.keep { document in
                let start = Int(document) &* width
                return isEnough(
                    counts[start..<(start &+ width)].reduce(0) { $0 &+ Int($1) }, least)
            }
        }
    }

    /// Appends the documents of the slots whose bits are set in a range of words, but for the last one before them, if it goes on there.
    @inline(__always)
    private static func append(
        _ touched: UnsafeBufferPointer<UInt64>, _ words: Range<Int>, _ width: Int,
        behind last: inout UInt32, to documents: inout Buffer<UInt32>
    ) {
        let isPower = width & (width &- 1) == 0
        let shift = UInt32(truncatingIfNeeded: width.trailingZeroBitCount)
        let width = UInt32(truncatingIfNeeded: width)
        let room = documents.tail(room: 64 &* words.count)
        var found = 0
        for word in words {
            var rest = touched[word]
            while rest != 0 {
                let slot = UInt32(truncatingIfNeeded: word << 6 | rest.trailingZeroBitCount)
                rest &= rest &- 1
                let document = isPower ? slot &>> shift : slot / width
                // One behind those that are found: where it is the last one once more, the next takes its place.
                room[found] = document
                found &+= 1 &- document.isEqual(to: last)
                last = document
            }
        }
        documents.commit(found)
    }
}

/// How often words stand in the strings of a flushed segment, to be read in the order of documents.
final class SegmentSums {
    let lengths: LengthColumn
    /// Counts under the numbers of strings, as `lengths` has them.
    var counter: SlotCounter
    private let firstDocument: UInt32
    private let dead: Tombstones?

    /// `dead` holds the dead documents of the segment, if it has some.
    init(_ lengths: LengthColumn, firstDocument: UInt32, dead: Tombstones?) {
        self.lengths = lengths
        self.firstDocument = firstDocument
        self.dead = dead
        counter = SlotCounter(slotCount: lengths.stringCount)
    }

    /// Appends the counts of living documents, and forgets all.
    func drain(into counts: inout Buffer<WordCount>) {
        let sums = counter.drain()
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

    /// Appends the living documents, and how often the words stand there, normalised by `norms` of the strings and added up over them; then
    /// forgets all.
    func drain(
        _ norms: [StringNorm], into documents: inout Buffer<UInt32>,
        _ frequencies: inout Buffer<NormalizedFrequency>
    ) {
        let sums = counter.drain()
        let (numbers, outputs) = (
            documents.tail(room: sums.count), frequencies.tail(room: sums.count)
        )
        let (first, dead) = (firstDocument, dead)
        var walk = lengths.makeSlotWalk()
        let found = sums.withElements { sums in
            norms.withUnsafeBufferPointer { norms in
                var found = 0
                var last: UInt32?
                for sum in sums {
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

/// The best of the documents that are offered: by score, then those with lower numbers.
struct TopHeap {
    let capacity: Int
    /// The worst is first.
    private var entries: [Entry] = []

    struct Entry {
        var score: Double
        var document: UInt32

        /// Whether this comes behind `other` in the order.
        @inline(__always)
        func isWorse(than other: Entry) -> Bool {
            score != other.score ? score < other.score : document > other.document
        }
    }

    /// `capacity` must not be 0.
    init(capacity: Int) {
        self.capacity = capacity
        entries.reserveCapacity(min(capacity, 128))
    }

    /// Documents with lower scores than this need not be offered, nor those with higher numbers and
    /// this very score.
    var threshold: Double { entries.count < capacity ? -.infinity : entries[0].score }

    var isFull: Bool { entries.count == capacity }

    @inline(__always)
    mutating func offer(_ document: UInt32, _ score: Double) {
        let entry = Entry(score: score, document: document)
        if entries.count < capacity {
            entries.append(entry)
            rise()
        } else if entries[0].isWorse(than: entry) {
            entries[0] = entry
            sink()
        }
    }

    private mutating func rise() {
        var place = entries.count - 1
        while place > 0, entries[place].isWorse(than: entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink() {
        entries.withUnsafeMutableBufferPointer { entries in
            var place = 0
            while true {
                let left = 2 * place + 1
                guard left < entries.count else { return }
                var worst = left
                if left + 1 < entries.count, entries[left + 1].isWorse(than: entries[left]) {
                    worst = left + 1
                }
                guard entries[worst].isWorse(than: entries[place]) else { return }
                entries.swapAt(place, worst)
                place = worst
            }
        }
    }

    /// Best first.
    var sorted: [Entry] { entries.sorted { $1.isWorse(than: $0) } }
}

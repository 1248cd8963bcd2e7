/// Finds places where several words occur close together, each word given by its hits.
///
/// Words that are the same share a list of hits. Every step over a hit or a word is counted, so
/// that a search ends in time.
struct Proximity {
    /// One hit of each word in one string.
    typealias Group = [Hit]

    /// Takes a group; what it is lent changes with the next one.
    typealias GroupBody = (_ group: Group) throws -> Void

    /// The sorted hits of each distinct word.
    let lists: [[Hit]]
    /// The list of each word.
    let words: [Int]
    let clock: SearchClock

    init(_ lists: [[Hit]], words: [Int]? = nil, _ clock: SearchClock) {
        self.lists = lists
        self.words = words ?? Array(lists.indices)
        self.clock = clock
    }

    /// Calls `body` with where the words occur in the order of `offsets`, moved by `slop` positions
    /// in all at most.
    ///
    /// `offsets` are the ascending positions of the words in the phrase; each word's position less
    /// its offset may differ from the others' by `slop`. Throws `SearchEnded` when the time is
    /// over: groups that were found are right.
    func phrases(offsets: [Int], slop: Int, _ body: GroupBody) throws {
        if slop == 0, Set(offsets).count == words.count {
            var group: Group = []
            try forEachRow(offsets) { row in
                group.removeAll(keepingCapacity: true)
                for word in words.indices { group.append(row(word)) }
                try body(group)
            }
            return
        }
        try forEachString { try windows($0, offsets: offsets, width: slop, body) }
    }

    /// Calls `body` with where the words occur, each at a place of its own, with at most `within`
    /// other words between them in all.
    func near(within: Int, ordered: Bool, _ body: GroupBody) throws {
        let (sum, overflow) = within.addingReportingOverflow(words.count - 1)
        let widest = overflow ? Int.max : sum
        let offsets = [Int](repeating: 0, count: words.count)
        try forEachString {
            if ordered {
                try sequences($0, widest: widest, body)
            } else {
                try windows($0, offsets: offsets, width: widest, body)
            }
        }
    }

    // MARK: Rows

    /// Calls `body` with each place where all words occur exactly as in the phrase, to be asked for
    /// the hit of each word: the rarest word says where the others would have to be.
    @inline(__always)
    private func forEachRow(
        _ offsets: [Int], _ body: ((_ word: Int) -> Hit) throws -> Void
    ) throws {
        let order = words.indices.sorted { lists[words[$0]].count < lists[words[$1]].count }
        guard let rarest = order.first else { return }
        var places = [Int](repeating: 0, count: words.count)
        var previous: Hit?
        for lead in lists[words[rarest]] {
            // A word may be several terms at one place.
            defer { previous = lead }
            if let previous, !Self.precedes(previous, lead, Int(lead.position)) { continue }
            let start = Int(lead.position) - offsets[rarest]
            var tried = 1
            let isRow = order.dropFirst().allSatisfy { word in
                tried &+= 1
                let position = start + offsets[word]
                let hits = lists[words[word]]
                places[word] = Self.place(in: hits, from: places[word], lead, position)
                guard places[word] < hits.count else { return false }
                let hit = hits[places[word]]
                return hit.document == lead.document && hit.string == lead.string
                    && Int(hit.position) == position
            }
            try clock.work(tried)
            if isRow {
                try body { word in word == rarest ? lead : lists[words[word]][places[word]] }
            }
        }
    }

    /// The place of the first hit that does not come before a position in the string of `lead`,
    /// from a place on.
    ///
    /// Complexity: logarithmic in how far that is.
    private static func place(
        in hits: [Hit], from start: Int, _ lead: Hit, _ position: Int
    ) -> Int {
        var low = start
        var step = 1
        while low + step < hits.count, precedes(hits[low + step], lead, position) {
            low += step
            step *= 2
        }
        var high = min(low + step, hits.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(hits[middle], lead, position) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a hit comes before a position in the string of `lead`.
    @inline(__always)
    private static func precedes(_ hit: Hit, _ lead: Hit, _ position: Int) -> Bool {
        if hit.document != lead.document { return hit.document < lead.document }
        if hit.string != lead.string { return hit.string < lead.string }
        return Int(hit.position) < position
    }

    // MARK: Strings

    /// Calls `find` with the places of each list in each string that all of them have.
    private func forEachString(_ find: (_ ranges: [Range<Int>]) throws -> Void) throws {
        guard let rarest = lists.indices.min(by: { lists[$0].count < lists[$1].count }) else {
            return
        }
        var ranges = [Range<Int>](repeating: 0..<0, count: lists.count)
        var start = 0
        while start < lists[rarest].count {
            let lead = lists[rarest][start]
            var isEverywhere = true
            for number in lists.indices where isEverywhere {
                let first = Self.place(in: lists[number], from: ranges[number].upperBound, lead, 0)
                let end = Self.place(in: lists[number], from: first, lead, .max)
                ranges[number] = first..<end
                isEverywhere = first < end
                try clock.work(1)
            }
            start = Self.place(in: lists[rarest], from: start, lead, .max)
            if isEverywhere { try find(ranges) }
        }
    }

    /// For each hit of the first word the nearest of each other word after the one before it: no
    /// other choice ends earlier.
    private func sequences(
        _ ranges: [Range<Int>], widest: Int, _ body: GroupBody
    ) throws {
        var places = words.map { ranges[$0].lowerBound }
        var group: Group = []
        for first in ranges[words[0]] {
            group.removeAll(keepingCapacity: true)
            group.append(lists[words[0]][first])
            for word in words.indices.dropFirst() {
                let (list, end) = (lists[words[word]], ranges[words[word]].upperBound)
                let previous = group[word - 1].position
                let before = places[word]
                while places[word] < end, list[places[word]].position <= previous {
                    places[word] += 1
                    if places[word] & 1_023 == 0 { try clock.work(1_024) }
                }
                try clock.work(1 + min(places[word] - before, 1_023))
                guard places[word] < end else { return }
                group.append(list[places[word]])
            }
            if Int(group[words.count - 1].position) - Int(group[0].position) <= widest {
                try body(group)
            }
        }
    }

    /// Choices of one hit a word, no two at one place, whose keys, positions less offsets, lie
    /// within `width` of the least; one at most for each key that is the least.
    private func windows(
        _ ranges: [Range<Int>], offsets: [Int], width: Int, _ body: GroupBody
    ) throws {
        var choice = PlaceChoice(self, ranges, offsets)
        var places = words.map { ranges[$0].lowerBound }
        while true {
            var (least, most) = (Int.max, Int.min)
            for word in words.indices {
                let key = Int(lists[words[word]][places[word]].position) - offsets[word]
                (least, most) = (min(least, key), max(most, key))
            }
            try clock.work(words.count)
            let (sum, overflow) = least.addingReportingOverflow(width)
            let end = overflow ? Int.max : sum
            // What begins later is found later.
            if most - least <= width, try choice.choose(from: places, through: end, least: least) {
                try body(choice.group)
            }
            for word in words.indices
            where Int(lists[words[word]][places[word]].position) - offsets[word] == least {
                places[word] += 1
                if places[word] == ranges[words[word]].upperBound { return }
            }
        }
    }
}

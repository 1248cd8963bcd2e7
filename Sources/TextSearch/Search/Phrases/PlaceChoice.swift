/// Gives each of several words a place of its own in a window of a string.
///
/// Words with one list of hits take the first places that are left, in their order: their windows
/// begin and end one after the other, so that no other choice gives more of them a place. Only
/// where words with different lists, as `a*` and `ab` have, meet in a place they may have to make
/// way for each other, by augmenting paths (Kuhn 1955).
struct PlaceChoice {
    private let proximity: Proximity
    private let ranges: [Range<Int>]
    private let offsets: [Int]
    /// The first place of each list that is not taken.
    private var free: [Int]
    private var taken: Set<UInt32> = []
    /// The place of each word in its list.
    private var chosen: [Int]

    init(_ proximity: Proximity, _ ranges: [Range<Int>], _ offsets: [Int]) {
        self.proximity = proximity
        self.ranges = ranges
        self.offsets = offsets
        free = ranges.map(\.lowerBound)
        chosen = [Int](repeating: 0, count: proximity.words.count)
    }

    /// The hits that were chosen, word for word.
    var group: Proximity.Group {
        proximity.words.indices.map { proximity.lists[proximity.words[$0]][chosen[$0]] }
    }

    private func hit(_ word: Int, _ place: Int) -> Hit {
        proximity.lists[proximity.words[word]][place]
    }

    private func key(_ word: Int, _ place: Int) -> Int {
        Int(hit(word, place).position) - offsets[word]
    }

    private func isIn(_ word: Int, _ place: Int, through last: Int) -> Bool {
        place < ranges[proximity.words[word]].upperBound && key(word, place) <= last
    }

    /// Chooses places from `starts` on whose keys go to `last` at most; false where there is no
    /// choice, or none with the least key.
    mutating func choose(from starts: [Int], through last: Int, least: Int) throws -> Bool {
        taken.removeAll(keepingCapacity: true)
        for list in free.indices { free[list] = ranges[list].lowerBound }
        var haveMet = false
        var hasLeast = false
        for word in proximity.words.indices {
            let list = proximity.words[word]
            var place = max(starts[word], free[list])
            while isIn(word, place, through: last), taken.contains(hit(word, place).position) {
                haveMet = true
                place += 1
                try proximity.clock.work(1)
            }
            try proximity.clock.work(1)
            guard isIn(word, place, through: last) else {
                return try haveMet && match(from: starts, through: last, least: least)
            }
            taken.insert(hit(word, place).position)
            chosen[word] = place
            free[list] = place + 1
            if key(word, place) == least { hasLeast = true }
        }
        return hasLeast
    }

    // MARK: Augmenting paths

    private mutating func match(
        from starts: [Int], through last: Int, least: Int
    ) throws -> Bool {
        // The word that has a position.
        var owners: [UInt32: Int] = [:]
        for word in proximity.words.indices {
            guard try augment(word, starts, last, &owners) else { return false }
        }
        return proximity.words.indices.contains { key($0, chosen[$0]) == least }
    }

    /// Finds a place for a word, for which others may go to other places of theirs: breadth first,
    /// so that it takes no stack.
    private mutating func augment(
        _ word: Int, _ starts: [Int], _ last: Int, _ owners: inout [UInt32: Int]
    ) throws -> Bool {
        // From where each position was reached.
        var reached: [UInt32: (word: Int, place: Int)] = [:]
        var queue = [word]
        var next = 0
        while next < queue.count {
            let seeker = queue[next]
            next += 1
            var place = starts[seeker]
            // The other words cannot take more places than there are words.
            let end = place + proximity.words.count
            while place < end, isIn(seeker, place, through: last) {
                try proximity.clock.work(1)
                let position = hit(seeker, place).position
                defer { place += 1 }
                if reached[position] != nil { continue }
                reached[position] = (seeker, place)
                guard let owner = owners[position] else {
                    take(position, reached, word, &owners)
                    return true
                }
                queue.append(owner)
            }
        }
        return false
    }

    /// Has the words along a path take their new places.
    private mutating func take(
        _ position: UInt32, _ reached: [UInt32: (word: Int, place: Int)], _ first: Int,
        _ owners: inout [UInt32: Int]
    ) {
        var position = position
        while let step = reached[position] {
            let before = hit(step.word, chosen[step.word]).position
            owners[position] = step.word
            chosen[step.word] = step.place
            if step.word == first { return }
            position = before
        }
    }
}

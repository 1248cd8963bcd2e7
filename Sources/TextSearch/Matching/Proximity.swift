/// Finds places where several words stand close together, each word given by its hits.
enum Proximity {
    /// One hit of each word in one string.
    typealias Group = [Hit]

    /// More words than this may share a place: what keeps them apart takes time that grows with their square.
    static let mostDistinctWords = 64

    /// One hit with what it is compared by.
    private struct Place {
        var key: Int
        var hit: Hit
    }

    /// Where the words stand in the order of `offsets`, moved by `slop` positions in all at most.
    /// `words` are the sorted hits of each word, `offsets` their positions in the phrase; each word's position less its
    /// offset may differ from the others' by `slop`.
    static func phrases(_ words: [[Hit]], offsets: [Int], slop: Int) -> [Group] {
        if slop == 0, Set(offsets).count == words.count { return rows(words, offsets) }
        return search(words) { groups in
            windows(
                groups.indices.map { word in
                    groups[word].map { Place(key: Int($0.position) - offsets[word], hit: $0) }
                }, width: slop)
        }
    }

    /// Where the words stand exactly as in the phrase.
    private static func rows(_ words: [[Hit]], _ offsets: [Int]) -> [Group] {
        var found: [Group] = []
        forEachRow(words, offsets) { row in
            found.append(words.indices.map { row($0) })
        }
        return found
    }

    /// The hits of the first word where all words stand exactly as in the phrase; nil where they may stand otherwise, too, or share places.
    static func rowStarts(_ words: [[Hit]], offsets: [Int], slop: Int) -> [Hit]? {
        guard slop == 0, Set(offsets).count == words.count else { return nil }
        var starts: [Hit] = []
        forEachRow(words, offsets) { row in starts.append(row(0)) }
        return starts
    }

    /// Calls `body` with each such place, to be asked for the hit of each word: the rarest word says where the others would have to be.
    @inline(__always)
    private static func forEachRow(
        _ words: [[Hit]], _ offsets: [Int], _ body: ((_ word: Int) -> Hit) -> Void
    ) {
        let order = words.indices.sorted { words[$0].count < words[$1].count }
        guard let rarest = order.first else { return }
        var places = [Int](repeating: 0, count: words.count)
        var previous: Hit?
        for lead in words[rarest] {
            // A word may be several terms at one place.
            defer { previous = lead }
            if let previous, !precedes(previous, lead, Int(lead.position)) { continue }
            let start = Int(lead.position) - offsets[rarest]
            let isRow = order.dropFirst().allSatisfy { word in
                let position = start + offsets[word]
                places[word] = place(in: words[word], from: places[word], lead, position)
                guard places[word] < words[word].count else { return false }
                let hit = words[word][places[word]]
                return hit.document == lead.document && hit.string == lead.string
                    && Int(hit.position) == position
            }
            if isRow { body { word in word == rarest ? lead : words[word][places[word]] } }
        }
    }

    /// The place of the first hit that does not come before a position in the string of `lead`, from a place on.
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

    /// Where the words stand, each at a place of its own, with at most `within` other words between them in all.
    static func near(_ words: [[Hit]], within: Int, ordered: Bool) -> [Group] {
        search(words) { groups in
            let widest = within + groups.count - 1
            if ordered { return sequences(groups, widest: widest) }
            return windows(
                groups.map { $0.map { Place(key: Int($0.position), hit: $0) } }, width: widest)
        }
    }

    /// Runs `find` on the hits of each string that holds all words.
    private static func search(_ words: [[Hit]], _ find: ([[Hit]]) -> [Group]) -> [Group] {
        guard let first = words.first else { return [] }
        var places = [Int](repeating: 0, count: words.count)
        var found: [Group] = []
        var start = 0
        while start < first.count {
            let key = (first[start].document, first[start].string)
            var isEverywhere = true
            let groups = words.indices.map { word -> [Hit] in
                var place = places[word]
                while place < words[word].count,
                    (words[word][place].document, words[word][place].string) < key
                {
                    place += 1
                }
                let begin = place
                while place < words[word].count,
                    (words[word][place].document, words[word][place].string) == key
                {
                    place += 1
                }
                places[word] = place
                if begin == place { isEverywhere = false }
                return Array(words[word][begin..<place])
            }
            if isEverywhere { found += find(groups) }
            start = places[0]
        }
        return found
    }

    /// For each hit of the first word the nearest of each other word behind the one before it: no other choice ends
    /// earlier.
    private static func sequences(_ words: [[Hit]], widest: Int) -> [Group] {
        var places = [Int](repeating: 0, count: words.count)
        var found: [Group] = []
        for first in words[0] {
            var group = [first]
            for word in words.indices.dropFirst() {
                let previous = group[word - 1].position
                while places[word] < words[word].count,
                    words[word][places[word]].position <= previous
                {
                    places[word] += 1
                }
                guard places[word] < words[word].count else { return found }
                group.append(words[word][places[word]])
            }
            if Int(group[words.count - 1].position) - Int(first.position) <= widest {
                found.append(group)
            }
        }
        return found
    }

    /// Choices of one hit a word, no two at one place, whose keys lie within `width` of the least; one at most for each
    /// key that is the least.
    private static func windows(_ words: [[Place]], width: Int) -> [Group] {
        let sorted = words.map { $0.sorted { $0.key < $1.key } }
        var places = [Int](repeating: 0, count: words.count)
        var found: [Group] = []
        while zip(places, sorted).allSatisfy({ $0 < $1.count }) {
            let keys = sorted.indices.map { sorted[$0][places[$0]].key }
            guard let start = keys.min(), let last = keys.max() else { break }
            if last - start <= width,
                let group = choice(sorted, from: places, through: start + width),
                // What begins later is found later.
                group.contains(where: { $0.key == start })
            {
                found.append(group.map(\.hit))
            }
            for word in sorted.indices where keys[word] == start { places[word] += 1 }
        }
        return found
    }

    /// The first hit of each word that no word before it took; where that leaves a word without, another choice if there
    /// is one.
    private static func choice(
        _ words: [[Place]], from starts: [Int], through last: Int
    ) -> [Place]? {
        guard words.count <= mostDistinctWords else {
            return zip(words, starts).map { $0[$1] }
        }
        var taken = Set<UInt32>()
        var chosen: [Place] = []
        for word in words.indices {
            var place = starts[word]
            while place < words[word].count, words[word][place].key <= last,
                taken.contains(words[word][place].hit.position)
            {
                place += 1
            }
            guard place < words[word].count, words[word][place].key <= last else {
                return Matching(words, from: starts, through: last)?.places
            }
            taken.insert(words[word][place].hit.position)
            chosen.append(words[word][place])
        }
        return chosen
    }
}

extension Proximity {
    /// Gives each word a place of its own by augmenting paths (Kuhn 1955): words whose hits overlap without being the
    /// same, as `a*` and `ab` have, may have to make way for each other.
    private struct Matching {
        private let candidates: [[Place]]
        private var owners: [UInt32: Int] = [:]
        private(set) var places: [Place]

        init?(_ words: [[Place]], from starts: [Int], through last: Int) {
            // The other words cannot take more places than there are words.
            candidates = zip(words, starts).map { word, start in
                Array(word[start...].prefix { $0.key <= last }.prefix(words.count))
            }
            places = candidates.compactMap(\.first)
            guard places.count == words.count else { return nil }
            for word in words.indices {
                var seen = Set<UInt32>()
                guard take(word, &seen) else { return nil }
            }
        }

        /// At most as deep as there are words.
        private mutating func take(_ word: Int, _ seen: inout Set<UInt32>) -> Bool {
            for place in candidates[word] where seen.insert(place.hit.position).inserted {
                let owner = owners[place.hit.position]
                if let owner, !take(owner, &seen) { continue }
                owners[place.hit.position] = word
                places[word] = place
                return true
            }
            return false
        }
    }
}

/// Finds places where several words stand close together, each word given by its hits.
enum Proximity {
    /// One hit of each word in one string.
    typealias Group = [Hit]

    /// Where the words stand in the order of `offsets`, moved by `slop` positions in all at most.
    /// `words` are the sorted hits of each word, `offsets` their positions in the phrase; each word's position less its
    /// offset may differ from the others' by `slop`.
    static func phrases(_ words: [[Hit]], offsets: [Int], slop: Int) -> [Group] {
        search(words) { groups in
            windows(
                groups.indices.map { word in
                    groups[word].map { (Int($0.position) - offsets[word], $0) }
                }
            ) { $1 - $0 <= slop }
        }
    }

    /// Where the words stand with at most `within` other words between them in all.
    static func near(_ words: [[Hit]], within: Int, ordered: Bool) -> [Group] {
        search(words) { groups in
            let keyed = groups.map { $0.map { (Int($0.position), $0) } }
            let widest = within + groups.count - 1
            return windows(keyed) { $1 - $0 <= widest }.filter { group in
                let places = group.map(\.position)
                guard Set(places).count == places.count else { return false }
                return !ordered || zip(places, places.dropFirst()).allSatisfy(<)
            }
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

    /// Choices of one hit a word whose keys `fits` together, smallest first; each hit of the word that comes first begins one at most.
    private static func windows(
        _ words: [[(key: Int, hit: Hit)]], _ fits: (_ least: Int, _ most: Int) -> Bool
    ) -> [Group] {
        let sorted = words.map { $0.sorted { $0.key < $1.key } }
        var places = [Int](repeating: 0, count: words.count)
        var found: [Group] = []
        while zip(places, sorted).allSatisfy({ $0 < $1.count }) {
            let keys = sorted.indices.map { sorted[$0][places[$0]].key }
            guard let least = keys.min(), let most = keys.max(),
                let lowest = keys.firstIndex(of: least)
            else { break }
            if fits(least, most) { found.append(sorted.indices.map { sorted[$0][places[$0]].hit }) }
            places[lowest] += 1
        }
        return found
    }
}

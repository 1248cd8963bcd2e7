import Foundation

/// Text made from a seed: the same on every machine. Words are drawn as in natural text, the second
/// most frequent one half as often as the first, and so on.
struct GeneratedCorpus: Sendable {
    private(set) var entries: [Entry] = []
    /// The words, the most frequent first.
    let vocabulary: [String]

    /// - Parameters:
    ///   - byteCount: bytes of text, about.
    ///   - seed: what the text is made from.
    init(byteCount: Int, seed: UInt64 = 20_261_121) {
        var random = SplitMix64(state: seed)
        vocabulary = Self.words(&random)
        var sums: [UInt64] = []
        var sum: UInt64 = 0
        for rank in vocabulary.indices {
            sum += (1 << 40) / UInt64(rank + 3)
            sums.append(sum)
        }
        var bytes = 0
        while bytes < byteCount {
            let title = Self.text(3 + random.next(below: 6), sums, vocabulary, &random)
            let body = Self.text(20 + random.next(below: 360), sums, vocabulary, &random)
            let entry = Entry(id: "\(entries.count)", title: title, body: body)
            bytes += entry.byteCount
            entries.append(entry)
        }
    }

    var byteCount: Int { entries.reduce(0) { $0 + $1.byteCount } }

    private static func words(_ random: inout SplitMix64) -> [String] {
        let heads = [
            "b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "st", "pr", "",
        ]
        let tails = ["a", "e", "i", "o", "u", "er", "in", "ou", "ar", "es", "on", "al"]
        var seen: Set<String> = []
        var words: [String] = []
        while words.count < 30_000 {
            // Frequent words are short.
            let syllables = 1 + random.next(below: words.count < 300 ? 2 : 4)
            var word = ""
            for _ in 0..<syllables {
                word += heads[random.next(below: heads.count)]
                word += tails[random.next(below: tails.count)]
            }
            if word.count > 1, seen.insert(word).inserted { words.append(word) }
        }
        return words
    }

    private static func text(
        _ count: Int, _ sums: [UInt64], _ vocabulary: [String], _ random: inout SplitMix64
    ) -> String {
        var text = ""
        for number in 0..<count {
            if number > 0 { text += number % 12 == 0 ? ". " : " " }
            let point = random.next() % (sums.last ?? 1)
            var (low, high) = (0, sums.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] <= point { low = middle + 1 } else { high = middle }
            }
            text += vocabulary[low]
        }
        return text
    }
}

/// Sebastiano Vigna's SplitMix64: good enough, small, and the same everywhere.
struct SplitMix64: Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func next(below limit: Int) -> Int { Int(next() % UInt64(limit)) }
}

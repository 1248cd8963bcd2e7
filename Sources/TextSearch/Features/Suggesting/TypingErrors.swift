/// How likely a word was typed for another one, as a cost: 0 for the same, 1 for an edit that
/// nothing explains.
///
/// The alignment is that of ``FuzzyMatcher``: characters inserted, missing, replaced or swapped
/// with their neighbours, none edited twice.
struct TypingErrors {
    /// A neighbouring key, two letters in the wrong order, a double letter for a single one or the
    /// other way round.
    static let easy = 0.5
    static let other = 1.0

    private let neighbours: Set<[UInt32]>

    init(_ keyboard: KeyboardLayout) { neighbours = keyboard.neighbours }

    /// The least cost of typing `typed` for `meant`.
    ///
    /// Complexity: the product of the lengths.
    func cost(typed: [UInt32], meant: [UInt32]) -> Double {
        let width = meant.count + 1
        var costs = [Double](repeating: 0, count: (typed.count + 1) * width)
        for i in 0...typed.count {
            for j in 0...meant.count where i > 0 || j > 0 {
                var best = Double.infinity
                if i > 0 { best = costs[(i - 1) * width + j] + Self.single(typed, i - 1) }
                if j > 0 { best = min(best, costs[i * width + j - 1] + Self.single(meant, j - 1)) }
                if i > 0, j > 0 {
                    let replaced = replacement(typed[i - 1], meant[j - 1])
                    best = min(best, costs[(i - 1) * width + j - 1] + replaced)
                }
                if i > 1, j > 1, typed[i - 1] == meant[j - 2], typed[i - 2] == meant[j - 1] {
                    best = min(best, costs[(i - 2) * width + j - 2] + Self.easy)
                }
                costs[i * width + j] = best
            }
        }
        return costs[typed.count * width + meant.count]
    }

    /// A character that the other word does not have.
    private static func single(_ word: [UInt32], _ place: Int) -> Double {
        place > 0 && word[place] == word[place - 1] ? easy : other
    }

    private func replacement(_ a: UInt32, _ b: UInt32) -> Double {
        if a == b { return 0 }
        return neighbours.contains([a, b]) ? Self.easy : Self.other
    }
}

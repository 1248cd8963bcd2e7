/// What several indexes know of single words, as the steps of a text ask for it.
///
/// Everything has a name, so it does not matter in which order indexes are asked.
struct WordStatistics: Codable, Equatable, Sendable {
    /// In how many objects a term occurs.
    var frequencies: [String: Int] = [:]
    /// Whether a term is a part of a joined word.
    var parts: [String: Bool] = [:]
    /// The terms, and the beginnings of terms, near another one, with their edits.
    var nearTerms: [String: [String: Int]] = [:]
    /// The parts of joined words near a term, with their edits.
    var nearParts: [String: [String: Int]] = [:]

    /// Whether some index may have said it.
    var isPossible: Bool {
        frequencies.values.allSatisfy { $0 >= 0 }
            && (Array(nearTerms.values) + nearParts.values).allSatisfy { terms in
                terms.values.allSatisfy { $0 >= 0 }
            }
    }

    /// Adds what another index knows.
    mutating func add(_ other: WordStatistics) {
        frequencies.merge(other.frequencies) { $0.addingClamped($1) }
        parts.merge(other.parts) { $0 || $1 }
        nearTerms.merge(other.nearTerms) { $0.merging($1) { min($0, $1) } }
        nearParts.merge(other.nearParts) { $0.merging($1) { min($0, $1) } }
    }
}

/// Tells what one index knows of words, and learns what all of them know.
///
/// What is not known of all yet is taken from this index: the words that are asked for after it may
/// be others than those of the search, which does no harm, since they have names.
final class WordExchange {
    private let given: WordStatistics?
    private(set) var found = WordStatistics()
    /// Whether something was asked for that is not known of all indexes yet.
    private(set) var lacksWords = false

    init(given: WordStatistics?) { self.given = given }

    func frequency(of term: String, _ own: Int) -> Int {
        found.frequencies[term] = own
        return known(given?.frequencies[term], own)
    }

    func isPart(_ term: String, _ own: Bool) -> Bool {
        found.parts[term] = own
        return known(given?.parts[term], own)
    }

    func terms(near term: String, _ distance: Int, _ own: [String: Int]) -> [String: Int] {
        let name = "\(distance) \(term)"
        found.nearTerms[name] = own
        return known(given?.nearTerms[name], own)
    }

    func beginnings(near term: String, _ own: [String: Int]) -> [String: Int] {
        let name = "beginning \(term)"
        found.nearTerms[name] = own
        return known(given?.nearTerms[name], own)
    }

    func parts(near term: String, _ distance: Int, _ own: [String: Int]) -> [String: Int] {
        let name = "\(distance) \(term)"
        found.nearParts[name] = own
        return known(given?.nearParts[name], own)
    }

    private func known<Value>(_ ofAll: Value?, _ own: Value) -> Value {
        if let ofAll { return ofAll }
        lacksWords = true
        return own
    }
}

@testable import TextSearch

extension TermMatcher {
    /// Compares a text with the pattern.
    func matches(_ term: String) -> Int? {
        var term = term
        return term.withUTF8 { matches($0) }
    }
}

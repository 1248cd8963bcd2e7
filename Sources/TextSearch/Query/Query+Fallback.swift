extension Query {
    /// The query with its uppermost "all" as "any", where there is one. What excludes or restricts stays as it is.
    ///
    /// What stands for several words, as "well-known" does, is a phrase of them, which is more than any of the words: here it is any of them, too.
    var anyInsteadOfAll: Query? {
        guard case .all(let parts) = node, parts.count > 1 else { return nil }
        let words = parts.filter { !$0.isRestriction }
        guard words.count > 1 else { return nil }
        return .all(
            of: [.joinedAny(words.map(\.anyOfItsWords))] + parts.filter(\.isRestriction))
    }

    /// Whether it only says which objects are wanted, not what they are wanted for.
    private var isRestriction: Bool {
        switch node {
        case .none, .filter, .attribute, .weight, .identifiers, .nothing: true
        default: false
        }
    }

    private var anyOfItsWords: Query {
        switch node {
        case .term(let text):
            let words = Self.words(of: text)
            return words.count > 1 ? .any(of: words.map { .term($0) }) : self
        case .boost(let part, let factor): return .joinedBoost(part.anyOfItsWords, factor)
        case .field(let name, let part): return .joinedField(name, part.anyOfItsWords)
        default: return self
        }
    }

    /// The words of a text as UAX #29 cuts them; one alone where scripts without spaces are among them.
    static func words(of text: String) -> [String] {
        var text = text
        var words: [String] = []
        var isWhole = false
        text.withUTF8 { bytes in
            UnicodeTokenizer().forEachWord(inBytes: bytes) { range, isBigram in
                if isBigram || SpacelessScript.begins(Array(bytes[range])) { isWhole = true }
                words.append(String(decoding: bytes[range], as: UTF8.self))
            }
        }
        return isWhole ? [text] : words
    }
}

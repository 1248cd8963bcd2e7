/// What a pattern with signs inside stands for where words are split at them: words in a row.
/// `well-kn*` is the word *well*, and behind it one that begins with *kn*.
enum SignedPattern {
    /// The words and their places from the first one on; nil where the pattern is of one word.
    static func words(
        of node: Query.Node, _ analysis: FieldAnalyzer
    ) -> [(offset: Int, pattern: TermPattern)]? {
        guard let parts = parts(of: node, analysis) else { return nil }
        let words = parts.enumerated().filter { !$1.isEmpty }
        let longest = words.max { $0.element.count < $1.element.count }?.offset
        let row = words.enumerated().compactMap {
            number, word -> (offset: Int, pattern: TermPattern)? in
            let found = pattern(
                of: word.element, node, isFirst: word.offset == 0,
                isLast: word.offset == parts.count - 1, isLongest: word.offset == longest,
                analysis.folder)
            guard let found else { return nil }
            // A stop word has its place, and is nowhere.
            if case .exact = found, QueryWords(word.element, analysis: analysis).words.isEmpty {
                return nil
            }
            return (number, found)
        }
        guard let first = row.first?.offset else { return nil }
        return row.map { ($0.offset - first, $0.pattern) }
    }

    // MARK: Splitting

    /// The texts between the signs at which a pattern is split; nil for one that is not.
    static func parts(of node: Query.Node, _ analysis: FieldAnalyzer) -> [String]? {
        guard let text = node.patternText, !text.utf8.allSatisfy(QuerySyntax.isAlphanumeric),
            text.contains(where: { $0.isLetter || $0.isNumber })
        else { return nil }
        let parts = split(text, isPattern: node.hasWildcards, analysis)
        return parts.count > 1 ? parts : nil
    }

    /// The texts between signs at which the analysis splits words; empty ones where the first or
    /// the last character is such a sign.
    private static func split(
        _ text: String, isPattern: Bool, _ analysis: FieldAnalyzer
    ) -> [String] {
        let characters = Array(text)
        var (parts, part, place) = ([String](), "", 0)
        while place < characters.count {
            let end = characters[place...].firstIndex { !isSign($0, isPattern) } ?? characters.count
            guard end > place else {
                part.append(characters[place])
                place += 1
                continue
            }
            let signs = String(characters[place..<end])
            let around = sample(characters, place - 1) + signs + sample(characters, end)
            if isSplit(around, analysis) {
                parts.append(part)
                part = ""
            } else {
                part += signs
            }
            place = end
        }
        return parts + [part]
    }

    private static func isSign(_ character: Character, _ isPattern: Bool) -> Bool {
        !character.isLetter && !character.isNumber
            && !(isPattern && Query.Node.wildcardSigns.contains(character))
    }

    /// What stands beside signs: a letter or digit as it is, a letter for anything else.
    private static func sample(_ characters: [Character], _ place: Int) -> String {
        guard characters.indices.contains(place),
            characters[place].isLetter || characters[place].isNumber
        else { return "x" }
        return String(characters[place])
    }

    private static func isSplit(_ text: String, _ analysis: FieldAnalyzer) -> Bool {
        let words = QueryWords(text, analysis: analysis)
        return words.words.count + words.stopWords.count > 1
    }

    // MARK: Words

    private static func pattern(
        of part: String, _ node: Query.Node, isFirst: Bool, isLast: Bool, isLongest: Bool,
        _ folder: Folder
    ) -> TermPattern? {
        let bytes = Array(folder.fold(part).utf8)
        guard !bytes.isEmpty else { return nil }
        switch node {
        case .prefix: return isLast ? .prefix(bytes) : .exact(bytes)
        case .suffix: return isFirst ? .suffix(bytes) : .exact(bytes)
        case .infix: return isFirst ? .suffix(bytes) : isLast ? .prefix(bytes) : .exact(bytes)
        // The longest word has the errors.
        case .fuzzy(_, let distance, let exactPrefix):
            guard isLongest else { return .exact(bytes) }
            return .fuzzy(
                FuzzyMatcher(
                    folder.fold(part), distance: distance, exactPrefix: isFirst ? exactPrefix : 0))
        case .wildcard:
            guard part.contains(where: { $0 == "*" || $0 == "?" }) else { return .exact(bytes) }
            // Any word will do.
            return part == "*" ? nil : .wildcard(WildcardMatcher(part, folding: folder.fold))
        case .regularExpression:
            return (try? RegularExpressionMatcher(part, folding: folder.fold)).map {
                .regularExpression($0)
            }
        default: return nil
        }
    }
}

extension Query.Node {
    /// Signs that are no text in a pattern.
    fileprivate static let wildcardSigns: Set<Character> = [
        "*", "?", "\\", ".", "+", "(", ")", "[", "]", "{", "}", "^", "$",
    ]

    fileprivate var hasWildcards: Bool {
        switch self {
        case .wildcard, .regularExpression: true
        default: false
        }
    }

    /// The text of a pattern that may be split; nil for another query, and where signs may be part
    /// of more than text.
    fileprivate var patternText: String? {
        switch self {
        case .prefix(let text), .infix(let text), .suffix(let text), .fuzzy(let text, _, _):
            text
        case .wildcard(let text): text.contains("\\") ? nil : text
        case .regularExpression(let text):
            text.contains(where: { "|([{\\".contains($0) }) ? nil : text
        default: nil
        }
    }
}

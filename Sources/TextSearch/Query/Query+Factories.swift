public import Foundation

// MARK: - Words

extension Query {
    /// Every object, without a score of its own.
    public static var everything: Query { Query(.everything) }

    /// No object, whatever the index holds.
    public static var nothing: Query { Query(.nothing) }

    /// Objects that have, for each word of a keyword, a word that contains it: the query of a
    /// keyword search.
    ///
    /// - Parameter text: One or more words; an empty text matches every object.
    /// - Returns: The query.
    public static func keyword(_ text: String) -> Query { Query(.keyword(text)) }

    /// Objects with a word, as the index analyses it (folded, and stemmed if it stems).
    ///
    /// - Parameter word: A word. If analysis finds several in it, as in `well-known`, they are a
    ///   phrase.
    /// - Returns: The query.
    public static func term(_ word: String) -> Query { Query(.term(word)) }

    /// Objects with a word that begins with a text; every object for an empty text. Marks and
    /// symbols alone are not indexed, so no word begins with them. Beside other queries they are
    /// left out, with a diagnostic. The same holds for ``infix(_:)`` and ``suffix(_:)``.
    ///
    /// Scripts without spaces do not show where words begin and end. Their text is found anywhere
    /// in a run, also by ``infix(_:)`` and ``suffix(_:)``.
    public static func prefix(_ text: String) -> Query { Query(.prefix(text)) }

    /// Objects with a word that contains a text.
    public static func infix(_ text: String) -> Query { Query(.infix(text)) }

    /// Objects with a word that ends with a text.
    public static func suffix(_ text: String) -> Query { Query(.suffix(text)) }

    /// Objects with a joined word that has a text as one of its parts, or that is the text, perhaps
    /// but for its signs: `.part("log")` finds *log.txt*, *status:log* and *log*; `.part("logtxt")`
    /// finds *log.txt*.
    ///
    /// A part is a run of letters and digits between signs, or several such runs with the signs
    /// between them. The T and the Z of a time such as `2024-05-01T12:30:05Z` count as signs. What
    /// an apostrophe adds to a word, as in *Alice's* and *they're*, is not a part. In a segment
    /// with hundreds of thousands of joined words these are found by their parts alone.
    public static func part(_ text: String) -> Query { Query(.part(text)) }

    /// Objects with a word that differs from a text in few characters.
    ///
    /// Runs of scripts without spaces are indexed as pairs of characters, each of which is a word
    /// here. So only texts of about two characters are found in them, unless the field's tokenizer
    /// keeps runs whole, as all but ``UnicodeTokenizer`` do.
    ///
    /// - Parameters:
    ///   - word: A word.
    ///   - distance: How many characters may be inserted, removed, replaced or swapped with their
    ///     neighbour: 0 to ``maximumFuzzyDistance``; other values are clamped.
    ///   - exactPrefix: How many characters at the start may not differ.
    /// - Returns: The query.
    public static func fuzzy(_ word: String, distance: Int = 2, exactPrefix: Int = 0) -> Query {
        let distance = min(max(distance, 0), maximumFuzzyDistance)
        return Query(.fuzzy(word, distance: distance, exactPrefix: max(exactPrefix, 0)))
    }

    /// Objects with a word that matches a pattern as a whole.
    ///
    /// - Parameter pattern: `*` stands for any characters, `?` for exactly one, and a backslash
    ///   makes the character after it stand for itself. With characters of scripts without spaces,
    ///   `*` may be at the beginning and the end, as in ``infix(_:)``; patterns with other
    ///   wildcards see only pairs of these characters, as ``fuzzy(_:distance:exactPrefix:)`` does.
    /// - Returns: The query.
    public static func wildcard(_ pattern: String) -> Query { Query(.wildcard(pattern)) }

    /// Objects with a word that matches a regular expression as a whole, in linear time.
    ///
    /// - Parameter pattern: Literals, folded as words are, `.`, classes, groups, `|`, `*`, `+`, `?`
    ///   and `{m,n}`. A malformed one matches nothing and is reported in the diagnostics of the
    ///   results. Of scripts without spaces it sees only pairs of characters, as
    ///   ``fuzzy(_:distance:exactPrefix:)`` does.
    /// - Returns: The query.
    public static func regularExpression(_ pattern: String) -> Query {
        Query(.regularExpression(pattern))
    }

    /// Objects with words directly after one another, in order.
    ///
    /// - Parameters:
    ///   - text: The words.
    ///   - slop: How many positions the words may be moved in total; 0 is an exact phrase.
    ///   - lastWordIsPrefix: Whether the last word need only begin with its text, as while typing.
    /// - Returns: The query.
    public static func phrase(
        _ text: String, slop: Int = 0, lastWordIsPrefix: Bool = false
    ) -> Query {
        Query(.phrase(text, slop: clampedSlop(slop), lastIsPrefix: lastWordIsPrefix))
    }

    /// Objects with a string that is a text as a whole: its words in their order, and no others.
    ///
    /// Words are compared as those of a phrase are: folded, and by their stems where the index has
    /// stems.
    ///
    /// ```swift
    /// // "The Whale", and not "The White Whale".
    /// let query = Query.exactly("the whale", field: "title")
    /// ```
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - field: The field that is to be the text; nil for any string, or the field around the
    ///     query.
    /// - Returns: The query.
    public static func exactly(_ text: String, field: String? = nil) -> Query {
        let query = Query(.exactly(text))
        return field.map { .field($0, query) } ?? query
    }

    /// Objects in which matches of all queries lie close together in one string.
    ///
    /// - Parameters:
    ///   - queries: Queries of words: terms, prefixes, phrases and the like.
    ///   - distance: How many other words may be between them in total.
    ///   - ordered: Whether they must come in the order given.
    /// - Returns: The query.
    public static func near(
        _ queries: [Query], within distance: Int, ordered: Bool = false
    ) -> Query {
        Query(.near(queries, within: clampedSlop(distance), ordered: ordered))
    }

    /// Objects in which words are close together in one string.
    ///
    /// - Parameters:
    ///   - words: The words, each a ``term(_:)``.
    ///   - distance: How many other words may be between them in total.
    ///   - ordered: Whether they must come in the order given.
    /// - Returns: The query.
    public static func near(
        _ words: [String], within distance: Int, ordered: Bool = false
    ) -> Query {
        near(words.map { .term($0) }, within: distance, ordered: ordered)
    }
}

// MARK: - Combinations

extension Query {
    /// Objects with a word in one of several ways, an earlier way always above a later one:
    /// ``MatchModes/exact``, ``MatchModes/prefix``, ``MatchModes/infix``, one edit, two edits.
    ///
    /// It is made of ``first(of:)``, so that the scores of several words add up. If the text is not
    /// a single word of letters and digits, its last word may begin a word, all are looked for
    /// inside words, and none with typing errors.
    ///
    /// - Parameters:
    ///   - word: A word.
    ///   - modes: The ways; none count as ``MatchModes/exact``.
    /// - Returns: The query.
    public static func matching(_ word: String, _ modes: MatchModes = .lenient) -> Query {
        let isSimple = word.unicodeScalars.allSatisfy(isLetterOrDigit)
        var ways: [Query] = []
        if modes.contains(.exact) { ways.append(.term(word)) }
        if modes.contains(.prefix) {
            ways.append(isSimple ? .prefix(word) : .phrase(word, lastWordIsPrefix: true))
        }
        if modes.contains(.infix) { ways.append(isSimple ? .infix(word) : .keyword(word)) }
        let distance = isSimple ? modes.distance(for: word) : 0
        if distance > 0 { ways += (1...distance).map { .fuzzy(word, distance: $0) } }
        // What fuzzy modes ask of a word that is too short for them.
        if ways.isEmpty { ways = [.term(word)] }
        return ways.count == 1 ? ways[0] : .first(of: ways)
    }

    /// Of text in scripts without spaces the words are not known before it is analysed.
    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return QuerySyntax.isAlphanumeric(UInt8(scalar.value)) }
        guard !UnicodeTables.shared.properties(scalar.value).isSpaceless else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber:
            return true
        default: return false
        }
    }

    /// Objects that every query matches; every object if there are no queries.
    public static func all(of queries: [Query]) -> Query { Query(.all(queries)) }

    /// Objects that at least one query matches; none if there are no queries.
    public static func any(of queries: [Query]) -> Query { Query(.any(queries)) }

    /// Objects that no query matches; every object if there are no queries.
    public static func none(of queries: [Query]) -> Query { Query(.none(queries)) }

    /// Objects that at least some number of the queries match.
    ///
    /// - Parameters:
    ///   - count: How many. 0 matches every object, and the queries only add to the scores.
    ///   - queries: The queries. If there are fewer than `count`, no object matches. Queries that
    ///     ask for nothing, as stop words do, are not missed.
    /// - Returns: The query.
    public static func atLeast(_ count: Int, of queries: [Query]) -> Query {
        Query(.atLeast(max(count, 0), queries))
    }

    /// Objects that any of the queries matches. Matches of an earlier query always rank above those
    /// of later ones only.
    ///
    /// An object that the first query matches keeps its score. One that only a later query matches
    /// scores less than the lowest score further up: a share (1 + s ∕ (1 + |s|)) ∕ 2 of that for a
    /// score of s, or as much less than 1 below it if it is not positive. So scores do not depend
    /// on later queries. If the first query asks for nothing, since it has only stop words, neither
    /// does the whole.
    ///
    /// ```swift
    /// .first(of: [
    ///     .phrase("peking duck"), .near(["peking", "duck"], within: 5),
    ///     .any(of: [.term("peking"), .term("duck")]),
    /// ])
    /// ```
    ///
    /// - Parameter queries: The queries, the most wanted first; with none, no object matches.
    /// - Returns: The query.
    public static func first(of queries: [Query]) -> Query { Query(.first(queries)) }

    /// Matches of a query in one field only.
    ///
    /// - Parameters:
    ///   - name: The field's name, as in the index's configuration.
    ///   - query: A query. A field named inside it replaces this one there.
    /// - Returns: The query.
    public static func field(_ name: String, _ query: Query) -> Query {
        Query(.field(name, query))
    }

    /// The same objects, with multiplied scores.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - factor: 0 to ``maximumBoost``; other values are clamped.
    /// - Returns: The query.
    public static func boost(_ query: Query, _ factor: Double) -> Query {
        Query(.boost(query, clampedBoost(factor)))
    }

    /// The same objects, each with the same score.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - score: 0 to ``maximumBoost``; other values are clamped.
    /// - Returns: The query.
    public static func constantScore(_ query: Query, _ score: Double = 1) -> Query {
        Query(.constantScore(query, clampedBoost(score)))
    }

    /// The same objects, without an effect on scores.
    public static func filter(_ query: Query) -> Query { Query(.filter(query)) }
}

// MARK: - What is not text

extension Query {
    /// Objects by the value of an attribute, without a score.
    ///
    /// - Parameters:
    ///   - name: The attribute's name. An object without it does not match.
    ///   - comparison: What its value, or any of its values, must be.
    /// - Returns: The query.
    public static func attribute(_ name: String, _ comparison: AttributeComparison) -> Query {
        Query(.attribute(name, comparison.operation))
    }

    /// Objects by their identifiers, without a score.
    public static func identifiers(_ identifiers: some Sequence<Data>) -> Query {
        let sorted = Set(identifiers).sorted { $0.lexicographicallyPrecedes($1) }
        return Query(.identifiers(sorted))
    }

    /// Objects by their weight, without a score.
    ///
    /// - Parameter range: The least and the greatest weight.
    /// - Returns: The query.
    public static func weight(_ range: ClosedRange<Double>) -> Query {
        weight(from: range.lowerBound, through: range.upperBound)
    }

    /// Objects by their weight, without a score.
    ///
    /// - Parameters:
    ///   - lower: The least weight, or nil for no bound.
    ///   - upper: The greatest weight, or nil for no bound.
    /// - Returns: The query.
    public static func weight(from lower: Double?, through upper: Double?) -> Query {
        Query(
            .weight(
                AttributeBounds(lower: lower.map { .number($0) }, upper: upper.map { .number($0) }))
        )
    }
}

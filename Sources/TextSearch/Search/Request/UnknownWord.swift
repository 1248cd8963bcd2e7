/// A word of a query that no object of some indexes has, and the terms near it that they have: to
/// be compared with what other indexes say of it.
package struct UnknownWord: Hashable, Sendable {
    /// A term near a word.
    package struct Near: Hashable, Sendable {
        package var term: [UInt8]
        /// How many edits are between them.
        package var edits: Int
        /// How many objects have it.
        package var objects: Int
    }

    package let word: [UInt8]
    /// Where it stands in the text, in UTF-8 code units; empty where it does not.
    package let range: Range<Int>
    /// All of so many edits, up to those of which there are enough to suggest.
    package var near: [Near]
    /// Whether objects were found by those.
    package var isCorrected = false

    static let mostSuggestions = 5
    /// Of more terms near a word, the nearest are written for others.
    private static let mostTold = 200

    /// The nearest terms: by edits, then by the number of objects that have them, then in order.
    var suggestions: [String] {
        nearest.prefix(Self.mostSuggestions).map { String(decoding: $0.term, as: UTF8.self) }
    }

    private var nearest: [Near] {
        near.sorted { a, b in
            if a.edits != b.edits { return a.edits < b.edits }
            if a.objects != b.objects { return a.objects > b.objects }
            return a.term.lexicographicallyPrecedes(b.term)
        }
    }

    /// What to say of it.
    package var diagnostic: QueryDiagnostic {
        let suggestions = suggestions
        return QueryDiagnostic(
            kind: .unknownWord, utf8Range: range,
            message: suggestions.isEmpty
                ? "No object has this word."
                : isCorrected
                    ? "No object has this word; similar ones were found instead."
                    : "No object has this word, but similar ones.",
            suggestions: suggestions)
    }

    /// The words that none of several indexes has, with the terms of all.
    ///
    /// - Parameter all: what each says of the same query.
    /// - Returns: The words.
    package static func common(to all: some Sequence<[UnknownWord]>) -> [UnknownWord] {
        var common: [UnknownWord]?
        for words in all {
            guard let known = common else {
                common = words
                continue
            }
            let others = Dictionary(words.map { ($0.word, $0.near) }) { first, _ in first }
            common = known.compactMap { word in
                others[word.word].map { word.adding($0) }
            }
        }
        return common ?? []
    }

    private func adding(_ others: [Near]) -> UnknownWord {
        var terms = Dictionary(near.map { ($0.term, $0) }) { first, _ in first }
        for other in others {
            let objects = terms[other.term]?.objects ?? 0
            terms[other.term] = Near(
                term: other.term, edits: min(other.edits, terms[other.term]?.edits ?? .max),
                objects: objects.addingClamped(other.objects))
        }
        var sum = self
        sum.near = Array(terms.values)
        return sum
    }
}

// MARK: - As bytes

extension UnknownWord {
    /// Writes it for a process of the same version.
    package func write(to writer: inout MessageWriter) {
        writer.write(word)
        writer.write(range.lowerBound)
        writer.write(range.count)
        writer.write(byte: isCorrected ? 1 : 0)
        let told = nearest.prefix(Self.mostTold)
        writer.write(told.count)
        for near in told {
            writer.write(near.term)
            writer.write(near.edits)
            writer.write(near.objects)
        }
    }

    /// Reads what was written.
    package init(reading reader: inout MessageReader) throws {
        word = Array(try reader.slice())
        let (first, count) = (try reader.number(), try reader.number())
        let (end, isTooLarge) = first.addingReportingOverflow(count)
        guard first >= 0, count >= 0, !isTooLarge else { throw MalformedMessage() }
        range = first..<end
        isCorrected = try reader.byte() == 1
        near = []
        for _ in 0..<(try reader.count(ofAtLeast: 3)) {
            let term = Array(try reader.slice())
            let (edits, objects) = (try reader.number(), try reader.number())
            guard edits >= 0, objects >= 0 else { throw MalformedMessage() }
            near.append(Near(term: term, edits: edits, objects: objects))
        }
    }
}

/// The queries of the steps by which a text is searched.
///
/// Only bare words change from step to step: alone, or side by side in the uppermost "all". Each
/// query but the last matches all that the one before it does.
struct StepLadder {
    /// A bare word of the text.
    struct Word {
        /// The part of the asked query that it is: the word, perhaps in a field or with a boost.
        var part: Query
        var text: String
        /// The piece of text that it is of, where that has several words.
        var whole: String?
        var isLast = false
        /// Whether the asked query takes it for the beginning of words, too, as while it is typed.
        var isUnfinished = false
        /// Whether the word before it in the text is the one before it here.
        var followsWord = true
        /// The word of little value after a number, which may be written with it: *30 am*.
        var unit: String?
        /// Whether it only counts where it is found.
        var isStopWord = false
        /// In how many objects it occurs as it was typed.
        var frequency = 0
        /// The word itself, from the step of variants on.
        var forms: [Query] = []
        /// Whether nothing says which fields it is looked for in.
        var isInAnyField: Bool { if case .term = part.node { true } else { false } }
        /// What it is looked for by besides, from that step on; found once.
        private(set) var variants: [Query] = []
        /// Whether objects have some of these.
        var hasOtherForms = false
        /// The same from the step of typing errors on.
        var looseVariants: [Query] = []
        /// The words that it may be an error of, where stop words are near it; nil where all are.
        var corrections: [Query]?
        /// The parts of a joined word that count as words of their own in the step of some words.
        var parts: [Query] = []
        /// The pieces of a run of a script without spaces, most of which are enough in that step.
        var run: [Query] = []

        /// Adds other forms of it, some of which may be nowhere.
        mutating func add(unchecked forms: [Query]) { variants += forms }

        /// Adds other forms of it, which some objects have.
        mutating func add(_ forms: [Query]) {
            variants += forms
            if !forms.isEmpty { hasOtherForms = true }
        }
    }

    /// So many corrections of a word are looked for where stop words are near it.
    private static let mostCorrections = 16

    /// How many pieces of a run are enough, of so many.
    typealias LeastOfRun = (_ count: Int) -> Int

    /// The first of several fields.
    let titleField: String?
    var words: [Word] = []
    /// What else the text asks for; from the step of variants on, in parts of joined words, too.
    var others: [Query] = []
    let steps: SearchSteps
    /// Whether a word stands for others, by its stem or by synonyms: then it is looked for as such,
    /// too.
    private let standsForOthers: Bool
    /// Rows of several letters, words of little value among them: *n w a* is *N.W.A.*
    private var initials: [Initials] = []
    var isPrepared = false
    private var isCorrected = false

    private static let lengthsOfInitials = 3...8

    /// Letters side by side, and the words that they are but for those of little value.
    private struct Initials {
        var letters: [String] = []
        var places: [Int] = []
    }

    /// Nil where no step but the first one differs.
    init?(_ asked: Query, _ steps: SearchSteps, _ analyzer: Analyzer) {
        guard !steps.subtracting(.exact).isEmpty else { return nil }
        self.steps = steps
        titleField = analyzer.titleField
        standsForOthers =
            analyzer.analyses.contains(where: \.hasStems) || !analyzer.synonyms.isEmpty
        // A word of little value stands between those around it.
        var isBroken = false
        // Whether a word was just before.
        var mayHaveUnit = false
        var row = Initials()
        for part in asked.sideBySide {
            let word = part.bonusWord ?? (part.finishedWord ?? part).bareWord
            if let word, Query.isLetter(word) {
                row.letters.append(word)
                if !part.isBonus { row.places.append(words.count) }
            } else {
                endRow(&row)
            }
            if part.isBonus {
                if mayHaveUnit { words[words.count - 1].unit = part.bonusWord }
                (isBroken, mayHaveUnit) = (true, false)
            }
            let finished = part.finishedWord
            let part = finished ?? part
            if let whole = part.bareWord {
                let texts = Query.words(of: whole)
                for text in texts {
                    let isStopWord = analyzer.analyses.allSatisfy {
                        QueryWords(text, analysis: $0).words.isEmpty
                    }
                    words.append(
                        Word(
                            part: part.replacingBareWord(by: .term(text)), text: text,
                            whole: texts.count > 1 ? whole : nil, followsWord: !isBroken,
                            isStopWord: isStopWord))
                    isBroken = false
                }
                words[words.count - 1].isUnfinished = finished != nil
                mayHaveUnit = true
            } else {
                others.append(part)
                mayHaveUnit = false
            }
        }
        endRow(&row)
        if words.allSatisfy(\.isStopWord) {
            let hasParts = others.contains { $0 != $0.withParts { _, _ in [] } }
            guard words.isEmpty, hasParts, steps.contains(.variants) else { return nil }
        }
        if !words.isEmpty { words[words.count - 1].isLast = !isBroken }
    }

    private mutating func endRow(_ row: inout Initials) {
        if Self.lengthsOfInitials.contains(row.letters.count) { initials.append(row) }
        row = Initials()
    }

    /// The queries of a step, each of which matches more than the one before.
    mutating func queries(
        for step: SearchSteps, _ known: inout WordVariants
    ) throws -> [Query] {
        guard steps.contains(step) else { return [] }
        if !isPrepared { try prepare(&known) }
        if steps.contains(.typos), step.rawValue >= SearchSteps.typos.rawValue, !isCorrected {
            try findCorrections(&known)
        }
        let counted = words.filter { !$0.isStopWord }
        if counted.isEmpty, step != .variants { return [] }
        if step == .someWords { return someWords(counted) }
        return [NormalForm.all(counted.map { query(for: $0, upTo: step) } + others)]
    }

    // MARK: Words

    /// The words that are there in other forms, if some steps have found something: in other
    /// spellings, joined or split, or as the beginning of a word.
    func otherForms(of found: Set<SearchSteps>) -> [String] {
        words.filter { $0.hasOtherForms || $0.isLast && found.contains(.unfinished) }
            .map(\.text)
    }

    /// Rare words come first: what none of their objects has need not be looked for.
    mutating func prepare(_ known: inout WordVariants) throws {
        isPrepared = true
        for place in words.indices {
            words[place].frequency = try known.frequency(of: words[place].text)
        }
        if !steps.isDisjoint(with: [.variants, .someWords]) { try readPieces(&known) }
        if steps.contains(.variants) {
            try findVariants(&known)
            for place in others.indices {
                others[place] = try others[place].withParts { word, most in
                    let distance = min(most, Self.distance(for: word))
                    guard distance > 0 else { return [] }
                    return try known.corrections(of: word, within: distance)
                }
            }
        }
        words = words.enumerated().sorted {
            ($0.element.frequency, $0.offset) < ($1.element.frequency, $1.offset)
        }.map(\.element)
    }

    private mutating func readPieces(_ known: inout WordVariants) throws {
        for place in words.indices where !words[place].isStopWord {
            let pieces = WordPieces(words[place].text, known.analyzer)
            if steps.contains(.variants) {
                words[place].add(
                    unchecked: pieces.rows.map { .phrase($0.joined(separator: " ")) })
                for row in pieces.rows {
                    let counts = try row.map { try known.frequency(of: $0) }
                    if counts.allSatisfy({ $0 > 0 }) { words[place].hasOtherForms = true }
                }
            }
            words[place].parts = pieces.parts.map {
                steps.contains(.variants) ? NormalForm.any(forms($0)) : .term($0)
            }
            words[place].run = pieces.run.map { .term($0) }
        }
    }

    private mutating func findVariants(_ known: inout WordVariants) throws {
        for place in words.indices where !words[place].isStopWord {
            let text = words[place].text
            words[place].forms = forms(text)
            var found: [Query] = []
            if let whole = words[place].whole {
                found += try known.numbers(of: whole).flatMap(forms)
            } else {
                words[place].add(unchecked: known.wholes(of: text).flatMap(forms))
            }
            found += try known.pieces(ofNumber: text).map { .phrase($0.joined(separator: " ")) }
            for spelling in try known.spellings(of: text) { found += forms(spelling) }
            for pieces in try known.splits(of: text) {
                found.append(.phrase(pieces.joined(separator: " ")))
                if words[place].frequency == 0 {
                    let pieces = pieces.map { NormalForm.any(forms($0)) }
                    words[place].looseVariants.append(NormalForm.all(pieces))
                }
            }
            if let unit = words[place].unit, text.last?.isNumber ?? false,
                let word = try known.joined([text, unit])
            {
                found += forms(word)
            }
            words[place].add(found)
        }
        for place in words.indices {
            try join(place..<(place + 2), &known)
            try join(place..<(place + 3), &known)
        }
        for row in initials {
            for place in row.places { words[place].add(unchecked: forms(row.letters.joined())) }
        }
        joinNumbers()
    }

    /// A word of two or three stands for each of them.
    private mutating func join(_ row: Range<Int>, _ known: inout WordVariants) throws {
        guard row.upperBound <= words.count, words[row].dropFirst().allSatisfy(\.followsWord)
        else { return }
        let texts = words[row].map(\.text)
        var joined: [Query] = []
        if let word = try known.joined(texts) {
            joined = [.term(word)]
        } else if row.count > 2 {
            guard Query.isLetter(texts[1]), let word = try known.joinedWithSigns(texts) else {
                return
            }
            joined = forms(word)
        } else if texts.contains(where: Query.isLetter),
            let word = try known.joinedWithSigns(texts)
        {
            // As *O'Connor* is `o connor` and *l'amour* `l amour`.
            joined = forms(word)
        } else if let whole = words[row.lowerBound].whole, texts.joined().allSatisfy(\.isLetter),
            known.wholes(of: whole) == [texts.joined()]
        {
            // As *WALL·E* is written in `wall-e`.
            for place in row { words[place].add(unchecked: forms(texts.joined())) }
        }
        for place in row { words[place].add(joined) }
    }

    /// Numbers side by side are also one number: *1 000 000*.
    private mutating func joinNumbers() {
        func isNumber(_ place: Int) -> Bool {
            words[place].whole == nil && words[place].text.allSatisfy(\.isNumber)
        }
        var start = 0
        while start < words.count {
            var end = start + 1
            while isNumber(start), end < words.count, words[end].followsWord, isNumber(end) {
                end += 1
            }
            let row = start..<end
            start = end
            let number = words[row].map(\.text).joined()
            guard row.count > 1, WordVariants.isLongNumber(number) else { continue }
            for place in row { words[place].add(unchecked: forms(number)) }
        }
    }

    /// A word by itself or as a part of joined words, so that it counts once: both are one query
    /// or, if the word stands for others, the part counts little. A single letter is a part if a
    /// sign that joins words is before it. A run is indexed as pieces, of which none is a part.
    private func forms(_ word: String) -> [Query] {
        if WordPieces.isRun(word) { return [.term(word)] }
        if word.utf8.count == 1 { return [.term(word), .part("." + word), .part("_" + word)] }
        return standsForOthers ? [.term(word), NormalForm.boost(.part(word), 0.1)] : [.part(word)]
    }

    /// So many of the words that no object has may be two that are joined with an error: each takes
    /// several walks over all words.
    private static let mostNearSplit = 4

    /// Words that no object has may be parts of joined words that are nearly right, and the last
    /// one nearly the beginning of a word.
    private mutating func findCorrections(_ known: inout WordVariants) throws {
        isCorrected = true
        for place in words.indices where !words[place].isStopWord {
            let text = words[place].text
            let distance = distance(for: words[place])
            guard distance > 0, try known.isNearStopWord(text, distance) else { continue }
            words[place].corrections = try known.corrections(
                of: text, within: distance, most: Self.mostCorrections
            ).flatMap(forms)
        }
        var unknownCount = 0
        for place in words.indices where words[place].frequency == 0 && !words[place].isStopWord {
            let text = words[place].text
            let distance = Self.distance(for: text)
            guard distance > 0 else { continue }
            let corrections = try known.corrections(of: text, within: distance)
            words[place].looseVariants += corrections.flatMap(forms)
            unknownCount += 1
            if corrections.isEmpty, steps.contains(.variants), unknownCount <= Self.mostNearSplit {
                words[place].looseVariants += try known.splits(near: text).map {
                    .phrase($0.joined(separator: " "))
                }
            }
            guard words[place].isLast, steps.contains(.unfinished) else { continue }
            words[place].looseVariants += try known.beginnings(near: text).map {
                NormalForm.boost(.prefix($0), 0.5)
            }
        }
    }

    func query(
        for word: Word, upTo step: SearchSteps, inSentence: Bool = false,
        leastOfRun: LeastOfRun? = nil
    ) -> Query {
        let text = word.text
        // Of some words alone, those that are known are what was meant.
        let isMeant = step == .someWords && word.frequency > 0
        if isMeant, inSentence {
            let ways = [.term(text)] + (word.isUnfinished ? [Query.prefix(text)] : [])
            return word.part.replacingBareWord(by: NormalForm.any(ways))
        }
        var ways = word.forms.isEmpty ? [.term(text)] : word.forms
        // Plurals have most of the stems of their words already.
        ways += word.variants.map { NormalForm.boost($0, standsForOthers ? 0.4 : 0.8) }
        func takes(_ way: SearchSteps) -> Bool {
            !isMeant && steps.contains(way) && step.rawValue >= way.rawValue
        }
        if word.isUnfinished || takes(.unfinished) && word.isLast {
            var beginning = Query.prefix(text)
            if steps.contains(.variants) {
                beginning = beginning.withParts { _, _ in [] }
            }
            ways.append(NormalForm.boost(beginning, 0.7))
        }
        if step.rawValue >= SearchSteps.typos.rawValue, !isMeant {
            ways += word.looseVariants.map { NormalForm.boost($0, 0.6) }
        }
        if takes(.typos), Self.distance(for: text) > 0 {
            let near = word.corrections ?? [.fuzzy(text, distance: distance(for: word))]
            ways += near.map { NormalForm.boost($0, 0.6) }
        }
        if takes(.insideWords), text.count >= (word.frequency == 0 ? 3 : 5) {
            ways.append(NormalForm.boost(.infix(text), 0.4))
        }
        if let leastOfRun, !word.run.isEmpty {
            let least = leastOfRun(word.run.count)
            ways.append(NormalForm.boost(NormalForm.atLeast(least, word.run), 0.4))
        }
        return word.part.replacingBareWord(by: NormalForm.any(ways))
    }

    /// One where objects have the word.
    private func distance(for word: Word) -> Int {
        let distance = Self.distance(for: word.text)
        return word.frequency > 0 ? min(distance, 1) : distance
    }

    /// How many typing errors a word may have: none where digits are in it, and in few letters.
    static func distance(for word: String) -> Int {
        guard !word.contains(where: \.isNumber) else { return 0 }
        let letters = word.count(where: \.isLetter)
        return letters < 4 ? 0 : letters < 8 ? 1 : 2
    }
}

extension Query {
    /// The bare word that only counts where it is found, as a part of a query.
    fileprivate var bonusWord: String? {
        guard case .atLeast(0, let parts) = node, parts.count == 1 else { return nil }
        return parts[0].bareWord
    }

    /// The parts of the uppermost "all", words of one field each in it.
    var sideBySide: [Query] {
        let parts = if case .all(let parts) = node { parts } else { [self] }
        return parts.flatMap(\.wordsOfField)
    }

    /// The words that are looked for in one field, each in it; the query itself where it is
    /// anything else.
    private var wordsOfField: [Query] {
        guard case .field(let name, let part) = node, case .all(let parts) = part.node,
            parts.contains(where: { $0.bareWord ?? $0.finishedWord?.bareWord != nil })
        else { return [self] }
        return parts.map { NormalForm.field(name, $0) }
    }
}

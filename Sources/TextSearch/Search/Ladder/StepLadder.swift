/// The queries of the steps by which a text is searched.
///
/// Only bare words change from step to step: alone, or side by side in the uppermost "all". Each
/// query but the last matches all that the one before it does.
struct StepLadder {
    /// A bare word of the text.
    private struct Word {
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
        /// Whether it only counts where it is found.
        var isStopWord = false
        /// In how many objects it occurs as it was typed.
        var frequency = 0
        /// The word itself, from the step of variants on.
        var forms: [Query] = []
        /// Whether nothing says which fields it is looked for in.
        var isInAnyField: Bool { if case .term = part.node { true } else { false } }
        /// What it is looked for by besides, from that step on; found once.
        var variants: [Query] = []
        /// The same from the step of typing errors on.
        var looseVariants: [Query] = []
        /// The words that it may be an error of, where stop words are near it; nil where all are.
        var corrections: [Query]?
        /// The parts of a joined word that count as words of their own in the step of some words.
        var parts: [Query] = []
        /// The pieces of a run of a script without spaces, most of which are enough in that step.
        var run: [Query] = []
    }

    /// So many corrections of a word are looked for where stop words are near it.
    private static let mostCorrections = 16

    /// How many pieces of a run are enough, of so many.
    private typealias LeastOfRun = (_ count: Int) -> Int

    private static func allButOne(_ count: Int) -> Int { count - 1 }
    private static func half(_ count: Int) -> Int { (count + 1) / 2 }

    /// More words are a sentence: it does not count how many of them an object has. With 7, nDCG@10
    /// of the Cranfield and CISI collections was .513 and .356 instead of .517 and .354, with stems
    /// .521 and .393 instead of .527 and .398.
    private static let mostCounted = 5

    /// Of fewer words, one says too little of a title; more are a question rather than a title.
    private static let wordsOfTitle = 3...7

    /// How many titles with all words but one may come before a step; nil where none may.
    ///
    /// If more titles have them, the words say what many objects are about, and not which one is
    /// meant. If eight of four words or more were enough, too, nDCG@10 of the CISI collection was
    /// .3539 instead of .3553, with stems .3940 instead of .3962.
    func mostTitles(before step: SearchSteps) -> Int? {
        switch step {
        case .unfinished: 1
        case .typos: words.count { !$0.isStopWord } == Self.wordsOfTitle.lowerBound ? 8 : nil
        default: nil
        }
    }

    /// The first of several fields.
    private let titleField: String?
    private var words: [Word] = []
    /// What else the text asks for; from the step of variants on, in parts of joined words, too.
    private var others: [Query] = []
    private let steps: SearchSteps
    /// Whether a word stands for others, by its stem or by synonyms: then it is looked for as such,
    /// too.
    private let standsForOthers: Bool
    private var isPrepared = false
    private var isCorrected = false

    /// Nil where no step but the first one differs.
    init?(_ asked: Query, _ steps: SearchSteps, _ analyzer: Analyzer) {
        guard !steps.subtracting(.exact).isEmpty else { return nil }
        self.steps = steps
        titleField = analyzer.titleField
        standsForOthers =
            analyzer.analyses.contains(where: \.hasStems) || !analyzer.synonyms.isEmpty
        // A word of little value stands between those around it.
        var isBroken = false
        for part in asked.sideBySide {
            if part.isBonus { isBroken = true }
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
            } else {
                others.append(part)
            }
        }
        if words.allSatisfy(\.isStopWord) {
            let hasParts = others.contains { $0 != $0.withParts { _, _ in [] } }
            guard words.isEmpty, hasParts, steps.contains(.variants) else { return nil }
        }
        if !words.isEmpty { words[words.count - 1].isLast = !isBroken }
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

    /// The queries of the step of some words. Most of a run comes before fewer words, and all parts
    /// of joined words before fewer of them.
    private func someWords(_ counted: [Word]) -> [Query] {
        let isSentence = counted.count > Self.mostCounted
        let hasRuns = counted.contains { !$0.run.isEmpty }
        var queries: [Query] = []
        if hasRuns {
            let words = counted.map {
                query(
                    for: $0, upTo: .someWords, inSentence: isSentence, leastOfRun: Self.allButOne)
            }
            queries.append(NormalForm.all(words + others))
        }
        var units: [Query] = []
        var letters: [Query] = []
        for word in counted {
            let whole = query(
                for: word, upTo: .someWords, inSentence: isSentence, leastOfRun: Self.half)
            if !word.parts.isEmpty, !isSentence || word.frequency == 0 {
                units += word.parts.map { part in
                    let part = word.part.replacingBareWord(by: NormalForm.boost(part, 0.4))
                    return NormalForm.any([whole, part])
                }
            } else if Query.isLetter(word.text) {
                letters.append(whole)
            } else {
                units.append(whole)
            }
        }
        let count = units.count + letters.count
        let hasMore = hasRuns || counted.contains { !$0.parts.isEmpty }
        // Of a sentence any words will do: which they are says more than how many.
        var least = isSentence ? [1] : [count, count - 1, (count + 1) / 2, 1]
        least.removeAll { $0 >= (hasMore ? count + 1 : count) || $0 < 1 }
        for count in least {
            if count > letters.count {
                let some = NormalForm.atLeast(count, units + letters)
                queries.append(NormalForm.all([some] + others))
            } else if !units.isEmpty {
                // Letters alone say too little.
                let bonuses = letters.map { Query(.atLeast(0, [$0])) }
                queries.append(NormalForm.all([NormalForm.any(units)] + bonuses + others))
            }
        }
        return queries
    }

    /// The query for titles with all words but one, where no word has to be a typing error since
    /// objects have each of them; nil otherwise.
    ///
    /// It is taken before words are read as beginnings or errors of others: "secret of type hints"
    /// rather means "theory of type hints" than "secrets of typing hints".
    mutating func titleQuery(_ known: inout WordVariants) throws -> Query? {
        guard steps.contains(.someWords), let titleField else { return nil }
        if !isPrepared { try prepare(&known) }
        let counted = words.filter { !$0.isStopWord }
        guard Self.wordsOfTitle.contains(counted.count),
            counted.allSatisfy({ $0.frequency > 0 && $0.isInAnyField })
        else { return nil }
        let wanted = counted.map {
            NormalForm.field(titleField, query(for: $0, upTo: .unfinished))
        }
        return NormalForm.all([NormalForm.atLeast(wanted.count - 1, wanted)] + others)
    }

    // MARK: Words

    /// The words that are there in other forms, if some steps have found something: in other
    /// spellings, joined or split, or as the beginning of a word.
    func otherForms(of found: Set<SearchSteps>) -> [String] {
        words.filter { !$0.variants.isEmpty || $0.isLast && found.contains(.unfinished) }
            .map(\.text)
    }

    /// Rare words come first: what none of their objects has need not be looked for.
    private mutating func prepare(_ known: inout WordVariants) throws {
        isPrepared = true
        for place in words.indices {
            words[place].frequency = try known.frequency(of: words[place].text)
        }
        if !steps.isDisjoint(with: [.variants, .someWords]) { readPieces(known.analyzer) }
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

    private mutating func readPieces(_ analyzer: Analyzer) {
        for place in words.indices where !words[place].isStopWord {
            let pieces = WordPieces(words[place].text, analyzer)
            if steps.contains(.variants) {
                words[place].variants += pieces.rows.map {
                    .phrase($0.joined(separator: " "))
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
            if let whole = words[place].whole {
                words[place].variants += try known.numbers(of: whole).flatMap(forms)
            } else {
                words[place].variants += known.wholes(of: text).flatMap(forms)
            }
            words[place].variants += try known.pieces(ofNumber: text).map {
                .phrase($0.joined(separator: " "))
            }
            for spelling in try known.spellings(of: text) {
                words[place].variants += forms(spelling)
            }
            for pieces in try known.splits(of: text) {
                words[place].variants.append(.phrase(pieces.joined(separator: " ")))
                if words[place].frequency == 0 {
                    let pieces = pieces.map { NormalForm.any(forms($0)) }
                    words[place].looseVariants.append(NormalForm.all(pieces))
                }
            }
        }
        for place in words.indices {
            try join(place..<(place + 2), &known)
            try join(place..<(place + 3), &known)
        }
        joinNumbers()
    }

    /// A word of two, and of three as *rock'n'roll* is, stands for each of them.
    private mutating func join(_ row: Range<Int>, _ known: inout WordVariants) throws {
        guard row.upperBound <= words.count, words[row].dropFirst().allSatisfy(\.followsWord)
        else { return }
        let texts = words[row].map(\.text)
        var joined: [Query] = []
        if row.count > 2 {
            guard Query.isLetter(texts[1]), let word = try known.joinedWithSigns(texts) else {
                return
            }
            joined = forms(word)
        } else if let word = try known.joined(texts[0], texts[1]) {
            joined = [.term(word)]
        } else if let whole = words[row.lowerBound].whole, texts.joined().allSatisfy(\.isLetter),
            known.wholes(of: whole) == [texts.joined()]
        {
            // As *WALL·E* is written in `wall-e`.
            joined = forms(texts.joined())
        }
        for place in row { words[place].variants += joined }
    }

    /// Numbers side by side are also one number: *1 000 000*.
    private mutating func joinNumbers() {
        var start = 0
        while start < words.count {
            var end = start + 1
            while end < words.count, words[end].followsWord,
                words[start...end].allSatisfy({ $0.whole == nil && $0.text.allSatisfy(\.isNumber) })
            {
                end += 1
            }
            let row = start..<end
            start = end
            let number = words[row].map(\.text).joined()
            guard row.count > 1, WordVariants.isLongNumber(number) else { continue }
            for place in row { words[place].variants += forms(number) }
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

    /// Words that no object has may be parts of joined words that are nearly right, and the last
    /// one nearly the beginning of a word.
    private mutating func findCorrections(_ known: inout WordVariants) throws {
        isCorrected = true
        for place in words.indices where !words[place].isStopWord {
            let text = words[place].text
            let distance = distance(for: words[place])
            guard distance > 0, known.isNearStopWord(text, distance) else { continue }
            words[place].corrections = try known.corrections(
                of: text, within: distance, most: Self.mostCorrections
            ).map { .term($0) }
        }
        for place in words.indices where words[place].frequency == 0 && !words[place].isStopWord {
            let text = words[place].text
            let distance = Self.distance(for: text)
            guard distance > 0 else { continue }
            for word in try known.corrections(of: text, within: distance) {
                words[place].looseVariants += forms(word)
            }
            guard words[place].isLast, steps.contains(.unfinished) else { continue }
            words[place].looseVariants += try known.beginnings(near: text).map {
                NormalForm.boost(.prefix($0), 0.5)
            }
        }
    }

    private func query(
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
            if word.isUnfinished, steps.contains(.variants) {
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

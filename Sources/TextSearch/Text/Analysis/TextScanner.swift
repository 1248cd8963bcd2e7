/// One word as the scanner found it, in the term table.
struct ScannedWord {
    /// The term's number in the table, with `TermTable.stopBit` set for a stop word.
    var term: UInt32
    /// Where the word begins in its string, in UTF-16 code units.
    var utf16Start: Int
    /// Whether the offsets of the term are those of the text (see `FoldedWord.isRegular`).
    var isRegular: Bool
    /// Whether the next word overlaps this one (a bigram of a script without spaces).
    var isBigram: Bool
    /// Whether it begins where the word before it does, and shares its position.
    var isAlternative = false
    /// Of an alternative: whether its characters are not the first ones of the word whose position
    /// it shares.
    var hasOwnMap = false
    /// The variant of its stem (see `StemLog`), 0 for none.
    var variant: UInt32 = 0
}

/// Cuts text into words and looks each up in a term table.
///
/// ASCII is folded while it is cut, letters eight at a time and the rest by a table; any word that
/// touches another byte is left to `scanRegion` and `Folder`.
struct TextScanner: ~Copyable {
    /// The fold of the last irregular word: its `clusters`.
    private(set) var folded = FoldedWord()
    private var plain = PlainFold()
    private var batch: WordBatch

    /// For a text of about so many words; there is room for more as they come.
    init(expecting wordCount: Int = .max) {
        batch = WordBatch(capacity: min(max(wordCount, 1), WordBatch.size))
    }

    /// Calls `emit` for each word of `text`, in text order.
    ///
    /// Complexity: linear in the bytes of `text`.
    @inline(__always)
    mutating func scan(
        _ text: UnsafeBufferPointer<UInt8>, analysis: FieldAnalyzer,
        isQuery: Bool = false, into terms: inout TermTable,
        emit: (ScannedWord, borrowing FoldedWord) -> Void
    ) {
        let isStandard = isQuery ? analysis.isStandardForQueries : analysis.isStandard
        if !isStandard,
            let words = (isQuery ? analysis.querySource : analysis.source).words(of: text)
        {
            return scan(words, of: text, analysis, into: &terms, emit: emit)
        }
        let classes = ASCIIClass.table
        classes.withUnsafeBufferPointer { table in
            var index = 0
            /// How many more UTF-8 bytes than UTF-16 units there were before `index`.
            var excess = 0
            while index < text.count {
                let beyond = fillBatch(text, &index, table, excess: excess, for: terms)
                lookUpBatch(text, analysis, in: &terms, emit: emit)
                guard beyond else { continue }
                scanBeyond(
                    text, from: index, index: &index, excess: &excess, analysis: analysis,
                    into: &terms, emit: emit)
            }
        }
    }

    /// Cuts words of ASCII characters from `index` until the batch is full; true when `index` is
    /// now at a word, or at characters between words, that the general breaker has to see.
    @inline(__always)
    private mutating func fillBatch(
        _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int,
        _ table: UnsafeBufferPointer<UInt16>, excess: Int, for terms: borrowing TermTable
    ) -> Bool {
        while index < text.count, !batch.isFull {
            let kind = UInt8(truncatingIfNeeded: table[Int(text[index])])
            if kind == ASCIIClass.beyond { return true }
            guard kind &- 1 < ASCIIClass.extendNumLet else {
                index &+= 1
                continue
            }
            let start = index
            let length = scanASCIIWord(text, &index, table, batch.scratch())
            if length < 0 {
                index = start
                return true
            }
            if length > 0 {
                batch.add(
                    length, at: start..<index, utf16Start: start &- excess, toLookUpIn: terms)
            }
        }
        return false
    }

    /// Looks up the words of the batch, and empties it.
    @inline(__always)
    private mutating func lookUpBatch(
        _ text: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer,
        in terms: inout TermTable, emit: (ScannedWord, borrowing FoldedWord) -> Void
    ) {
        for place in 0..<batch.count {
            let word = batch[place]
            let term = batch.withTerm(of: word) {
                terms.intern($0, word.length, word.probe, analysis)
            }
            var scanned = ScannedWord(
                term: term, utf16Start: word.utf16Start, isRegular: true, isBigram: false)
            if analysis.hasStems {
                scanned.variant = terms.noteStem(
                    ofASCII: term, UnsafeBufferPointer(rebasing: text[word.start..<word.end]),
                    analysis)
            }
            emit(scanned, folded)
        }
        batch.removeAll()
    }

    /// Scans the words that another tokenizer than the standard one found.
    private mutating func scan(
        _ words: [TokenizedWord], of text: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer,
        into terms: inout TermTable,
        emit: (ScannedWord, borrowing FoldedWord) -> Void
    ) {
        var counted = 0
        var utf16 = 0
        /// Where the last word begins that is not an alternative; its characters, where it is not
        /// regular.
        var place = -1
        var characters: [FoldedWord.Cluster] = []
        for word in words {
            let bytes = UnsafeBufferPointer(rebasing: text[word.start..<word.end])
            guard let term = terms.intern(folding: bytes, analysis, &folded) else { continue }
            utf16 += UTF8Decoding.utf16Count(
                UnsafeBufferPointer(rebasing: text[counted..<word.start]))
            counted = word.start
            var scanned = ScannedWord(
                term: term, utf16Start: utf16, isRegular: folded.isRegular,
                isBigram: word.isBigram, isAlternative: word.start == place,
                variant: terms.stems.variant)
            if !scanned.isAlternative {
                place = word.start
                characters.removeAll(keepingCapacity: true)
                if !folded.isRegular { characters += folded.clusters }
            } else if term != FoldCache.severalTerms, !characters.isEmpty || !folded.isRegular {
                // The cache keeps neither terms nor the characters of regular words.
                if folded.isRegular { analysis.folder.fold(bytes, into: &folded) }
                folded.bytes = terms.array(Int(term & ~TermTable.stopBit))
                scanned.hasOwnMap = !characters.starts(with: folded.clusters)
            }
            if term == FoldCache.severalTerms {
                Self.scanPieces(of: bytes, scanned, analysis, &folded, into: &terms, emit: emit)
            } else {
                emit(scanned, folded)
            }
        }
    }

    /// Looks up the words that one word of a run stands for, which `folded` holds.
    @inline(never)
    private static func scanPieces(
        of word: UnsafeBufferPointer<UInt8>, _ whole: ScannedWord, _ analysis: FieldAnalyzer,
        _ folded: inout FoldedWord, into terms: inout TermTable,
        emit: (ScannedWord, borrowing FoldedWord) -> Void
    ) {
        let pieces = folded.pieces() ?? []
        for (place, piece) in pieces.enumerated() {
            folded = piece
            guard let term = terms.intern(folded: &folded, of: word, analysis) else { continue }
            var scanned = whole
            scanned.term = term
            scanned.isRegular = false
            scanned.variant = terms.stems.variant
            scanned.isBigram = whole.isBigram || place < pieces.count - 1
            emit(scanned, folded)
        }
    }

    /// Scans a word of ASCII characters from `index`, writing its folded bytes to `output`.
    ///
    /// Returns the number of bytes written (0: a run of underscores, no word), or -1 when the word
    /// touches a byte beyond ASCII and the general breaker has to decide.
    @inline(__always)
    private func scanASCIIWord(
        _ text: UnsafeBufferPointer<UInt8>, _ index: inout Int,
        _ table: UnsafeBufferPointer<UInt16>, _ output: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var length = ASCIILetters.fold(text, from: index, to: output)
        index &+= length
        var previous = length > 0 ? ASCIIClass.letter : ASCIIClass.other
        var kinds: UInt8 = length > 0 ? 1 &<< ASCIIClass.letter : 0
        while index < text.count {
            let entry = table[Int(text[index])]
            let kind = UInt8(truncatingIfNeeded: entry)
            if kind &- 1 >= ASCIIClass.extendNumLet {
                if kind == ASCIIClass.other { break }
                if kind == ASCIIClass.beyond { return -1 }
                // A sign that may stand inside a word: decided by its neighbours (WB6, 7, 11, 12).
                guard index &+ 1 < text.count else { break }
                let next = UInt8(truncatingIfNeeded: table[Int(text[index &+ 1])])
                if next == ASCIIClass.beyond { return -1 }
                let joinsLetters =
                    previous == ASCIIClass.letter && next == ASCIIClass.letter
                    && kind != ASCIIClass.midNum
                let joinsDigits =
                    previous == ASCIIClass.digit && next == ASCIIClass.digit
                    && kind != ASCIIClass.midLetter
                if !joinsLetters && !joinsDigits { break }
            } else {
                kinds |= 1 &<< kind
            }
            if length < TermTable.maximumTermLength {
                output[length] = UInt8(truncatingIfNeeded: entry >> 8)
                length &+= 1
            }
            previous = kind
            index &+= 1
        }
        return kinds & 0b110 == 0 ? 0 : length
    }

    /// Hands the region from `start` to the general word breaker and goes on where it stops.
    @inline(never)
    private mutating func scanBeyond(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, index: inout Int, excess: inout Int,
        analysis: FieldAnalyzer, into terms: inout TermTable,
        emit: (ScannedWord, borrowing FoldedWord) -> Void
    ) {
        var breaker = WordBreaker(text, from: start, utf16Offset: start - excess)
        let (end, utf16End) = breaker.scanRegion(folding: &plain) { span, plain in
            var scanned = ScannedWord(
                term: 0, utf16Start: span.utf16Start, isRegular: true, isBigram: span.isBigram)
            if plain.isPlain, !analysis.hasStems {
                scanned.term = plain.withBytes { terms.intern($0, analysis) }
            } else {
                let word = UnsafeBufferPointer(rebasing: text[span.start..<span.end])
                guard let term = terms.intern(folding: word, analysis, &folded) else { return }
                if term == FoldCache.severalTerms {
                    return Self.scanPieces(
                        of: word, scanned, analysis, &folded, into: &terms, emit: emit)
                }
                scanned.term = term
                scanned.isRegular = folded.isRegular
                scanned.variant = terms.stems.variant
            }
            emit(scanned, folded)
        }
        index = max(end, start + 1)
        excess = index - utf16End
    }
}

extension TermTable {
    /// The number of a folded word.
    @inline(__always)
    fileprivate mutating func intern(
        _ word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer
    ) -> UInt32 {
        let length = min(word.count, Self.maximumTermLength)
        if let source = word.baseAddress { scratch().update(from: source, count: length) }
        return intern(length: length, analysis)
    }

    /// The number of the term whose bytes were written to `scratch()`, marked when it is a stop
    /// word.
    @inline(__always)
    fileprivate mutating func intern(
        length: Int, _ analysis: FieldAnalyzer
    ) -> UInt32 {
        let term = intern(length: length) { analysis.markedWords.contains($0) }
        return unmarked(term, analysis)
    }

    /// The number of the term of a word of a batch, marked when it is a stop word.
    @inline(__always)
    fileprivate mutating func intern(
        _ word: UnsafePointer<UInt8>, _ length: Int, _ probe: Probe, _ analysis: FieldAnalyzer
    ) -> UInt32 {
        let term = intern(word, length, probe) { analysis.markedWords.contains($0) }
        return unmarked(term, analysis)
    }

    /// The term without its mark where other strings than those of `analysis` have the stop word.
    @inline(__always)
    private func unmarked(_ term: UInt32, _ analysis: FieldAnalyzer) -> UInt32 {
        if analysis.marksExactly || term & Self.stopBit == 0 { return term }
        let isStopWord = withTerm(term) { analysis.stopWords.contains($0) }
        return isStopWord ? term : term & ~Self.stopBit
    }

    /// The number of the term of a word as it is written, nil when nothing is left of it; `folded`
    /// takes `isRegular`, and `clusters` when it is not, but nothing else.
    ///
    /// `FoldCache.severalTerms` for a word of a run in which a character folds to several; then
    /// `folded` takes all.
    @inline(never)
    fileprivate mutating func intern(
        folding word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer,
        _ folded: inout FoldedWord
    ) -> UInt32? {
        var number = analysis.number
        if analysis.hasStems, let language = stems.language {
            number |= Int(language.storedNumber) << 6
        }
        let hash = FoldCache.hash(word, analysis: number)
        if let (term, variant) = folds.term(of: word, hash, analysis: number, &folded) {
            stems.variant = variant
            return term == FoldCache.noTerm ? nil : term
        }
        stems.variant = 0
        analysis.folder.fold(word, into: &folded)
        if analysis.cutsRuns, SpacelessScript.begins(word), folded.pieces() != nil {
            return FoldCache.severalTerms
        }
        let term = intern(folded: &folded, of: word, analysis)
        folds.insert(
            word, hash, analysis: number, folded, term: term ?? FoldCache.noTerm,
            variant: stems.variant)
        return term
    }

    /// Notes the stem of a word of ASCII letters, which is as good as its term, unless it is noted
    /// already; its variant.
    @inline(__always)
    fileprivate mutating func noteStem(
        ofASCII term: UInt32, _ word: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer
    ) -> UInt32 {
        let number = Int(term & ~Self.stopBit)
        // The small letter of the Turkish I is ı, in the word's stem and not in its term.
        if analysis.tellsCapitals, word.contains(0x49) {
            var folded = FoldedWord()
            _ = intern(folding: word, analysis, &folded)
            return stems.variant
        }
        if stems.isNoted(number, analysis.number) { return 0 }
        let word = array(number)
        word.withUnsafeBufferPointer { stems.note($0, analysis, term: $0, number: number) }
        return 0
    }

    /// The number of the term that is made of a folded word; marked when the word is dropped,
    /// whatever else gives the term.
    fileprivate mutating func intern(
        folded: inout FoldedWord, of word: UnsafeBufferPointer<UInt8>,
        _ analysis: FieldAnalyzer
    ) -> UInt32? {
        let omission = analysis.makeTerm(folded: &folded, of: word)
        if omission == .empty { return nil }
        let term = folded.bytes.withUnsafeBufferPointer { intern($0, analysis) }
        if analysis.hasStems {
            let number = Int(term & ~Self.stopBit)
            folded.bytes.withUnsafeBufferPointer {
                stems.note(word, analysis, term: $0, number: number)
            }
        }
        return omission == nil ? term & ~Self.stopBit : term | Self.stopBit
    }
}

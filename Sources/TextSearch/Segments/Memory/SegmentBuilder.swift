/// Collects the words of a run of documents, to be frozen into a memory segment.
///
/// Words are logged in text order as term numbers; freezing sorts the log by term. That keeps the
/// loop over the text sequential in memory.
struct SegmentBuilder: ~Copyable {
    /// In the log: a word that has no posting (a stop word, a duplicate that is not wanted).
    static let dropped = UInt32.max

    let analyzer: Analyzer
    var terms: TermTable
    var log = WordLog()
    /// For each string: its document, its index in it, and where its words begin in the log.
    var strings = StringTable()
    var documents = DocumentTable()
    private(set) var textByteCount = 0

    /// The analysis of the last string. Held here, so that no reference is counted for each string,
    /// which other threads count too.
    private var analysis: FieldAnalyzer
    private var scanner = TextScanner()
    private var nibbles = Buffer<UInt8>(capacity: 256)

    init(analyzer: Analyzer, slotBits: Int = 10) {
        self.analyzer = analyzer
        analysis = analyzer.analysis(ofString: 0)
        terms = TermTable(slotBits: slotBits)
    }

    /// With a table for the terms of so much text, about.
    init(analyzer: Analyzer, textByteCount: Int) {
        self.init(analyzer: analyzer, slotBits: textByteCount > 1 << 18 ? 16 : 12)
    }

    mutating func add(_ object: IndexedObject, identifier: [UInt8]) {
        identifier.withUnsafeBufferPointer { add(object, identifier: $0) }
    }

    /// Adds one document: its strings become words, and its record is encoded.
    ///
    /// Complexity: linear in the bytes of its strings.
    mutating func add(_ object: IndexedObject, identifier: UnsafeBufferPointer<UInt8>) {
        documents.begin(
            identifier: identifier, weight: object.weight, firstString: strings.count)
        let attributes = ObjectRecord.encodeHead(
            identifier: identifier, object: object, into: &documents.records)
        attributes.withUnsafeBufferPointer { documents.setAttributes($0) }
        terms.stems.language = object.language
        if let language = object.language { documents.setLanguage(language.storedNumber) }
        for (index, var string) in object.strings.enumerated() {
            string.withUTF8 { add($0, index: index) }
        }
        documents.end()
    }

    private mutating func add(_ text: UnsafeBufferPointer<UInt8>, index: Int) {
        strings.append(
            document: UInt32(documents.count - 1), index: UInt32(index),
            firstWord: UInt32(log.words.count))
        textByteCount += text.count
        log.beginString()
        let number = analyzer.analysisNumber(ofString: index)
        if analysis.number != number { analysis = analyzer.analyses[number] }
        Self.scan(
            text, analysis, discards: analyzer.discardsDuplicates, &scanner, &terms, &log)
        strings.setLength(log.starts.count)
        log.starts.withElements {
            WordStarts.encode($0, scratch: &nibbles, into: &documents.records)
        }
        documents.records.appendVarint(log.irregular.count)
        log.irregular.withElements { documents.records.append(contentsOf: $0) }
    }

    /// Static, so that scanner, terms and log are lent apart.
    private static func scan(
        _ text: UnsafeBufferPointer<UInt8>, _ analysis: FieldAnalyzer, discards: Bool,
        _ scanner: inout TextScanner, _ terms: inout TermTable, _ log: inout WordLog
    ) {
        scanner.scan(text, analysis: analysis, into: &terms) { word, folded in
            log.append(word, folded, discardsDuplicates: discards)
        }
    }

    /// The finished segment.
    consuming func freeze() -> MemorySegment {
        MemorySegment(
            terms: terms, log: log, strings: strings, documents: documents,
            analyzer: analyzer, textByteCount: textByteCount)
    }
}

extension MemorySegment {
    /// The segment of some objects, in their order; `textByteCount` says how much text that is,
    /// about.
    static func analysing(
        _ objects: [(identifier: [UInt8], object: IndexedObject)], _ analyzer: Analyzer,
        textByteCount: Int
    ) -> MemorySegment {
        var builder = SegmentBuilder(analyzer: analyzer, textByteCount: textByteCount)
        for (identifier, object) in objects { builder.add(object, identifier: identifier) }
        return builder.freeze()
    }
}

/// The words of the strings scanned so far.
struct WordLog: ~Copyable {
    /// The term number of each word of each string, in text order.
    private(set) var words = Buffer<UInt32>(capacity: 256)
    /// Further terms of words that begin at the same place, in text order.
    private(set) var alternatives = Buffer<Alternative>(capacity: 1)
    /// The words and the alternatives whose stems are not those of their terms, by their places,
    /// and which stems these are (see `StemLog`).
    private(set) var variants: [Variant] = []
    private(set) var alternativeVariants: [Variant] = []
    /// Where each word of the current string begins, in UTF-16 code units.
    private(set) var starts = Buffer<UInt32>(capacity: 256)
    /// The encoded maps of the current string's irregular words.
    private(set) var irregular = Buffer<UInt8>(capacity: 16)
    private var lastIrregular = -1
    /// The number of the current string, from 1.
    private var string: UInt32 = 0
    /// The last string in which each term was seen; only kept when duplicates are discarded.
    private var lastString = Buffer<UInt32>(capacity: 1)

    struct Alternative: BitwiseCopyable {
        /// The place in `words` whose position it shares.
        var word: UInt32
        var term: UInt32
    }

    struct Variant {
        var place: Int
        var variant: UInt32
    }

    mutating func beginString() {
        starts.removeAll()
        irregular.removeAll()
        lastIrregular = -1
        string += 1
    }

    @inline(__always)
    mutating func append(
        _ word: ScannedWord, _ folded: borrowing FoldedWord, discardsDuplicates: Bool
    ) {
        if word.isAlternative { return appendAlternative(word, folded, discardsDuplicates) }
        if !word.isRegular {
            IrregularWords.encode(starts.count, after: lastIrregular, folded, into: &irregular)
            lastIrregular = starts.count
        }
        starts.append(UInt32(truncatingIfNeeded: word.utf16Start))
        // All bits of a stop word's number are set, without a branch that is foreseen every other
        // time.
        let term = word.term | UInt32(bitPattern: Int32(bitPattern: word.term) >> 31)
        let isDropped = discardsDuplicates && term != SegmentBuilder.dropped && !markSeen(term)
        if word.variant != 0 {
            variants.append(Variant(place: words.count, variant: word.variant))
        }
        words.append(isDropped ? SegmentBuilder.dropped : term)
    }

    /// A term at the place of the last word; the same term twice there is one.
    @inline(never)
    private mutating func appendAlternative(
        _ scanned: ScannedWord, _ folded: borrowing FoldedWord, _ discardsDuplicates: Bool
    ) {
        let term = scanned.term
        let word = UInt32(words.count - 1)
        if term & TermTable.stopBit != 0 || words[words.count - 1] == term { return }
        var index = alternatives.count
        while index > 0, alternatives[index - 1].word == word {
            if alternatives[index - 1].term == term { return }
            index -= 1
        }
        if discardsDuplicates, !markSeen(term) { return }
        if scanned.variant != 0 {
            alternativeVariants.append(
                Variant(place: alternatives.count, variant: scanned.variant))
        }
        alternatives.append(Alternative(word: word, term: term))
        guard scanned.hasOwnMap else { return }
        let place = starts.count - 1
        if lastIrregular != place {
            IrregularWords.encode(place, after: lastIrregular, FoldedWord(), into: &irregular)
            lastIrregular = place
        }
        IrregularWords.encodeAlternative(folded, into: &irregular)
    }

    /// Whether `term` comes for the first time in the current string.
    private mutating func markSeen(_ term: UInt32) -> Bool {
        while lastString.count <= Int(term) { lastString.append(0) }
        defer { lastString[Int(term)] = string }
        return lastString[Int(term)] != string
    }
}

/// The strings of a run of documents, numbered through.
struct StringTable: ~Copyable {
    /// Relative to the segment's first document.
    private(set) var document = Buffer<UInt32>()
    private(set) var index = Buffer<UInt32>()
    /// Where the string's words begin in the builder's log.
    private(set) var firstWord = Buffer<UInt32>()
    /// In words, dropped ones included.
    private(set) var length = Buffer<UInt32>()

    var count: Int { document.count }
    var byteCount: Int {
        document.byteCount + index.byteCount + firstWord.byteCount + length.byteCount
    }

    mutating func append(document: UInt32, index: UInt32, firstWord: UInt32, length: UInt32 = 0) {
        self.document.append(document)
        self.index.append(index)
        self.firstWord.append(firstWord)
        self.length.append(length)
    }

    /// Sets the length of the last string.
    mutating func setLength(_ words: Int) {
        length[length.count - 1] = UInt32(words)
    }
}

/// Identifiers, weights, attributes and encoded records of a run of documents.
struct DocumentTable: ~Copyable {
    private(set) var weights = Buffer<Double>()
    private(set) var firstString = Buffer<UInt32>()
    private(set) var identifiers = Buffer<UInt8>()
    private(set) var identifierEnds = Buffer<UInt32>()
    var records = Buffer<UInt8>()
    private(set) var recordEnds = Buffer<UInt32>()
    /// As records hold them, and where those of each document end; nothing behind the last document
    /// that has some.
    private var attributes = Buffer<UInt8>(capacity: 1)
    private var attributeEnds = Buffer<UInt32>(capacity: 1)
    /// The stored numbers of the objects' languages; nothing behind the last document that says
    /// one. Stems alone ask for them.
    private var languages = Buffer<UInt8>(capacity: 1)

    var count: Int { weights.count }
    var byteCount: Int {
        weights.byteCount + firstString.byteCount + identifiers.byteCount
            + identifierEnds.byteCount + records.byteCount + recordEnds.byteCount
            + attributes.byteCount + attributeEnds.byteCount + languages.byteCount
    }

    mutating func begin(
        identifier: UnsafeBufferPointer<UInt8>, weight: Double, firstString: Int
    ) {
        weights.append(weight)
        self.firstString.append(UInt32(firstString))
        identifiers.append(contentsOf: identifier)
        identifierEnds.append(UInt32(identifiers.count))
    }

    mutating func end() { recordEnds.append(UInt32(records.count)) }

    /// Sets the attributes of the last document, in their stored form.
    mutating func setAttributes(_ stored: UnsafeBufferPointer<UInt8>) {
        guard !stored.isEmpty else { return }
        while attributeEnds.count < count - 1 { attributeEnds.append(UInt32(attributes.count)) }
        attributes.append(contentsOf: stored)
        attributeEnds.append(UInt32(attributes.count))
    }

    /// Sets the language of the last document.
    mutating func setLanguage(_ number: UInt8) {
        while languages.count < count - 1 { languages.append(0) }
        languages.append(number)
    }

    /// The stored number of a document's language, 0 for none.
    func language(of document: Int) -> UInt8 {
        document < languages.count ? languages[document] : 0
    }

    var hasAttributes: Bool { !attributeEnds.isEmpty }

    /// Lends the stored form of a document's attributes; empty where it has none.
    @inline(__always)
    borrowing func withAttributes<R>(
        of document: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        guard document < attributeEnds.count else {
            return try body(UnsafeBufferPointer(start: nil, count: 0))
        }
        let start = document == 0 ? 0 : Int(attributeEnds[document - 1])
        let end = Int(attributeEnds[document])
        return try attributes.withElements {
            try body(UnsafeBufferPointer(rebasing: $0[start..<end]))
        }
    }

    @inline(__always)
    borrowing func withIdentifier<R>(of document: Int, _ body: (UnsafeBufferPointer<UInt8>) -> R)
        -> R
    {
        let start = document == 0 ? 0 : Int(identifierEnds[document - 1])
        let end = Int(identifierEnds[document])
        return identifiers.withElements { body(UnsafeBufferPointer(rebasing: $0[start..<end])) }
    }

    @inline(__always)
    borrowing func withRecord<R, E: Error>(
        of document: Int, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        let start = document == 0 ? 0 : Int(recordEnds[document - 1])
        let end = Int(recordEnds[document])
        return try records.withElements { (all) throws(E) in
            try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[start..<end])))
        }
    }
}

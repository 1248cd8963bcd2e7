public import Logging

/// What a finished operation is safe from.
public enum Durability: Sendable, Hashable {
    /// A killed process; a power cut may take the operations of the last moments.
    case process
    /// A power cut too: every commit is synced to the disk.
    case power
}

/// The part of a configuration that says how text is analysed.
public struct AnalysisSettings: Sendable {
    let analyzer: Analyzer

    /// The analysis settings of a configuration.
    ///
    /// - Parameter configuration: the configuration; nothing else of it is looked at.
    public init(_ configuration: TextIndexConfiguration) { analyzer = Analyzer(configuration) }
}

/// How an index analyses text and what it may use of the machine.
public struct TextIndexConfiguration: Sendable {
    /// The shortest token, in letters: a keyword does not match where less than this is left of the word. A Korean syllable counts as two
    /// letters, a vowel sign as one; scripts without spaces and symbols are exempt, and so are short words in keywords of several words.
    public var minimalTokenLength = 2
    /// Words of little value. They are indexed as others are, unless ``indexesStopWords`` says otherwise: phrases and names with them are found. In a query text of
    /// several words they are not required and count little; a text of nothing else is one of ordinary words.
    public var stopWords: StopWords = .english
    /// Whether stop words are indexed, by default true. An index without them is about a fifth smaller: phrases pass over them, and a text of nothing else finds
    /// them inside other words. An index that was made without them is opened as it was, and takes them in with ``TextIndex/rebuild(progress:)``.
    public var indexesStopWords = true
    /// How text becomes words and terms.
    public var analysis = TextAnalysis.standard
    /// How that of fields is, by their names in ``fields``, where it differs from ``analysis``. An index is not opened with a name that is
    /// no field's: ``TextIndexError/Code/invalidArgument``.
    public var fieldAnalysis: [String: TextAnalysis] = [:]
    /// Whether only the first occurrence of a word in each string is kept.
    public var discardDuplicateTokens = false
    /// Names for string 0, 1, …
    public var fields: [String] = []
    /// Names of attributes that query text may compare: `stars:>3`, `date:[a TO b]`; no part of what is stored. A field of the same name is found
    /// where the text does not compare. Typed queries compare any attribute.
    public var attributes: [String] = []
    /// Words that stand for each other in queries; no part of what is stored.
    public var synonyms = Synonyms.none
    /// How relevance is reckoned where a search does not say otherwise; no part of what is stored.
    public var relevance = BM25Parameters()
    /// The steps that a search for a text may take, where it does not say otherwise; no part of what is stored. By default `.all`: what is typed finds what is meant,
    /// by other spellings, unfinished words and typing errors too, always behind what has the words as they are. `.exact` for these alone.
    public var steps = SearchSteps.all
    /// How far the results of a query are counted at the least; beyond, documents that cannot be among the results asked for may be passed over
    /// uncounted, and ``SearchResults/totalCount`` is no more than a lower bound. `.max` to count all.
    public var exactCountLimit = 1_000
    /// How the index learns from what people choose among results; no part of what is stored.
    public var learning = LearningSettings()
    /// How much a query may ask for.
    public var queryLimits = QueryLimits()
    /// How long a search for a query may take; nil for as long as it does. One that takes longer ends with the best that it found so far; see
    /// ``SearchBudget``.
    public var searchTimeout: Duration?
    /// What a finished operation is safe from.
    public var durability: Durability = .process
    /// Bytes of memory that postings may take before they are written to the store. A bulk load fills twice as many. Indexing holds up to twice
    /// what is filled.
    public var bufferSize = 32 << 20
    /// Bytes of memory for what was read from the store of late: six sixteenths for postings of words, one for parts of the vocabulary, two for records of
    /// objects, one for identifiers, the rest for blocks. Vocabularies of which many parts are asked for
    /// are kept besides, as long as they do not take more than as much again; one that is searched for patterns is kept whatever it takes. Postings of words that begin as a prefix does take
    /// up to a quarter as much again, so do the objects that filters on attributes let pass, typing sessions together up to as much again, for the prefixes that were typed.
    public var cacheSize = 32 << 20
    /// Bytes of LevelDB's own write buffer; two of them may be in use.
    public var writeBufferSize = 8 << 20
    /// Bytes of the disk that are kept in a file of their own for the time when it is full; 0 for none. They are given up for opening the
    /// index, and for removing objects. Less than four times ``writeBufferSize`` and 4 MB count as that. The file is made when the index is
    /// opened and the disk has twice as much free.
    public var reservedSpace = 0
    /// Table files of the store that are kept open, at least 64; others are opened when they are read. All indexes of a process keep no more
    /// than 256 open, 64 when several are in use, and half of what the process may open.
    public var maximumOpenFiles = 190
    /// Whether the index is only read: no byte of its files is changed, others may read it at the same time, and every operation ends with
    /// ``TextIndexError/Code/readOnly``. The index must exist, and nobody may have it open to write.
    public var isReadOnly = false
    /// The longest identifier in bytes.
    public var maximumIdentifierLength = 4096
    /// The largest context and attributes of one object in bytes, together.
    public var maximumContextLength = 1 << 20
    /// The longest text of one object in bytes, over all its strings. Of a word the first 255 bytes of its folded form are found.
    public var maximumTextLength = 64 << 20
    /// The longest of an object's strings in bytes.
    public var maximumStringLength = Int.max
    /// The most strings of one object.
    public var maximumStringCount = Int.max

    /// What to do with an index that was built with other analysis settings: refuse to open it, or open it as it is, to take on these
    /// settings with ``TextIndex/rebuild(progress:)``.
    ///
    /// Until then searches are answered by what was indexed with the old settings; say in ``previousAnalysis`` what they
    /// were, so that queries and new objects are analysed with them.
    public var reopensForRebuild = false

    /// The analysis settings that an index may still have when it is opened with ``reopensForRebuild``; an index that was built with
    /// yet others, or with these, is not concerned.
    ///
    /// Where they are not given, queries and new objects (and those that were not flushed yet) are analysed with the new settings from the
    /// start, beside terms that the old ones made: some matches may be missed until the rebuild is done.
    ///
    /// ```swift
    /// var configuration = TextIndexConfiguration()
    /// configuration.previousAnalysis = .init(configuration)
    /// configuration.stopWords = .none
    /// configuration.reopensForRebuild = true
    /// ```
    public var previousAnalysis: AnalysisSettings?

    /// A rebuild lets no operation commit while it indexes the last objects: those that are left when there are no more than
    /// this many.
    var largestLastPass = 1000

    /// Documents are numbered anew by `optimize()` where so many numbers or more are those of no document, and most numbers are.
    var leastUnusedNumbers = 4096

    /// Postings of a term up to this many bytes stand in the vocabulary; more are an entry of their own.
    var inlinePostingsLimit = 64
    /// The most bytes of one word's postings in a segment, and of a page of their positions: what a value of the store can hold.
    var largestPostings = 60 << 20

    /// The terms of a flush are written in slices of so many postings or more, which two threads take in turn.
    var leastSplitPostings = 1 << 15

    /// A segment of so many bytes, about, comes into table files of its own.
    var leastRun = 2 << 20

    /// Where the index reports what no call can: failures of background work. Never terms or texts.
    public var logger: Logger?

    /// The default configuration.
    public init() {}

    /// Memory segments are flushed together when they hold so much.
    var flushThreshold: Int { max(bufferSize, 1 << 16) }

    /// Those of a bulk load are when they hold so much: nobody searches them before, nor replays them after a crash.
    ///
    /// Every search asks each of the segments that they become.
    var bulkFlushThreshold: Int { 2 * min(flushThreshold, .max / 2) }
}

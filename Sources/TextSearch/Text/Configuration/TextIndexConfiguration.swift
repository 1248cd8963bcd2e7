public import Logging

/// What a finished operation is safe from.
public enum Durability: Sendable, Hashable {
    /// A killed process. A power cut may undo the operations of the last moments.
    case process
    /// Also a power cut: every commit is synced to the disk.
    case power
}

/// The settings of a configuration that determine how text is analysed.
public struct AnalysisSettings: Sendable {
    let analyzer: Analyzer

    /// Creates the analysis settings of a configuration.
    ///
    /// - Parameter configuration: the configuration; its other settings are ignored.
    public init(_ configuration: TextIndexConfiguration) { analyzer = Analyzer(configuration) }
}

/// How an index analyses text, and what it may use of the machine.
public struct TextIndexConfiguration: Sendable {
    /// How many letters of a word a keyword must leave from the start of its match on; 2 by
    /// default. So `e` finds *red*, but not *blue*. A Korean syllable counts as two letters, a
    /// vowel sign as one. Scripts without spaces, symbols, and short words in keywords of several
    /// words are exempt.
    public var minimalTokenLength = 2
    /// Words of little value; English ones by default. They are indexed as others are, unless
    /// ``indexesStopWords`` is false, so phrases and names with them are found. In a query text of
    /// several words they are not required and count little. A text of nothing else is one of
    /// ordinary words.
    public var stopWords: StopWords = .english
    /// Whether stop words are indexed; true by default. Without them an index is about a fifth
    /// smaller, phrases skip them, and a text of nothing else finds them inside other words. An
    /// index that was made without them opens as it was, and ``TextIndex/rebuild(progress:)`` adds
    /// them.
    public var indexesStopWords = true
    /// How text becomes words and terms; ``TextAnalysis/standard`` by default.
    public var analysis = TextAnalysis.standard
    /// Per-field analysis settings, keyed by field name; none by default. Other fields use
    /// ``analysis``. An unknown name makes opening throw ``TextIndexError/Code/invalidArgument``.
    public var fieldAnalysis: [String: TextAnalysis] = [:]
    /// Whether only the first occurrence of a word in each string is kept; false by default.
    public var discardDuplicateTokens = false
    /// The names of the strings of an object, in their order; none by default.
    public var fields: [String] = []
    /// The names of attributes that query text may compare, as in `stars:>3` or `date:[a TO b]`;
    /// not stored. A field of the same name is searched if the text does not compare. Typed queries
    /// compare any attribute.
    public var attributes: [String] = []
    /// Words that stand for each other in queries; none by default, not stored.
    public var synonyms = Synonyms.none
    /// The parameters of relevance, unless a search has others; not stored.
    public var relevance = BM25Parameters()
    /// The steps that a search for a text may take, unless it says otherwise; not stored. With
    /// `.all`, the default, a text also finds other spellings, unfinished words and typing errors,
    /// always after objects with the words as they are. `.exact` finds only these.
    public var steps = SearchSteps.all
    /// Up to how many results of a query are counted exactly; 1,000 by default. Beyond, documents
    /// that cannot be among the requested results may be skipped uncounted, and
    /// ``SearchResults/totalCount`` is only a lower bound. `.max` counts all.
    public var exactCountLimit = 1_000
    /// How the index learns from what people choose among results; not stored.
    public var learning = LearningSettings()
    /// How much a query may ask for; see ``QueryLimits``.
    public var queryLimits = QueryLimits()
    /// How long a search for a query may take; nil, the default, for no limit. A search that takes
    /// longer returns the best found so far; see ``SearchBudget``.
    public var searchTimeout: Duration?
    /// What a finished operation is safe from; ``Durability/process`` by default.
    public var durability: Durability = .process
    /// Bytes of memory that postings may take before they are written to the store; 32 MB by
    /// default. A bulk load fills twice as many. Indexing holds up to twice what is filled.
    public var bufferSize = 32 << 20
    /// Bytes of memory for recently read data of the store; 32 MB by default.
    ///
    /// Six sixteenths are for postings of words, one for pieces of the vocabulary, two for records
    /// of objects, one for identifiers, the rest for blocks. Some data is kept besides:
    /// vocabularies of which much is read, up to as much again; a vocabulary searched for patterns,
    /// whatever it takes; postings of words with a prefix, up to a quarter as much again; the
    /// objects that attribute filters let pass, up to a quarter too; what was found out about typed
    /// words, up to a sixth; and the prefixes typed in all typing sessions, up to as much again.
    public var cacheSize = 32 << 20
    /// Memory for recently read data that this index shares with others; nil, the default, for
    /// ``cacheSize`` of its own.
    public var cacheBudget: CacheBudget?
    /// Bytes of LevelDB's own write buffer; 8 MB by default. Two of them may be in use.
    public var writeBufferSize = 8 << 20
    /// Bytes of each of LevelDB's table files, about, 1 MB to 1 GB; 2 MB by default. With larger
    /// ones an index has fewer files, more of which are kept open (``maximumOpenFiles``), but each
    /// step of LevelDB's compactions takes longer. 32 MB suit an index of gigabytes that is built
    /// once and then published. Files that are there keep their size until they are compacted.
    public var tableSize = 2 << 20
    /// Bytes of the disk that are kept in a file for the time when it is full; 0, the default, for
    /// none. They are given up to open the index and to remove objects. Values below four times
    /// ``writeBufferSize`` and 4 MB count as that. The file is made when the index is opened and
    /// the disk has twice as much free.
    public var reservedSpace = 0
    /// How many table files of the store are kept open, at least 64; 190 by default. Others are
    /// opened to be read. All indexes of a process keep at most 256 open, 64 if several are in use,
    /// and half of what the process may open.
    public var maximumOpenFiles = 190
    /// Whether the index is only read; false by default. No byte of its files changes, others may
    /// read it at the same time, and every operation ends with ``TextIndexError/Code/readOnly``.
    /// The index must exist, and nobody may have it open to write.
    public var isReadOnly = false
    /// Users, by their numbers, whose index is opened although another user made it, if it is only
    /// read (``isReadOnly``, or published); none by default, since whoever can write an index
    /// decides what a search finds. Others must not be able to write to it even so.
    public var trustedOwners: [UInt32] = []
    /// The maximum length of an identifier, in bytes; 4,096 by default.
    public var maximumIdentifierLength = 4096
    /// The maximum size of an object's context and attributes together, in bytes; 1 MB by default.
    public var maximumContextLength = 1 << 20
    /// The maximum length of an object's text over all its strings, in bytes; 64 MB by default.
    /// Only the first 255 bytes of a word's folded form are indexed and searchable.
    public var maximumTextLength = 64 << 20
    /// The maximum length of each of an object's strings, in bytes; unlimited by default.
    public var maximumStringLength = Int.max
    /// The maximum number of an object's strings; unlimited by default.
    public var maximumStringCount = Int.max

    /// Whether an index built with other analysis settings opens as it is, to take on these
    /// settings with ``TextIndex/rebuild(progress:)``. By default false: it is not opened.
    ///
    /// Until the rebuild, searches use what was indexed with the old settings. Name these in
    /// ``previousAnalysis``, so that queries and new objects are analysed with them.
    public var reopensForRebuild = false

    /// The analysis settings that an index may still have when it is opened with
    /// ``reopensForRebuild``; nil by default. An index that was built with yet others, or with the
    /// new ones, is not affected.
    ///
    /// Without them, queries and new objects (and those not flushed yet) are analysed with the new
    /// settings from the start, beside terms that the old ones made. Some matches may be missed
    /// until the rebuild is done.
    ///
    /// ```swift
    /// var configuration = TextIndexConfiguration()
    /// configuration.previousAnalysis = .init(configuration)
    /// configuration.stopWords = .none
    /// configuration.reopensForRebuild = true
    /// ```
    public var previousAnalysis: AnalysisSettings?

    /// A rebuild lets no operation commit while it indexes the last objects: those that are left
    /// when there are no more than this many.
    var largestLastPass = 1000

    /// Documents are numbered anew by `optimize()` where so many numbers or more are those of no
    /// document, and most numbers are.
    var leastUnusedNumbers = 4096

    /// Postings of a term up to this many bytes stand in the vocabulary; more are an entry of their
    /// own.
    var inlinePostingsLimit = 64
    /// The most bytes of one word's postings in a segment, and of a page of their positions: what a
    /// value of the store can hold.
    var largestPostings = 60 << 20

    /// The terms of a flush are written in slices of so many postings or more, which two threads
    /// take in turn.
    var leastSplitPostings = 1 << 15

    /// A segment of so many bytes, about, comes into table files of its own.
    var leastRun = 2 << 20

    /// Receives what no call can report, such as failures of background work; nil by default. It
    /// never receives terms or texts.
    public var logger: Logger?

    /// Creates a configuration with the defaults of the properties.
    public init() {}

    /// Memory segments are flushed together when they hold so much.
    var flushThreshold: Int { max(bufferSize, 1 << 16) }

    /// Those of a bulk load are when they hold so much: nobody searches them before, nor replays
    /// them after a crash.
    ///
    /// Every search asks each of the segments that they become.
    var bulkFlushThreshold: Int { 2 * min(flushThreshold, .max / 2) }
}

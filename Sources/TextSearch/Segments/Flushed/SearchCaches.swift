import Synchronization

/// What searches read of late of the flushed segments of an index, which share it.
///
/// What a search of words does without is made when somebody asks for it first: making a cache has
/// the system put its type together, which takes some hundredth of an opening each.
///
/// **Thread safety**: guarded.
final class SearchCaches: Sendable {
    /// Postings of single terms.
    let terms: RecentCache<[UInt8], StoredTerm>
    /// The bytes of all that is kept, which each kind has its share of. The vocabularies may take
    /// as much together that are kept because many of their parts were read one by one.
    private let size: Int
    private let budget: CacheBudget?
    private let vocabularyBytes = Atomic<Int>(0)
    private let missedGroups = Atomic<Int>(0)
    private let lazyPatterns = AtomicLazyReference<PatternCaches>()
    private let lazyFilters = AtomicLazyReference<RecentCache<FilterKey, FilterBits>>()
    private let lazyWords = AtomicLazyReference<RecentWords>()

    init(_ configuration: TextIndexConfiguration) {
        size = IndexStore.cacheSize(of: configuration)
        budget = configuration.cacheBudget
        terms = RecentCache(byteCount: size / 16 * 6, budget: budget)
    }

    /// What searches of patterns read of late.
    var patterns: PatternCaches {
        lazyPatterns.load() ?? lazyPatterns.storeIfNil(PatternCaches(cacheSize: size, budget))
    }

    /// What searches found out of late about words.
    var words: RecentWords {
        lazyWords.load() ?? lazyWords.storeIfNil(RecentWords(cacheSize: size, budget))
    }

    /// What is asked of the column of an attribute.
    struct FilterKey: Hashable, Sendable {
        /// The column's.
        let column: Int
        let operation: AttributeComparison.Operation
    }

    /// The documents that comparisons of attributes let pass.
    var filters: RecentCache<FilterKey, FilterBits> {
        lazyFilters.load()
            ?? lazyFilters.storeIfNil(
                RecentCache(byteCount: size / 4, budget: budget))
    }

    /// Takes some of the room for vocabularies, or gives it back; whether there was so much.
    @discardableResult func reserveVocabulary(_ byteCount: Int) -> Bool {
        let taken = vocabularyBytes.add(byteCount, ordering: .relaxed).newValue
        let room = size / (budget?.memberCount ?? 1)
        if byteCount <= 0 || taken <= room { return true }
        vocabularyBytes.subtract(byteCount, ordering: .relaxed)
        return false
    }

    /// Whether a group of entries that is not in memory is to be read. Where those that are asked
    /// for have no room together, most of them would have to go before they are asked for again:
    /// then a few of them take the place of others, and those that are left stay for long.
    var admitsGroup: Bool {
        if patterns.entries.hasRoom { return true }
        return missedGroups.add(1, ordering: .relaxed).newValue % 16 == 0
    }
}

/// What searches of patterns, suggestions and removals read of late.
///
/// **Thread safety**: guarded.
final class PatternCaches: Sendable {
    /// Which part of which segment's vocabulary.
    struct PartKey: Hashable {
        var segment: UInt32
        var part: Int
    }

    /// Whose identifiers a page holds.
    struct IdentifierPageKey: Hashable {
        var segment: UInt32
        var page: UInt32
    }

    /// Parts of vocabularies that were looked into for a term.
    let parts: RecentCache<PartKey, VocabularyPart>
    /// Postings that are entries of their own, of neighbouring terms, where all that begin alike
    /// were asked for.
    let entries: RecentCache<EntryGroup.Key, EntryGroup>
    /// Identifiers of neighbouring documents.
    let identifiers: RecentCache<IdentifierPageKey, IdentifierPage>
    /// How often the words stand in strings that begin with prefixes that somebody typed.
    let prefixes: RecentCache<PrefixCounts.Key, PrefixCounts>

    init(cacheSize: Int, _ budget: CacheBudget?) {
        parts = RecentCache(byteCount: cacheSize / 16, budget: budget)
        entries = RecentCache(byteCount: cacheSize / 4, budget: budget)
        identifiers = RecentCache(byteCount: cacheSize / 16, budget: budget)
        prefixes = RecentCache(byteCount: cacheSize, budget: budget)
    }
}

/// What searches of patterns, suggestions and removals read of late: what a search of words does without, so that an index that is opened for one does not
/// make it. Making a cache has the system put its type together, which takes some hundredth of an opening each.
///
/// **Thread safety**: guarded.
final class PatternCaches: Sendable {
    /// Parts of vocabularies that were looked into for a term.
    let parts: RecentCache<IndexStore.PartKey, VocabularyPart>
    /// Postings that are entries of their own, of neighbouring terms, where all that begin alike were asked for.
    let entries: RecentCache<EntryGroup.Key, EntryGroup>
    /// Identifiers of neighbouring documents.
    let identifiers: RecentCache<IndexStore.IdentifierPageKey, IdentifierPage>
    /// How often the words stand in strings that begin with prefixes that somebody typed.
    let prefixes: RecentCache<PrefixCounts.Key, PrefixCounts>

    init(cacheSize: Int) {
        parts = RecentCache(byteCount: cacheSize / 16)
        entries = RecentCache(byteCount: cacheSize / 4)
        identifiers = RecentCache(byteCount: cacheSize / 16)
        prefixes = RecentCache(byteCount: cacheSize)
    }
}

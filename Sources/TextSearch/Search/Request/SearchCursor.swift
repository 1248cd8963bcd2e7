/// Where the results of a search continue; pass it to ``TextIndex/search(after:limit:budget:)``.
///
/// It holds the state of the index in which the search ran. So pages neither overlap nor skip
/// results, whatever is indexed or removed between them. The files of that state stay as long as a
/// cursor holds it, so release cursors that nobody reads on from.
///
/// **Thread safety**: an immutable value. **Lifetime**: usable while its index is open.
public struct SearchCursor: Sendable {
    let request: SearchRequest
    let index: IndexStore
}

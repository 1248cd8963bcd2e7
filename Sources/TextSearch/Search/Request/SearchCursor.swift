/// Where the results of a search go on: give it to ``TextIndex/search(after:limit:budget:)``.
///
/// It holds the state of the index in which the search ran, so that pages neither overlap nor leave anything out, whatever is indexed or
/// removed between them. That state's files stay as long as some cursor holds it: do not keep cursors for longer than somebody reads.
///
/// **Thread safety**: an immutable value. **Lifetime**: it is of use while its index is open.
public struct SearchCursor: Sendable {
    let request: SearchRequest
    let index: IndexStore
}

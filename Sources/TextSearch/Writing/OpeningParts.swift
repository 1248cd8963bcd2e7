#if !THREAD_SANITIZER
    import Synchronization
#endif

/// What an index needs besides its database, and what is made while opening that waits for the
/// disk: it takes as long as some of those waits.
///
/// **Thread safety**: guarded. It is made once, by a thread in the background or by whoever needs
/// it first.
final class OpeningParts: Sendable {
    private let configuration: TextIndexConfiguration
    private let made = Mutex<(analyzer: Analyzer, caches: SearchCaches)?>(nil)

    init(_ configuration: TextIndexConfiguration) { self.configuration = configuration }

    var analyzer: Analyzer { make().analyzer }
    var caches: SearchCaches { make().caches }

    /// Makes them, if nobody has.
    @discardableResult func make() -> (analyzer: Analyzer, caches: SearchCaches) {
        made.withLock { made in
            if let made { return made }
            let parts = (Analyzer(configuration), SearchCaches(configuration))
            made = parts
            return parts
        }
    }
}

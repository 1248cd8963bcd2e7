@testable import TextSearch

extension SearchMemory {
    /// Whether all that a search took was given back.
    ///
    /// What the thread sanitizer instruments keeps values until the end of their scope: there it is
    /// not known yet.
    var isGivenBack: Bool {
        #if THREAD_SANITIZER
            true
        #else
            used == 0
        #endif
    }
}

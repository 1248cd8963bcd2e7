#if THREAD_SANITIZER
    import TextSearch

    // The thread sanitizer does not see the standard library's mutex.
    typealias Mutex = TextSearch.Mutex
#endif

import TextSearch

extension IndexFolder {
    /// Opens an index that exists, and closes it after use.
    ///
    /// - Parameters:
    ///   - location: where it is, and how long to wait while it is open elsewhere.
    ///   - tableSize: bytes of each table file that is written; nil for what is usual.
    ///   - body: what to do with it.
    /// - Returns: what `body` returns.
    /// - Throws: what opening, `body` and closing throw.
    static func use<R>(
        existing location: IndexOption, tableSize: Int? = nil,
        _ body: (IndexFolder) async throws -> R
    ) async throws -> R {
        try await waiting(location) {
            try IndexFolder(
                existing: location.path, tableSize: tableSize,
                trustedOwners: location.opening.trustedOwners)
        }.closing(body)
    }

    /// Opens an index or makes one, and closes it after use.
    ///
    /// - Parameters:
    ///   - location: where it is, and how long to wait while it is open elsewhere.
    ///   - largestText: the most text of one object, in bytes.
    ///   - tableSize: bytes of each table file; nil for what is usual.
    ///   - proposed: gives the settings of a new index, or checks those of an old one.
    ///   - body: what to do with it.
    /// - Returns: what `body` returns.
    /// - Throws: what opening, `body` and closing throw.
    static func use<R>(
        creating location: IndexOption, largestText: Int, tableSize: Int? = nil,
        settings proposed: (IndexSettings?) throws -> IndexSettings,
        _ body: (IndexFolder) async throws -> R
    ) async throws -> R {
        try await waiting(location) {
            try IndexFolder(
                creating: location.path, largestText: largestText, tableSize: tableSize,
                settings: proposed)
        }.closing(body)
    }

    /// Works on an index that exists and that nobody has open, by its place.
    ///
    /// - Parameters:
    ///   - location: where it is, and how long to wait while it is open elsewhere.
    ///   - body: what to do with it.
    /// - Returns: what `body` returns.
    /// - Throws: what finding the index and `body` throw.
    static func use<R>(
        closed location: IndexOption, _ body: (IndexPlace) throws -> R
    ) async throws -> R {
        let place = try IndexPlace(existing: location.path)
        if place.isPublished { throw IndexPlace.isReadOnly(location.path) }
        return try await waiting(location) {
            try advising(location.path, place.path) { try body(place) }
        }
    }

    /// Tries again while another process has the index open.
    package static func waiting<R>(
        _ location: IndexOption, _ open: () throws -> R
    ) async throws -> R {
        let deadline = ContinuousClock.now + .seconds(location.opening.wait)
        var pause = Duration.milliseconds(5)
        while true {
            do {
                return try open()
            } catch let error as TextIndexError where error.code == .locked {
                let left = deadline - .now
                guard left > .zero else {
                    throw inUse(location)
                }
                try await Task.sleep(for: min(pause, left))
                pause = min(pause * 2, .milliseconds(200))
            }
        }
    }

    private static func inUse(_ location: IndexOption) -> CommandError {
        let waited = location.opening.wait > 0 ? "still " : ""
        let isFollowing = (try? IndexSettings.load(from: location.path))??.followed != nil
        return CommandError(
            "the index at \(location.path) is \(waited)in use by another process; try "
                + "again when that has ended, or wait for it longer with --wait SECONDS"
                + (isFollowing
                    ? "; while textindex follow has it, read what that publishes with --publish DIR"
                    : ""))
    }

    private func closing<R>(_ body: (IndexFolder) async throws -> R) async throws -> R {
        let result: R
        do {
            result = try await body(self)
        } catch {
            // What the body says comes first.
            try? await index.shutdown()
            throw error
        }
        try await index.shutdown()
        return result
    }
}

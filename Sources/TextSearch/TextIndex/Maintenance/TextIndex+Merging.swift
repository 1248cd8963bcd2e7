public import Foundation

extension TextIndex {
    /// Merges several indexes into a new one, without the texts of their objects.
    ///
    /// The new index answers as one to which the objects of all were added, in the order of the
    /// indexes: the same results, in the same order, with the same scores. Of several objects with
    /// one identifier that of the last index stays. Removed objects do not come along, nor do
    /// engagements, client states and other files in the directories.
    ///
    /// Searches and operations go on meanwhile; what is committed later is not in the new index. It
    /// is proved before it gets its name (``verify(depth:)``, `full`). Blocks its thread.
    ///
    /// Complexity: linear in the size of the indexes, and for each object a look-up in each later
    /// index. Memory: the vocabularies of all, and two bytes or so for each object.
    ///
    /// - Parameters:
    ///   - indexes: the indexes, at least one; they may be published ones.
    ///   - directory: where to put the new index; nothing may exist there.
    /// - Returns: The proof.
    /// - Throws: ``TextIndexError``: `.closed`, `.configurationMismatch` if fields or analyses
    ///   differ, `.invalidArgument` without any, or if something is at `directory` or it lies in
    ///   that of an index; `.limitExceeded` for more objects than an index can have, `.corrupted`,
    ///   `.diskFull`, `.io`.
    @discardableResult
    public static func merge(
        indexes: [TextIndex], to directory: URL
    ) throws -> VerificationReport {
        guard let first = indexes.first else {
            throw TextIndexError(.invalidArgument, "There is no index to merge.")
        }
        return try inWork(indexes[...]) {
            let sources = indexes.map {
                IndexMerge.Source(store: $0.store, snapshot: $0.writer.snapshot)
            }
            for (index, source) in zip(indexes, sources)
            where index.configuration.fields != first.configuration.fields
                || source.snapshot.analyzer.fingerprint != sources[0].snapshot.analyzer.fingerprint
            {
                throw TextIndexError(
                    .configurationMismatch,
                    "Indexes that are merged need the same fields and analysis settings.")
            }
            let later = sources.dropFirst().map { MergedIdentifiers($0) }
            let reports = try make([directory], apartFrom: indexes) { place, _ in
                try IndexMerge.write(sources, at: place, first.configuration) {
                    source, identifier in
                    try !later[source...].contains { try $0.contains(identifier) }
                }
            }
            return reports[0]
        }
    }

    /// Divides the objects of this index among new ones, without the texts of the objects.
    ///
    /// Each answers as one to which its objects were added, in their order here. They leave out
    /// what ``merge(indexes:to:)`` leaves out. All are proved before they get their names.
    ///
    /// ```swift
    /// try index.split(to: [old, new]) { $0.starts(with: "2026-".utf8) ? 1 : 0 }
    /// ```
    ///
    /// Complexity: linear in the size of the index, and in its objects for each part. Blocks its
    /// thread.
    ///
    /// - Parameters:
    ///   - directories: where to put the new indexes; nothing may exist there.
    ///   - part: to which of them an object belongs, by its identifier; asked once for each of
    ///     them, so it has to be the same each time.
    /// - Returns: The proof of each.
    /// - Throws: ``TextIndexError``, as ``merge(indexes:to:)``; `.invalidArgument` if `part`
    ///   returns no place in `directories`, or different ones for the same identifier; what `part`
    ///   throws.
    @discardableResult
    public func split(
        to directories: [URL], where part: (Data) throws -> Int
    ) throws -> [VerificationReport] {
        guard !directories.isEmpty else {
            throw TextIndexError(.invalidArgument, "There is nowhere to put the parts.")
        }
        return try Self.inWork([self]) {
            let source = IndexMerge.Source(store: store, snapshot: writer.snapshot)
            func check(_ reports: [VerificationReport]) throws {
                guard reports.reduce(0, { $0 + $1.objectCount }) == source.snapshot.count else {
                    throw TextIndexError(
                        .invalidArgument,
                        "An object has to belong to one part, whenever that is asked.")
                }
            }
            return try Self.make(directories, apartFrom: [self], check: check) { place, number in
                try IndexMerge.write([source], at: place, configuration) { _, identifier in
                    let wanted = try part(Data(identifier))
                    guard directories.indices.contains(wanted) else {
                        throw TextIndexError(
                            .invalidArgument,
                            "There are \(directories.count) parts, and none has the number \(wanted)."
                        )
                    }
                    return wanted == number
                }
            }
        }
    }

    /// Runs `body` while no index closes.
    private static func inWork<R>(
        _ indexes: ArraySlice<TextIndex>, _ body: () throws -> R
    ) throws -> R {
        guard let index = indexes.first else { return try body() }
        try index.usage.beginWork()
        defer { index.usage.endWork() }
        return try inWork(indexes.dropFirst(), body)
    }

    /// Makes indexes beside their places, and gives them their names when all are whole.
    private static func make(
        _ directories: [URL], apartFrom indexes: [TextIndex],
        check: ([VerificationReport]) throws -> Void = { _ in },
        _ write: (_ place: URL, _ number: Int) throws -> VerificationReport
    ) throws -> [VerificationReport] {
        guard Set(directories.map { $0.standardizedFileURL.path }).count == directories.count else {
            throw TextIndexError(.invalidArgument, "Two indexes cannot lie at one place.")
        }
        for directory in directories {
            guard directory.isFileURL, !FileManager.default.fileExists(atPath: directory.path)
            else {
                throw TextIndexError(
                    .invalidArgument,
                    "Something lies at \(directory.path) already; name another place.")
            }
            for index in indexes { try IndexCopy.checkApart(directory, from: index.directory) }
        }
        let places = directories.map { IndexCopy.place(beside: $0) }
        var reports: [VerificationReport] = []
        var named: [URL] = []
        do {
            for (number, place) in places.enumerated() {
                reports.append(try write(place, number))
            }
            try check(reports)
            for (place, directory) in zip(places, directories) {
                try IndexStore.rename(place, to: directory, exchanging: false)
                named.append(directory)
            }
        } catch {
            for place in places + named { try? IndexCopy.remove(place) }
            throw error
        }
        return reports
    }
}

/// The identifiers of an index that is merged.
private final class MergedIdentifiers {
    private var lookup: IdentifierLookup
    private let snapshot: Snapshot

    init(_ source: IndexMerge.Source) {
        lookup = IdentifierLookup(store: source.store)
        snapshot = source.snapshot
    }

    func contains(_ identifier: UnsafeBufferPointer<UInt8>) throws -> Bool {
        try lookup.document(for: identifier, in: snapshot) != nil
    }
}

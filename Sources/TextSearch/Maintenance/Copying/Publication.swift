import Foundation

/// A directory of published generations: `generation-1`, `generation-2`, …, each an index that
/// nobody changes any more.
///
/// A generation gets its name when it is whole. Who reads one has a shared lock on it, which keeps
/// it from being removed.
struct Publication {
    let directory: URL

    private static let prefix = "generation-"
    /// The file in a directory that says that the next publication may remove it.
    private static let mark = "TextSearch-publication"

    init(_ directory: URL) throws {
        guard directory.isFileURL else {
            throw TextIndexError(.invalidArgument, "The directory must be a file URL.")
        }
        self.directory = directory
    }

    /// The generations that are there, in order. Files and links are none, whatever they are
    /// called.
    func generations() throws -> [Int] {
        while true {
            let types = try numbers().map { ($0, try type(of: $0)) }
            // One that went since its name was read has a newer one, which may not have been there
            // then.
            if types.allSatisfy({ $0.1 != nil }) {
                return types.filter { $0.1 == .typeDirectory }.map(\.0)
            }
        }
    }

    /// What there is under the name of a generation; nil when there is nothing.
    private func type(of generation: Int) throws -> FileAttributeType? {
        let path = place(of: generation).path
        do {
            return try FileManager.default.attributesOfItem(atPath: path)[.type]
                as? FileAttributeType ?? .typeUnknown
        } catch let error as CocoaError
            where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
        {
            return nil
        } catch {
            throw TextIndexError(.io, "\(path) cannot be read.", underlying: error)
        }
    }

    /// The numbers that are taken, in order.
    private func numbers() throws -> [Int] {
        guard FileManager.default.fileExists(atPath: directory.path) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory.path)
                .compactMap(Self.number).sorted()
        } catch {
            throw TextIndexError(
                .io, "\(directory.path) cannot be read.", underlying: error)
        }
    }

    private static func number(_ name: String) -> Int? {
        // There is always a next one: numbers that no count comes to are nobody's.
        guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), number > 0,
            number < Int.max / 2, name == prefix + "\(number)"
        else { return nil }
        return number
    }

    func place(of generation: Int) -> URL {
        directory.appendingPathComponent(Self.prefix + "\(generation)", isDirectory: true)
    }

    // MARK: Publishing

    /// Publishes what is committed as a new generation, and removes those that nobody reads.
    func publish(
        _ writer: IndexWriter, of source: URL, _ configuration: TextIndexConfiguration,
        _ prepare: (_ generation: URL) throws -> Void
    ) throws -> Int {
        try IndexCopy.checkApart(directory, from: source)
        try Directories.make(directory)
        try checkSource(try IndexIdentity.ensured(in: writer.store), configuration)
        let workplace = try Workplace(in: directory)
        do {
            try LinkedCopy.make(writer, at: workplace.copy)
            try Self.open(workplace.copy, writer.snapshot.analyzer, configuration)
            try IndexReplacement.copyOtherFiles(from: source, to: workplace.copy)
            try prepare(workplace.copy)
            let generation = (try numbers().last ?? 0) + 1
            try IndexStore.rename(workplace.copy, to: place(of: generation), exchanging: false)
            try workplace.remove()
            try removeUnused(before: generation)
            return generation
        } catch {
            try? workplace.remove()
            throw error
        }
    }

    /// Refuses what another index publishes to. Generations that do not open, or that an earlier
    /// version published, say nothing.
    private func checkSource(
        _ identity: [UInt8], _ configuration: TextIndexConfiguration
    ) throws {
        var reading = configuration
        reading.isReadOnly = true
        for generation in try generations().reversed() {
            let place = place(of: generation)
            guard IndexStore.isIndex(at: place),
                let store = try? IndexStore(at: place, configuration: reading)
            else { continue }
            defer { try? store.close() }
            guard let found = try? IndexIdentity.stored(in: store) else { continue }
            if found == identity { return }
            throw TextIndexError(
                .invalidArgument,
                "Another index is published to \(directory.path); name another directory, or remove that one."
            )
        }
    }

    /// Opens a generation as its readers will: nothing that they could not open is published.
    private static func open(
        _ directory: URL, _ analyzer: Analyzer, _ configuration: TextIndexConfiguration
    ) throws {
        var configuration = configuration
        configuration.isReadOnly = true
        let store = try IndexStore(at: directory, configuration: configuration)
        let outcome = Result {
            _ = try IndexWriter(store: store, analyzer: analyzer, configuration: configuration)
        }
        try store.close()
        try outcome.get()
    }

    /// Removes older generations, but for those that somebody reads: they go after a later
    /// publication. Whatever is no index stays.
    private func removeUnused(before newest: Int) throws {
        let files = FileManager.default
        for generation in try generations() where generation < newest {
            let place = place(of: generation)
            let mark = place.appendingPathComponent(Self.mark)
            // What only has such a name is somebody's. What a crash left half removed has the mark.
            guard IndexStore.isIndex(at: place) || files.fileExists(atPath: mark.path) else {
                continue
            }
            try? Data().write(to: mark)
            do {
                try IndexCopy.remove(place)
            } catch let error as TextIndexError where error.code == .locked {
                try? files.removeItem(at: mark)
            }
        }
    }

    // MARK: Reading

    /// Calls `open` with the place of the newest generation, again when that went meanwhile.
    func withNewest<R>(_ open: (_ place: URL, _ generation: Int) throws -> R) throws -> R {
        var tried = 0
        while true {
            guard let newest = try generations().last else {
                throw TextIndexError(
                    .invalidArgument, "Nothing is published at \(directory.path) yet.")
            }
            do {
                return try open(place(of: newest), newest)
            } catch {
                // It is being removed when there is a newer one; anything else is an error.
                guard newest > tried, try generations().last != newest else { throw error }
                tried = newest
            }
        }
    }
}

extension Publication {
    /// Where a generation is made: a directory `.making` with a mark in it, by which the next
    /// publication knows that what a crash left is not somebody's.
    private struct Workplace {
        let copy: URL
        private let directory: URL
        private let mark: URL

        init(in publication: URL) throws {
            directory = publication.appendingPathComponent(".making", isDirectory: true)
            copy = directory.appendingPathComponent("generation", isDirectory: true)
            mark = directory.appendingPathComponent(Publication.mark)
            try remove()
            do {
                try FileManager.default.createDirectory(
                    at: directory, withIntermediateDirectories: false,
                    attributes: [.posixPermissions: 0o700])
                try Data().write(to: mark, options: .withoutOverwriting)
            } catch {
                throw TextIndexError(
                    .io, "\(directory.path) cannot be made.", underlying: error)
            }
        }

        /// Removes it with what is in it.
        ///
        /// - Throws: ``TextIndexError``: `.invalidArgument` where it is somebody's.
        func remove() throws {
            let files = FileManager.default
            guard files.fileExists(atPath: directory.path) else { return }
            let names = (try? files.contentsOfDirectory(atPath: directory.path)) ?? []
            // Earlier versions made the generation in the directory itself.
            guard
                names.isEmpty || names.contains(mark.lastPathComponent)
                    || IndexStore.isIndex(at: directory)
            else {
                throw TextIndexError(
                    .invalidArgument,
                    "\(directory.path) is in the way, and is not known to be of a publication; remove it, or name another directory."
                )
            }
            try IndexCopy.remove(copy)
            try IndexCopy.remove(directory)
        }
    }
}

import Foundation

/// A directory of published generations: `generation-1`, `generation-2`, …, each an index that nobody changes any more.
///
/// A generation gets its name when it is whole. Who reads one has a shared lock on it, which keeps it from being removed.
struct Publication {
    let directory: URL

    private static let prefix = "generation-"

    init(_ directory: URL) throws {
        guard directory.isFileURL else {
            throw TextIndexError(.invalidArgument, "The directory must be a file URL.")
        }
        self.directory = directory
    }

    /// The generations that are there, in order. Files and links are none, whatever they are called.
    func generations() throws -> [Int] {
        while true {
            let types = try numbers().map { ($0, try type(of: $0)) }
            // One that went since its name was read has a newer one, which may not have been there then.
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
        _ writer: IndexWriter, of source: URL, _ configuration: TextIndexConfiguration
    ) throws -> Int {
        try IndexCopy.checkApart(directory, from: source)
        try Directories.make(directory)
        let making = directory.appendingPathComponent(".making", isDirectory: true)
        try LinkedCopy.make(writer, at: making)
        do {
            try Self.open(making, writer.snapshot.analyzer, configuration)
            try IndexReplacement.copyOtherFiles(from: source, to: making)
            let generation = (try numbers().last ?? 0) + 1
            try IndexStore.rename(making, to: place(of: generation), exchanging: false)
            try removeUnused(before: generation)
            return generation
        } catch {
            try? IndexCopy.remove(making)
            throw error
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

    /// Removes older generations, but for those that somebody reads: they go after a later publication.
    private func removeUnused(before newest: Int) throws {
        for generation in try generations() where generation < newest {
            do {
                try IndexCopy.remove(place(of: generation))
            } catch let error as TextIndexError where error.code == .locked {
                continue
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

import Foundation
import TextSearch

/// The folder of an index, opened with the settings that it was made with.
package struct IndexFolder {
    let path: String
    let settings: IndexSettings
    let index: TextIndex<Record>

    /// Opens an index that exists.
    ///
    /// - Throws: ``CommandError`` when there is none, `TextIndexError` when it cannot be opened.
    init(
        existing given: String, tableSize: Int? = nil, searchMemory: Int? = nil,
        cacheSize: Int? = nil, budget: CacheBudget? = nil, trustedOwners: [UInt32] = []
    ) throws {
        let place = try IndexPlace(existing: given)
        path = place.path
        settings = place.settings
        index = try Self.advising(given, path, trusted: trustedOwners) {
            try Self.open(
                place, tableSize: tableSize, searchMemory: searchMemory, cacheSize: cacheSize,
                budget: budget,
                trustedOwners: trustedOwners)
        }
        if settings.fields.isEmpty { Self.reportLostSettings(of: index, place.path) }
    }

    /// Opens an index, or makes one with these settings.
    ///
    /// - Parameters:
    ///   - given: the folder, as it was given.
    ///   - largestText: the most text of one object, in bytes.
    ///   - tableSize: bytes of each table file; nil for what is usual.
    ///   - proposed: gives the settings of a new index, or checks those of an old one.
    /// - Throws: ``CommandError`` for a folder that cannot hold an index, `TextIndexError` when it
    ///   cannot be opened.
    init(
        creating given: String, largestText: Int, tableSize: Int? = nil,
        settings proposed: (IndexSettings?) throws -> IndexSettings
    ) throws {
        path = try IndexPlace.absolute(given)
        switch IndexPlace.contents(of: path) {
        case .index, .missing, .empty: break
        case .published: throw IndexPlace.isReadOnly(given)
        case .file: throw CommandError("\(given) is a file; --index names a folder, new or old")
        case .deadLink: throw Self.leadsNowhere(given)
        case .other:
            throw CommandError(
                "\(given) holds other files; name a new folder for the index, such as \(given)/textindex"
            )
        }
        (settings, index) = try Self.advising(given, path) { [path] in
            let stored = try IndexSettings.load(from: path)
            let settings = try proposed(stored).lying(at: path)
            let place = IndexPlace(path: path, settings: settings)
            let index = try Self.open(place, largestText: largestText, tableSize: tableSize)
            if stored == nil { Self.reportLostSettings(of: index, path) }
            if stored != settings { try settings.save(to: path) }
            return (settings, index)
        }
    }

    /// Says that an index which this command made has lost what lies beside it. One that a program
    /// made never had it.
    private static func reportLostSettings(of index: TextIndex<Record>, _ path: String) {
        var first: Data?
        try? index.forEachIdentifier { identifier in
            first = identifier
            return false
        }
        guard let first, let item = try? index.item(for: first), Origin(item.context) != nil else {
            return
        }
        Console.report(
            "\(path)/\(IndexSettings.fileName) is missing, and with it the fields and the folder that names "
                + "of files begin at; put it back from a backup, or index the same paths again from the "
                + "same folder with the same options")
    }

    /// The identifier of a file in this index.
    func identifier(ofFile absolute: Path) -> Data {
        Data(absolute.relative(to: settings.rootPath).bytes)
    }

    private static func open(
        _ place: IndexPlace, largestText: Int? = nil, tableSize: Int? = nil,
        searchMemory: Int? = nil, cacheSize: Int? = nil, budget: CacheBudget? = nil,
        trustedOwners: [UInt32] = []
    ) throws -> TextIndex<Record> {
        var configuration = try place.configuration()
        configuration.trustedOwners = trustedOwners
        if let cacheSize { configuration.cacheSize = cacheSize }
        configuration.cacheBudget = budget
        if let searchMemory { configuration.queryLimits.memory = searchMemory }
        if let largestText { configuration.maximumTextLength = largestText }
        if let tableSize { configuration.tableSize = tableSize }
        let index =
            try place.isPublished
            ? TextIndex<Record>(published: place.url, configuration: configuration)
            : TextIndex<Record>(at: place.url, configuration: configuration)
        if index.recovery.discardedByteCount > 0 {
            Console.report("\(place.path) was not closed in order. \(index.recovery)")
        }
        if try index.isUncertain {
            Console.report(
                "\(place.path): objects may be missing since a repair; see textindex help verify")
        }
        index.identifier = { record in record.identifier }
        index.indexer = { record, _ in record.indexed }
        return index
    }
}

import Foundation
import TextSearch

/// The folder of an index, opened with the settings that it was made with.
struct IndexFolder {
    let path: String
    let settings: IndexSettings
    let index: TextIndex<Record>

    /// Opens an index that exists.
    ///
    /// - Throws: ``CommandError`` when there is none, `TextIndexError` when it cannot be opened.
    init(existing given: String) throws {
        path = try Self.absolute(given)
        switch Self.contents(of: path) {
        case .index: break
        case .file: throw CommandError("\(given) is a file; --index names an index's folder")
        case .deadLink: throw Self.leadsNowhere(given)
        case .missing, .empty, .other:
            throw CommandError(
                "no index at \(given); make one: textindex index PATH --index \(given)")
        }
        (settings, index) = try Self.advising(given, path) { [path] in
            // An index made by a program has no settings file: its identifiers are its own business.
            let settings =
                try IndexSettings.load(from: path)
                ?? IndexSettings(root: Path.current.exactText ?? "/", fields: [])
            return (settings, try Self.open(path, settings))
        }
    }

    /// Opens an index, or makes one with these settings.
    ///
    /// - Parameters:
    ///   - given: the folder, as it was given.
    ///   - largestText: the most text of one object, in bytes.
    ///   - proposed: gives the settings of a new index, or checks those of an old one.
    /// - Throws: ``CommandError`` for a folder that cannot hold an index, `TextIndexError` when it cannot
    ///   be opened.
    init(
        creating given: String, largestText: Int,
        settings proposed: (IndexSettings?) throws -> IndexSettings
    ) throws {
        path = try Self.absolute(given)
        switch Self.contents(of: path) {
        case .index, .missing, .empty: break
        case .file: throw CommandError("\(given) is a file; --index names a folder, new or old")
        case .deadLink: throw Self.leadsNowhere(given)
        case .other:
            throw CommandError(
                "\(given) holds other files; name a new folder for the index, such as \(given)/textindex"
            )
        }
        (settings, index) = try Self.advising(given, path) { [path] in
            let stored = try IndexSettings.load(from: path)
            let settings = try proposed(stored)
            let index = try Self.open(path, settings, largestText: largestText)
            if stored != settings { try settings.save(to: path) }
            return (settings, index)
        }
    }

    /// The identifier of a file in this index.
    func identifier(ofFile absolute: Path) -> Data {
        Data(absolute.relative(to: settings.rootPath).bytes)
    }

    private static func absolute(_ given: String) throws -> String {
        guard let path = Path(given).absolute().exactText else {
            throw CommandError("the path of an index must be UTF-8; name another folder")
        }
        return path
    }

    private static func open(
        _ path: String, _ settings: IndexSettings, largestText: Int? = nil
    ) throws -> TextIndex<Record> {
        var configuration = TextIndexConfiguration()
        if let largestText { configuration.maximumTextLength = largestText }
        configuration.fields = settings.fields
        if let analysis = settings.analysis { configuration.analysis = try analysis.analysis() }
        let index = try TextIndex<Record>(
            // Whoever names a link means where it leads; the index itself follows none.
            at: URL(filePath: path, directoryHint: .isDirectory).resolvingSymlinksInPath(),
            configuration: configuration)
        if index.recovery.discardedByteCount > 0 {
            Console.report("\(path) was not closed in order. \(index.recovery)")
        }
        index.identifier = { record in record.identifier }
        index.indexer = { record, _ in record.indexed }
        return index
    }

    private enum Contents { case missing, deadLink, file, empty, index, other }

    private static func contents(of path: String) -> Contents {
        guard let entry = Entry(Path(path)) else {
            return Entry.isDeadLink(Path(path)) ? .deadLink : .missing
        }
        guard entry.isFolder else { return .file }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return .index  // opening it says what is wrong
        }
        if names.contains("CURRENT") || names.contains(IndexSettings.fileName) { return .index }
        // What a first run leaves behind when it is killed at once.
        return names.allSatisfy { $0 == "LOCK" || $0.hasPrefix("LOG") || $0.hasPrefix("MANIFEST") }
            ? .empty : .other
    }
}

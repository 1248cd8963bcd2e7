import Foundation
import TextSearch

/// Where an index lies and how it is opened: all that can be said of it without opening it.
struct IndexPlace {
    /// Absolute, as it was given.
    let path: String
    let settings: IndexSettings
    /// Whether the folder holds what `textindex publish` made, and not the index itself.
    let isPublished: Bool

    init(path: String, settings: IndexSettings) {
        self.path = path
        self.settings = settings
        isPublished = false
    }

    /// The place of an index that exists.
    ///
    /// - Throws: ``CommandError`` when there is none, or its settings cannot be read.
    init(existing given: String) throws {
        let path = try Self.absolute(given)
        if SetFolder.exists(at: given) {
            throw CommandError(
                "\(given) is a set of shards; only search and serve take one, others an index or a shard"
            )
        }
        let contents = Self.contents(of: path)
        switch contents {
        case .index, .published: break
        case .file: throw CommandError("\(given) is a file; --index names an index's folder")
        case .deadLink: throw IndexFolder.leadsNowhere(given)
        case .missing, .empty, .other:
            throw CommandError(
                "no index at \(given); make one: textindex index PATH --index \(given)")
        }
        self.path = path
        isPublished = contents == .published
        settings =
            try IndexFolder.advising(given, path) {
                // An index made by a program has no settings file: its identifiers are its own
                // business.
                try contents == .published
                    ? Self.publishedSettings(in: path) : IndexSettings.load(from: path)
            } ?? IndexSettings(root: Path.current.exactText ?? "/", fields: [])
    }

    private static func publishedSettings(in path: String) throws -> IndexSettings? {
        let url = URL(filePath: path, directoryHint: .isDirectory)
        while true {
            let newest = try TextIndex<Record>.newestGeneration(published: url)
            let settings = try newest.flatMap {
                try IndexSettings.load(from: "\(path)/\(generationPrefix)\($0)")
            }
            // An old generation may go while it is looked at.
            if try TextIndex<Record>.newestGeneration(published: url) == newest { return settings }
        }
    }

    /// A place to publish to: where nothing lies yet, or what was published before.
    ///
    /// - Throws: ``CommandError`` when something else does.
    static func publication(_ given: String) throws -> URL {
        let path = try absolute(given)
        guard [.missing, .empty, .published].contains(contents(of: path)),
            // What else lies there is somebody's; what is hidden, as .DS_Store is, nobody put there
            // on purpose.
            (Entry.names(in: Path(path)) ?? []).map(\.text).allSatisfy({
                isOfPublication($0) || $0.hasPrefix(".") || isOfStore($0)
            })
        else {
            throw CommandError("\(given) holds something else; name another folder to publish to")
        }
        return URL(filePath: path, directoryHint: .isDirectory).resolvingSymlinksInPath()
    }

    static func isReadOnly(_ given: String) -> CommandError {
        CommandError(
            "\(given) is what textindex publish made, to be read only; name the index itself")
    }

    /// A place where nothing lies yet.
    ///
    /// - Throws: ``CommandError`` when something does.
    static func free(_ given: String) throws -> URL {
        let path = try absolute(given)
        guard contents(of: path) == .missing else {
            throw CommandError("something lies at \(given) already; name another place")
        }
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Whoever names a link means where it leads; the index itself follows none.
    var url: URL { URL(filePath: path, directoryHint: .isDirectory).resolvingSymlinksInPath() }

    /// - Throws: ``CommandError`` for settings that this version does not know.
    func configuration() throws -> TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        configuration.fields = settings.fields
        if let analysis = settings.analysis { configuration.analysis = try analysis.analysis() }
        return configuration
    }

    static func absolute(_ given: String) throws -> String {
        guard let path = Path(given).absolute().exactText else {
            throw CommandError("the path of an index must be UTF-8; name another folder")
        }
        return path
    }

    /// What lies at a path.
    enum Contents { case missing, deadLink, file, empty, index, published, other }

    /// How the names of published generations begin.
    private static let generationPrefix = "generation-"

    /// The name of a published generation.
    static func generationName(_ number: Int) -> String { "\(generationPrefix)\(number)" }

    private static func isOfPublication(_ name: String) -> Bool {
        name == ".making"
            || name.hasPrefix(generationPrefix)
                && Int(name.dropFirst(generationPrefix.count)) != nil
    }

    /// What a first run leaves behind when it is killed at once.
    private static func isOfStore(_ name: String) -> Bool {
        name == "LOCK" || name == "RESERVE" || name.hasPrefix("LOG") || name.hasPrefix("MANIFEST")
            || name.hasSuffix(".dbtmp") && name.dropLast(6).allSatisfy(\.isNumber)
    }

    static func contents(of path: String) -> Contents {
        guard let entry = Entry(Path(path)) else {
            return Entry.isDeadLink(Path(path)) ? .deadLink : .missing
        }
        guard entry.isFolder else { return .file }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            return .index  // opening it says what is wrong
        }
        if names.contains("CURRENT") || names.contains(IndexSettings.fileName) { return .index }
        if names.contains(where: isOfPublication) { return .published }
        return names.allSatisfy(isOfStore) ? .empty : .other
    }
}

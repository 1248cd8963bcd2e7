import Foundation
import TextSearch

/// What the command remembers beside an index, in `textindex.json` in its folder.
struct IndexSettings: Codable, Equatable {
    static let fileName = "textindex.json"

    /// The strings of a text file, where an index has no others: its name, and its text.
    static let fieldsOfFiles = ["name", "text"]

    var version = 1
    /// The folder that identifiers of files are relative to.
    var root: String
    /// The names of an object's strings; for JSON Lines, the members to index.
    var fields: [String]
    /// The member that identifies a line of JSON, as it was given last.
    var id: String?
    /// The member that is a line's weight, as it was given last; nil when lines have no weight.
    var weight: String?
    /// The members of a line to filter and sort by, as they were given last, with their kinds
    /// behind a colon; nil for none.
    var attributes: [String]?
    /// How text is analysed; nil in the way of a new index without options.
    var analysis: AnalysisChoice?
    /// Where the index lies in ``root``, which it moves with; nil if it lies elsewhere.
    private(set) var place: String?
    /// Whether ``root`` is another one than the file says: then the settings are not equal to those
    /// that are stored, and are saved.
    private(set) var isMoved = false

    private enum CodingKeys: String, CodingKey {
        case version, root, fields, id, weight, attributes, analysis, place, followed
    }

    /// The table that the index follows; nil for one of files.
    var followed: FollowedTable?

    /// What ``attributes`` says.
    var attributeChoices: [AttributeChoice] {
        (attributes ?? []).map { AttributeChoice(text: $0) }
    }

    /// A table of an SQLite database.
    struct FollowedTable: Codable, Equatable {
        /// The path of the database, absolute.
        var database: String
        var table: String
        /// What tells this index from others of the table, in the database.
        var consumer: String
    }

    /// Throws where the index follows a table: nothing else changes its objects.
    ///
    /// - Parameter advice: what to do instead.
    /// - Throws: ``CommandError``.
    func checkFollowsNoTable(_ advice: String) throws {
        guard let followed else { return }
        throw CommandError("this index follows the table \(followed.table); \(advice)")
    }

    /// The command that proves what a repair could not.
    var proof: String {
        "textindex verify --depth source" + (followed == nil ? " PATH..." : "")
    }

    /// Those of an index that was made of this one, which follows no table.
    var withoutTable: IndexSettings {
        var settings = self
        settings.followed = nil
        return settings
    }

    /// ``root`` as a path.
    var rootPath: Path { Path(root) }

    /// What does not depend on where the index lies.
    var placeless: IndexSettings {
        var settings = self
        settings.place = nil
        settings.isMoved = false
        return settings
    }

    /// The settings of an index at a path, to be saved there.
    func lying(at path: String) -> IndexSettings {
        var settings = self
        settings.isMoved = false
        let prefix = root == "/" ? root : root + "/"
        settings.place = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
        return settings
    }

    /// The settings where a folder was moved with the index in it. One that was copied still has
    /// its files where they were.
    private func following(_ path: String) -> IndexSettings {
        guard let place, !place.isEmpty, path.hasSuffix("/" + place) else { return self }
        let folder = String(path.dropLast(place.count + 1))
        let old = root == "/" ? root + place : "\(root)/\(place)"
        guard !folder.isEmpty, folder != root, Entry(Path(old)) == nil else { return self }
        var settings = self
        settings.root = folder
        settings.isMoved = true
        return settings
    }

    /// What to say of a field that the index does not have.
    func noField(_ name: String) -> CommandError {
        CommandError(
            "this index has no field \(name); it has \(fields.joined(separator: ", "))")
    }

    /// More than any settings take, in bytes.
    private static let largestFile = 16 << 20

    /// The settings of an index; nil when it has none.
    ///
    /// - Throws: ``CommandError`` when they cannot be read, or are no file: no link, device or pipe
    ///   in an index is opened.
    static func load(from directory: String) throws -> IndexSettings? {
        let path = "\(directory)/\(fileName)"
        guard let entry = Entry(Path(path)) else {
            if Entry.isDeadLink(Path(path)) { throw notAFile(path) }
            return nil
        }
        guard entry.isFile, !entry.isLink, entry.size <= largestFile else { throw notAFile(path) }
        do {
            let data = try Data(contentsOf: URL(filePath: path))
            let settings = try JSONDecoder().decode(IndexSettings.self, from: data)
            guard settings.version == 1 else {
                throw CommandError("\(path) was written by a newer textindex; update this one")
            }
            return settings.following(directory)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(path) is damaged; remove it and index the same paths again")
        }
    }

    private static func notAFile(_ path: String) -> CommandError {
        CommandError(
            "\(path) is a link, or no file that textindex wrote; put the file itself there, or remove it and "
                + "index the same paths again")
    }

    /// Writes the settings, all or nothing.
    func save(to directory: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let path = "\(directory)/\(Self.fileName)"
        let place = URL(filePath: path)
        do {
            try encoder.encode(self).write(to: place, options: .atomic)
            // Its owner's alone, as the other files of the index.
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: path)
            // An index must not come out of a power cut without them, nor with empty ones.
            let file = try FileHandle(forUpdating: place)
            try file.synchronize()
            try file.close()
            try Directories.syncName(of: place)
        } catch {
            throw CommandError("cannot write \(path): check the folder's permissions and space")
        }
    }
}

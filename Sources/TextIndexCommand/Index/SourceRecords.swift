import Foundation
import TextSearch

/// Makes the records of objects again, from where they came.
struct SourceRecords: Sendable {
    let settings: IndexSettings
    #if GRDB
        /// The rows of the table that the index follows; nil for one of files.
        private let rows: FollowedRows?
    #endif

    /// - Throws: ``CommandError`` where the database that the index follows cannot be read.
    init(settings: IndexSettings) throws {
        self.settings = settings
        #if GRDB
            rows = try settings.followed.map {
                try FollowedRows($0, columns: settings.fields)
            }
        #else
            if settings.followed != nil { throw FollowCommand.isMissing }
        #endif
    }

    /// What to say of an object whose text is not there any more, or is another one.
    var isGone: String {
        settings.followed == nil
            ? "its text is gone or has changed; index it again"
            : "its row is gone; textindex follow removes it from the index"
    }

    /// What to say of an object whose text is another one than was indexed.
    var hasChanged: String {
        settings.followed == nil
            ? "its text has changed; index it again"
            : "its row has changed; textindex follow indexes it again"
    }

    /// The record of an object whose origin is known: of its file, of the line at its place, or of
    /// its row.
    ///
    /// - Returns: the record; nil when its file, or the line or row, is gone.
    /// - Throws: ``CommandError`` when there is no way to tell.
    func record(of identifier: Data, _ origin: Origin) throws -> Record? {
        #if GRDB
            if let rows { return try rows.record(of: identifier) }
        #endif
        guard !origin.isRow else {
            throw CommandError("it is the row of a table that this index does not follow")
        }
        guard let source = origin.source else { return try record(ofFile: identifier) }
        guard source != .standardInput else {
            throw CommandError("it came from standard input, and its text is not kept")
        }
        let path = settings.rootPath.appending(source)
        guard Entry(path) != nil else { return nil }
        guard let start = origin.lineStart, let length = origin.lineLength,
            let bytes = try InputFile(path: path).read(at: start, count: length),
            case .record(var record, _, _) = reader.record(
                ofLine: bytes, start: start, source: source),
            record.identifier == identifier
        else { return nil }
        record.origin.isRepeated = origin.isRepeated
        return record
    }

    /// The record of a text file by its identifier, which is its path.
    ///
    /// - Returns: the record; nil when there is no such file.
    /// - Throws: ``CommandError`` when it cannot be read.
    func record(ofFile identifier: Data) throws -> Record? {
        let path = settings.rootPath.appending(Path(bytes: identifier))
        guard Entry(path)?.isFile == true else { return nil }
        guard let bytes = try InputFile(path: path).readAll(upTo: reader.largestText) else {
            throw CommandError(reader.tooLarge)
        }
        switch reader.record(ofFile: bytes, identifier: identifier) {
        case .record(let record, _, _): return record
        case .problem(let problem): throw CommandError(problem)
        }
    }

    private var reader: RecordReader { settings.reader(largestText: 1 << 30) }

    /// The identifiers of all rows of the table that the index follows, as far as it takes them;
    /// nil for one of files.
    ///
    /// - Throws: ``CommandError`` where the database cannot be read.
    func identifiersOfRows(for index: TextIndex<Record>) throws -> Set<Data>? {
        #if GRDB
            return try rows?.identifiers { index.isIndexable($0.indexed) }
        #else
            return nil
        #endif
    }

    /// The identifiers of all objects in files and folders.
    ///
    /// - Throws: ``CommandError`` when something of them cannot be read: then nobody knows all of
    ///   them.
    func identifiers(in given: [Path], besides index: Path) throws -> Set<Data> {
        let tally = IndexTally(totalBytes: nil)
        let walker = Walker(given, excluding: index) { folder in
            tally.fail("\(folder.text): cannot read this folder")
        }
        let stream = RecordStream(
            walker: walker, reader: reader, root: settings.rootPath, tally: tally
        ) { _ in nil }
        let identifiers = Set(stream.lazy.map(\.identifier))
        tally.finish()
        guard tally.counts.failed == 0 else {
            throw CommandError("not all of the paths can be read, so nothing is proved by them")
        }
        return identifiers
    }
}

extension IndexSettings {
    /// Reads as the last run of `index` did.
    func reader(largestText: Int) -> RecordReader {
        RecordReader(
            fields: fields.isEmpty ? ["text"] : fields, id: id ?? "id", weight: weight,
            attributes: attributeChoices, largestText: largestText)
    }
}

extension IndexFolder {
    /// Has the index ask for objects where they came from.
    ///
    /// - Throws: ``CommandError`` where the database that the index follows cannot be read.
    func readFromSources() throws {
        let records = try SourceRecords(settings: settings)
        index.objectGetter = { [unowned index] identifier in
            guard let item = try index.item(for: identifier), let origin = Origin(item.context)
            else { throw CommandError("it was not indexed by textindex") }
            return try records.record(of: identifier, origin)
        }
    }
}

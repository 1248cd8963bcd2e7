import Foundation
import TextSearch

/// Makes the records of objects again, from where they came.
struct SourceRecords: Sendable {
    let settings: IndexSettings

    /// The record of an object whose origin is known: of its file, or of the line at its place.
    ///
    /// - Returns: the record; nil when its file, or the line, is gone.
    /// - Throws: ``CommandError`` when there is no way to tell.
    func record(of identifier: Data, _ origin: Origin) throws -> Record? {
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
    func readFromSources() {
        let records = SourceRecords(settings: settings)
        index.objectGetter = { [unowned index] identifier in
            guard let item = try index.item(for: identifier), let origin = Origin(item.context)
            else { throw CommandError("it was not indexed by textindex") }
            return try records.record(of: identifier, origin)
        }
    }
}

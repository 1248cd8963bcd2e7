import Foundation
import TextSearch

/// Finds the text of a hit again, where it came from.
///
/// The index keeps no text: files are read again, lines of JSON at their place in their file.
struct SourceText {
    /// The strings of an object, as far as they can be had.
    enum Text {
        case strings([String])
        /// Only the beginnings: the rest came from standard input, or is in a database.
        case beginnings([String])
        /// Why there is none.
        case unavailable(String)

        /// The text there is, by string.
        var strings: [String] {
            switch self {
            case .strings(let strings), .beginnings(let strings): strings
            case .unavailable: []
            }
        }
    }

    let settings: IndexSettings
    /// How many bytes of a text are read; of a longer one there is none.
    var longest = Int.max

    /// The text of a hit; never fails, says why there is none instead.
    func text(of item: SearchResultItem<Record>) -> Text {
        guard let origin = Origin(item.context) else {
            return .unavailable("this object was not indexed by textindex")
        }
        if origin.isRow { return .beginnings(origin.beginnings) }
        guard let source = origin.source else { return file(item.identifier, origin) }
        if source == .standardInput { return .beginnings(origin.beginnings) }
        return line(source, origin)
    }

    private func file(_ identifier: Data, _ origin: Origin) -> Text {
        do {
            let file = try InputFile(path: settings.rootPath.appending(Path(bytes: identifier)))
            let most = min(longest, InputFile.largestPiece)
            guard let bytes = try file.readAll(upTo: most) else {
                return .unavailable(Self.tooLong)
            }
            guard isCurrent(bytes, origin) else {
                return .unavailable(Self.changed)
            }
            return .strings(
                RecordReader.strings(
                    ofFile: identifier, text: TextDecoding.decode(bytes[...]).text,
                    fieldCount: settings.fields.count))
        } catch {
            return .unavailable("the file cannot be read any more")
        }
    }

    private func line(_ source: Path, _ origin: Origin) -> Text {
        guard let start = origin.lineStart, let length = origin.lineLength else {
            return .unavailable(Self.changed)
        }
        guard length <= longest else { return .unavailable(Self.tooLong) }
        do {
            let file = try InputFile(path: settings.rootPath.appending(source))
            guard let bytes = try file.read(at: start, count: length), isCurrent(bytes, origin),
                let strings = RecordReader.strings(ofLine: bytes, fields: settings.fields)
            else { return .unavailable(Self.changed) }
            return .strings(strings)
        } catch {
            return .unavailable("\(source.text) cannot be read any more")
        }
    }

    private func isCurrent(_ bytes: [UInt8], _ origin: Origin) -> Bool {
        origin.hash.hasPrefix(RecordReader.contentHash(bytes))
    }

    private static let tooLong = "the text is too long to be shown"
    private static let changed = "the text has changed since; index it again"
}

import Foundation
import Synchronization
import TextSearch

/// The objects of an export, once.
///
/// **Thread safety**: may be used from any thread.
final class ExportedObjects: Sequence, IteratorProtocol, Sendable {
    let settings: IndexSettings
    private let reader: Mutex<ExportReader>

    init(_ reader: sending ExportReader) {
        settings = reader.head.settings
        self.reader = Mutex(reader)
    }

    func next() -> Record? { reader.withLock { $0.next() } }

    /// What was chosen for queries, once all objects are read.
    var engagements: [Engagement] { reader.withLock { $0.engagements } }
}

/// Reads the objects of an export one after the other.
///
/// A line that is none is reported to the tally, and so is an export that ends early.
struct ExportReader {
    let head: Export.Head
    private var lines: LineReader
    private var line: [UInt8] = []
    private let tally: IndexTally
    private var objectCount = 0
    private(set) var engagements: [Engagement] = []
    private var isAtEnd = false

    /// Reads the first line.
    ///
    /// - Throws: ``CommandError`` when it is not that of an export.
    init(_ file: InputFile, tally: IndexTally) throws {
        self.tally = tally
        lines = LineReader(file)
        guard try lines.next(into: &line) == .line,
            let head = try? JSONDecoder().decode(Export.Head.self, from: Data(line)),
            head.format == Export.Head.format
        else {
            throw CommandError(
                "this is no export of an index; textindex index reads other lines of JSON")
        }
        guard head.version == 1, head.settings.version == 1 else {
            throw CommandError("this was exported by a newer textindex; update this one")
        }
        self.head = head
        tally.begin("the export")
    }

    mutating func next() -> Record? {
        while !isAtEnd, !tally.isInterrupted {
            do {
                let before = lines.consumed
                let outcome = try lines.next(into: &line)
                tally.read(bytes: lines.consumed - before)
                switch outcome {
                case .end:
                    isAtEnd = true
                    tally.fail("the export is not whole: its last line is missing")
                case .tooLong: throw CommandError("longer than 1 GiB")
                case .line: if let record = try record() { return record }
                }
            } catch {
                tally.fail("line \(lines.number): \(Self.reason(error))")
                // What cannot be read now will not be read later either.
                if line.isEmpty { isAtEnd = true }
            }
        }
        return nil
    }

    private mutating func record() throws -> Record? {
        switch try JSONDecoder().decode(Export.Line.self, from: Data(line)) {
        case .tail(let tail):
            isAtEnd = true
            if tail.objectCount != objectCount {
                tally.fail(
                    "the export is not whole: \(Format.count(objectCount)) of "
                        + "\(Format.count(tail.objectCount, "object"))")
            }
            return nil
        case .engagement(let engagement):
            engagements.append(engagement.engagement)
            return nil
        case .object(let object):
            objectCount += 1
            let record = try object.record()
            if tally.meet(record.identifier, line: lines.number) == nil {
                tally.write(record.identifier)
            }
            return record
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? CommandError)?.message ?? "not an object of an export"
    }
}

import Foundation

/// The records to index, read as they are asked for.
///
/// Memory: one file or one line, and the names of a folder. A source that cannot be read is reported
/// to the tally, and the next one follows.
struct RecordStream: Sequence {
    /// Says whether the index holds an identifier with the same hash.
    typealias UnchangedTest = @Sendable (_ identifier: Data, _ hash: String) -> Bool

    let walker: Walker
    let reader: RecordReader
    let root: Path
    let tally: IndexTally
    /// Whether standard input without a record is a failure: what should have written to it may have
    /// failed.
    let refusesEmpty: Bool
    let isUnchanged: UnchangedTest

    func makeIterator() -> Iterator { Iterator(stream: self, walker: walker) }

    struct Iterator: IteratorProtocol {
        fileprivate let stream: RecordStream
        fileprivate var walker: Walker
        private var lines: LineReader?
        private var line: [UInt8] = []
        /// Whether the source has given a record.
        private var hasRecords = false
        private var source = Path.standardInput
        private var path = Path.standardInput

        fileprivate init(stream: RecordStream, walker: Walker) {
            self.stream = stream
            self.walker = walker
        }

        mutating func next() -> Record? {
            while !stream.tally.isInterrupted {
                if lines != nil {
                    if let record = nextLine() { return record }
                    continue
                }
                switch walker.next() {
                case nil: return nil
                case .text(let path, _):
                    if let record = file(path) { return record }
                case .lines(let path, _): open(path)
                case .standardInput:
                    let tally = stream.tally
                    (source, path, hasRecords) = (.standardInput, .standardInput, false)
                    lines = LineReader(
                        InputFile { tally.isInterrupted }, longest: stream.reader.longestLine)
                }
            }
            return nil
        }

        private func file(_ path: Path) -> Record? {
            let tally = stream.tally
            let name = path.relative(to: stream.root)
            let identifier = Data(name.bytes)
            do {
                let file = try InputFile(path: path)
                guard let bytes = try file.readAll(upTo: stream.reader.largestText) else {
                    throw CommandError(stream.reader.tooLarge)
                }
                defer { tally.read(bytes: bytes.count) }
                switch stream.reader.record(ofFile: bytes, identifier: identifier) {
                case .problem(let problem): throw CommandError(problem)
                case .record(let record, let isRepaired):
                    if isRepaired {
                        tally.warn("\(name.text): not valid UTF-8; replaced what cannot be read")
                    }
                    return accept(record)
                }
            } catch {
                // Kept by --sync: the file is there.
                tally.remember(identifier)
                tally.fail("\(name.text): \(reason(error))")
                return nil
            }
        }

        private mutating func open(_ path: Path) {
            source = path.relative(to: stream.root)
            self.path = path
            do {
                lines = LineReader(
                    try InputFile(path: path), longest: stream.reader.longestLine)
            } catch {
                stream.tally.fail("\(source.text): \(reason(error))", incomplete: path)
            }
        }

        /// The record of the next line; nil when it gives none, or was the last.
        private mutating func nextLine() -> Record? {
            guard var reader = lines else { return nil }
            lines = nil  // not two owners of the reader's buffer
            let tally = stream.tally
            do {
                let before = reader.consumed
                let outcome = try reader.next(into: &line)
                tally.read(bytes: reader.consumed - before)
                guard outcome != .end else {
                    if source == .standardInput && !hasRecords && stream.refusesEmpty {
                        tally.fail(
                            "standard input: no objects; what came from there before is kept, unless "
                                + "--allow-empty is given", incomplete: path)
                    }
                    return nil
                }
                lines = reader
                if outcome == .tooLong {
                    let limit = stream.reader.longestLine >> 20
                    failLine(
                        reader.number,
                        "longer than \(limit) MiB; split it, or allow more with --max-size")
                    return nil
                }
            } catch {
                failLine(reader.number, reason(error))
                return nil
            }
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
            switch stream.reader.record(ofLine: line, start: reader.start, source: source) {
            case .problem(let problem):
                failLine(reader.number, problem)
                return nil
            case .record(let record, let isRepaired):
                hasRecords = true
                if isRepaired {
                    tally.warn(
                        "\(name), line \(reader.number): not valid Unicode; "
                            + "replaced what cannot be read")
                }
                return accept(record)
            }
        }

        private var name: String {
            source == .standardInput ? "standard input" : source.text
        }

        private func failLine(_ number: Int, _ problem: String) {
            stream.tally.fail("\(name), line \(number): \(problem)", incomplete: path)
        }

        private func reason(_ error: any Error) -> String {
            (error as? CommandError)?.message ?? "\(error)"
        }

        private func accept(_ record: Record) -> Record? {
            let isUnchanged = stream.isUnchanged(record.identifier, record.origin.hash)
            stream.tally.met(record.identifier, isUnchanged: isUnchanged)
            return isUnchanged ? nil : record
        }
    }
}

import Foundation

/// The records to index, read as they are asked for.
///
/// Memory: one file or one line, and the names of a folder. A source that cannot be read is
/// reported to the tally, and the next one follows.
struct RecordStream: Sequence {
    /// Says where the object in the index came from; nil when there is none.
    typealias StoredOrigin = @Sendable (_ identifier: Data) -> Origin?

    let walker: Walker
    let reader: RecordReader
    let root: Path
    let tally: IndexTally
    let stored: StoredOrigin

    func makeIterator() -> Iterator { Iterator(stream: self, walker: walker) }

    struct Iterator: IteratorProtocol {
        fileprivate let stream: RecordStream
        fileprivate var walker: Walker
        private var lines: LineReader?
        private var line: [UInt8] = []
        private var source = Path.standardInput
        private var path = Path.standardInput
        private var held = HeldRecords()
        /// Records that are held no longer, the next one last.
        private var released: [Record] = []

        fileprivate init(stream: RecordStream, walker: Walker) {
            self.stream = stream
            self.walker = walker
        }

        mutating func next() -> Record? {
            while !stream.tally.isInterrupted {
                if held.isFull { release() }
                if let record = released.popLast() { return record }
                if lines != nil {
                    if let record = nextLine() { return record }
                    continue
                }
                switch walker.next() {
                case nil:
                    release()
                    if released.isEmpty { return nil }
                case .text(let path, _):
                    if let record = file(path) { return record }
                case .lines(let path, _): open(path)
                case .standardInput:
                    let tally = stream.tally
                    (source, path) = (.standardInput, .standardInput)
                    tally.begin(sourceName)
                    lines = LineReader(
                        InputFile { tally.isInterrupted }, longest: stream.reader.longestLine)
                }
            }
            return nil
        }

        private mutating func file(_ path: Path) -> Record? {
            let tally = stream.tally
            let name = path.relative(to: stream.root)
            let identifier = Data(name.bytes)
            do {
                let file = try InputFile(path: path)
                guard let bytes = try file.readAll(upTo: stream.reader.largestText) else {
                    throw CommandError(stream.reader.tooLarge)
                }
                guard !bytes.isEmpty || Entry(path)?.isFile == true else {
                    throw CommandError("it is no file, and gave nothing")
                }
                defer { tally.read(bytes: bytes.count) }
                switch stream.reader.record(ofFile: bytes, identifier: identifier) {
                case .problem(let problem): throw CommandError(problem)
                case .record(let record, let remark, _):
                    if let remark { tally.warn("\(name.text): \(remark)") }
                    return accept(record, line: nil)
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
            stream.tally.begin(sourceName)
            do {
                lines = LineReader(
                    try InputFile(path: path), longest: stream.reader.longestLine)
            } catch {
                stream.tally.fail(
                    "\(source.text): \(reason(error))", incomplete: path, isUnread: true)
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
                guard outcome != .end else { return nil }
                lines = reader
                if outcome == .tooLong {
                    let limit = stream.reader.longestLine >> 20
                    failLine(
                        reader.number,
                        "longer than \(limit) MiB; split it, or allow more with --max-size")
                    return nil
                }
            } catch {
                failLine(reader.number, reason(error), isUnread: true)
                return nil
            }
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { return nil }
            switch stream.reader.record(ofLine: line, start: reader.start, source: source) {
            case .problem(let problem):
                failLine(reader.number, problem)
                return nil
            case .record(let record, let remark, let missing):
                tally.lack(missing)
                if let remark {
                    tally.warn("\(sourceName), line \(reader.number): \(remark)")
                }
                return accept(record, line: reader.number)
            }
        }

        private var sourceName: String {
            source == .standardInput ? "standard input" : source.text
        }

        private func failLine(_ number: Int, _ problem: String, isUnread: Bool = false) {
            stream.tally.fail(
                "\(sourceName), line \(number): \(problem)", incomplete: path,
                isUnread: isUnread)
        }

        private func reason(_ error: any Error) -> String {
            (error as? CommandError)?.message ?? "\(error)"
        }

        /// Decides what becomes of a record: given to the index, held, or passed over as unchanged.
        private mutating func accept(_ record: Record, line: Int?) -> Record? {
            var record = record
            let identifier = record.identifier
            stream.tally.gave(walker.current)
            let stored = stream.stored(identifier)
            if let earlier = stream.tally.meet(identifier, line: line) {
                warn(of: identifier, line, earlier.place)
                record.origin.isRepeated = true
                // The index holds another one by now, whatever was stored before.
                if earlier.isWritten { return record }
                held.drop(identifier)
            }
            if let stored, stored.isSame(as: record.origin) { return nil }
            if stored?.isRepeated == true {
                held.hold(record)
                return nil
            }
            stream.tally.write(identifier)
            return record
        }

        /// Gives the held records to the index: the later ones that they waited for may not come.
        private mutating func release() {
            released = held.takeAll().reversed()
            for record in released { stream.tally.write(record.identifier) }
        }

        private func warn(of identifier: Data, _ line: Int?, _ earlier: String) {
            let name = Path(bytes: identifier).text
            let place = line.map { "\(sourceName), line \($0)" } ?? name
            let shown = name.count > 60 ? name.prefix(60) + "…" : name[...]
            stream.tally.warn(
                "\(place): the identifier \"\(shown)\" of \(earlier) again; the last one counts")
        }
    }
}

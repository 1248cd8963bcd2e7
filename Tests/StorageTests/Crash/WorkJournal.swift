@testable import TestSupport

#if os(Linux) || os(macOS)
    import Foundation

    /// What a process that will be killed says it began and finished: lines appended to a file,
    /// which outlive the process as soon as they are written.
    final class WorkJournal: Sendable {
        enum Event: String, Sendable {
            case begin = "b"
            case end = "e"
        }

        let url: URL
        private let descriptor = Shared<Int32>(-1)
        /// The version of each note that was begun last; negative for a removal.
        private let latest = Shared<[Int: Int]>([:])

        init(at url: URL) { self.url = url }

        func open() throws {
            let opened = url.path.withCString {
                #if canImport(Glibc)
                    Glibc.open($0, O_WRONLY | O_APPEND | O_CREAT, 0o600)
                #else
                    Darwin.open($0, O_WRONLY | O_APPEND | O_CREAT, 0o600)
                #endif
            }
            guard opened >= 0 else { throw CocoaError(.fileWriteUnknown) }
            descriptor.change { $0 = opened }
            try readLatest()
        }

        /// The note as it was begun last, as a database would have it; nil when it was removed.
        func note(_ identifier: Data) -> WorkNote? {
            guard let id = Int(String(decoding: identifier, as: UTF8.self).dropFirst(5)),
                let version = latest.current[id], version > 0
            else { return nil }
            return WorkNote(id: id, version: version)
        }

        /// Reads what other processes began.
        func readLatest() throws {
            guard let text = try? String(contentsOf: url, encoding: .utf8) else { return }
            for line in text.split(separator: "\n") where line.first == "b" {
                let fields = line.split(separator: " ")
                guard fields.count == 3, let id = Int(fields[1]), let version = Int(fields[2])
                else { continue }
                latest.change { $0[id] = version }
            }
        }

        /// Appends a line; a removal has its version negative.
        func write(_ event: Event, _ id: Int, _ version: Int) { write([(event, id, version)]) }

        /// Appends many lines with one call.
        func write(_ lines: [(Event, Int, Int)]) {
            let text = lines.map { "\($0.rawValue) \($1) \($2)\n" }.joined()
            descriptor.change { descriptor in
                var bytes = Array(text.utf8)[...]
                while !bytes.isEmpty {
                    let count = bytes.withUnsafeBytes {
                        Foundation.write(descriptor, $0.baseAddress, $0.count)
                    }
                    guard count > 0 else { fatalError("the journal cannot be written") }
                    bytes = bytes.dropFirst(count)
                }
            }
            // Only now may a rebuild come upon them: it stores what nobody would know of if the
            // process died before.
            latest.change { latest in
                for (event, id, version) in lines where event == .begin { latest[id] = version }
            }
        }

        /// What is known of each note over all processes so far.
        struct History {
            private struct WorkNote {
                /// What was begun since, in order, from the last that is known to have had its
                /// effect.
                var possible: [Int] = []
            }

            private var notes: [Int: WorkNote] = [:]
            private var linesRead = 0
            /// Operations that were reported as finished.
            private(set) var finishedCount = 0

            /// Reads what was appended since the last time. A last line that was cut off is left
            /// out.
            mutating func extend(with journal: WorkJournal) throws {
                guard let text = try? String(contentsOf: journal.url, encoding: .utf8) else {
                    return
                }
                var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
                // Cut it off in the file as well: the next process begins a line of its own.
                if let last = lines.popLast(), !last.isEmpty {
                    let whole = lines.map { $0 + "\n" }.joined()
                    try Data(whole.utf8).write(to: journal.url)
                }
                for line in lines.dropFirst(linesRead) {
                    let fields = line.split(separator: " ")
                    guard fields.count == 3, let event = Event(rawValue: String(fields[0])),
                        let id = Int(fields[1]), let version = Int(fields[2])
                    else { throw CocoaError(.fileReadCorruptFile) }
                    switch event {
                    case .begin:
                        // Nothing said of a note yet: it may also be absent.
                        if notes[id] == nil { notes[id] = WorkNote(possible: [0]) }
                        notes[id]?.possible.append(version)
                    case .end:
                        finishedCount += 1
                        guard let place = notes[id]?.possible.lastIndex(of: version) else {
                            continue
                        }
                        notes[id]?.possible.removeFirst(place)
                    }
                }
                linesRead = lines.count
            }

            /// What is there but cannot be, and what has to be there but is not.
            func problems(with found: [Int: Int]) -> [String] {
                var problems: [String] = []
                for (id, note) in notes {
                    let isPossible =
                        if let version = found[id] {
                            note.possible.contains(version)
                        } else {
                            note.possible.contains { $0 <= 0 }
                        }
                    if !isPossible {
                        problems.append(
                            "note \(id) is \(found[id].map { "version \($0)" } ?? "absent"), not one of \(note.possible.prefix(10))"
                        )
                    }
                }
                for id in found.keys where notes[id] == nil {
                    problems.append("note \(id) is there, but nobody indexed it")
                }
                return Array(problems.prefix(10))
            }

            /// What was found after a crash is what the next process begins with: it must not go
            /// back behind it.
            mutating func accept(_ found: [Int: Int]) {
                for id in notes.keys { notes[id] = WorkNote(possible: [found[id] ?? 0]) }
            }

            /// The same for an index with a rebuild, which may bring what was begun later.
            mutating func acceptAtLeast(_ found: [Int: Int]) {
                for (id, note) in notes {
                    let version = found[id]
                    let place = note.possible.firstIndex {
                        version == nil ? $0 <= 0 : $0 == version
                    }
                    notes[id]?.possible.removeFirst(place ?? 0)
                }
            }
        }
    }
#endif

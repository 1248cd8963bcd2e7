import Foundation

/// The identifiers that a run has met, and where.
///
/// Memory: 12 bytes an identifier, whatever its length, and as much again for the table's free
/// places. Identifiers are told apart by a 64-bit hash: two of a hash would be taken for one that
/// came twice.
struct MetIdentifiers {
    /// Where an identifier was met before.
    struct Meeting: Equatable {
        /// The file and line, for people; only the line where it is in the same file.
        let place: String
        /// Whether a record of it was given to the index in this run.
        let isWritten: Bool
    }

    /// Places by the hash of the identifier: 0 for a file of text, else the number of the line,
    /// counted through all sources.
    private var places: [UInt64: UInt32] = [:]
    /// The sources of lines, and the number of the first line of each.
    private var sources: [(firstLine: Int, name: String)] = []
    private var lastLine = 0

    /// The bit of a place that says that a record was given to the index.
    private static let written: UInt32 = 1 << 31

    /// Begins with the lines of another source.
    mutating func begin(_ name: String) { sources.append((lastLine + 1, name)) }

    /// Notes where an identifier was met.
    ///
    /// - Parameters:
    ///   - identifier: the identifier.
    ///   - line: the number of the line in the source, from 1; nil for a file of text.
    /// - Returns: where it was met last, if it was.
    mutating func meet(_ identifier: Data, line: Int?) -> Meeting? {
        var place: UInt32 = 0
        if let line, let source = sources.last {
            lastLine = source.firstLine + line - 1
            // Beyond two thousand million lines only their numbers are wrong.
            place = UInt32(clamping: lastLine) & ~Self.written
        }
        let hash = Self.hash(identifier)
        guard let earlier = places[hash] else {
            places[hash] = place
            return nil
        }
        places[hash] = place | earlier & Self.written
        return Meeting(
            place: name(earlier & ~Self.written, identifier),
            isWritten: earlier & Self.written != 0)
    }

    /// Notes that a record of an identifier that was met is given to the index.
    mutating func write(_ identifier: Data) { places[Self.hash(identifier)]? |= Self.written }

    func contains(_ identifier: Data) -> Bool { places[Self.hash(identifier)] != nil }

    private func name(_ place: UInt32, _ identifier: Data) -> String {
        let index = sources.lastIndex { $0.firstLine <= Int(place) }
        guard place > 0, let index else { return "the file \(Path(bytes: identifier).text)" }
        let line = "line \(Int(place) - sources[index].firstLine + 1)"
        return index == sources.count - 1 ? line : "\(sources[index].name), \(line)"
    }

    private static func hash(_ identifier: Data) -> UInt64 {
        var hash = ContentHash()
        hash.combine(identifier)
        return hash.value
    }
}

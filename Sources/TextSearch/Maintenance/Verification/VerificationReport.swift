public import Foundation

/// How much of an index a verification reads.
public enum VerificationDepth: Sendable, Hashable {
    /// What makes a directory an index: manifest, settings and counters. Takes milliseconds.
    case quick
    /// Every block of every file with its checksum, and every table compared with all others. Reads
    /// the whole index.
    case full
    /// What `full` does, and then the objects: each is fetched (``TextIndex/object(for:)``),
    /// analysed again, and compared with what is stored. `sample` is about how many, spread evenly;
    /// nil for all. An object that changed since it was indexed is a finding. An object whose hooks
    /// fail is only counted.
    case source(sample: Int?)
}

/// Something that a verification found wrong.
public struct VerificationFinding: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of a finding. Later versions may add more.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// An entry is missing that another one refers to.
        case missing
        /// An entry exists that nothing refers to, and should not.
        case unexpected
        /// A value has bytes that no encoder writes.
        case malformed
        /// Two stored entries contradict each other.
        case mismatch
        /// LevelDB cannot read a range of the table. What follows in it was not examined.
        case unreadable
        /// The object is gone, or differs from what was indexed.
        case outdated
    }

    /// The kind of the finding, for programs.
    public let kind: Kind
    /// The table of the key space, such as `objects` or `postings`.
    public let table: String
    /// The number of the segment, if the finding is in one.
    public let segment: UInt32?
    /// The number of the document, if the finding is in one.
    public let document: UInt32?
    /// The stored key, if there is one. Keys hold terms and identifiers.
    public let key: Data?
    /// What is wrong. It never contains indexed text.
    public let message: String

    /// The finding on one line, without the key.
    public var description: String {
        var text = "\(kind.rawValue): \(table)"
        if let segment { text += ", segment \(segment)" }
        if let document { text += ", document \(document)" }
        return text + ": " + message
    }
}

/// What a verification examined, and what it found.
public struct VerificationReport: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The maximum number of findings that a report keeps.
    public static let findingLimit = 1000

    /// The depth of the verification: `quick`, `full` or `source`.
    public internal(set) var depth = "quick"
    /// How many living objects the index has.
    public internal(set) var objectCount = 0
    /// How many documents' records were compared, dead ones too.
    public internal(set) var documentCount = 0
    /// How many segments there are, flushed and in memory.
    public internal(set) var segmentCount = 0
    /// A digest of what the objects say of themselves: equal for two indexes of the same objects
    /// and analysis, however these came into them. Nil unless all was read.
    public internal(set) var contentDigest: String?
    /// How many terms there are, counted in each segment.
    public internal(set) var termCount = 0
    /// How many occurrences of terms there are.
    public internal(set) var occurrenceCount = 0
    /// How many objects were analysed again.
    public internal(set) var sourceCount = 0
    /// How many objects were not compared, because a hook failed on them; no finding.
    public internal(set) var unavailableCount = 0
    /// Whether a repair could not prove that nothing is missing (``TextIndex/isUncertain``). It is
    /// no finding, since only the source can tell.
    public internal(set) var isUncertain = false
    /// How many entries were read, by table.
    public internal(set) var entriesByTable: [String: Int] = [:]
    /// How many bytes of keys and values were read.
    public internal(set) var byteCount = 0
    /// How many entries nothing refers to, by table: of work in progress or cut short. No search
    /// sees them, and they are deleted in time.
    public internal(set) var unnamedByTable: [String: Int] = [:]
    /// What is wrong: the first ``findingLimit`` findings.
    public internal(set) var findings: [VerificationFinding] = []
    /// How many findings there were in all.
    public internal(set) var findingCount = 0

    /// Whether the verification found nothing wrong.
    public var isClean: Bool { findingCount == 0 }

    /// The counts, and each finding on a line of its own.
    public var description: String {
        let entries = entriesByTable.values.reduce(0, +)
        let unnamed = unnamedByTable.values.reduce(0, +)
        var lines = [
            "\(depth): \(findingCount) findings; \(objectCount) objects, \(documentCount) documents, "
                + "\(segmentCount) segments, \(termCount) terms, \(occurrenceCount) occurrences, "
                + "\(sourceCount) compared with their source, \(unavailableCount) not to be had; "
                + "\(entries) entries, \(byteCount) bytes, \(unnamed) entries unnamed"
        ]
        if isUncertain {
            lines.append("objects may be missing since a repair: verify against the source")
        }
        lines += findings.map(\.description)
        return lines.joined(separator: "\n")
    }

    mutating func add(
        _ kind: VerificationFinding.Kind, _ table: Table, segment: UInt32? = nil,
        document: UInt32? = nil, key: Data? = nil, _ message: String
    ) {
        findingCount += 1
        guard findings.count < Self.findingLimit else { return }
        findings.append(
            VerificationFinding(
                kind: kind, table: "\(table)", segment: segment, document: document, key: key,
                message: message))
    }
}

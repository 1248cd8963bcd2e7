public import Foundation

/// How much of an index a verification reads.
public enum VerificationDepth: Sendable, Hashable {
    /// What makes the index one: manifest, settings and counters. Milliseconds.
    case quick
    /// Every block of every file, with its checksum, and every table against every other. Reads the whole index.
    case full
    /// What `full` does, and then the objects themselves: each is asked for (``TextIndex/object(for:)``), analysed again, and compared
    /// with what is stored. `sample` is about how many, spread evenly; nil for all. An object that changed since it was
    /// indexed is a finding too, one that the hooks fail on is not: it is counted.
    case source(sample: Int?)
}

/// Something that a verification found wrong.
public struct VerificationFinding: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The kind of a finding; more may come.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Something that something else names is not there.
        case missing
        /// Something is there that nothing names, where that should not be.
        case unexpected
        /// Bytes that no encoder writes.
        case malformed
        /// Two places say different things.
        case mismatch
        /// LevelDB cannot read a part of the table; what follows in it was not examined.
        case unreadable
        /// The object is gone, or is not what was indexed.
        case outdated
    }

    /// What kind it is.
    public let kind: Kind
    /// The table of the key space: `objects`, `postings`, …
    public let table: String
    /// The number of the segment, where it is of one.
    public let segment: UInt32?
    /// The number of the document, where it is of one.
    public let document: UInt32?
    /// The stored key, as far as there is one. Keys hold terms and identifiers.
    public let key: Data?
    /// What is wrong; never holds text of yours.
    public let message: String

    /// All but the key, on one line.
    public var description: String {
        var text = "\(kind.rawValue): \(table)"
        if let segment { text += ", segment \(segment)" }
        if let document { text += ", document \(document)" }
        return text + ": " + message
    }
}

/// What a verification looked at and what it found.
public struct VerificationReport: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The number of findings that are kept at most.
    public static let findingLimit = 1000

    /// `quick`, `full` or `source`.
    public internal(set) var depth = "quick"
    /// Living objects.
    public internal(set) var objectCount = 0
    /// Documents whose records were compared, dead ones too.
    public internal(set) var documentCount = 0
    /// Segments, flushed and in memory.
    public internal(set) var segmentCount = 0
    /// Terms, counted in each segment.
    public internal(set) var termCount = 0
    /// Occurrences of terms.
    public internal(set) var occurrenceCount = 0
    /// Objects that were analysed again.
    public internal(set) var sourceCount = 0
    /// Objects that were not compared, as a hook failed on them; no finding.
    public internal(set) var unavailableCount = 0
    /// Whether a repair could not prove that nothing is missing (``TextIndex/isUncertain``); no finding, as it is only said by the source.
    public internal(set) var isUncertain = false
    /// Entries read, by table.
    public internal(set) var entriesByTable: [String: Int] = [:]
    /// Bytes of keys and values read.
    public internal(set) var byteCount = 0
    /// Entries that nothing names, by table: of work under way or cut short. No search sees them; they are deleted in time.
    public internal(set) var unnamedByTable: [String: Int] = [:]
    /// What is wrong; the first ``findingLimit``.
    public internal(set) var findings: [VerificationFinding] = []
    /// How many findings there were in all.
    public internal(set) var findingCount = 0

    /// Whether nothing is wrong.
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

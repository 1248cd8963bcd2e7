internal import Foundation

// The form in which processes of one version send counts to each other:
//
//     objects with a value, objects without, flags: 1 all were counted
//     buckets: their number, and of each its key and its count; of ranges that the facet gives the
//     counts alone
//
// A key is a byte, 0 for a value and 1 for a range, and then the value or both bounds. A value is a
// byte for its kind and what it is.

extension FacetCounts {
    /// Writes the counts without the facet, which the reader knows.
    package func write(to writer: inout MessageWriter) {
        writer.write(objectCount)
        writer.write(missingCount)
        writer.write(byte: isComplete ? 1 : 0)
        writer.write(buckets.count)
        for bucket in buckets {
            if facet.givenKeys == nil { bucket.key.write(to: &writer) }
            writer.write(bucket.count)
        }
    }

    /// About how many bytes the counts take, written so.
    package var byteCount: Int {
        buckets.reduce(32) { count, bucket in
            guard case .value(.string(let text)) = bucket.key else { return count + 24 }
            return count + 8 + text.utf8.count
        }
    }

    /// Reads all buckets of a facet.
    ///
    /// - Parameters:
    ///   - facet: what was counted.
    ///   - reader: where it is read from.
    /// - Throws: `MalformedMessage` for what no index counts.
    package init(of facet: Facet, reading reader: inout MessageReader) throws(MalformedMessage) {
        let (objects, missing) = (try reader.number(), try reader.number())
        let flags = try reader.byte()
        let given = facet.givenKeys
        let count = try reader.count(ofAtLeast: given == nil ? 3 : 1)
        guard objects >= 0, missing >= 0, flags < 2, given.map({ $0.count == count }) ?? true
        else { throw MalformedMessage() }
        var buckets: [FacetBucket<Object>] = []
        buckets.reserveCapacity(count)
        for number in 0..<count {
            let key = if let given { given[number] } else { try FacetKey(reading: &reader) }
            let count = try reader.number()
            guard count > 0 || given != nil && count == 0 else { throw MalformedMessage() }
            buckets.append(FacetBucket(key: key, count: count, hits: []))
        }
        self.init(
            facet: facet, buckets: buckets, bucketCount: count, objectCount: objects,
            missingCount: missing, isComplete: flags == 1)
    }
}

extension Facet {
    /// The keys that are there before anything is counted; nil where values make them.
    fileprivate var givenKeys: [FacetKey]? {
        if case .ranges(let ranges) = kind { ranges.map { .range($0) } } else { nil }
    }
}

extension FacetKey {
    fileprivate func write(to writer: inout MessageWriter) {
        switch self {
        case .value(let value):
            writer.write(byte: 0)
            value.write(to: &writer)
        case .range(let range):
            writer.write(byte: 1)
            for bound in [range.lower, range.upper] {
                if let bound { bound.write(to: &writer) } else { writer.write(byte: Kind.none) }
            }
        }
    }

    fileprivate init(reading reader: inout MessageReader) throws(MalformedMessage) {
        switch try reader.byte() {
        case 0:
            guard let value = try AttributeValue?(reading: &reader) else {
                throw MalformedMessage()
            }
            self = .value(value)
        case 1:
            let lower = try AttributeValue?(reading: &reader)
            self = .range(FacetRange(from: lower, to: try AttributeValue?(reading: &reader)))
        default: throw MalformedMessage()
        }
    }
}

/// How the kinds of values are written.
private enum Kind {
    static let none: UInt8 = 0
    static let no: UInt8 = 1
    static let yes: UInt8 = 2
    static let number: UInt8 = 3
    static let date: UInt8 = 4
    static let string: UInt8 = 5
}

extension AttributeValue {
    fileprivate func write(to writer: inout MessageWriter) {
        switch self {
        case .bool(let value): writer.write(byte: value ? Kind.yes : Kind.no)
        case .number(let value):
            writer.write(byte: Kind.number)
            writer.write(value)
        case .date(let value):
            writer.write(byte: Kind.date)
            writer.write(value.timeIntervalSinceReferenceDate)
        case .string(let value):
            writer.write(byte: Kind.string)
            writer.write(value)
        // Each member has a bucket of its own: no key is an array, and none is read.
        case .array: writer.write(byte: Kind.none)
        }
    }
}

extension AttributeValue? {
    fileprivate init(reading reader: inout MessageReader) throws(MalformedMessage) {
        switch try reader.byte() {
        case Kind.none: self = nil
        case Kind.no: self = .bool(false)
        case Kind.yes: self = .bool(true)
        case Kind.number: self = .number(try reader.double())
        case Kind.date: self = .date(Date(timeIntervalSinceReferenceDate: try reader.double()))
        case Kind.string: self = .string(try reader.text())
        default: throw MalformedMessage()
        }
    }
}

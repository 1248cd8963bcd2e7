internal import Foundation

/// What the objects of an index add up to, whatever their numbers and segments.
///
/// It finds accidents, not attacks.
struct ContentDigest {
    private var sum: UInt64 = 0
    private var count = 0

    mutating func add(_ object: UInt64) {
        sum &+= EntryDigest.mixed(object)
        count += 1
    }

    /// Sixteen hexadecimal digits, others for another analysis.
    func text(of analyzer: Analyzer) -> String {
        var bytes: [UInt8] = []
        for (name, value) in analyzer.fingerprint.sorted(by: { $0.key < $1.key }) {
            bytes += Array("\(name.utf8.count) \(value.utf8.count) \(name)\(value)".utf8)
        }
        let analysis = bytes.withUnsafeBufferPointer { Checksum.of($0) }
        let digits = String(
            EntryDigest.mixed(sum ^ analysis ^ EntryDigest.mixed(UInt64(count))), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ObjectRecord {
    /// A number of an object's identifier and of all that it says; of a record that an earlier
    /// version wrote, of what is stored.
    static func digest(_ content: UnsafeRawBufferPointer) throws(MalformedData) -> UInt64 {
        var reader = ByteReader(content)
        let (identifier, fingerprint) = try begin(&reader)
        let rest = UnsafeRawBufferPointer(rebasing: content[reader.offset...])
        return identifier.withUnsafeBytes { identifier in
            guard let fingerprint else { return EntryDigest.of(identifier, rest) }
            return withUnsafeBytes(of: fingerprint.littleEndian) {
                EntryDigest.of(identifier, $0)
            }
        }
    }
}

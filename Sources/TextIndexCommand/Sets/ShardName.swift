import Foundation

import TextSearch

/// Which shard of how many: `shard-00002-of-00400`.
struct ShardName: Hashable, Comparable, CustomStringConvertible {
    let number: Int
    let count: Int

    /// The most shards of a set.
    static let mostShards = 99_999

    /// - Throws: ``CommandError`` for a number that no shard has.
    init(number: Int, count: Int) throws {
        guard (1...Self.mostShards).contains(count), (0..<count).contains(number) else {
            throw CommandError(
                "there is no shard \(number) of \(count): shards are counted from 0, and a set has "
                    + "1 to \(Self.mostShards)")
        }
        self.number = number
        self.count = count
    }

    /// Nil for the name of something else.
    init?(_ name: String) {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "shard", parts[2] == "of",
            let number = Self.number(parts[1]), let count = Self.number(parts[3]),
            let shard = try? ShardName(number: number, count: count)
        else { return nil }
        self = shard
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.count == 5 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            ? Int(text) : nil
    }

    var description: String { "shard-\(Self.padded(number))-of-\(Self.padded(count))" }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(5 - digits.count, 0)) + digits
    }

    static func < (a: ShardName, b: ShardName) -> Bool {
        (a.count, a.number) < (b.count, b.number)
    }

    /// The number of the shard that an object belongs to: the first 60 bits of the SHA-256 of its
    /// identifier, modulo the number of shards. So every engine puts an object into the same shard;
    /// SQL has numbers of 63 bits.
    static func number(of identifier: some Sequence<UInt8>, among count: Int) -> Int {
        let digest = SHA256.digest(of: identifier)
        let first = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int((first >> 4) % UInt64(max(count, 1)))
    }

    /// How many objects of an index belong to other shards, by their identifiers.
    ///
    /// Complexity: O(objects).
    func strangers(in folder: IndexFolder) throws -> Int {
        var strangers = 0
        try folder.index.forEachIdentifier { identifier in
            if Self.number(of: identifier, among: count) != number { strangers += 1 }
            return true
        }
        return strangers
    }
}

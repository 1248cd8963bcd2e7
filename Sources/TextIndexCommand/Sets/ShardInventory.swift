import Foundation

/// The shards that lie in a folder.
struct ShardInventory {
    private let path: String
    /// By their names.
    let records: [String: ShardRecord]
    /// Why what shards say of themselves cannot be read, by their names.
    let problems: [String: String]

    init(_ path: String) throws {
        self.path = path
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw CommandError("no folder at \(path)")
        }
        var records: [String: ShardRecord] = [:]
        var problems: [String: String] = [:]
        for name in names where ShardName(name) != nil {
            do {
                records[name] = try Self.record(at: "\(path)/\(name)")
            } catch let problem as ShardProblem {
                problems[name] = problem.message
            }
        }
        self.records = records
        self.problems = problems
    }

    /// What a shard says of itself; nil where it says nothing.
    ///
    /// - Throws: ``ShardProblem`` where that cannot be read, or cannot be.
    static func record(at path: String) throws -> ShardRecord? {
        let url = URL(filePath: path, directoryHint: .isDirectory)
        let file = url.appending(path: ShardRecord.fileName)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        let name = url.lastPathComponent
        func unreadable(_ reason: String) -> ShardProblem {
            ShardProblem(
                kind: .unreadable, message: "the \(ShardRecord.fileName) of \(name) \(reason)")
        }
        guard let data = try? Data(contentsOf: file) else {
            throw unreadable("cannot be read; may this user read it?")
        }
        guard let record = try? JSONDecoder().decode(ShardRecord.self, from: data),
            record.name == name, SetManifest.counts.contains(record.objects),
            SetManifest.counts.contains(record.occurrences)
        else { throw unreadable("is damaged; remove the shard and add it again") }
        guard record.version == 1 else {
            throw unreadable("is of another version of textindex; use that one")
        }
        return record
    }

    /// The names of all shards of the largest set that some are of.
    var expectedNames: [String] {
        names(of: counts.max() ?? 0)
    }

    /// Of how many shards those are that are there.
    private var counts: Set<Int> {
        Set((Array(records.keys) + problems.keys).compactMap { ShardName($0)?.count })
    }

    private func names(of count: Int) -> [String] {
        (0..<count).compactMap { try? ShardName(number: $0, count: count) }.map(\.description)
    }

    /// All shards in order.
    ///
    /// - Throws: ``CommandError`` when one is missing, or some are of another number of shards.
    func complete(_ count: Int?) throws -> [ShardRecord] {
        let counts = counts
        guard let wanted = count ?? counts.first, count != nil || counts.count == 1 else {
            throw CommandError(
                counts.isEmpty
                    ? "\(path) has no shards; add some: textindex set add"
                    : "\(path) has shards of \(counts.sorted().map(String.init).joined(separator: " and "))"
                        + "; say with --of which are the set")
        }
        let names = names(of: wanted)
        if let problem = names.lazy.compactMap({ problems[$0] }).first {
            throw CommandError(problem)
        }
        let missing = names.filter { records[$0] == nil }
        guard missing.isEmpty else {
            let shown = missing.prefix(5).joined(separator: ", ")
            throw CommandError(
                "\(Format.count(missing.count, "shard")) missing: \(shown)"
                    + (missing.count > 5 ? " and more" : ""))
        }
        return names.compactMap { records[$0] }
    }
}

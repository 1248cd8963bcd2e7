import Foundation

@testable import TestSupport
@testable import TextSearch

/// Indexes that were stored once and lie in the fixtures, in a folder for each stored format, and
/// what must be in them.
enum GoldenIndex: String, CaseIterable, Sendable {
    /// It was flushed and closed.
    case clean
    /// Its process was killed: a journal, and a log that is replayed.
    case dirty
    /// The power was cut amid a write: the first half of it, then zeros.
    case torn

    static let formats = (Bundle.module.resourceURL ?? URL(fileURLWithPath: "."))
        .appendingPathComponent("Fixtures/indexes")

    func directory(format: UInt8) -> URL {
        Self.formats.appendingPathComponent("\(format)").appendingPathComponent(rawValue)
    }

    /// Copies the files to a directory that an index may be opened in.
    func copy(format: UInt8, to directory: URL) throws {
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        for (name, data) in try DirectoryContents(of: self.directory(format: format)).files {
            let file = directory.appendingPathComponent(name)
            try data.write(to: file)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
    }

    static var configuration: TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        configuration.indexesStopWords = false
        configuration.analysis = TextAnalysis(stemming: .language(.english))
        configuration.writeBufferSize = 64 << 10
        return configuration
    }

    static func open(at directory: URL) throws -> TextIndex<GoldenObject> {
        let index = try TextIndex<GoldenObject>(at: directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { object, _ in object.indexed }
        return index
    }

    // MARK: Contents

    /// The operations that made the stored indexes, in order; flushes come before those of
    /// `flushes`.
    static let operations: [GoldenObject] =
        (0..<36).map { GoldenObject(number: $0, version: 1) }
        + (30..<44).map { GoldenObject(number: $0, version: 2) }
        + [2, 35].map { GoldenObject(number: $0, version: 0) }
        + (42..<48).map { GoldenObject(number: $0, version: 3) }

    static let flushes: Set<Int> = [24, 46]

    /// How many of the operations are there: a power cut takes the last.
    var operationCount: Int { Self.operations.count - (self == .torn ? 1 : 0) }

    /// Does the operations one after the other.
    static func apply(
        _ count: Int, to index: TextIndex<GoldenObject>, isFlushed: Bool
    ) throws {
        for (number, object) in operations.prefix(count).enumerated() {
            if isFlushed, flushes.contains(number) { try index.flush() }
            let operation =
                object.version == 0
                ? index.removeIndex(forIdentifier: object.identifier) : index.indexObject(object)
            operation.waitUntilFinished()
            if let error = operation.error { throw error }
        }
    }

    /// Writes all of them; there must be none of the format yet.
    static func write(to folder: URL) throws {
        let source = folder.appendingPathComponent("source")
        let index = try open(at: source)
        try apply(operations.count - 1, to: index, isFlushed: true)
        let before = try DirectoryContents(of: source)
        guard let object = operations.last else { return }
        index.indexObject(object).waitUntilFinished()
        // As a killed process leaves it.
        var files = try DirectoryContents(of: source)
        try files.write(to: folder.appendingPathComponent(dirty.rawValue))
        for (name, data) in files.files where name.hasSuffix(".log") {
            let start = before.files[name]?.count ?? 0
            guard data.count > start else { continue }
            let half = (start + data.count) / 2
            files.files[name] = data.prefix(half) + Data(count: 600)
        }
        // It had not confirmed that write.
        files.files["COMMITTED"] = before.files["COMMITTED"]
        try files.write(to: folder.appendingPathComponent(torn.rawValue))
        try index.flush()
        try index.store.compact()
        try index.close()
        try DirectoryContents(of: source).write(to: folder.appendingPathComponent(clean.rawValue))
        try FileManager.default.removeItem(at: source)
    }
}

/// An object of the stored indexes. Never change what follows from a number and a version: stored
/// indexes hold it.
struct GoldenObject: Sendable {
    var number: Int
    /// 0 for a removal.
    var version: Int

    private static let titles = [
        "The lighthouse keeper’s daughters", "Ein Fluß und seine Brücken", "東京の古い地図",
        "Running, ran, runs", "Les élèves étudiaient", "Ελληνικά νησιά", "Снег и лёд",
        "ﬁles & Ｆｕｌｌｗｉｄｔｈ signs",
    ]
    private static let bodies = [
        "Ships were passing the islands before the storm; the keepers counted them.",
        "Bridges cross rivers. Every bridge is a promise.", "地図には川と橋がある。",
        "A runner runs where others ran; running is older than walking shoes.",
        "The students study maps of old cities, and cities study them.",
    ]

    var identifier: Data { Data("golden-\(number)".utf8) }

    var indexed: IndexedObject {
        let body = (0...(number % 4)).map { Self.bodies[(number + $0) % Self.bodies.count] }
        return IndexedObject(
            strings: [
                Self.titles[number % Self.titles.count],
                body.joined(separator: " ") + " edition\(version) number\(number)",
            ],
            weight: Double(number % 5) - 1.5,
            context: ["number": .int(Int64(number)), "version": .int(Int64(version))],
            attributes: [
                "price": .number(Double(number) / 4), "isOld": .bool(number % 3 == 0),
                "kind": .string(["map", "book"][number % 2]),
            ])
    }
}

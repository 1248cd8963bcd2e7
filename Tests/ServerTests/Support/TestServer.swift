import Foundation
import Testing
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// A server over an index of notes, at a port of its own.
struct TestServer: Sendable {
    let port: Int
    let index: TextIndex<Note>
    let notes: NoteBook
    let contract: Contract

    /// The texts of the notes, as an application keeps them.
    final class NoteBook: Sendable {
        private let notes: Mutex<[Data: Note]>

        init(_ notes: [Note]) {
            self.notes = Mutex(
                Dictionary(notes.map { (Data($0.identifier.utf8), $0) }) { $1 })
        }

        subscript(identifier: Data) -> Note? {
            get { notes.withLock { $0[identifier] } }
            set { notes.withLock { $0[identifier] = newValue } }
        }

        var all: [Note] { notes.withLock { $0.values.sorted { $0.identifier < $1.identifier } } }
    }

    /// Which class of index to serve.
    struct IndexKind {
        let make: (URL, TextIndexConfiguration) throws -> TextIndex<Note>

        static var plain: IndexKind {
            IndexKind { try TextIndex(at: $0, configuration: $1) }
        }
    }

    static let attributes = ["cuisine", "minutes", "shelf"]

    static func configuration() -> TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        return configuration
    }

    static func setHooks(_ index: TextIndex<Note>, _ book: NoteBook) {
        index.identifier = { Data($0.identifier.utf8) }
        index.indexer = { note, _ in note.indexed }
        index.objectGetter = { book[$0] }
    }

    static func served(_ index: TextIndex<Note>, _ book: NoteBook) -> ServedIndex<Note> {
        ServedIndex(
            index, attributes: attributes, title: { book[$0.identifier]?.title }
        ) { book[$0.identifier]?.strings }
    }

    /// Serves notes for as long as `body` runs.
    static func run(
        _ notes: [Note], queries: [(name: String, query: String)] = [],
        index kind: IndexKind = .plain,
        _ change: (inout ServerOptions) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-server-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let book = NoteBook(notes)
        let index = try kind.make(folder, configuration())
        setHooks(index, book)
        _ = try await index.indexObjects(notes)
        let source = IndexSource(name: "notes") { served(index, book) }
        try await run([source], index, book, queries, change, body)
        try await index.shutdown()
    }

    static func run(
        _ sources: [IndexSource<Note>], _ index: TextIndex<Note>, _ book: NoteBook,
        _ queries: [(name: String, query: String)] = [],
        _ change: (inout ServerOptions) -> Void = { _ in },
        _ body: (TestServer) async throws -> Void
    ) async throws {
        var options = ServerOptions()
        options.port = 0
        options.limits.rate = 0
        options.limits.time = .seconds(60)
        change(&options)
        let server = try SearchServer(sources, storedQueries: queries, options: options)
        let (ports, sink) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { sink.finish() }
                try await server.run { sink.yield($0) }
            }
            guard let port = await ports.first(where: { _ in true }) else {
                try await group.next()
                return
            }
            let contract = try Contract()
            do {
                try await body(
                    TestServer(port: port, index: index, notes: book, contract: contract))
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
            try await group.next()
        }
    }

    // MARK: Requests

    /// Sends a request on a connection of its own, and checks the answer against the OpenAPI
    /// document.
    func send(
        _ method: String, _ target: String, headers: [String: String] = [:], body: [UInt8] = []
    ) async throws -> Reply {
        let reply = try await TestConnection.open(port: port) { connection in
            try await connection.send(method, target, headers: headers, body: body)
            return try await connection.reply(hasBody: method != "HEAD")
        }
        try contract.check(reply, to: method, target)
        return reply
    }

    func get(_ path: String, _ parameters: KeyValuePairs<String, String> = [:]) async throws
        -> Reply
    {
        try await send("GET", Self.target(path, parameters))
    }

    func post(_ path: String, _ body: JSON) async throws -> Reply {
        try await send(
            "POST", path, headers: ["Content-Type": "application/json"], body: body.bytes)
    }

    static func target(_ path: String, _ parameters: KeyValuePairs<String, String>) -> String {
        let pairs = parameters.map { "\(encoded($0.key))=\(encoded($0.value))" }
        return pairs.isEmpty ? path : "\(path)?\(pairs.joined(separator: "&"))"
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain
                ? String(UnicodeScalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

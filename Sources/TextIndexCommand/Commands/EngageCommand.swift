import ArgumentParser
import Foundation
import TextSearch

/// `textindex engage`: what people chose among the results of queries.
struct EngageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engage",
        abstract: "Remembers what was chosen among the hits of a query, lists and forgets it.",
        discussion: """
            What was chosen comes higher in textindex search --learned, for the same query; half of \
            that is forgotten in thirty days.

            Examples:
              textindex engage record 'white whale' moby-dick.txt --index my.textindex
              textindex engage list --index my.textindex --json
              textindex engage forget --query 'white whale' --index my.textindex
            """,
        subcommands: [Recording.self, Listing.self, Forgetting.self]
    )
}

extension EngageCommand {
    /// A date to the second.
    fileprivate static func text(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        return "\(AttributeValue.date(Date(timeIntervalSinceReferenceDate: seconds)))"
    }

    /// `textindex engage record`.
    struct Recording: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "record",
            abstract: "Remembers that objects were chosen for a query.",
            discussion: "Exit code: 0 when all were in the index, 1 when one of them was not.")

        @Argument(help: "The query.")
        var query: String

        @Argument(help: "Identifiers of the objects.")
        var identifiers: [String]

        @Option(help: "How much it counts; a choice like any other is 1.")
        var strength = 1.0

        @OptionGroup var location: IndexOption

        func validate() throws {
            if !(strength > 0 && strength.isFinite) {
                throw ValidationError("--strength must be greater than 0")
            }
        }

        func run() async throws {
            var unknown = 0
            try await IndexFolder.use(existing: location) { folder in
                for given in Path.named(by: identifiers) {
                    guard let identifier = try folder.identifier(of: given) else {
                        unknown += 1
                        Console.report("\(given.text) is not in the index")
                        continue
                    }
                    _ = try await folder.index.recordEngagement(
                        withIdentifier: identifier, for: query, strength: strength
                    ).value()
                }
            }
            if unknown > 0 { throw Outcome.nothingFound }
        }
    }

    /// `textindex engage list`.
    struct Listing: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists what is remembered.",
            discussion: "Exit code: 0 when something is, 1 when nothing is.")

        @Option(help: "List what was chosen for this query only.")
        var query: String?

        @Flag(help: "Print a line of JSON for each.")
        var json = false

        @OptionGroup var location: IndexOption

        func run() async throws {
            var count = 0
            try await IndexFolder.use(existing: location) { folder in
                func show(_ engagement: Engagement) throws -> Bool {
                    count += 1
                    try Console.write(text(engagement))
                    return true
                }
                if let query {
                    for engagement in try folder.index.engagements(for: query) {
                        _ = try show(engagement)
                    }
                } else {
                    try folder.index.forEachEngagement(show)
                }
            }
            if count == 0 { throw Outcome.nothingFound }
        }

        private func text(_ engagement: Engagement) throws -> String {
            if json { return try Line(engagement).jsonLine() }
            let name = Printable.line(String(decoding: engagement.identifier, as: UTF8.self))
            return "\(Printable.line(engagement.query))\t\(name)\t"
                + "\(Format.weight(engagement.strength))\t\(EngageCommand.text(engagement.date))\n"
        }
    }

    /// An engagement for machines.
    private struct Line: Encodable {
        let query: String
        let identifier: String
        /// Nil for an identifier that is text.
        let identifierBytes: Data?
        let strength: Double
        let date: String

        init(_ engagement: Engagement) {
            query = engagement.query
            identifier = String(decoding: engagement.identifier, as: UTF8.self)
            let isText = String(validating: engagement.identifier, as: UTF8.self) != nil
            identifierBytes = isText ? nil : engagement.identifier
            strength = engagement.strength
            date = "\(EngageCommand.text(engagement.date))"
        }
    }

    /// `textindex engage forget`.
    struct Forgetting: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Forgets what is remembered of a query or of objects, or all of it.")

        @Option(help: "Forget what was chosen for this query.")
        var query: String?

        @Option(help: "Forget what was chosen last so many days ago, or earlier.")
        var olderThan: Double?

        @Flag(help: "Forget everything.")
        var all = false

        @Argument(help: "Identifiers of the objects.")
        var identifiers: [String] = []

        @OptionGroup var location: IndexOption

        func validate() throws {
            let given = [query != nil, olderThan != nil, all, !identifiers.isEmpty]
            if given.count(where: { $0 }) != 1 {
                throw ValidationError(
                    "say what to forget: --query, --older-than, --all, or identifiers")
            }
            if let olderThan, !(0...1e6).contains(olderThan) {
                throw ValidationError("--older-than must be from 0 to 1000000 days")
            }
        }

        func run() async throws {
            var unknown = 0
            try await IndexFolder.use(existing: location) { folder in
                let index = folder.index
                if let query { _ = try await index.forgetEngagements(for: query).value() }
                if all { _ = try await index.forgetAllEngagements().value() }
                if let olderThan {
                    let date = Date(timeIntervalSinceNow: -olderThan * 24 * 3600)
                    try await index.forgetEngagements(before: date)
                }
                for given in Path.named(by: identifiers) {
                    guard let identifier = try folder.identifier(of: given) else {
                        unknown += 1
                        Console.report("\(given.text) is not in the index")
                        continue
                    }
                    _ = try await index.forgetEngagements(withIdentifier: identifier).value()
                }
            }
            if unknown > 0 { throw Outcome.nothingFound }
        }
    }
}

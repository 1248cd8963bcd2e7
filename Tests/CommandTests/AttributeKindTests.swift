import Foundation
import Testing

/// What `--attribute NAME:KIND` makes of the members of a line.
@Suite struct AttributeKindTests {
    let folder: TestFolder
    let command: Command

    init() throws {
        folder = try TestFolder()
        command = Command(folder: folder)
        try folder.write(
            """
            {"id":"1","title":"duck","day":"2024-05-01","size":"9","code":17}
            {"id":"2","title":"duck","day":"2024-05-01T12:30:00+02:00","size":"10.5","code":"17"}
            {"id":"3","title":"duck","day":["1999-12-31","2025-01-01T00:00:00Z"],"size":100,"code":true}
            {"id":"4","title":"duck","day":null}

            """, to: "a.jsonl")
    }

    private func index(_ attributes: String...) async throws -> Command.Result {
        try await command.run(
            ["index", "a.jsonl", "--index", "index"] + attributes.flatMap { ["--attribute", $0] })
    }

    @Test(arguments: [
        ("day:2024-05-01", ["1", "2"]), ("day:>=2024-05-01T10:30:00Z", ["2", "3"]),
        ("day:<2000-01-01", ["3"]), ("day:[2024-01-01 TO 2024-12-31]", ["1", "2"]),
        ("size:>9.5", ["2", "3"]), ("size:[9 TO 10.5]", ["1", "2"]), ("code:=\"17\"", ["1", "2"]),
        ("code:=\"true\"", ["3"]), ("day:=*", ["1", "2", "3"]),
    ]) func compared(_ query: String, _ identifiers: [String]) async throws {
        let made = try await index("day:date", "size:number", "code:text")
        #expect(made.status == 0, "\(made.error)")
        let report = try await command.search(query, "--sort", "day,size")
        #expect(Set(report.identifiers) == Set(identifiers))
        let sorted = try await command.search("duck", "--sort", "size")
        #expect(sorted.identifiers == ["1", "2", "3", "4"])
        let byDay = try await command.search("duck", "--sort", "day")
        #expect(byDay.identifiers == ["3", "1", "2", "4"])
    }

    @Test(arguments: [
        ("sizes:>39", ["1", "2", "4"]), ("sizes:39", ["3"]), ("sizes:=true", ["5"]),
        ("sizes:q", ["5"]), ("sizes:[1 TO 2]", ["5"]), ("when:<1973-01-01", ["1", "2", "5"]),
        ("when:1970-01-02", ["2"]), ("when:2024", ["3", "4"]), ("when:<1970-01-01", ["5"]),
    ]) func arraysAndSeconds(_ query: String, _ identifiers: [String]) async throws {
        try folder.write(
            """
            {"id":"1","title":"duck","sizes":[38,40],"when":0}
            {"id":"2","title":"duck","sizes":[9,41],"when":[86400]}
            {"id":"3","title":"duck","sizes":39,"when":2024}
            {"id":"4","title":"duck","sizes":[100],"when":"2024-05-01 12:30:00"}
            {"id":"5","title":"duck","sizes":[true,"q",1.5,null,[7]],"when":-86400}

            """, to: "a.jsonl")
        #expect(try await index("sizes", "when:date").status == 0)
        #expect(Set(try await command.search(query).identifiers) == Set(identifiers))
        let sorted = try await command.search("duck", "--sort", "sizes")
        #expect(Array(sorted.identifiers.suffix(4)) == ["2", "1", "3", "4"])
    }

    @Test(arguments: [
        ("day:2024", ["1", "2", "3"]), ("day:2024-05-01", ["1", "2", "3"]),
        ("day:=*", ["1", "2", "3", "5"]),
        ("size:=*", ["3"]), ("size:9", ["3"]), ("duck", ["1", "2", "3", "4", "5"]),
    ]) func milliseconds(_ query: String, _ identifiers: [String]) async throws {
        try folder.write(
            """
            {"id":"1","title":"duck","day":1714564800000,"size":""}
            {"id":"2","title":"duck","day":"1714564800000","size":" "}
            {"id":"3","title":"duck","day":" May 1, 2024","size":" 9 "}
            {"id":"4","title":"duck","day":""}
            {"id":"5","title":"duck","day":["", "2020"]}

            """, to: "a.jsonl")
        #expect(try await index("day:date", "size:number").status == 0)
        #expect(Set(try await command.search(query).identifiers) == Set(identifiers))
    }

    @Test func kindsAreRememberedAndOthersIndexAnew() async throws {
        #expect(try await index("day").status == 0)
        // As text, the moment is no day.
        #expect(try await command.search("day:<2025-01-01").identifiers.isEmpty)
        let changed = try await index("day:date")
        #expect(changed.output.contains("4 objects indexed"), "\(changed.output)")
        #expect(Set(try await command.search("day:<2025-01-01").identifiers) == ["1", "2", "3"])
        let again = try await index()
        #expect(again.output.contains("4 unchanged"), "\(again.output)")
    }

    @Test(arguments: [
        ("day:date", #"{"id":"5","title":"duck","day":"yesterday"}"#, "is not a date"),
        ("day:date", #"{"id":"5","title":"duck","day":["2024-05-01","x"]}"#, "is not a date"),
        ("day:date", #"{"id":"5","title":"duck","day":20240501}"#, "is not a date"),
        ("day:date", #"{"id":"5","title":"duck","day":1714521600000000}"#, "is not a date"),
        ("size:number", #"{"id":"5","title":"duck","size":"large"}"#, "is not a finite number"),
        ("size:number", #"{"id":"5","title":"duck","size":"1e999"}"#, "is not a finite number"),
        ("size:number", #"{"id":"5","title":"duck","size":true}"#, "is not a finite number"),
        ("code:text", #"{"id":"5","title":"duck","code":{}}"#, "is not text"),
    ]) func whatDoesNotFitIsReported(
        _ attribute: String, _ line: String, _ message: String
    ) async throws {
        try folder.write(line + "\n" + #"{"id":"6","title":"duck"}"# + "\n", to: "b.jsonl")
        let result = try await command.run(
            "index", "b.jsonl", "--index", "index", "--attribute", attribute)
        #expect(result.status == 2)
        #expect(result.error.contains(message), "\(result.error)")
        #expect(try await command.search("duck").identifiers == ["6"])
    }
}

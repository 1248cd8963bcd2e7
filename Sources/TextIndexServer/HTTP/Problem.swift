import Foundation
import HTTPTypes
import TextSearch

/// Why a request has no other answer: problem details as RFC 9457 has them.
///
/// The detail is a sentence of ours. It never holds a path of the file system, nor what the storage
/// engine said.
struct Problem: Error {
    let status: HTTPResponse.Status
    /// What tells problems apart; stable.
    let code: String
    let title: String
    let detail: String
    /// The parameter that is wrong, if it is one.
    var parameter: String?
    var headers: HTTPFields = [:]

    init(
        _ status: HTTPResponse.Status, _ code: String, _ title: String, _ detail: String,
        parameter: String? = nil
    ) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.parameter = parameter
    }

    var json: JSON {
        .members([
            "type": .string("urn:textindex:problem:\(code)"), "title": .string(title),
            "status": .int(status.code), "detail": .string(detail), "code": .string(code),
            "parameter": .optional(parameter),
        ])
    }

    var answer: Answer {
        var answer = Answer(status: status, json: json)
        answer.headers[.contentType] = "application/problem+json"
        answer.headers[.cacheControl] = "no-store"
        for field in headers { answer.headers.append(field) }
        return answer
    }
}

extension Problem {
    static func invalid(_ parameter: String, _ detail: String) -> Problem {
        Problem(
            .badRequest, "invalid-parameter", "A parameter is wrong", detail, parameter: parameter)
    }

    static func malformed(_ detail: String) -> Problem {
        Problem(.badRequest, "malformed-request", "The request cannot be read", detail)
    }

    static let notFound = Problem(
        .notFound, "not-found", "There is nothing here", "No resource has this path.")

    static let unknownObject = Problem(
        .notFound, "unknown-object", "There is no such object",
        "The index has no object with this identifier.")

    static let unauthorized: Problem = {
        var problem = Problem(
            .unauthorized, "unauthorized", "A token is needed",
            "Send the server's token in the header Authorization, behind Bearer.")
        problem.headers[.wwwAuthenticate] = "Bearer"
        return problem
    }()

    /// What is to be tried again later.
    static func busy(_ detail: String) -> Problem {
        var problem = Problem(.serviceUnavailable, "busy", "The server is busy", detail)
        problem.headers[.retryAfter] = "1"
        return problem
    }

    static let manyWait = busy("Too many requests wait already.")

    static func tooMany(_ code: String, _ title: String, _ detail: String) -> Problem {
        var problem = Problem(.tooManyRequests, code, title, detail)
        problem.headers[.retryAfter] = "1"
        return problem
    }

    static let tooManyWaiting = tooMany(
        "too-many-waiting", "Too many requests wait",
        "Too many requests of this client wait already; wait for their answers.")

    static let tooManyStreams = tooMany(
        "too-many-streams", "Too many streams are open",
        "This client has as many streams open as it may have; end one of them.")

    static let tooManyConnections = tooMany(
        "too-many-connections", "Too many connections are open",
        "This client has as many connections open as it may have; close one of them.")

    static let outOfTime = Problem(
        .serviceUnavailable, "out-of-time", "There was not time enough",
        "The time of the request ended before anything was found; give it more, or ask for less.")

    /// What is cut short where a part is of no use.
    static func inTime<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch is CancellationError { throw outOfTime }
    }

    static let engagementNotAllowed = Problem(
        .forbidden, "engagement-not-allowed", "The server does not learn",
        "What is chosen is remembered where the server was started with --allow-engagement only.")

    static let readOnly = Problem(
        .conflict, "read-only", "The index is read only",
        "What is published is never changed; engagements are recorded in the index it is made of.")

    static let superseded = Problem(
        .conflict, "superseded", "Another text was typed",
        "The typing session got another text, which made this one needless.")

    static func tooLarge(_ limit: Int) -> Problem {
        Problem(
            .contentTooLarge, "too-large", "The request is too large",
            "A body may have up to \(limit) bytes.")
    }

    static func tooMuch(_ detail: String, parameter: String? = nil) -> Problem {
        Problem(
            .unprocessableContent, "limit-exceeded", "The request asks for too much", detail,
            parameter: parameter)
    }

    static func answerTooLarge(_ limit: Int) -> Problem {
        Problem(
            .unprocessableContent, "answer-too-large", "The answer would be too large",
            "The hits and counts of an answer may have up to \(limit) bytes; ask for fewer hits, for less text, or for no facet of so many values."
        )
    }

    /// What an error means to a client.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as TextIndexError: self = Self.of(error)
        default:
            self = Problem(
                .internalServerError, "internal", "The server failed",
                "Something went wrong that is not the request's fault.")
        }
    }

    private static func of(_ error: TextIndexError) -> Problem {
        switch error.code {
        case .invalidArgument:
            Problem(.badRequest, "invalid-argument", "The request cannot be done", error.message)
        case .limitExceeded:
            tooMuch(error.message)
        case .configurationMismatch:
            Problem(
                .conflict, "configuration-mismatch", "The indexes do not go together",
                "Indexes that are searched together need the same fields and analysis settings.")
        case .readOnly: readOnly
        case .closed, .locked, .diskFull, .cancelled:
            busy("The index cannot be searched at the moment.")
        default:
            Problem(
                .internalServerError, "index-failure", "The index cannot be read",
                "The index failed: \(error.code). Its owner finds out more with textindex verify.")
        }
    }
}

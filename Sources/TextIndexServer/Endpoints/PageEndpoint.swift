import HTTPTypes

extension Route {
    /// Answers with a file of the search page, which is built in.
    static func handler(_ type: String, _ bytes: [UInt8]) -> Handler {
        { _ in
            var answer = Answer(type: type, bytes: bytes)
            answer.headers[.cacheControl] = "no-cache"
            answer.headers[.contentSecurityPolicy] = """
                default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
                img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                """
            return answer
        }
    }
}

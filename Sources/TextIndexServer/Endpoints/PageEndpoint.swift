import HTTPTypes

extension SearchService {
    /// A file of the search page, which is built in.
    static func file(_ type: String, _ bytes: [UInt8]) -> Handler {
        { _, exchange in
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

import CWeb
import HTTPTypes

extension SearchService {
    typealias Handler = @Sendable (SearchService, Exchange) async throws -> Answer

    /// A path that is answered.
    struct Route: Sendable {
        let path: String
        let methods: Set<HTTPRequest.Method>
        /// Whether it is answered without the token: what tells nothing of an index.
        var isOpen = false
        let handle: Handler
    }

    /// All that is answered. HEAD is answered where GET is.
    static var routes: [Route] {
        [
            Route(path: "/health", methods: [.get], isOpen: true) { try await $0.health($1) },
            Route(path: "/v1/search", methods: [.get, .post]) { try await $0.search($1) },
            Route(path: "/v1/facets", methods: [.get, .post]) { try await $0.facets($1) },
            Route(path: "/v1/federated", methods: [.get, .post]) { try await $0.federated($1) },
            Route(path: "/v1/type", methods: [.post]) { try await $0.type($1) },
            Route(path: "/v1/suggest", methods: [.get, .post]) { try await $0.suggest($1) },
            Route(path: "/v1/similar", methods: [.get, .post]) { try await $0.similar($1) },
            Route(path: "/v1/percolate", methods: [.post]) { try await $0.percolate($1) },
            Route(path: "/v1/explain", methods: [.get, .post]) { try await $0.explain($1) },
            Route(path: "/v1/watch", methods: [.get, .post]) { try await $0.watch($1) },
            Route(path: "/v1/engagements", methods: [.post, .delete]) {
                try await $0.engagements($1)
            },
            Route(path: "/v1/status", methods: [.get]) { try await $0.status($1) },
            page("/openapi.json", "application/json", cweb_openapi_json()),
            page("/", "text/html; charset=utf-8", cweb_index_html()),
            page("/status", "text/html; charset=utf-8", cweb_status_html()),
            page("/search.js", "text/javascript; charset=utf-8", cweb_search_js()),
            page("/status.js", "text/javascript; charset=utf-8", cweb_status_js()),
            page("/live.js", "text/javascript; charset=utf-8", cweb_live_js()),
            page("/client.js", "text/javascript; charset=utf-8", cweb_client_js()),
            page("/style.css", "text/css; charset=utf-8", cweb_style_css()),
            page("/icon.svg", "image/svg+xml", cweb_icon_svg()),
        ]
    }

    private static func page(_ path: String, _ type: String, _ file: CWebFile) -> Route {
        // Valid as long as the program runs, and never changed.
        let bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
        return Route(path: path, methods: [.get], isOpen: true, handle: Self.file(type, bytes))
    }
}

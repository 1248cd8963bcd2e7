import CWeb
import HTTPTypes

/// A path that is answered. HEAD is answered where GET is.
struct Route: Sendable {
    typealias Handler = @Sendable (Exchange) async throws -> Answer

    let path: String
    let methods: Set<HTTPRequest.Method>
    /// Whether it is answered without the token: what tells nothing of an index.
    var isOpen = false
    /// Whether other servers ask it by a ``ShardMessage``.
    var takesMessages = false
    let handle: Handler

    /// The document that describes the interface.
    static var openAPI: Route { file("/openapi.json", "application/json", cweb_openapi_json()) }

    /// A file that is built in.
    static func file(_ path: String, _ type: String, _ file: CWebFile) -> Route {
        // Valid as long as the program runs, and never changed.
        let bytes = [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
        return Route(path: path, methods: [.get], isOpen: true, handle: handler(type, bytes))
    }
}

extension SearchService {
    /// All that is answered.
    var routes: [Route] {
        [
            Route(path: "/health", methods: [.get], isOpen: true) { try await self.health($0) },
            Route(path: "/v1/search", methods: [.get, .post]) { try await self.search($0) },
            Route(path: "/v1/facets", methods: [.get, .post]) { try await self.facets($0) },
            Route(path: "/v1/federated", methods: [.get, .post]) { try await self.federated($0) },
            Route(path: "/v1/type", methods: [.post]) { try await self.type($0) },
            Route(path: "/v1/suggest", methods: [.get, .post]) { try await self.suggest($0) },
            Route(path: "/v1/similar", methods: [.get, .post]) { try await self.similar($0) },
            Route(path: "/v1/percolate", methods: [.post]) { try await self.percolate($0) },
            Route(path: "/v1/explain", methods: [.get, .post]) { try await self.explain($0) },
            Route(path: "/v1/watch", methods: [.get, .post]) { try await self.watch($0) },
            Route(path: "/v1/engagements", methods: [.post, .delete]) {
                try await self.engagements($0)
            },
            Route(path: "/v1/status", methods: [.get]) { try await self.status($0) },
            .openAPI,
            .file("/", "text/html; charset=utf-8", cweb_index_html()),
            .file("/status", "text/html; charset=utf-8", cweb_status_html()),
            .file("/search.js", "text/javascript; charset=utf-8", cweb_search_js()),
            .file("/status.js", "text/javascript; charset=utf-8", cweb_status_js()),
            .file("/live.js", "text/javascript; charset=utf-8", cweb_live_js()),
            .file("/client.js", "text/javascript; charset=utf-8", cweb_client_js()),
            .file("/style.css", "text/css; charset=utf-8", cweb_style_css()),
            .file("/icon.svg", "image/svg+xml", cweb_icon_svg()),
        ]
    }
}

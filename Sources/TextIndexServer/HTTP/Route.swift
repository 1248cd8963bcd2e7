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

    /// The document that describes the interface: of it the paths that are served.
    static func openAPI(of routes: [Route]) -> Route {
        let (path, type) = ("/openapi.json", "application/json")
        let whole = bytes(of: cweb_openapi_json())
        guard case .object(let members)? = try? JSONReader.value(of: whole) else {
            return Route(path: path, methods: [.get], isOpen: true, handle: handler(type, whole))
        }
        let served = Set(routes.map(\.path) + [path])
        let document = JSON.object(
            members.map { name, value in
                guard name == "paths", case .object(let all) = value else { return (name, value) }
                return (name, .object(all.filter { served.contains($0.name) }))
            })
        return Route(
            path: path, methods: [.get], isOpen: true, handle: handler(type, document.bytes))
    }

    /// A file that is built in.
    static func file(_ path: String, _ type: String, _ file: CWebFile) -> Route {
        Route(path: path, methods: [.get], isOpen: true, handle: handler(type, bytes(of: file)))
    }

    private static func bytes(of file: CWebFile) -> [UInt8] {
        // Valid as long as the program runs, and never changed.
        [UInt8](UnsafeBufferPointer(start: file.bytes, count: file.count))
    }
}

extension SearchService {
    /// All that is answered.
    var routes: [Route] {
        let own = [
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
            .file("/", "text/html; charset=utf-8", cweb_index_html()),
            .file("/status", "text/html; charset=utf-8", cweb_status_html()),
            .file("/search.js", "text/javascript; charset=utf-8", cweb_search_js()),
            .file("/status.js", "text/javascript; charset=utf-8", cweb_status_js()),
            .file("/live.js", "text/javascript; charset=utf-8", cweb_live_js()),
            .file("/client.js", "text/javascript; charset=utf-8", cweb_client_js()),
            .file("/style.css", "text/css; charset=utf-8", cweb_style_css()),
            .file("/icon.svg", "image/svg+xml", cweb_icon_svg()),
        ]
        return own + [.openAPI(of: own)]
    }
}

import Foundation
import TestSupport

/// An nginx before a server, on a free port: what it does to requests is podswarm's in no line.
enum ProxyServer {
    /// Serves for as long as a body runs; `PASS` hands requests on in further locations.
    static func serving<Outcome: Sendable>(
        _ origin: String,
        in folder: TemporaryFolder,
        settings: String = "access_log off;",
        locations: String = "",
        _ body: @Sendable (String) async throws -> Outcome
    ) async throws -> Outcome {
        let port = try LoopbackPort()
        let pass = "proxy_pass \(origin); proxy_http_version 1.1; proxy_set_header Host $http_host;"
        let http = """
            \(settings)
            keepalive_timeout 300s; keepalive_requests 100000;
            server {
                listen 127.0.0.1:\(port.number);
                \(locations.replacing("PASS", with: pass))
                location / { \(pass) }
            }
            """
        let nginx = try Nginx.start(http, in: folder, at: [port])
        return try await nginx.stopped { try await body("http://127.0.0.1:\(port.number)") }
    }
}

import Foundation
import TestSupport

/// An nginx before a server, on a free port: what it does to requests is podswarm's in no line.
enum ProxyServer {
    /// Serves for as long as a body runs.
    ///
    /// - Parameters:
    ///   - origin: Scheme, host and port of the server behind it.
    ///   - folder: For its files.
    ///   - settings: Of all servers, such as formats of logs and zones of limits.
    ///   - locations: Of this server, besides the one that hands everything on; `PASS` hands on in them.
    ///   - body: Is given scheme, host and port.
    /// - Returns: What the body returns.
    /// - Throws: Where nginx is not there or does not start, and what the body throws.
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

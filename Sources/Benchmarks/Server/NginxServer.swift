import AdServing
import Foundation
import Glibc

/// nginx with one worker on one core: a live playlist over HTTP, TLS 1.3 and HTTP/2, and a registration.
final class NginxServer {
    let folder: URL
    let certificate: TestCertificate
    private let plainPort: UInt16
    private let securePort: UInt16
    private let clearPort: UInt16
    private let process: ChildProcess
    private var rewriting: PlaylistRewriting?

    static let playlistPath = "/live.m3u8"
    private static let statusPath = "/status"
    /// One byte for each connection that was answered once.
    private static let connectionLog = "connections.log"

    /// The playlist does not change until ``rewrite(everySeconds:)``.
    init(core: Int) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "podswarm-benchmarks-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        plainPort = try Loopback.freePort()
        securePort = try Loopback.freePort()
        clearPort = try Loopback.freePort()
        certificate = try TestCertificate(in: folder)
        try Data(LivePlaylist.text().utf8).write(to: folder.appendingPathComponent(Self.playlistPath))
        let configuration = Self.configuration(plainPort: plainPort, securePort: securePort, clearPort: clearPort)
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
        process = try ChildProcess(
            try Tool.taskset.path(),
            ["taskset", "-c", "\(core)", try Tool.nginx.path()]
                + ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"],
            in: folder
        )
        do {
            try waitUntilListening()
        } catch {
            stop()
            throw error
        }
    }

    func origin(_ scheme: Scheme) -> String {
        switch scheme {
        case .http: "http://127.0.0.1:\(plainPort)"
        case .tls, .http2: "https://127.0.0.1:\(securePort)"
        case .h2c: "http://127.0.0.1:\(clearPort)"
        }
    }

    func playlistURL(_ scheme: Scheme) -> String {
        origin(scheme) + Self.playlistPath
    }

    func rewrite(everySeconds seconds: Int) {
        rewriting?.stop()
        rewriting = PlaylistRewriting(folder.appendingPathComponent(Self.playlistPath), everySeconds: seconds)
    }

    func forgetConnections() {
        truncate(folder.appendingPathComponent(Self.connectionLog).path, 0)
    }

    /// Connections that were answered at least once: unlike accepted ones, they have completed their handshakes.
    var answeredConnections: Int {
        let path = folder.appendingPathComponent(Self.connectionLog).path
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    func status() throws(BenchmarkError) -> NginxStatus {
        guard let text = Loopback.get(Self.statusPath, port: plainPort), let status = NginxStatus(text) else {
            throw .unusable(program: "nginx", reason: "it does not tell its status")
        }
        return status
    }

    func stop() {
        rewriting?.stop()
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(plainPort: UInt16, securePort: UInt16, clearPort: UInt16) -> String {
        """
        daemon off;
        \(geteuid() == 0 ? "user root;" : "")
        worker_processes 1;
        worker_rlimit_nofile 20000;
        pid nginx.pid;
        events { worker_connections 19000; multi_accept on; }
        http {
            log_format connection "";
            map $connection_requests $is_first { 1 1; default 0; }
            access_log \(connectionLog) connection if=$is_first;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            keepalive_requests 2000000000;
            keepalive_timeout 1h;
            open_file_cache max=10;
            open_file_cache_valid 1s;
            types { application/vnd.apple.mpegurl m3u8; }
            server {
                listen 127.0.0.1:\(plainPort) backlog=4096;
                listen 127.0.0.1:\(securePort) ssl http2 backlog=4096;
                listen 127.0.0.1:\(clearPort) http2 backlog=4096;
                http2_max_concurrent_streams 128;
                ssl_protocols TLSv1.3;
                ssl_certificate server.pem;
                ssl_certificate_key server.key;
                root .;
                location = \(statusPath) { stub_status; access_log off; }
                # An ad server lets go of connections that are idle for long: an idle viewer has its playlist's alone.
                location \(WireName.registrationPrefix) {
                    keepalive_timeout 0;
                    default_type application/json;
                    return 200 '{"\(WireName.Session.streamID)":"benchmark"}';
                }
            }
        }
        """
    }

    private func waitUntilListening() throws(BenchmarkError) {
        let log = folder.appendingPathComponent("error.log")
        for port in [plainPort, securePort] { try Loopback.waitUntilListening(port, program: "nginx", log: log) }
    }
}

/// Counts of nginx since its start (`stub_status`).
struct NginxStatus {
    let requests: Int

    init?(_ text: String) {
        guard let requests = text.firstMatch(of: /requests\s+\d+ \d+ (\d+)\s/).flatMap({ Int($0.1) }) else {
            return nil
        }
        self.requests = requests
    }
}

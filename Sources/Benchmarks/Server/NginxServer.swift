import AdServing
import Foundation
import Glibc
import HLS
import Values

/// nginx with one worker: a live playlist over HTTP, TLS 1.3 and HTTP/2, and a registration.
final class NginxServer {
    let folder: URL
    let certificate: TestCertificate
    private let plainPort: UInt16
    private let securePort: UInt16
    private let process: ChildProcess
    private var rewriting: (any DispatchSourceTimer)?

    static let playlistPath = "/live.m3u8"
    private static let statusPath = "/status"
    /// One byte for each answered connection.
    private static let connectionLog = "connections.log"

    init(core: Int) throws {
        folder = try ProfileRun.folder()
        plainPort = try Loopback.freePort()
        securePort = try Loopback.freePort()
        certificate = try TestCertificate(in: folder)
        try Data(LivePlaylist.text().utf8).write(to: folder.appendingPathComponent(Self.playlistPath))
        let configuration = Self.configuration(plainPort: plainPort, securePort: securePort)
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
        let arguments = ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"]
        process = try ChildProcess(core: core, [try Tool.nginx.path()] + arguments, in: folder)
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
        }
    }

    func playlistURL(_ scheme: Scheme) -> String { origin(scheme) + Self.playlistPath }

    func rewrite(everySeconds seconds: Int) {
        rewriting?.cancel()
        let file = folder.appendingPathComponent(Self.playlistPath)
        let timer = DispatchSource.makeTimerSource()
        var segments = 0
        timer.setEventHandler {
            segments += 1
            // Atomically: nginx could serve half a playlist.
            try? Data(LivePlaylist.text(after: segments).utf8).write(to: file, options: .atomic)
        }
        timer.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        timer.activate()
        rewriting = timer
    }

    func forgetConnections() { truncate(folder.appendingPathComponent(Self.connectionLog).path, 0) }

    /// Unlike accepted connections, these have completed their handshakes.
    var answeredConnections: Int {
        let path = folder.appendingPathComponent(Self.connectionLog).path
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    /// Requests since the start.
    func requests() throws(BenchmarkError) -> Int {
        guard let text = Loopback.get(Self.statusPath, port: plainPort), let requests = Self.requests(inStatus: text)
        else { throw .unusable(program: "nginx", reason: "it does not tell its status") }
        return requests
    }

    /// Reads `stub_status`.
    static func requests(inStatus text: String) -> Int? {
        text.firstMatch(of: /requests\s+\d+ \d+ (\d+)\s/).flatMap { Int($0.1) }
    }

    func stop() {
        rewriting?.cancel()
        process.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(plainPort: UInt16, securePort: UInt16) -> String {
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

    /// nginx writes its process id once it listens.
    private func waitUntilListening() throws(BenchmarkError) {
        let pid = folder.appendingPathComponent("nginx.pid").path
        for _ in 0..<500 {
            if access(pid, F_OK) == 0 { return }
            usleep(10_000)
        }
        let log = try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)
        let said = log.map { "\n\($0)" } ?? ""
        throw .unusable(program: "nginx", reason: "it does not listen after five seconds\(said)")
    }
}

/// Certificate for localhost with a chain of three, as public targets have.
struct TestCertificate {
    let file: String

    static let (chain, key) = ("server.pem", "server.key")

    init(in folder: URL) throws {
        let isAuthority = "basicConstraints=critical,CA:TRUE"
        try Self.make("root", saying: isAuthority, issuer: nil, in: folder)
        try Self.make("between", saying: isAuthority, issuer: "root", in: folder)
        try Self.make("leaf", saying: "subjectAltName=DNS:localhost,IP:127.0.0.1", issuer: "between", in: folder)
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }
        try (bytes("leaf.pem") + bytes("between.pem")).write(to: folder.appendingPathComponent(Self.chain))
        try bytes("leaf.key").write(to: folder.appendingPathComponent(Self.key))
        file = folder.appendingPathComponent("root.pem").path
    }

    private static func make(_ name: String, saying addition: String, issuer: String?, in folder: URL) throws {
        func path(_ file: String) -> String { folder.appendingPathComponent(file).path }
        let issued = issuer.map { ["-CA", path("\($0).pem"), "-CAkey", path("\($0).key")] } ?? []
        let openssl = try ChildProcess(
            try Tool.openssl.path(),
            [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
                "-addext", addition, "-keyout", path("\(name).key"), "-out", path("\(name).pem"),
            ] + issued,
            in: folder
        )
        _ = try openssl.wait(atMostSeconds: 60)
    }
}

enum Loopback {
    static func freePort() throws(BenchmarkError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutableBytes(of: &name) { bytes -> UInt16? in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                bind(descriptor, base, size) == 0, getsockname(descriptor, base, &size) == 0
            else { return nil }
            return UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
        }
        guard let port else { throw .file("no free port on 127.0.0.1") }
        return port
    }

    static func get(_ path: String, port: UInt16) -> String? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let connection = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var name = address(port: port)
        let isConnected = withUnsafeBytes(of: &name) { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return connect(descriptor, base, socklen_t(bytes.count)) == 0
        }
        guard isConnected else { return nil }
        let request = Array("GET \(path) HTTP/1.0\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        let answer = try? connection.readToEnd()
        return answer.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        return name
    }
}

/// Live media playlist of 2.1 KB with eighteen dated segments of four seconds.
enum LivePlaylist {
    static let targetSeconds = 4
    static let segments = 18

    /// `gone` segments have left it; its length never changes.
    static func text(after gone: Int = 0) -> String {
        let first = 448_520 + gone
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:\(targetSeconds)", "#EXT-X-MEDIA-SEQUENCE:\(first)",
            "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-MAP:URI=\"main/init-1080p-v1.mp4\"",
        ]
        for sequence in first..<first + segments {
            lines.append("#EXT-X-PROGRAM-DATE-TIME:\(time(of: sequence).iso8601)")
            lines.append("#EXTINF:4.00000,")
            lines.append("main/video-1080p-6000k/segment-\(sequence).m4s")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func time(of sequence: Int) -> WallTime {
        WallTime(microseconds: (1_793_000_000 + Int64(sequence * targetSeconds)) * 1_000_000)
    }
}

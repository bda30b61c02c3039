import Foundation
import Glibc

/// nginx with one worker on one core, serving a live playlist over HTTP and HTTPS from a temporary folder.
final class NginxServer {
    let folder: URL
    let plainPort: UInt16
    let securePort: UInt16
    private let process: ChildProcess

    var certificate: String { folder.appendingPathComponent("server.pem").path }

    func url(secure: Bool) -> String {
        secure ? "https://127.0.0.1:\(securePort)/live.m3u8" : "http://127.0.0.1:\(plainPort)/live.m3u8"
    }

    init(core: Int) throws {
        let nginx = try Tool.nginx.path()
        let taskset = try Tool.taskset.path()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "podswarm-benchmarks-\(UUID().uuidString)"
        )
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755]
        )
        plainPort = try Self.freePort()
        securePort = try Self.freePort()
        try Self.makeCertificate(in: folder)
        try Data(LivePlaylist.text.utf8).write(to: folder.appendingPathComponent("live.m3u8"))
        let configuration = Self.configuration(plainPort: plainPort, securePort: securePort)
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
        process = try ChildProcess(
            taskset,
            ["taskset", "-c", "\(core)", nginx, "-p", folder.path, "-c", "nginx.conf", "-e", "error.log"],
            in: folder
        )
        do {
            try waitUntilListening()
        } catch {
            stop()
            throw error
        }
    }

    func stop() {
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
            access_log off;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            keepalive_requests 2000000000;
            keepalive_timeout 1h;
            open_file_cache max=10;
            open_file_cache_valid 1h;
            types { application/vnd.apple.mpegurl m3u8; }
            server {
                listen 127.0.0.1:\(plainPort) backlog=4096;
                listen 127.0.0.1:\(securePort) ssl http2 backlog=4096;
                http2_max_concurrent_streams 128;
                ssl_certificate server.pem;
                ssl_certificate_key server.key;
                root .;
            }
        }
        """
    }

    private static func makeCertificate(in folder: URL) throws {
        let openssl = try ChildProcess(
            try Tool.openssl.path(),
            [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                folder.appendingPathComponent("server.key").path, "-out",
                folder.appendingPathComponent("server.pem").path,
            ],
            in: folder
        )
        _ = try openssl.wait()
    }

    private static func freePort() throws(BenchmarkError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        guard let port = boundPort(descriptor) else { throw .file("no free port on 127.0.0.1") }
        return port
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16? {
        var name = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutableBytes(of: &name) { bytes -> UInt16? in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                bind(descriptor, base, size) == 0, getsockname(descriptor, base, &size) == 0
            else { return nil }
            return UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = inet_addr("127.0.0.1")
        return name
    }

    private func waitUntilListening() throws(BenchmarkError) {
        for _ in 0..<500 {
            if Self.canConnect(plainPort), Self.canConnect(securePort) { return }
            usleep(10_000)
        }
        let log = (try? String(contentsOf: folder.appendingPathComponent("error.log"), encoding: .utf8)) ?? ""
        throw .unusable(program: "nginx", reason: "it does not listen after five seconds\n\(log)")
    }

    private static func canConnect(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var name = loopback(port: port)
        return withUnsafeBytes(of: &name) { bytes in
            guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
            return connect(descriptor, base, socklen_t(bytes.count)) == 0
        }
    }
}

/// The body that every poll gets: a live media playlist of 2.1 KB with eighteen dated segments.
enum LivePlaylist {
    static let text: String = {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:448520",
            "#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-MAP:URI=\"init.mp4\"",
        ]
        for index in 0..<18 {
            let seconds = index * 4
            let time = String(format: "20:%02d:%02d", seconds / 60, seconds % 60)
            lines.append("#EXT-X-PROGRAM-DATE-TIME:2026-11-21T\(time).000Z")
            lines.append("#EXTINF:4.00000,")
            lines.append("video-1080p-6000k/segment-\(448_520 + index).m4s")
        }
        return lines.joined(separator: "\n") + "\n"
    }()
}

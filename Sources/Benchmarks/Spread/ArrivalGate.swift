import Foundation
import Glibc

/// nginx before an origin, which notes by its own clock when each request came.
final class ArrivalGate {
    /// Requests of one break, by when they came.
    struct Arrivals {
        var count = 0
        var firstMicroseconds = Double.infinity
        var lastMicroseconds = -Double.infinity

        var spreadMicroseconds: Double { lastMicroseconds - firstMicroseconds }
    }

    private static let log = "arrivals.log"

    let port: UInt16
    private let folder: URL
    private let process: ChildProcess

    /// Starts it.
    ///
    /// - Parameters:
    ///   - originPort: Where the origin listens.
    ///   - folder: Its own.
    /// - Throws: `BenchmarkError` where it does not listen.
    init(before originPort: UInt16, in folder: URL) throws(BenchmarkError) {
        self.folder = folder
        port = try Loopback.freePort()
        let text = Self.configuration(port: port, originPort: originPort)
        do {
            try Data(text.utf8).write(to: folder.appendingPathComponent("nginx.conf"))
        } catch {
            throw .file("\(folder.path): \(error.localizedDescription)")
        }
        process = try ChildProcess(
            try Tool.nginx.path(),
            ["nginx", "-p", folder.path, "-c", "nginx.conf", "-e", "error.log"],
            in: folder
        )
        do {
            try Loopback.waitUntilListening(
                port,
                program: "nginx",
                log: folder.appendingPathComponent("error.log")
            )
        } catch {
            process.stop()
            throw error
        }
    }

    /// Ends it and reads what it noted.
    ///
    /// - Returns: The requests for pods, by break in the order of their identifiers.
    /// - Throws: What Foundation says.
    func finish() throws -> [Arrivals] {
        process.stop()
        let text = try String(contentsOf: folder.appendingPathComponent(Self.log), encoding: .utf8)
        var arrivals: [Substring: Arrivals] = [:]
        for line in text.split(separator: "\n") {
            guard let match = line.firstMatch(of: /^([\d.]+) ([\d.]+) .*\/ad_break_id\/([^\/?]+)\.m3u8/),
                let answered = Double(match.1), let taken = Double(match.2)
            else { continue }
            let came = (answered - taken) * 1e6
            var known = arrivals[match.3] ?? Arrivals()
            known.count += 1
            known.firstMicroseconds = min(known.firstMicroseconds, came)
            known.lastMicroseconds = max(known.lastMicroseconds, came)
            arrivals[match.3] = known
        }
        return arrivals.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Its clock is read once for each turn of its loop, in milliseconds (ngx_http_core_module, `$msec`).
    private static func configuration(port: UInt16, originPort: UInt16) -> String {
        """
        daemon off;
        \(geteuid() == 0 ? "user root;" : "")
        worker_processes 1;
        pid nginx.pid;
        events { worker_connections 2048; }
        http {
            log_format arrival '$msec $request_time $request_uri';
            access_log \(log) arrival;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            upstream origin { server 127.0.0.1:\(originPort); keepalive 64; }
            server {
                listen 127.0.0.1:\(port) backlog=4096;
                location / {
                    proxy_pass http://origin;
                    proxy_http_version 1.1;
                    proxy_set_header Connection "";
                    proxy_set_header Host 127.0.0.1:\(port);
                }
            }
        }
        """
    }
}

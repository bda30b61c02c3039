import Foundation
import Glibc
import Testing

/// A program that a test needs and that is not installed.
struct MissingTool: Error, CustomStringConvertible {
    let program: String
    let package: String

    var description: String { "\(program) is not installed: apt-get install \(package)" }
}

/// nginx with its own configuration in a temporary folder, on ports that the kernel chose.
///
/// It inherits listening sockets that are open before it starts, so there is nothing to wait for and no port to lose.
final class NginxServer: Sendable {
    let plainPort: UInt16
    let securePort: UInt16
    /// HTTP/2 without TLS, by prior knowledge.
    let clearHTTP2Port: UInt16
    /// TLS without HTTP/2.
    let oldSecurePort: UInt16
    let folder: URL
    private let process: pid_t

    /// The certificate that the server shows, which is its own authority; names localhost and 127.0.0.1.
    var certificate: String { folder.appendingPathComponent("server.pem").path }
    var clientCertificate: String { folder.appendingPathComponent("client.pem").path }
    var clientKey: String { folder.appendingPathComponent("client.key").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("podswarm-nginx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.makeCertificate("server", in: folder)
        try Self.makeCertificate("client", in: folder)
        let sockets = try (0..<4).map { _ in try listeningSocket() }
        defer { for socket in sockets { close(socket.descriptor) } }
        plainPort = sockets[0].port
        securePort = sockets[1].port
        clearHTTP2Port = sockets[2].port
        oldSecurePort = sockets[3].port
        let configuration = Self.configuration(sockets.map(\.port))
        try configuration.write(
            to: folder.appendingPathComponent("nginx.conf"),
            atomically: true,
            encoding: .utf8
        )
        // The children get the sockets as descriptors 10 to 13 (nginx's own upgrade protocol, variable NGINX).
        process = try Self.spawn(
            try Self.path(of: "nginx", package: "nginx-light"),
            ["nginx", "-p", folder.path, "-c", "nginx.conf", "-e", "error.log"],
            environment: ["NGINX=10;11;12;13;"],
            descriptors: zip(sockets.map(\.descriptor), [10, 11, 12, 13]).map { ($0, Int32($1)) }
        )
    }

    /// Lends a server to `body` and stops it afterwards, whatever became of it.
    static func run(_ body: (NginxServer) async throws -> Void) async throws {
        let server = try NginxServer()
        defer { server.stop() }
        try await body(server)
    }

    func stop() {
        kill(process, SIGTERM)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        try? FileManager.default.removeItem(at: folder)
    }

    private static func configuration(_ ports: [UInt16]) -> String {
        """
        daemon off;
        worker_processes 1;
        user root;
        pid nginx.pid;
        error_log error.log;
        events { worker_connections 4096; }
        http {
            access_log off;
            client_body_temp_path body;
            proxy_temp_path proxy;
            fastcgi_temp_path fastcgi;
            uwsgi_temp_path uwsgi;
            scgi_temp_path scgi;
            keepalive_requests 1000000;
            server {
                listen 127.0.0.1:\(ports[0]);
                listen 127.0.0.1:\(ports[1]) ssl http2;
                listen 127.0.0.1:\(ports[2]) http2;
                listen 127.0.0.1:\(ports[3]) ssl;
                ssl_certificate server.pem;
                ssl_certificate_key server.key;
                ssl_client_certificate client.pem;
                ssl_verify_client optional_no_ca;
                default_type text/plain;
                location = /facts {
                    return 200 "$server_protocol $connection $connection_requests $ssl_session_reused";
                }
                location = /client { return 200 "$ssl_client_verify"; }
                location = /close { keepalive_timeout 0; return 200 "closing"; }
            }
        }
        """
    }

    private static func makeCertificate(_ name: String, in folder: URL) throws {
        let arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
            "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
            folder.appendingPathComponent("\(name).key").path, "-out",
            folder.appendingPathComponent("\(name).pem").path,
        ]
        let process = try spawn(
            try path(of: "openssl", package: "openssl"),
            arguments,
            environment: [],
            descriptors: []
        )
        var status: Int32 = 0
        waitpid(process, &status, 0)
        try #require(status == 0, "openssl could not make a certificate")
    }

    private static func path(of program: String, package: String) throws -> String {
        for folder in ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/bin"] {
            let path = "\(folder)/\(program)"
            if access(path, X_OK) == 0 { return path }
        }
        throw MissingTool(program: program, package: package)
    }

    /// Starts a program with just these descriptors and a silent standard output.
    private static func spawn(
        _ path: String,
        _ arguments: [String],
        environment: [String],
        descriptors: [(from: Int32, to: Int32)]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [0, 1, 2] as [Int32] {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        // By way of high numbers, so that no duplicate overwrites one that is still to be duplicated.
        let high = descriptors.map { (from: fcntl($0.from, F_DUPFD_CLOEXEC, 100), to: $0.to) }
        defer { for descriptor in high { close(descriptor.from) } }
        for descriptor in high {
            posix_spawn_file_actions_adddup2(&actions, descriptor.from, descriptor.to)
        }
        let texts = arguments.map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for text in texts + variables { free(text) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, nil, texts + [nil], variables + [nil])
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        return process
    }
}

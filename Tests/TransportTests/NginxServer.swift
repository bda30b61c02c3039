import Foundation
import TestSupport
import Testing

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
    private let folder: TemporaryFolder
    private let program: SpawnedProgram

    /// The certificate that the server shows, which is its own authority; names localhost and 127.0.0.1.
    var certificate: String { folder.file("server.pem").path }
    var key: String { folder.file("server.key").path }
    var clientCertificate: String { folder.file("client.pem").path }
    var clientKey: String { folder.file("client.key").path }

    init() throws {
        folder = try TemporaryFolder()
        try Self.makeCertificate("server", in: folder)
        try Self.makeCertificate("client", in: folder)
        let ports = try (0..<4).map { _ in try LoopbackPort() }
        plainPort = ports[0].number
        securePort = ports[1].number
        clearHTTP2Port = ports[2].number
        oldSecurePort = ports[3].number
        try folder.write(try Self.configuration(ports.map(\.number)), to: "nginx.conf")
        program = try Self.start("nginx", ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"], on: ports)
    }

    private static func start(_ name: String, _ arguments: [String], on ports: [LoopbackPort]) throws -> SpawnedProgram
    {
        guard let nothing = FileHandle(forUpdatingAtPath: "/dev/null") else { throw POSIXError(.ENOENT) }
        return try SpawnedProgram(
            try InstalledProgram(name).path,
            arguments,
            environment: ["NGINX": LoopbackPort.nginxVariable(count: ports.count)],
            input: nothing.fileDescriptor,
            output: nothing.fileDescriptor,
            errors: nothing.fileDescriptor,
            inherited: ports.map(\.descriptor)
        )
    }

    /// Lends the ports of `raw_tls.py`, which shows the same certificate.
    func besideRawTLS(_ body: (_ port: UInt16, _ strictPort: UInt16) async throws -> Void) async throws {
        let ports = try [LoopbackPort(), LoopbackPort()]
        let script = PackageFolder.file("Tests/ForeignServers/raw_tls.py").path
        let program = try Self.start("python3", [script, certificate, key], on: ports)
        try await ending {
            _ = await program.stop()
        } after: {
            try await body(ports[0].number, ports[1].number)
        }
    }

    /// Lends a server to `body` and stops it afterwards, whatever became of it.
    static func run(_ body: (NginxServer) async throws -> Void) async throws {
        let server = try NginxServer()
        try await ending {
            _ = await server.program.stop()
        } after: {
            try await body(server)
        }
    }

    private static func configuration(_ ports: [UInt16]) throws -> String {
        try ports.indices.reduce(PackageFolder.text("Tests/TransportTests/nginx.conf")) { text, place in
            text.replacing("PORT\(place)", with: "\(ports[place])")
        }
    }

    private static func makeCertificate(_ name: String, in folder: TemporaryFolder) throws {
        _ = try InstalledProgram("openssl").output([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", folder.file("\(name).key").path, "-out", folder.file("\(name).pem").path,
        ])
    }
}

import Foundation

/// A certificate for localhost made for one invocation.
///
/// Its chain is one of three, as those of public targets are: a trusted root, and an authority between.
struct TestCertificate {
    /// The root.
    let file: String
    /// The root behind all the authorities that the system trusts; nil where the system has no bundle.
    let bundle: String?

    /// The server's chain and its key, in the folder of the invocation.
    static let (chain, key) = ("server.pem", "server.key")

    private static let systemBundle = "/etc/ssl/certs/ca-certificates.crt"

    init(in folder: URL) throws {
        let isAuthority = "basicConstraints=critical,CA:TRUE"
        try Self.make("root", saying: isAuthority, issuer: nil, in: folder)
        try Self.make("between", saying: isAuthority, issuer: "root", in: folder)
        try Self.make("leaf", saying: "subjectAltName=DNS:localhost,IP:127.0.0.1", issuer: "between", in: folder)
        func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }
        try (bytes("leaf.pem") + bytes("between.pem")).write(to: folder.appendingPathComponent(Self.chain))
        try bytes("leaf.key").write(to: folder.appendingPathComponent(Self.key))
        file = folder.appendingPathComponent("root.pem").path
        guard let system = FileManager.default.contents(atPath: Self.systemBundle) else {
            bundle = nil
            return
        }
        let whole = folder.appendingPathComponent("bundle.pem")
        try (system + bytes("root.pem")).write(to: whole)
        bundle = whole.path
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

import Foundation

/// A certificate for localhost made for one invocation, and what verifies it.
struct TestCertificate {
    /// The certificate, which is its own authority.
    let file: String
    /// The same behind all the authorities that the system trusts; nil where the system has no bundle.
    let bundle: String?

    private static let systemBundle = "/etc/ssl/certs/ca-certificates.crt"

    init(in folder: URL) throws {
        file = folder.appendingPathComponent("server.pem").path
        let openssl = try ChildProcess(
            try Tool.openssl.path(),
            [
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout",
                folder.appendingPathComponent("server.key").path, "-out", file,
            ],
            in: folder
        )
        _ = try openssl.wait(atMostSeconds: 60)
        guard let system = FileManager.default.contents(atPath: Self.systemBundle),
            let own = FileManager.default.contents(atPath: file)
        else {
            bundle = nil
            return
        }
        let whole = folder.appendingPathComponent("bundle.pem")
        try (system + own).write(to: whole)
        bundle = whole.path
    }
}

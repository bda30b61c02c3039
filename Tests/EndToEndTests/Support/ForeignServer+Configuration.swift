import Foundation
import TestSupport

// How each program is told to serve a folder over HTTP/2, by the files of `Tests/ForeignServers/settings`.

extension ForeignServer {
    /// Where a server finds and leaves things.
    struct Place: Sendable {
        let port: UInt16
        let root: String
        let folder: String
        let isTLS: Bool
        let isOld: Bool

        var certificate: String { "\(folder)/certificate.pem" }
        var key: String { "\(folder)/key.pem" }

        /// A certificate that signs itself, where one is needed.
        func makeCertificate() async throws {
            guard isTLS else { return }
            let end = try await ExternalTool.openssl.run([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ])
            guard end.status == 0 else { throw ChildProcess.Failure(end: end) }
        }
    }

    func arguments(_ configuration: String, at place: Place) -> [String] {
        switch program {
        case .nginx: ["-p", place.folder, "-c", configuration, "-e", "stderr"]
        case .apache2: ["-D", "FOREGROUND", "-f", configuration]
        case .h2o: ["-c", configuration]
        case .nghttpd:
            ["--verbose", "--address=127.0.0.1", "--htdocs=\(place.root)"] + settings
                + (place.isTLS ? ["\(place.port)", place.key, place.certificate] : ["--no-tls", "\(place.port)"])
        case .caddy: ["run", "--config", configuration, "--adapter", "caddyfile"]
        }
    }

    /// Its file, without the lines that are marked for another kind of server.
    func configuration(at place: Place) throws -> String {
        guard program != .nghttpd else { return "" }
        let text = try PackageFolder.text("Tests/ForeignServers/settings/\(program.rawValue).in")
        let marks = [
            ("@TLS@", place.isTLS), ("@CLEAR@", !place.isTLS), ("@OLD@", place.isOld), ("@NEW@", !place.isOld),
        ]
        let lines = text.split(separator: "\n").filter { line in
            marks.allSatisfy { mark, isMeant in isMeant || !line.contains(mark) }
        }
        var configuration = lines.joined(separator: "\n") + "\n"
        for (mark, _) in marks { configuration.replace(mark, with: "") }
        for (mark, value) in [
            ("@FOLDER@", place.folder), ("@ROOT@", place.root), ("@PORT@", "\(place.port)"),
            ("@SETTINGS@", settings.joined(separator: "\n")),
        ] {
            configuration.replace(mark, with: value)
        }
        return configuration
    }
}

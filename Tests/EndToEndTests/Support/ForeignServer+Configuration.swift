import Foundation
import TestSupport

// How each program is told to serve a folder over HTTP/2.

extension ForeignServer {
    struct Place: Sendable {
        let port: UInt16
        let root, folder: String
        let isTLS: Bool

        var certificate: String { "\(folder)/certificate.pem" }
        var key: String { "\(folder)/key.pem" }

        /// A certificate that signs itself, where one is needed.
        func makeCertificate() async throws {
            guard isTLS else { return }
            _ = try await ExternalTool.openssl.run([
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ]).succeeded()
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

    /// The file of its name in `Tests/ForeignServers`, with its place and settings in it.
    ///
    /// Lines that begin with `TLS` are for that alone, those with `CLEAR` for the lack of it.
    func configuration(at place: Place) throws -> String {
        guard program != .nghttpd else { return "" }
        let file = PackageFolder.file("Tests/ForeignServers/\(program.rawValue).conf")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard let word = ["TLS ", "CLEAR "].first(where: line.hasPrefix) else { return String(line) }
            return (word == "TLS ") == place.isTLS ? String(line.dropFirst(word.count)) : nil
        }
        let protocols = (place.isTLS ? ["ssl"] : []) + ["http2"]
        let values = [
            "PORT": "\(place.port)", "FOLDER": place.folder, "FILES": place.root,
            "PROTOCOLS": protocols.joined(separator: " "), "SETTINGS": settings.joined(separator: "\n"),
        ]
        return values.reduce(lines.joined(separator: "\n") + "\n") { $0.replacing($1.key, with: $1.value) }
    }
}

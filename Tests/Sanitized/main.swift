import Foundation

@testable import Transport

// Run by `.ci/sanitize`, which compiles it with the address sanitizer and the sources of what owns memory of C libraries:
// nothing here belongs to the package. Each thing is made, made to fail half-way, used, and let go.

let folder = FileManager.default.temporaryDirectory.appending(path: "podswarm-sanitized-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

func file(_ name: String, _ text: String) throws -> String {
    let url = folder.appending(path: name)
    try Data(text.utf8).write(to: url)
    return url.path
}

let spoilt = [
    try file("empty.pem", ""), try file("text.pem", "no certificate\n"),
    try file("cut.pem", "-----BEGIN CERTIFICATE-----\nMIIB\n"),
    try file("nonsense.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
    folder.appending(path: "missing.pem").path,
]
func context(authorities: String? = nil, certificate: String? = nil, key: String? = nil) -> TLSContext? {
    try? TLSContext(verifies: true, authorities: authorities, certificate: certificate, key: key, offersHTTP2: true)
}
for path in spoilt {
    precondition(context(authorities: path) == nil, "\(path) is taken for an authority")
    precondition(context(certificate: path) == nil, "\(path) is taken for a certificate")
    precondition(context(certificate: path, key: path) == nil, "\(path) is taken for a key")
}
guard let good = context() else { fatalError("no context of the system's authorities") }
for _ in 0..<100 {
    let tls = TLSConnection(good, descriptor: -1, host: "example.org", session: nil, wantsHTTP2: false)
    tls?.free()
}

let plain = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
for length in [0, 1, 2, 17, 5_000] {
    for coding in [ContentCoding.gzip, .deflate] {
        guard let inflater = Inflater() else { fatalError("no memory") }
        inflater.begin(coding, limit: 1 << 20)
        _ = plain.prefix(length).withUnsafeBytes { bytes in inflater.decode(bytes) { _ in nil } }
    }
}
print("\(spoilt.count) files refused in three places, nothing freed twice and nothing read that is not ours")

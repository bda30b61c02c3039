import Comparison
import Foundation
import Report
import Results
import Swarm
import Transport
import Values

/// Posts the run as `podswarm results --json` lists it, when its result is written.
///
/// An option and not a field: a shared profile must not send anything by itself.
package struct EndNotice: Sendable {
    package static let keyVariable = "PODSWARM_ON_END_KEY"
    private static let patience = Duration.seconds(10)

    /// May hold a token: never printed.
    private let url: String
    private let authority: String
    private let key: String?

    /// Throws `CommandFailure` for another address than one of http or https.
    package init(url: String) throws {
        guard let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.fragment == nil
        else {
            throw CommandFailure(.badInput, "--on-end: not an address; write http:// or https://, a host and a path")
        }
        self.url = url
        authority =
            (host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host) + (parts.port.map { ":\($0)" } ?? "")
        key = ProcessInfo.processInfo.environment[Self.keyVariable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns even if the server never answers; a failure is told and leaves the verdict alone.
    func send(_ file: URL, _ output: RunOutput) async {
        do {
            let path = file.relativePath
            let row = try RunRow(json: ResultFile.contents(of: path), path: path)
            let body = Array(try RunListDocument(RunList(rows: [row], leftOut: [])).json())
            if let problem = try await post(body) { output.warn("--on-end: \(authority) was not told: \(problem)") }
        } catch {
            output.warn("--on-end: \(authority) was not told: \(error)")
        }
    }

    /// Returns the reason of a failure.
    private func post(_ body: [UInt8]) async throws -> String? {
        var configuration = TransportConfiguration()
        configuration.connectTimeout = Self.patience
        configuration.firstByteTimeout = Self.patience
        configuration.totalTimeout = Self.patience
        configuration.maximumBodyBytes = 1 << 16
        configuration.maximumRedirects = 0
        configuration.authorisedHosts = AuthorisedHosts([authority])
        let signature = key.map { "sha256=" + Digest.hexadecimal(Digest.hmacSHA256(of: body, key: Array($0.utf8))) }
        let session = try await FetchSession(configuration)
        let answer = await session.post(
            body,
            to: url,
            headers: [("Content-Type", "application/json")] + (signature.map { [("Podswarm-Signature", $0)] } ?? [])
        )
        await session.shutDown()
        if let code = answer.failureCode { return "\(code)" }
        return 200..<300 ~= answer.status ? nil : "status \(answer.status)"
    }
}

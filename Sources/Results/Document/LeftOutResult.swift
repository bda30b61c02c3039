package import Recording
import Rules

/// Requests not sent because their host is not authorised.
package struct LeftOutResult: Equatable, Codable, Sendable {
    package struct Host: Equatable, Codable, Sendable {
        package var kind: String
        /// With a port that is not the scheme's default.
        package var host: String
        package var requests: UInt64
        /// Profile field that would allow the host; nil for the embedded origin, which has none.
        package var allowedBy: String?

        package init(_ key: LeftOutLedger.Key, requests: UInt64) {
            kind = key.kind.name
            host = key.host
            self.requests = requests
            allowedBy = key.field.isEmpty ? nil : key.field
        }
    }

    /// Includes requests to hosts that are not listed.
    package var requests: UInt64
    /// At most 32, in the order of kinds and hosts.
    package var hosts: [Host]

    /// Nil if every request was sent.
    init?(_ ledger: LeftOutLedger) {
        guard !ledger.isEmpty else { return nil }
        requests = ledger.requests
        hosts = ledger.rows.sorted { $0.key < $1.key }.map { Host($0.key, requests: $0.value) }
    }
}

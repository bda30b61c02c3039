package import RunResult

/// Requests to hosts that are not authorised, in words.
package enum LeftOutText {
    /// Kind and host, such as "metadata to ads.example.com".
    package static func subject(_ host: LeftOutResult.Host) -> String {
        "\(host.kind) to \(host.host.isEmpty ? "what is no http or https URL" : TextLayout.printable(host.host))"
    }

    /// The change to the profile that allows the requests; nil where it has no field for it.
    package static func remedy(_ host: LeftOutResult.Host) -> String? {
        host.allowedBy.map { "add \(TextLayout.printable(host.host)) to \(TextLayout.printable($0))" }
    }

    /// Said when a host is first met.
    package static func news(_ host: LeftOutResult.Host) -> String {
        "Not sent: \(subject(host)), which the profile does not authorise"
            + (remedy(host).map { "; to allow it, \($0)" } ?? "") + "."
    }

    /// Requests of hosts that are not listed.
    static func others(_ leftOut: LeftOutResult) -> String? {
        let listed = leftOut.hosts.reduce(0) { $0 &+ $1.requests }
        return listed < leftOut.requests
            ? "\(TextLayout.counted(leftOut.requests &- listed, "request")) to hosts that are not listed" : nil
    }
}

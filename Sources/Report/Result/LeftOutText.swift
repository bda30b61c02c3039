package import Results

package enum LeftOutText {
    /// Kind and host, such as "metadata to ads.example.com".
    package static func subject(_ host: LeftOutResult.Host) -> String {
        "\(host.kind) to \(host.host.isEmpty ? "what is no http or https URL" : TextLayout.printable(host.host))"
    }

    /// The change to the profile that allows the requests; nil if it has no field for it.
    package static func remedy(_ host: LeftOutResult.Host) -> String? {
        host.allowedBy.map { "add \(TextLayout.printable(host.host)) to \(TextLayout.printable($0))" }
    }

    /// The message on the first request to a host.
    package static func news(_ host: LeftOutResult.Host) -> String {
        "Not sent: \(subject(host)), which the profile does not authorise"
            + (remedy(host).map { "; to allow it, \($0)" } ?? "") + "."
    }

    static func others(_ leftOut: LeftOutResult) -> String? {
        let listed = leftOut.hosts.reduce(0) { $0 &+ $1.requests }
        return listed < leftOut.requests
            ? "\(TextLayout.counted(leftOut.requests &- listed, "request")) to hosts that are not listed" : nil
    }
}

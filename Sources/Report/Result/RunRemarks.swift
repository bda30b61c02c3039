package import Results

package enum LeftOutText {
    /// Such as "metadata to ads.example.com".
    package static func subject(_ host: LeftOutResult.Host) -> String {
        let place = host.host.isEmpty ? "addresses other than http or https URLs" : TextLayout.printable(host.host)
        return "\(host.kind) to \(place)\(host.redirectStatus.map { " (redirected with status \($0))" } ?? "")"
    }

    /// Change to the profile that allows the requests.
    package static func remedy(_ host: LeftOutResult.Host) -> String? {
        host.allowedBy.map { "add \(TextLayout.printable(host.host)) to \(TextLayout.printable($0))" }
    }

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

package struct WithheldText {
    /// Such as "2 pings, 1 segment of ads".
    package let list: String?

    package init(pings: some BinaryInteger, beacons: some BinaryInteger, adSegments: some BinaryInteger) {
        let parts = [
            pings > 0 ? TextLayout.counted(pings, "ping") : nil,
            beacons > 0 ? TextLayout.counted(beacons, "beacon") : nil,
            adSegments > 0 ? TextLayout.counted(adSegments, "segment") + " of ads" : nil,
        ]
        let said = parts.compactMap { $0 }
        list = said.isEmpty ? nil : said.joined(separator: ", ")
    }
}

package enum ChannelClockText {
    /// Such as "30.0 s ahead of this machine's clock".
    package static func offset(_ microseconds: Int64) -> String {
        let time = TimeText.duration(Int64(clamping: microseconds.magnitude))
        return "\(time) \(microseconds < 0 ? "behind" : "ahead of") this machine's clock"
    }

    package static func sentence(_ microseconds: Int64) -> String {
        "The channel's dates are \(offset(microseconds)): clock or publishing delay, which playlists do not tell apart."
    }
}

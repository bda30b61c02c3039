import HLS
import Profile
import Transport

/// Hosts that the playlists of a stream refer to, and for what.
struct HostList: Sendable {
    /// Limit on hosts; a hostile playlist must not produce a huge profile.
    private static let most = 64

    private let own: WebOrigin
    private let allowed: AuthorisedHosts
    private(set) var hosts: [SeenHost] = []
    /// Number of absolute URLs with other schemes, or with hosts that a profile cannot name.
    private(set) var unreadable = 0

    init(of address: StreamAddress, allowed: AuthorisedHosts) {
        own = address.origin
        self.allowed = allowed
    }

    /// Records the host of `reference` in a playlist at `base`; `place` is its use, such as `segments`.
    ///
    /// Returns the absolute URL if its host is authorised.
    @discardableResult
    mutating func saw(_ reference: String, in base: String, as place: String) -> String? {
        guard !DataURI.isOne(reference) else { return nil }
        guard let url = URLReference.resolve(reference, against: base), let origin = Self.origin(of: url)
        else {
            unreadable += 1
            return nil
        }
        let isAllowed = allowed.permits(url: url)
        guard !isOwn(origin) else { return isAllowed ? url : nil }
        let name = Self.name(of: origin)
        if let known = hosts.firstIndex(where: { $0.name == name }) {
            if !hosts[known].places.contains(place) { hosts[known].places.append(place) }
        } else if hosts.count < Self.most {
            hosts.append(SeenHost(name: name, places: [place], isAllowed: isAllowed))
        }
        return isAllowed ? url : nil
    }

    /// Whether a profile authorises the origin without naming it: the same host, on loopback also the same port.
    private func isOwn(_ origin: WebOrigin) -> Bool {
        origin.host == own.host && (origin.port == own.port || !origin.isLoopback)
            || origin.isLoopback && own.isLoopback && origin.port == own.port
    }

    /// Host as `authorisedHosts` spells it, with a port that is not the scheme's default.
    static func name(of origin: WebOrigin) -> String {
        let usual = origin.scheme == "https" ? 443 : 80
        return origin.port == usual ? origin.host : "\(origin.host):\(origin.port)"
    }

    /// Origin of a URL, whatever its path and query hold.
    static func origin(of url: String) -> WebOrigin? {
        let end = url.firstRange(of: "://").map(\.upperBound) ?? url.startIndex
        return WebOrigin(of: String(url[..<end] + url[end...].prefix { !"/?#".contains($0) }))
    }
}

import Destinations
import HLS
import LoadProfile
import Transport

/// Which hosts turned up, and what for.
struct HostBook: Sendable {
    /// More than any stream has; a playlist of hostile names must not make a profile of a megabyte.
    private static let most = 64

    private let own: WebOrigin
    private let allowed: AuthorisedHosts
    private(set) var hosts: [SeenHost] = []
    /// Absolute addresses of other schemes, or of hosts that no profile can name.
    private(set) var unreadable = 0

    init(of address: StreamAddress, allowed: AuthorisedHosts) {
        own = address.origin
        self.allowed = allowed
    }

    /// Takes down where a reference leads.
    ///
    /// - Parameters:
    ///   - reference: As a playlist spells it.
    ///   - base: Where that playlist came from.
    ///   - place: What it is, such as `segments`.
    /// - Returns: The absolute URL, where it may be asked.
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

    /// Whether a profile of the address may ask there without naming it: the same host, on loopback the same port.
    private func isOwn(_ origin: WebOrigin) -> Bool {
        origin.host == own.host && (origin.port == own.port || !origin.isLoopback)
            || origin.isLoopback && own.isLoopback && origin.port == own.port
    }

    /// The host as `authorisedHosts` names it, with a port that is not its scheme's.
    static func name(of origin: WebOrigin) -> String {
        let usual = origin.scheme == "https" ? 443 : 80
        return origin.port == usual ? origin.host : "\(origin.host):\(origin.port)"
    }

    /// Scheme, host and port, whatever path and query a URL has.
    static func origin(of url: String) -> WebOrigin? {
        let end = url.firstRange(of: "://").map(\.upperBound) ?? url.startIndex
        return WebOrigin(of: String(url[..<end] + url[end...].prefix { !"/?#".contains($0) }))
    }
}

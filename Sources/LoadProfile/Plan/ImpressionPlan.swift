/// What becomes of requests that may count as somebody having seen an ad, and be billed for: pings, beacons, segments of
/// ads.
///
/// Google's media verification pings are impressions ("Media verification" in the pod-serving guide); where MediaTailor
/// reports from the server, every segment of an ad that is fetched is one ("Server-side reporting" in its guide).
package enum ImpressionPlan: Sendable, Equatable {
    /// They are sent as players send them.
    case allowed
    /// None is sent, and what would have been is counted.
    case withheld
    /// Pings and beacons go to this server in place of their own; segments of ads are withheld.
    ///
    /// Scheme, host and port.
    case sink(String)

    package enum Word: String, Sendable, CaseIterable {
        case allowed
        case withheld
    }

    /// Whether what pings and beacons are answered says anything of the target.
    package var areAnsweredByTarget: Bool {
        switch self {
        case .allowed, .withheld: true
        case .sink: false
        }
    }

    /// The URLs that it names.
    package var addresses: [String] {
        switch self {
        case .allowed, .withheld: []
        case .sink(let server): [server]
        }
    }

    /// Where a ping or beacon goes, path and query as they were; nil where it is withheld.
    package func address(of url: String) -> String? {
        switch self {
        case .allowed: url
        case .withheld: nil
        case .sink(let server): WebAddress(url).map { server + $0.rest }
        }
    }
}

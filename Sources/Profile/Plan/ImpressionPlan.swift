/// Treatment of requests that may count as billable ad impressions: pings, beacons, segments of ads.
///
/// Google's media verification pings are impressions ("Media verification" in the pod-serving guide); where MediaTailor reports
/// from the server, every segment of an ad that is fetched is one ("Server-side reporting" in its guide).
package enum ImpressionPlan: Sendable, Equatable {
    /// They are sent as players send them.
    case allowed
    /// They are counted and not sent.
    case withheld
    /// Pings and beacons go to this server (scheme, host and port); segments of ads are withheld.
    case sink(String)

    package enum Word: String, Sendable, CaseIterable {
        case allowed
        case withheld
    }

    /// Whether answers to pings and beacons come from the target.
    package var areAnsweredByTarget: Bool { addresses.isEmpty }

    package var addresses: [String] {
        switch self {
        case .allowed, .withheld: []
        case .sink(let server): [server]
        }
    }

    /// Address of a ping or beacon, with its path and query unchanged; nil where it is withheld.
    package func address(of url: String) -> String? {
        switch self {
        case .allowed: url
        case .withheld: nil
        case .sink(let server): WebAddress(url).map { server + $0.rest }
        }
    }
}

/// Requests that may count as billable ad impressions.
///
/// Google's media verification pings do ("Media verification" in the pod-serving guide), and every fetched ad segment where
/// MediaTailor reports from the server ("Server-side reporting" in its guide).
package enum ImpressionPlan: Sendable, Equatable {
    case allowed
    case withheld
    /// Pings and beacons go to this server; ad segments are withheld.
    case sink(String)

    package enum Word: String, Sendable, CaseIterable {
        case allowed
        case withheld
    }

    package var addresses: [String] { if case .sink(let server) = self { [server] } else { [] } }

    /// Path and query stay; nil where the request is withheld.
    package func address(of url: String) -> String? {
        switch self {
        case .allowed: url
        case .withheld: nil
        case .sink(let server): WebAddress(url).map { server + $0.rest }
        }
    }
}

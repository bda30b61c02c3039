import AdServing
import HLS
import HTTPTypes

/// A parsed and counted request on its way to an answer.
struct Exchange: Sendable {
    /// Instant of arrival; for a held answer, of release.
    var now: WallTime
    let route: Route
    let kind: RequestKind?
    /// Path and query without the prefix of an own redirect.
    let target: String
    let query: FormFields
    let streamID: String?
    var acceptsGzip: Bool
    let method: HTTPRequest.Method
    let authority: String?
    /// Hash that all requests of a viewer share; see `FaultOccasion`.
    let viewerHash: UInt64
    var viewerNumber: UInt64?
    var cookie: String?
    /// From 1; 1 without several edges.
    var edge = 1
    /// Number of earlier requests of the session for this pod.
    var repetition = 0
    var effects: FaultEffects?
    /// Common instant of signatures in all answers of the pod; nil to sign each when it is made.
    var signedAt: WallTime?
    var occasion: FaultOccasion?
    /// Target of an own redirect; nil for other requests.
    var onward: String?
    var heldFor: Duration?
    var directives: PlaylistDirectives? = PlaylistDirectives.none

    /// Whether the answer reports the session that it creates.
    var givesSession: Bool {
        guard let effects else { return true }
        return !effects.hidesStreamID && effects.delivery == .whole
    }
}

extension HTTPField.Name {
    static let viewerNumber = HTTPField.Name(WireName.viewerHeader) ?? .from
    static let edge = HTTPField.Name("X-Edge") ?? .via
}

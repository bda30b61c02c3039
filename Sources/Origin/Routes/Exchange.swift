import AdServing
import HLS
import HTTPTypes

/// One request, read and counted, on its way to an answer.
struct Exchange: Sendable {
    /// When it arrived; for an answer that was held, when it was released.
    var now: WallTime
    let route: Route
    /// Nil for the origin's own pages.
    let kind: RequestKind?
    /// The path as it came, query included, without the prefix of an own redirect.
    let target: String
    let query: FormFields
    let streamID: String?
    var acceptsGzip: Bool
    let method: HTTPRequest.Method
    /// Host and port that the client asked for.
    let authority: String?
    /// What stays the same over all requests of a viewer; see `FaultOccasion`.
    let viewerHash: UInt64
    /// Of the viewer that it is from, where it says that.
    var viewerNumber: UInt64?
    /// What its answer sets; nil where it needs none.
    var cookie: String?
    /// The edge that it reached, from 1; 1 as well where the origin plays no edges.
    var edge = 1
    /// How often the session asked for this pod before.
    var repetition = 0
    var effects: FaultEffects?
    /// The instant that all answers of its pod are signed at; nil: each is signed when it is made.
    var signedAt: WallTime?
    /// What planned faults looked at; nil where none applies.
    var occasion: FaultOccasion?
    /// Where an own redirect sends this request on to; nil for all others.
    var onward: String?
    /// How long the answer was held back; nil: not at all.
    var heldFor: Duration?
    /// What the query asks of a live playlist's delivery; nil where it is malformed.
    var directives: PlaylistDirectives? = PlaylistDirectives.none

    /// Whether its answer tells of the session that it makes.
    var givesSession: Bool {
        guard let effects else { return true }
        return effects.streamID == .own && effects.delivery == .whole
    }
}

extension HTTPField.Name {
    /// The number of the simulated viewer that a request is from, in decimal digits.
    static let viewerNumber = HTTPField.Name(WireName.viewerHeader) ?? .from
    /// The edge that answered, where the origin plays several.
    static let edge = HTTPField.Name("X-Edge") ?? .via
}

import HLS

/// Later faults of a plan modify the effects of earlier ones.
package struct FaultEffects: Sendable, Equatable {
    package enum Delivery: Sendable, Equatable {
        case whole, reset
        /// The connection closes in the middle of the body.
        case truncated
    }

    enum Framing: Sendable, Equatable {
        case own
        /// A truncated coded body, with the length that is left.
        case cutCoding
        /// The last length is true.
        case twoLengths
        case lengthAndChunks
        /// The body ends with the connection, of which TLS does not tell.
        case silentClose
        /// A part that the client did not request.
        case part
    }

    enum Redirection: Sendable, Equatable {
        case samePlace
        /// The path on a host that no run may load.
        case unauthorisedHost
        case chain, loop, otherHost
    }

    /// Permission for pages of other origins.
    enum Permission: Sendable, Equatable {
        case own, missing
        /// Permission for a page of another origin.
        case ofOthers
    }

    enum AssetListForm: Sendable, Equatable {
        case own, empty
        /// JSON that ends in the middle.
        case garbage
        case withoutDurations, withRelativeAddresses
    }

    /// Replaces the true answer, without a body.
    var status: Int?
    var retryAfterSeconds: Int?
    var delay: Duration = .zero
    var delivery: Delivery = .whole
    var framing: Framing = .own
    var redirection: Redirection?
    var permission: Permission = .own
    /// A web page in place of a playlist, with status 200.
    var isWebPage = false
    /// Other values than 0 give another creative order.
    var decisionSalt: UInt8 = 0
    var podDurationShift: Duration = .zero
    var isEmptyPod = false
    var hidesStreamID = false
    var foreignStreamID: String?
    var assetList: AssetListForm = .own
    /// Added to each asset's duration.
    var assetDurationShift: Duration = .zero
    /// The answer is an earlier pod of the session.
    var isStalePod = false
    /// As `decisionSalt`, for the channel's own ads.
    var stitchedSalt: UInt8 = 0
    /// Live playlists stop changing then.
    var playlistFrozenAt: WallTime?
    var ignoresBlocking = false
    /// One line differs from the whole playlist's.
    var isDeltaWrong = false
    var steering: SteeringForm = .own
    /// Faults that change the answer's text, by index.
    var edits: [Int] = []
    /// Applied faults, by index.
    var faults: [Int] = []
}

struct FaultOccasion: Sendable {
    let kind: RequestKind
    let now: WallTime
    let elapsed: Duration
    /// From 1 since the origin's start, 0 without breaks.
    let breakNumber: Int
    /// Without breaks, the origin's start.
    let breakStart: WallTime?
    /// Hash of a viewer or session; decides on its share.
    let viewer: UInt64
    /// Earlier requests for this pod.
    let repetition: Int
    let targetDuration: Duration
    /// In its list; nil for other requests.
    var asset: Int?
    var target = ""
    var edge = 1
    /// Another viewer's session; nil if unneeded.
    var neighbour: String?
}

enum SteeringForm: Sendable {
    case own, withoutTimeToLive, withStrangePathway

    static let strangePathway = "pathway-of-no-variant"
}

import HLS

/// Effects of planned faults on one exchange; the default changes nothing.
///
/// A fault only records effects here, which the code that makes the answer applies. Later faults of a plan modify the effects
/// of earlier ones.
struct FaultEffects: Sendable, Equatable {
    enum Delivery: Sendable, Equatable {
        case whole
        case reset
        case truncated
    }

    enum Framing: Sendable, Equatable {
        case own
        /// A truncated coded body, with the length that is left.
        case cutCoding
        /// Two lengths, the last one true.
        case twoLengths
        case lengthAndChunks
        /// A part that the client did not request.
        case part
    }

    enum Redirection: Sendable, Equatable {
        case samePlace
        /// The path on a host that no run may load.
        case unauthorisedHost
        case chain
        case loop
        case otherHost
    }

    enum AssetListForm: Sendable, Equatable {
        case own
        case empty
        /// Text that ends in the middle of its JSON.
        case garbage
        case withoutDurations
        case withRelativeAddresses
    }

    /// Status of an answer without a body, in place of the true one.
    var status: Int?
    var retryAfterSeconds: Int?
    var delay: Duration = .zero
    var delivery: Delivery = .whole
    var framing: Framing = .own
    var redirection: Redirection?
    /// A web page in place of a playlist, with status 200.
    var isWebPage = false
    /// Any value but 0 gives the pod another decision, hence another creative order.
    var decisionSalt: UInt8 = 0
    var podDurationShift: Duration = .zero
    var isEmptyPod = false
    var hidesStreamID = false
    var foreignStreamID: String?
    var assetList: AssetListForm = .own
    /// Added to each asset's duration in an asset list.
    var assetDurationShift: Duration = .zero
    /// An earlier pod of the session in place of the requested one.
    var isStalePod = false
    /// Any value but 0 gives the channel's own ads another decision.
    var stitchedSalt: UInt8 = 0
    /// Instant at which live playlists stop changing.
    var playlistFrozenAt: WallTime?
    var ignoresBlocking = false
    /// Whether a line of a delta update differs from the whole playlist's.
    var isDeltaWrong = false
    var steering: SteeringForm = .own
    /// Indices of the plan's faults that change the answer's text.
    var edits: [Int] = []
    /// Indices of the plan's faults that apply.
    var faults: [Int] = []
}

/// Properties of a request by which faults are selected.
struct FaultOccasion: Sendable {
    let kind: RequestKind
    let now: WallTime
    let elapsed: Duration
    /// 1 for the first break since the origin started, 0 for a channel without breaks.
    let breakNumber: Int
    /// Start of that break; without breaks, of the origin.
    let breakStart: WallTime?
    /// Hash that all requests of a viewer or session share; decides whether it is in a share.
    let viewer: UInt64
    /// Number of earlier requests of the session for this pod.
    let repetition: Int
    let targetDuration: Duration
    /// Index of the asset in its list; nil for other requests.
    var asset: Int?
    var target = ""
    var edge = 1
    /// Session of another viewer; nil without one, or if no fault needs it.
    var neighbour: String?
}

enum SteeringForm: Sendable {
    case own
    case withoutTimeToLive
    case withStrangePathway

    static let strangePathway = "pathway-of-no-variant"
}

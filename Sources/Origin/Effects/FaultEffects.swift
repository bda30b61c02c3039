import HLS

/// What planned faults make of one exchange; the value as made here changes nothing.
///
/// A fault only says here what shall be wrong; the code that makes the answer looks and obeys. Later faults of a plan
/// act on what earlier ones left.
struct FaultEffects: Sendable, Equatable {
    /// How an answer's bytes reach the client.
    enum Delivery: Sendable, Equatable {
        case whole
        /// The connection is reset before a byte of the answer is sent.
        case reset
        /// Half of the announced body is sent, then the connection is closed.
        case truncated
    }

    /// What an answer says of its own body.
    enum Framing: Sendable, Equatable {
        case own
        /// A coded body that is cut off, with the length of what is left.
        case cutCoding
        /// Two lengths, the last one true.
        case twoLengths
        /// Chunks, and a length besides.
        case lengthAndChunks
        /// A part that nobody asked for.
        case part
    }

    /// Where a request is sent on to.
    enum Redirection: Sendable, Equatable {
        /// To another path of this origin that gives the true answer.
        case samePlace
        /// To the same path on a host that no run is authorised to load.
        case unauthorisedHost
        /// Over three redirects to the same place.
        case chain
        /// To a path that redirects to itself for ever.
        case loop
        /// To the same place under another name of this host.
        case otherHost
    }

    /// How a stream session's id is left out.
    enum StreamIDForm: Sendable, Equatable {
        case own
        /// The registration answers without an id.
        case missing
    }

    /// What an asset list is replaced by.
    enum AssetListForm: Sendable, Equatable {
        case own
        /// A list without assets.
        case empty
        /// Text that ends in the middle of its JSON.
        case garbage
        /// The true list without any DURATION.
        case withoutDurations
    }

    /// An answer without a body, in place of the true one.
    var status: Int?
    /// Seconds for a Retry-After field beside `status`.
    var retryAfterSeconds: Int?
    /// Wait before the answer.
    var delay: Duration = .zero
    var delivery: Delivery = .whole
    var framing: Framing = .own
    var redirection: Redirection?
    /// A web page in place of a playlist, with status 200.
    var isWebPage = false
    /// Anything but 0 is another decision, so another creative order, for the same pod.
    var decisionSalt: UInt8 = 0
    /// Added to the pod's duration.
    var podDurationShift: Duration = .zero
    /// A pod without ads.
    var isEmptyPod = false
    var streamID: StreamIDForm = .own
    /// Bodies carry this id in place of the session's own.
    var foreignStreamID: String?
    var assetList: AssetListForm = .own
    /// Added to what an asset list says of each asset's duration.
    var assetDurationShift: Duration = .zero
    /// A pod that the session asked for before, in place of the one asked for.
    var isStalePod = false
    /// Anything but 0 is another decision about the ads that the channel itself carries.
    var stitchedSalt: UInt8 = 0
    /// Live playlists stay as they were at this instant.
    var playlistFrozenAt: WallTime?
    /// A request for what is still to come is not held.
    var ignoresBlocking = false
    /// A line of a delta update is not the whole playlist's.
    var isDeltaWrong = false
    /// The faults that change the answer's text, by their places in the plan.
    var edits: [Int] = []
    /// The faults that apply, by their places in the plan.
    var faults: [Int] = []
}

/// One request that a plan may break, as far as faults look at it.
struct FaultOccasion: Sendable {
    let kind: RequestKind
    let now: WallTime
    /// Since the origin started.
    let elapsed: Duration
    /// 1 for the first break since the origin started, 0 when the channel has none.
    let breakNumber: Int
    /// Start of that break; of the origin, when there are none.
    let breakStart: WallTime?
    /// What stays the same over all requests of one viewer or session; decides whether it is in a share.
    let viewer: UInt64
    /// How often this session asked for this pod before.
    let repetition: Int
    /// Length of a target duration of the live playlists.
    let targetDuration: Duration
    /// Which asset of its list a request is for; nil for other requests.
    var asset: Int?
    /// The request's path and query.
    var target = ""
    /// The edge that it reached, from 1.
    var edge = 1
    /// A session that another viewer was given; nil where there is none, or where no fault asks for it.
    var neighbour: String?
}

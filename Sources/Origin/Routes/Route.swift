/// Where a path leads; the path's shape decides the request kind even when the names in it are unknown.
enum Route: Sendable, Equatable {
    case multivariant
    case livePlaylist(rendition: Int)
    case liveInitialization(rendition: Int)
    case liveSegment(rendition: Int, number: UInt64)
    case livePart(rendition: Int, name: PartName)
    case steering
    case registration
    case podManifest(identifier: String)
    case podPlaylist(identifier: String, token: String, profile: String)
    case podInitialization(profile: String)
    case podSegment(profile: String, number: Int)
    /// A pod's segment with the media ids of its ad.
    case adSegment(AdInPod, profile: String, number: Int)
    case interstitial(InterstitialRoute)
    case target(TargetRoute)
    case stitched(StitchedRoute)
    case metadata(streamID: String)
    case sessionUpdate(streamID: String)
    case verification(streamID: String, mediaID: String)
    /// The path has the shape of a kind, but names a channel, event or file that does not exist.
    case missing(RequestKind)
    case health
    case truth
    case unknown

    /// What a request there is counted as; nil for the origin's own pages, which are not counted.
    var kind: RequestKind? {
        switch self {
        case .multivariant: .multivariant
        case .livePlaylist: .playlist
        case .liveInitialization, .liveSegment: .segment
        case .stitched(let route): route.kind
        case .livePart: .part
        case .steering: .steering
        case .registration: .registration
        case .podManifest: .podManifest
        case .podPlaylist: .podPlaylist
        case .podInitialization, .podSegment, .adSegment: .podSegment
        case .interstitial(let route): route.kind
        case .target(let route): route.kind
        case .metadata: .metadata
        case .verification: .verification
        case .missing(let kind): kind
        case .sessionUpdate: .sessionUpdate
        case .unknown: .other
        case .health, .truth: nil
        }
    }

    /// Whether this is a part of the live channel that carries on its token.
    var isLiveMedia: Bool {
        switch self {
        case .livePlaylist, .liveInitialization, .liveSegment, .livePart, .stitched: true
        default: false
        }
    }

    /// Whether the path takes POST; all others take GET and HEAD.
    var takesPost: Bool {
        switch self {
        case .registration, .sessionUpdate, .missing(.registration), .missing(.sessionUpdate), .target(.tailorSession):
            true
        default: false
        }
    }

    /// Whether the path takes any method.
    var takesAnyMethod: Bool { self == .target(.templateSession) }

    /// The stream id that the path itself carries.
    var streamID: String? {
        switch self {
        case .metadata(let streamID), .sessionUpdate(let streamID), .verification(let streamID, _): streamID
        case .target(.templateContent(let session)): session
        default: nil
        }
    }
}

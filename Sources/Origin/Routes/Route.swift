/// Route of a path; its form decides the request kind even for unknown names.
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
    case adSegment(AdInPod, profile: String, number: Int)
    case interstitial(InterstitialRoute)
    case target(TargetRoute)
    case stitched(StitchedRoute)
    case metadata(streamID: String)
    case sessionUpdate(streamID: String)
    case verification(streamID: String, mediaID: String)
    /// The path has the form of a kind, but names an unknown channel, event or file.
    case missing(RequestKind)
    case health
    case truth
    case unknown

    /// Nil for the origin's own pages, which are not counted.
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

    /// Whether the live channel's token is required.
    var isLiveMedia: Bool {
        switch self {
        case .livePlaylist, .liveInitialization, .liveSegment, .livePart, .stitched: true
        default: false
        }
    }

    /// Whether the path requires POST instead of GET and HEAD.
    var takesPost: Bool {
        switch self {
        case .registration, .sessionUpdate, .missing(.registration), .missing(.sessionUpdate), .target(.tailorSession):
            true
        default: false
        }
    }

    var takesAnyMethod: Bool { self == .target(.templateSession) }

    var streamID: String? {
        switch self {
        case .metadata(let streamID), .sessionUpdate(let streamID), .verification(let streamID, _): streamID
        case .target(.templateContent(let session)): session
        default: nil
        }
    }
}

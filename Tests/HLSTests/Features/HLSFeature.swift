/// One attribute, tag, value or parameter: where it is implemented, where the reference origin serves it, and the tests
/// that would fail without it.
struct HLSFeature: Sendable {
    /// As it is spelled on the wire, or what the rule is about.
    var name: String
    /// Further spellings that this entry answers for, where its name is a sentence.
    var spellings: [String]
    /// The section that says so.
    var source: String
    var implementation: [FeaturePlace]
    /// Empty where the reference origin has nothing of it.
    var origin: [FeaturePlace]
    var tests: [FeatureTest]

    init(
        _ name: String,
        _ source: String,
        _ implementation: [FeaturePlace],
        origin: [FeaturePlace] = [],
        spellings: [String] = [],
        tests: [FeatureTest]
    ) {
        self.name = name
        self.spellings = spellings
        self.source = source
        self.implementation = implementation
        self.origin = origin
        self.tests = tests
    }
}

/// A declaration in a source file.
struct FeaturePlace: Hashable, Sendable {
    /// Below `Sources`, without its extension.
    var file: String
    /// Text that stands in the file as it is.
    var declaration: String
    /// What the page shows of it where that is shorter.
    var shown: String

    static func at(_ file: FeatureFile, _ declaration: String, as shown: String? = nil) -> FeaturePlace {
        FeaturePlace(file: file.rawValue, declaration: declaration, shown: shown ?? declaration)
    }
}

/// A test function, by target, suite and name.
struct FeatureTest: Hashable, Sendable, ExpressibleByStringLiteral {
    var target: String
    var suite: String
    var function: String

    /// `Target/Suite/function`.
    init(stringLiteral text: String) {
        let pieces = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        target = pieces.first ?? ""
        suite = pieces.count == 3 ? pieces[1] : ""
        function = pieces.count == 3 ? pieces[2] : ""
    }
}

/// The files that entries name, below `Sources`.
enum FeatureFile: String, CaseIterable, Sendable {
    case dateRange = "HLS/DateRange"
    case dateRangeTag = "HLS/DateRangeTag"
    case dateRangeCollector = "HLS/DateRangeCollector"
    case interstitial = "HLS/Interstitials/Interstitial"
    case attributes = "HLS/Interstitials/InterstitialAttributes"
    case preload = "HLS/Interstitials/PreloadRange"
    case query = "HLS/Interstitials/InterstitialQuery"
    case cueTag = "HLS/Stitched/CueTag"
    case stitched = "HLS/Stitched/StitchedBreaks"
    case splice = "HLS/Stitched/SpliceInformation"
    case playlistTag = "HLS/PlaylistTag"
    case header = "HLS/PlaylistHeader"
    case deliveryTags = "HLS/DeliveryTags"
    case streamTag = "HLS/StreamTag"
    case scope = "HLS/VariableScope"
    case expansion = "HLS/VariableExpansion"
    case directives = "HLS/Delivery/DeliveryDirectives"
    case delta = "HLS/Delivery/DeltaUpdate"
    case position = "HLS/Delivery/StartPosition"
    case blocking = "HLS/Delivery/BlockingRule"
    case steeringTag = "HLS/ContentSteering"
    case clones = "HLS/Steering/SteeringManifest"
    case assetListJSON = "AdServing/Interstitials/AssetListJSON"
    case signaling = "AdServing/Interstitials/CreativeSignaling"
    case signalingJSON = "AdServing/Interstitials/CreativeSignalingJSON"
    case availTracking = "AdServing/Interstitials/AvailTracking"
    case availTrackingJSON = "AdServing/Interstitials/AvailTrackingJSON"
    case steeringJSON = "AdServing/Interstitials/SteeringManifestJSON"
    case mediaTailor = "AdServing/Targets/MediaTailorTarget"
    case mediaTailorNames = "AdServing/Targets/WireName+MediaTailor"
    case eyevinn = "AdServing/Targets/EyevinnProxyTarget"
    case template = "AdServing/Targets/URLTemplate"
    case templateTarget = "AdServing/Targets/URLTemplateTarget"
    case adapter = "AdServing/Targets/TargetAdapter"
    case reader = "Audience/Breaks/InterstitialReader"
    case interstitialOffer = "Audience/Breaks/ScheduledInterstitial"
    case interstitialFeed = "Viewer/Breaks/Sources/InterstitialFeed"
    case stitchedFeed = "Viewer/Breaks/Sources/StitchedFeed"
    case stitchedReader = "Audience/Breaks/StitchedReader"
    case breakOffer = "Audience/Breaks/BreakOffer"
    case breakMachine = "Breaks/Break"
    case breakContent = "Breaks/BreakContent"
    case breakList = "Viewer/Breaks/BreakList"
    case breakTiming = "Viewer/Breaks/BreakTiming"
    case breakSubject = "Breaks/Break+Subject"
    case breakPlayhead = "Viewer/Breaks/Screen/Screen+Playhead"
    case breakSeeking = "Viewer/Breaks/Screen/Screen+Seeking"
    case asset = "Breaks/Asset"
    case attempts = "Audience/Requests/LoadAttempts"
    case adClock = "Breaks/AdClock"
    case navigation = "Viewer/Breaks/Screen/Navigation"
    case tracking = "Breaks/Tracking"
    case reloadLoop = "Viewer/Playback/ReloadLoop"
    case playback = "Viewer/Playback/PlaybackPart"
    case loader = "Viewer/Playback/MediaLoader"
    case steeringViewer = "Viewer/Playback/PathwaySteering"
    case playhead = "Viewer/Playback/Playhead"
    case start = "Audience/Playlists/SharedPlaylist+Start"
    case multivariant = "Audience/Playlists/SharedMultivariant"
    case viewerTarget = "Audience/Plan/ViewerPlan+Target"
    case names = "Origin/Interstitials/InterstitialName"
    case tag = "Origin/Interstitials/InterstitialTag"
    case listBody = "Origin/Interstitials/AssetListBody"
    case signallingBody = "Origin/Interstitials/SignallingBody"
    case schedule = "Origin/Interstitials/InterstitialSchedule"
    case service = "Origin/Interstitials/InterstitialService"
    case markup = "Origin/Stitched/StitchedMarkup"
    case stitchedSchedule = "Origin/Stitched/StitchedSchedule"
    case livePlaylist = "Origin/Live/LivePlaylist"
    case liveDelivery = "Origin/Live/LivePlaylist+Delivery"
    case listing = "Origin/Live/SegmentListing"
    case originDirectives = "Origin/Live/PlaylistDirectives"
    case originService = "Origin/Answering/OriginService"
    case originDelivery = "Origin/Answering/OriginService+Delivery"
    case originMultivariant = "Origin/Live/MultivariantListing"
    case steeringService = "Origin/Live/SteeringService"
    case originAvailTracking = "Origin/Interstitials/AvailTrackingBody"
    case originTailorReporting = "Origin/Interstitials/TailorReporting"
    case originTargets = "Origin/Targets/TargetService"
    case targetRoute = "Origin/Routes/TargetRoute"
    case proxySlots = "Origin/Interstitials/ProxySlots"
}

import AdServing
import HLS

/// One interstitial as one viewer has it: what was asked for, what came, and what it came to.
struct EventEntry: Sendable {
    enum Phase: UInt8, Sendable {
        /// Only a preload range speaks of it yet.
        case anticipated
        /// Its content was not asked for.
        case scheduled
        /// Its content was asked for, and nothing of it can be played yet.
        case resolving
        /// Its first asset can be played; or its list is empty, and there is nothing to wait for.
        case ready
        /// The playhead is at it and nothing of it can be played yet.
        case waiting
        case playing
        case over
    }

    var event: InterstitialEvent
    /// Tells its requests from those of the viewer's other interstitials, and of its own earlier life before a seek.
    var serial: UInt16
    var phase = Phase.scheduled
    /// Where it begins for this viewer; a pre-roll where the viewer began.
    var start: WallTime?
    /// When the viewer first knew of it, monotonic nanoseconds.
    var knownAt: Int64
    /// The random point of its preload range, drawn once (bis-22 appendix F); nil where there is none.
    var preloadPoint: WallTime?
    var hasDrawnPreload = false
    /// It was asked for at that point.
    var tookPreload = false
    /// Its list or only asset, while that is not in hand.
    var resolution = LoadAttempts()
    /// Where in the interstitial a viewer that joined inside of it begins.
    var joinedAt: Duration?
    /// True where the asset list was asked for with that offset, so that the assets begin there.
    var isListTrimmed = false
    var assets: [AssetState] = []
    /// Beacons of the interstitial as a whole, by their time from its start.
    var beacons: [DueBeacon] = []
    /// Of the asset list, which overrides the tag's.
    var skipControl: SkipControl?
    /// When the first asset was playable, monotonic nanoseconds.
    var inHandAt: Int64 = 0
    /// Whether it is noted what the event came to.
    var isSettled = false
    /// Whether the measurement was told what the break came to.
    var isBooked = false
    /// It came to its end before, and the viewer sought back.
    var isRepeat = false

    init(_ event: InterstitialEvent, serial: UInt16, now: Int64) {
        self.event = event
        self.serial = serial
        self.start = event.start
        self.knownAt = now
    }

    /// Whether its content is still to be asked for.
    var isUnasked: Bool {
        switch self.phase {
        case .scheduled: true
        case .anticipated: self.resolution.made == 0 && self.assets.isEmpty
        case .resolving, .ready, .waiting, .playing, .over: false
        }
    }

    var isCurrent: Bool { self.phase == .waiting || self.phase == .playing }

    /// Whether it is still to begin.
    var isAhead: Bool {
        switch self.phase {
        case .scheduled, .resolving, .ready: true
        case .anticipated, .waiting, .playing, .over: false
        }
    }

    /// The asset that is to be played first.
    var firstUsable: Int? { self.assets.firstIndex { $0.phase != .failed && $0.phase != .passed } }

    /// X-ASSET-URI: the asset's error is the interstitial's (bis-22 appendix D.5).
    var isSingleAsset: Bool {
        guard case .asset = self.content else { return false }
        return true
    }
}

/// A beacon and when it is due, in nanoseconds of its ad or interstitial.
struct DueBeacon: Sendable, Equatable {
    var offset: Int64
    var url: String
}

/// The attempts at one thing to load, each on the rules of the persona.
struct LoadAttempts: Sendable {
    /// Requests made.
    var made: UInt8 = 0
    /// When the player gives up on the request under way, monotonic nanoseconds.
    var deadline = Int64.max
    /// When the next attempt is due, monotonic nanoseconds.
    var retryAt = Int64.max
    /// When the request under way was made, monotonic nanoseconds.
    var askedAt: Int64 = 0
    var isUnderWay = false
}

/// One asset of an interstitial.
struct AssetState: Sendable {
    enum Phase: UInt8, Sendable {
        case idle
        case manifest
        case playlist
        case segments
        /// Nothing is left to load.
        case complete
        case failed
        /// A viewer that joined later does not see it.
        case passed
    }

    let uri: String
    /// As the asset list says.
    var listedDuration: Duration?
    var phase = Phase.idle
    /// Of the manifest or playlist, while it is asked for.
    var attempts = LoadAttempts()
    /// The playlist to load, as its manifest names it.
    var playlistURL = ""
    var content: AdTimeline?
    var loading: PodLoading?
    var isPlayable = false
    var beacons: [DueBeacon] = []

    init(uri: String, listedDuration: Duration? = nil) {
        self.uri = uri
        self.listedDuration = listedDuration
    }

    var hasFailed: Bool { self.phase == .failed }

    /// Nanoseconds of content, as far as they are known.
    var nanoseconds: Int64? {
        if let content { return content.durationMicroseconds.multipliedHeld(by: 1000) }
        return self.listedDuration?.nanosecondsHeld
    }
}

extension Int64 {
    /// The product, held at the ends of Int64.
    func multipliedHeld(by factor: Int64) -> Int64 {
        let product = self.multipliedReportingOverflow(by: factor)
        guard product.overflow else { return product.partialValue }
        return (self < 0) == (factor < 0) ? .max : .min
    }
}

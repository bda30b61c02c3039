import HLS

/// The interstitials of one viewer; a viewer without any carries an empty reference.
struct EventTimeline: Sendable {
    private var kept: [EventState] = []

    var isInUse: Bool { !self.kept.isEmpty }

    var state: EventState {
        _read {
            if self.kept.isEmpty {
                yield EventState()
            } else {
                yield self.kept[0]
            }
        }
        _modify {
            if self.kept.isEmpty {
                self.kept.append(EventState())
            }
            yield &self.kept[0]
        }
    }

    /// The interstitial that holds up the programme; nil while there is none.
    var current: CurrentEvent? { self.kept.first?.current }

    /// The version of the schedule that was read last.
    var schedule: InterstitialSchedule? { self.kept.first?.schedule }
}

/// What a viewer knows of the interstitials of its channel.
struct EventState: Sendable {
    /// More at once than a live window holds; the oldest that are over make room.
    static let keptEntries = 128
    static let keptOnce = 64

    var schedule: InterstitialSchedule?
    /// In the order in which they are played.
    var entries: [EventEntry] = []
    var current: CurrentEvent?
    /// Ids of interstitials that were played and are not to be played again.
    var playedOnce: [String] = []
    var stitched: [StitchedEntry] = []
    /// When a viewer that seeks does so next, monotonic nanoseconds.
    var seekAt = Int64.max
    /// It then goes back, and otherwise forward again.
    var seeksBackNext = true
    /// How far behind the wall clock it was before it went back.
    var latencyBefore: Int64 = 0
    var nextSerial = EventState.firstSerial
    /// When the pending timers of the interstitials fire; .max where they are not set.
    var fetchTimerAt = Int64.max
    var startTimerAt = Int64.max
    var endTimerAt = Int64.max
    /// When the pod of what was noted last was in hand, monotonic nanoseconds.
    var notedInHandAt: Int64 = 0

    /// Serials of interstitials have the highest bit set, those of the viewer's own breaks have not.
    static let firstSerial: UInt16 = 0x8000

    mutating func takeSerial() -> UInt16 {
        defer { self.nextSerial = (self.nextSerial &+ 1) | Self.firstSerial }
        return self.nextSerial
    }

    func index(ofSerial serial: UInt16) -> Int? {
        self.entries.firstIndex { $0.serial == serial && $0.phase != .over }
    }

    var currentIndex: Int? { self.current.flatMap { self.index(ofSerial: $0.serial) } }
}

/// The interstitial that holds up the programme, and how far it has come.
struct CurrentEvent: Sendable {
    let serial: UInt16
    /// When the playhead was to reach it, monotonic nanoseconds.
    let dueAt: Int64
    /// Where the programme was left.
    let leftAt: WallTime
    /// Resume offsets of the interstitials of the same date that were played before it.
    let carried: Duration
    /// Index into the assets.
    var asset = 0
    /// When the current asset began, or would have if it was entered in the middle, monotonic nanoseconds.
    var assetStartedAt: Int64 = 0
    /// Index into the steps of the current asset's events.
    var step = 0
    /// Nanoseconds of content from the interstitial's start to the current asset's.
    var before: Int64 = 0
    /// When the viewer presses skip, in nanoseconds from the interstitial's start; .max where it does not.
    var skipsAt = Int64.max
    /// Index into the interstitial's own beacons.
    var beacon = 0
    /// Index into the current asset's timed beacons.
    var assetBeacon = 0
    /// The next asset is not in hand, and playback stands still.
    var isStarved = false
}

/// What the shell is to know of an interstitial that a request belongs to.
struct EventSubject {
    let planned: PlannedBreak
    let isSameForAll: Bool
    let isTrimmed: Bool
    /// Whether the viewer joined so late that no asset may be left to play.
    var isNearlyOver = false
    let isAssetList: Bool

    /// Whether a request is the first that an interstitial's content needs: of it bursts are made.
    func isContentRequest(_ role: ViewerRole, index: UInt8) -> Bool {
        switch role {
        case .assetList: true
        case .assetManifest: !self.isAssetList && index == 0
        default: false
        }
    }
}

extension ViewerMachine {
    /// The interstitial that a request belongs to; nil where it is over.
    func subject(ofSerial serial: UInt16) -> EventSubject? {
        guard self.events.isInUse, let index = self.events.state.index(ofSerial: serial) else { return nil }
        let entry = self.events.state.entries[index]
        return EventSubject(
            planned: entry.event.planned,
            isSameForAll: entry.event.interstitial?.contentMayVary == false,
            isTrimmed: entry.isListTrimmed,
            isNearlyOver: entry.isListTrimmed && entry.isJoinedNearItsEnd,
            isAssetList: entry.content?.isAssetList ?? false
        )
    }

    /// When what was noted last about a break of the channel was in hand, monotonic nanoseconds.
    var notedInHandAt: Int64 { self.events.isInUse ? self.events.state.notedInHandAt : 0 }
}

extension EventEntry {
    /// Whether the viewer joined in the last second of what is announced; true where no length is.
    fileprivate var isJoinedNearItsEnd: Bool {
        guard let joinedAt, let length = self.event.interstitial?.announcedDuration else { return true }
        return joinedAt + .seconds(1) > length
    }
}

package import AdServing
import Glibc
package import HLS
package import Profile
package import Rules
package import Values

/// Handling of one event: parts of a viewer append their actions to it; besides that they only return values.
package struct Turn {
    /// The moment of handling, or for a timer its deadline.
    package let now: Instant
    /// Nanoseconds that the handled answer had waited in its socket.
    package var handling: Int64 = 0
    package let number: Int
    package let plan: ViewerPlan
    package let playerFacts: PlaybackFacts
    package var joinedAt = Instant.distantPast
    /// Breaks are due from here even if the viewer cannot request them: it gets some seconds to join, but not after a failed
    /// request.
    package var dueSince = Instant.distantPast
    package var begins = false
    package var chance: ViewerChance
    /// A shell lends its buffer, so that a turn allocates nothing.
    package var actions: [ViewerAction] = []
    package private(set) var startedRequests = 0

    /// When the handled answer arrived; `now` for other events.
    package var receivedAt: Instant { now &- handling }

    package var persona: Persona { playerFacts.persona }

    /// Lateness is measured from `plannedAt`; `breakSerial` is 0 for none, and `index` distinguishes requests of one role.
    package mutating func fetch(
        _ role: ViewerRole,
        url: String,
        plannedAt: Instant,
        index: UInt8 = 0,
        breakSerial: UInt16 = 0
    ) {
        startedRequests += 1
        actions.append(.fetch(role, url: url, plannedAt: plannedAt, index: index, breakSerial: breakSerial))
    }

    /// The shell keeps the request of the live playlist.
    package mutating func poll(plannedAt: Instant) {
        startedRequests += 1
        actions.append(.poll(plannedAt: plannedAt))
    }

    /// Replaces the pending timer of its kind.
    package mutating func schedule(_ timer: ViewerTimer, at instant: Instant) {
        actions.append(.schedule(timer, at: instant))
    }

    package mutating func cancel(_ timer: ViewerTimer) { actions.append(.cancel(timer)) }

    package mutating func count(_ counter: ViewerCounter) { actions.append(.note(.counted(counter))) }

    package mutating func count(_ counter: ViewerCounter, by amount: UInt64) {
        actions.append(.note(.added(counter, by: amount)))
    }

    package mutating func note(_ note: ViewerNote, of planned: PlannedBreak? = nil) {
        actions.append(.note(note, of: planned))
    }

    mutating func found(_ code: FindingCode, of planned: PlannedBreak? = nil, expected: String, observed: String) {
        note(.finding(code, expected: expected, observed: observed), of: planned)
    }

    package mutating func act(_ action: ViewerAction) { actions.append(action) }

    /// `indices`: all variants if nil.
    package func choice(of multivariant: MultivariantPlaylist, among indices: [Int]? = nil) -> Int? {
        plan.variant(of: multivariant, among: indices ?? Array(multivariant.variants.indices), viewer: number)
    }
}

/// At most one of each kind is pending.
package enum ViewerTimer: UInt8, CaseIterable, Sendable {
    case reload
    case metadata
    case registrationRetry
    case renewal
    /// The first of four that the screen schedules; for the next pod request: building of its URL, or opening of its
    /// connection.
    case breakPreparation
    /// A request of a break, or the end of its wait.
    case breakFetch
    case breakStart
    case adProgress
    case pictureInPicture
    case leave
    case reloadAudio
    case reloadSubtitles
    case buffering
    case steering
    /// A failed segment request is due again.
    case retry
    /// Check for nothing shown for as long as a user tolerates.
    case abandonment
    case sessionUpdate
}

/// Large payloads are indirect: an event of a poll is passed in registers and copied with its reference.
package enum ViewerEvent: Sendable {
    case join
    case timer(ViewerTimer)
    indirect case registered(StreamSession)
    case sessionEnded
    /// Without a usable answer; the status is nil without any answer.
    case registrationFailed(status: Int?, retryAfter: Int32? = nil)
    case multivariant(SharedMultivariant)
    /// `age`: seconds that the answer says it spent in caches.
    case playlist(SharedPlaylist, plannedAt: Instant, index: UInt8 = 0, age: UInt8 = 0)
    case playlistFailed(plannedAt: Instant, reason: LoadFailure = .other, index: UInt8 = 0)
    /// A delta update that does not fit the version in hand.
    case deltaUnusable(plannedAt: Instant, index: UInt8)
    /// Answer to a segment or part of the channel, or to a playlist of a variant that was left; a nil failure is success.
    case mediaFinished(index: UInt8, failure: LoadFailure?, mediaIDs: SegmentMediaIDs? = nil)
    case steered(SharedSteering)
    case steeringFailed(SteeringFailure)
    indirect case breakAnswered(BreakAnswer)
    /// The answer for a segment or part of the channel is whole, and still comes over the viewer's line.
    case mediaOnLine(index: UInt8)
    case breakCalled(PlannedBreak)
    case metadata(SessionMetadata?)
    /// From the tracking URL of a session.
    case avails([AvailTracking], nextToken: String?)
    case pingAnswered
    case requestFinished(ViewerRole, index: UInt8, succeeded: Bool)
    /// Leave as soon as the open requests are answered.
    case leave
}

package enum ViewerAction: Sendable {
    /// `index`: rendition, asset or download; `breakSerial` is 0 for none.
    case fetch(ViewerRole, url: String, plannedAt: Instant, index: UInt8 = 0, breakSerial: UInt16 = 0)
    /// Load the playlist of the video's loop repeatedly, until its generation changes.
    case poll(plannedAt: Instant)
    case schedule(ViewerTimer, at: Instant)
    case cancel(ViewerTimer)
    case breakScheduled(PlannedBreak)
    /// Prepares the request, so that nothing is built at its instant.
    case preparePod(url: String)
    /// Opens a connection before the prepared pod request is sent.
    case warm
    case note(ViewerNote, of: PlannedBreak? = nil)
    /// A sentence without a full stop; a defect invalidates the run.
    case defect(String)
    /// The user closes the application and reopens it at this instant; the distant future is never.
    case abandon(reopensAt: Instant)
    /// Connections can be closed.
    case gone
}

package enum ViewerNote: Sendable, Equatable {
    case counted(ViewerCounter)
    case added(ViewerCounter, by: UInt64)
    case breakDue
    /// Nanoseconds from the break's start at the viewer's playhead to the pod in hand; negative is early.
    case breakOnTime(afterStart: Int64, inHandAt: Instant)
    /// `isOfLine`: only the viewer's own line kept it from being in time.
    case breakLate(by: Int64, inHandAt: Instant, isOfLine: Bool = false)
    case breakFailed(BreakFailure)
    case breakSkipped(SkipReason)
    /// The viewer could not know of the breaks that its playhead would have met in this time.
    indirect case shutOut(BreakFailure, from: Instant, until: Instant)
    case adEvent(TrackingEvent)
    case podInHand(AdTimeline)
    /// Nanoseconds; only ads that could be played to their end count as filled.
    case breakFilled(asked: Int64, filled: Int64)
    /// Listed for the first time since the viewer watches.
    case breakDiscovered(at: Instant)
    /// Hash over the ad segments of a stitched break; `segments` are names in the last version, without secrets.
    indirect case stitchedObserved(UInt64, segments: [String])
    indirect case finding(FindingCode, expected: String, observed: String)
    indirect case deltaMismatched(DeltaMismatch, url: String, at: Instant)
}

package struct BreakAnswer: Sendable {
    package enum Content: Sendable {
        case list(AssetList)
        case multivariant(SharedMultivariant)
        case media(LoadedPod)
        /// Nil if media ids of ads are not read.
        case segment(SegmentMediaIDs?)
        /// The answer is whole, and still comes over the viewer's line.
        case onLine
        case failed(BreakLoadFailure)
        case unread
    }

    package let role: ViewerRole
    package let serial: UInt16
    /// Index of the asset; for an asset list the number of the attempt.
    package let index: UInt8
    package let content: Content

    var isOnLine: Bool { if case .onLine = content { true } else { false } }

    package init(_ role: ViewerRole, serial: UInt16, index: UInt8 = 0, _ content: Content) {
        (self.role, self.serial, self.index, self.content) = (role, serial, index, content)
    }
}

/// Equal seeds and numbers give equal choices in every run; one word, since each of thousands of viewers has one.
package typealias ViewerChance = SplitMix64

extension ViewerChance {
    package init(seed: UInt64, viewer: Int) {
        self.init(seed: seed &+ (UInt64(truncatingIfNeeded: viewer) &+ 1) &* 0xD1B5_4A32_D192_ED03)
        _ = next()
    }

    /// True for this share of the draws.
    package mutating func happens(_ share: Double) -> Bool { unit() < share }

    /// Time to the next event of a memoryless process.
    package mutating func nanoseconds(untilNextOfMean mean: Int64) -> Int64 {
        guard mean > 0 else { return 0 }
        let stretched = -log(1 - unit()) * Double(mean)
        return Int64(min(stretched, 1e18))
    }
}

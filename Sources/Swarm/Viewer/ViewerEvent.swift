package import AdServing
package import HLS
package import Measurement

/// What a viewer can be woken for; one deadline of each kind is pending at a time.
package enum ViewerTimer: UInt8, CaseIterable, Sendable {
    case reload
    case metadata
    case registrationRetry
    case renewal
    case breakFetch
    case breakStart
    case adProgress
    case pictureInPicture
    case leave
}

/// Why a viewer made a request.
package enum ViewerRole: UInt8, CaseIterable, Sendable {
    case registration
    case multivariant
    case playlist
    case segment
    case podManifest
    case podRepeat
    case podPlaylist
    case podSegment
    case metadata
    case verification

    /// The kind under which the request is measured.
    package var kind: RequestKind {
        switch self {
        case .registration: .registration
        case .multivariant: .multivariant
        case .playlist: .playlist
        case .segment: .segment
        case .podManifest, .podRepeat: .podManifest
        case .podPlaylist: .podPlaylist
        case .podSegment: .podSegment
        case .metadata: .metadata
        case .verification: .verification
        }
    }

    /// False for answers whose bodies are counted and not read.
    package var keepsBody: Bool {
        switch self {
        case .segment, .podSegment, .verification: false
        case .registration, .multivariant, .playlist, .podManifest, .podRepeat, .podPlaylist, .metadata: true
        }
    }

    /// True for the requests that bring a break's pod.
    package var belongsToBreak: Bool {
        switch self {
        case .podManifest, .podRepeat, .podPlaylist, .podSegment: true
        case .registration, .multivariant, .playlist, .segment, .metadata, .verification: false
        }
    }
}

/// What the shell tells a viewer machine; answers come already understood, as values.
package enum ViewerEvent: Sendable {
    case join
    case timer(ViewerTimer)
    case registered(StreamSession)
    /// No usable answer; the status is nil where none came.
    case registrationFailed(status: Int?)
    case multivariant(MultivariantPlaylist, url: String)
    case playlist(SharedPlaylist, plannedAt: Int64)
    case playlistFailed(plannedAt: Int64)
    case segmentFinished
    case podManifest(Playlist, url: String)
    case podPlaylist(MediaPlaylist, url: String)
    case podFailed(BreakFailure)
    case podRepeatFinished
    /// The answer to a request of a break that is over.
    case podSuperseded
    case podSegmentFinished(succeeded: Bool)
    case metadata(SessionMetadata?)
    case pingAnswered
    /// The viewer is to leave as soon as its requests in flight are answered.
    case leave
}

/// What a viewer machine wants done.
package enum ViewerAction: Sendable {
    case fetch(ViewerRole, url: String, plannedAt: Int64)
    case schedule(ViewerTimer, at: Int64)
    case cancel(ViewerTimer)
    /// The break that the following break notes are about; the pod's URL is known, so its request can be prepared.
    case breakScheduled(ScheduledBreak, PodIdentifier, podURL: String?)
    case note(ViewerNote)
    /// Nothing is in flight and nothing will be asked again: connections can go.
    case gone
}

/// What happened to a viewer, for the measurement.
package enum ViewerNote: Sendable, Equatable {
    case counted(ViewerCounter)
    case breakDue
    /// Nanoseconds from the break's instant at the viewer's playhead to the pod in hand; negative is early.
    case breakOnTime(afterStart: Int64)
    case breakLate(by: Int64)
    case breakFailed(BreakFailure)
    case breakSkipped(SkipReason)
    case adEvent(TrackingEvent)
    case podInHand(AdTimeline)
    case finding(FindingCode, expected: String, observed: String)
}

/// One version of a live playlist, parsed once for all viewers of a loop.
///
/// The reference is confined to its loop in practice; it is immutable, so that sharing it is safe anyway.
package final class SharedPlaylist: Sendable {
    /// Rises with each new version of any playlist on this loop.
    package let version: Int
    package let playlist: MediaPlaylist
    /// Breaks that the playlist announces, by start.
    package let announced: [ScheduledBreak]
    /// URL that the playlist's references resolve against.
    package let url: String
    /// Whether the playlist can change at all.
    package let isReloaded: Bool
    /// What the reload rule says of this version, in nanoseconds: worked out once for all viewers that meet it.
    private let delayAfterRepeat: Int64
    private let delayAfterLastSegment: Int64
    private let delayAfterTarget: Int64

    package init(version: Int, playlist: MediaPlaylist, announced: [ScheduledBreak], url: String) {
        self.version = version
        self.playlist = playlist
        self.announced = announced
        self.url = url
        self.isReloaded = ReloadRule.isReloaded(playlist)
        self.delayAfterRepeat = ReloadRule().delay(after: playlist, changed: false).nanosecondsHeld
        self.delayAfterLastSegment =
            ReloadRule(basis: .lastSegmentDuration).delay(after: playlist, changed: true).nanosecondsHeld
        self.delayAfterTarget = ReloadRule(basis: .targetDuration).delay(after: playlist, changed: true).nanosecondsHeld
    }

    /// How long after the beginning of a load that answered with this version the next load is due, in nanoseconds.
    package func reloadDelay(_ rule: ReloadRule, isNews: Bool) -> Int64 {
        guard isNews else { return self.delayAfterRepeat }
        switch rule.basis {
        case .lastSegmentDuration: return self.delayAfterLastSegment
        case .targetDuration: return self.delayAfterTarget
        }
    }

    /// Whether it brings something that the one before it did not; the first one does.
    package func isNews(after previous: SharedPlaylist?) -> Bool {
        guard let previous else { return true }
        return previous.version != self.version && self.playlist.isUpdate(of: previous.playlist)
    }
}

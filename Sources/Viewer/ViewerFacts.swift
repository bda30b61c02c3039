package import AdServing
package import Audience
import LoadProfile
package import Players
package import Time

/// What a viewer is and has when one of its answers is examined: all that an audit may know of it.
///
/// A value: it says what held when it was made, before the viewer was told of the answer. Making one copies references and
/// no contents. Renditions that are not played, and breaks that are over, are answered with nothing, never with a trap.
package struct ViewerFacts: Sendable {
    /// Unique in the run.
    package let number: Int
    /// The player that it watches with, as an index into the plan's list.
    package let personaIndex: UInt8
    private let phase: ViewerMachine.Phase
    private let plan: ViewerPlan
    private let session: SessionPart
    private let playback: PlaybackPart
    private let breaks: BreaksPart

    init(
        number: Int,
        personaIndex: UInt8,
        phase: ViewerMachine.Phase,
        plan: ViewerPlan,
        session: SessionPart,
        playback: PlaybackPart,
        breaks: BreaksPart
    ) {
        self.number = number
        self.personaIndex = personaIndex
        self.phase = phase
        self.plan = plan
        self.session = session
        self.playback = playback
        self.breaks = breaks
    }

    // MARK: The viewer

    /// How its player behaves.
    package var persona: Persona { plan.personas[Int(personaIndex)].persona }

    /// Whether it is still there to be told anything.
    package var isPresent: Bool { phase != .leaving && phase != .gone }

    /// Whether it has played anything.
    package var hasWatched: Bool { playback.latency != nil }

    // MARK: Session

    /// The stream id that the ad server gave it; nil before.
    package var streamID: StreamID? { session.streamID }

    /// What `_HLS_primary_id` tells of it: the same for all its requests.
    package var primaryID: String { plan.primaryID(of: number) }

    /// Where its session's metadata is polled; empty where it is not.
    package var metadataURL: String { session.metadataURL ?? "" }

    /// True while the answer to a metadata poll would be read, not only counted.
    package var wantsMetadata: Bool { plan.playback.sendsVerificationPings && breaks.wantsMetadata }

    /// Whether an exchange was the session's from its beginning, and the session held to its end by its own words, with
    /// room for clocks that differ; false where it says nothing of when it ends.
    package func sessionHeld(from plannedAt: Instant, to doneAt: Instant) -> Bool {
        session.held(from: plannedAt, to: doneAt, plan.timebase)
    }

    /// Whether a ping went to the session that the viewer has now: one that was renewed since may have run out.
    package func isPingOfSession(_ url: String) -> Bool { session.isPing(url) }

    /// Whether the id that it pinged last is one that metadata lists, which may be the beginning of the right one.
    package var pingedListedID: Bool { breaks.pingedListedID }

    // MARK: Channel

    /// What the channel offers; nil where the viewer will not come back to it.
    package var multivariant: SharedMultivariant? { playback.choice?.multivariant }

    /// Index in ``multivariant`` of the variant that it plays; nil where there is none.
    package var variant: Int? { playback.choice?.variant }

    /// Whether it asks how long an answer has been in caches.
    package var wantsAge: Bool { plan.playbackFacts[Int(personaIndex)].lowLatency.blocking != .never }

    /// The index that a request of a rendition's loop carries now.
    package func requestIndex(of rendition: PlayedRendition) -> UInt8 { playback.requestIndex(of: rendition) }

    /// The rendition whose request carries this index; nil where another playlist has taken its place since.
    package func rendition(ofRequest index: UInt8) -> PlayedRendition? { playback.rendition(ofRequest: index) }

    /// Where a rendition is loaded from; empty where it is not played.
    package func url(of rendition: PlayedRendition) -> String { playback.loop(of: rendition).url }

    /// Which playlist a rendition's loop is at; another value means another URL.
    package func generation(of rendition: PlayedRendition) -> UInt8 { playback.generation(of: rendition) }

    /// The version of a rendition's playlist that is in hand, also of one that was left since.
    package func latest(of rendition: PlayedRendition) -> SharedPlaylist? { playback.loop(of: rendition).latest }

    /// The version that an answer to a rendition's request follows; nil where it will be the first of its playlist.
    package func version(before rendition: PlayedRendition) -> SharedPlaylist? {
        playback.loop(of: rendition).versionBefore
    }

    /// When a rendition's playlist last brought anything new.
    package func changedAt(of rendition: PlayedRendition) -> Instant { playback.loop(of: rendition).changedAt }

    /// Whether the viewer asked for no more than the next segment or part of a rendition, and this version has it.
    package func askedForNoMore(than shared: SharedPlaylist, of rendition: PlayedRendition) -> Bool {
        playback.loop(of: rendition).askedForNoMore(than: shared)
    }

    /// Whether a rendition loads a segment, or its initialisation section, that is still listed at a moment.
    package func awaitsListedSegment(of rendition: PlayedRendition, at now: Instant) -> Bool {
        playback.awaitsListedSegment(of: rendition, at: now)
    }

    // MARK: Breaks

    /// The break that a request belongs to, by the serial that it carries; nil where it is over.
    package func subject(ofSerial serial: UInt16) -> BreakSubject? { breaks.subject(ofSerial: serial) }

    /// The asset that a request of a break is for; nil where that is over, or has no such asset.
    package func asset(ofSerial serial: UInt16, index: UInt8) -> AssetSubject? {
        breaks.asset(ofSerial: serial, index: index)
    }
}

/// What the answer to a poll of a live playlist follows.
package struct PollFacts: Sendable {
    /// The version in hand.
    package let latest: SharedPlaylist
    /// When anything new was last loaded.
    package let changedAt: Instant
    /// Whether the viewer asks how long an answer has been in caches.
    package let wantsAge: Bool
}

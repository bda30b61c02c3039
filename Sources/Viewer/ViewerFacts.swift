package import AdServing
package import Profile
package import Values

/// State of a viewer when one of its answers is examined: everything that an audit may know of it.
///
/// A snapshot from before the viewer handles the answer. Making one copies references and no contents. Renditions that are not
/// played and breaks that are over yield nil or empty values, never a trap.
package struct ViewerFacts: Sendable {
    package let number: Int
    /// Index into the plan's list of personas.
    package let personaIndex: UInt8
    let phase: ViewerMachine.Phase
    let plan: ViewerPlan
    let session: SessionPart
    let playback: PlaybackPart
    let breaks: BreaksPart

    // MARK: The viewer

    package var persona: Persona { plan.personas[Int(personaIndex)].persona }

    package var isPresent: Bool { phase != .leaving && phase != .gone }

    package var hasWatched: Bool { playback.latency != nil }

    // MARK: Session

    /// Nil before registration.
    package var streamID: StreamID? { session.streamID }

    /// `_HLS_primary_id`, equal for all its requests.
    package var primaryID: String { plan.primaryID(of: number) }

    /// Empty without polling.
    package var metadataURL: String { session.metadataURL ?? "" }

    /// Whether the answer to a metadata poll would be read, not only counted.
    package var wantsMetadata: Bool { plan.playback.sendsVerificationPings && breaks.wantsMetadata }

    /// Whether an exchange lay within the validity that the session stated, with tolerance for clock skew; false if it stated
    /// none.
    package func sessionHeld(from plannedAt: Instant, to doneAt: Instant) -> Bool {
        session.held(from: plannedAt, to: doneAt, plan.timebase)
    }

    /// Whether a ping went to the viewer's current session; the one before a renewal may have expired.
    package func isPingOfSession(_ url: String) -> Bool { session.isPing(url) }

    /// Whether the last pinged id is listed in metadata, so that it may be a prefix of the right one.
    package var pingedListedID: Bool { breaks.pingedListedID }

    // MARK: Channel

    /// The channel's offer; nil if the viewer will not change its variant.
    package var multivariant: SharedMultivariant? { playback.choice?.multivariant }

    /// Index in ``multivariant`` of the played variant.
    package var variant: Int? { playback.choice?.variant }

    package var wantsAge: Bool { plan.playbackFacts[Int(personaIndex)].lowLatency.blocking != .never }

    package func requestIndex(of rendition: PlayedRendition) -> UInt8 { playback.requestIndex(of: rendition) }

    /// Rendition whose request carries this index; nil if another playlist has replaced it since.
    package func rendition(ofRequest index: UInt8) -> PlayedRendition? { playback.rendition(ofRequest: index) }

    /// Empty if the rendition is not played.
    package func url(of rendition: PlayedRendition) -> String { playback[rendition].url }

    /// Playlist generation of a rendition's loop; another value means another URL.
    package func generation(of rendition: PlayedRendition) -> UInt8 { playback.generation(of: rendition) }

    /// Version of a rendition's playlist in hand, even of a playlist that was left since.
    package func latest(of rendition: PlayedRendition) -> SharedPlaylist? { playback[rendition].latest }

    /// Version that the answer to a rendition's request follows; nil if it will be the first of its playlist.
    package func version(before rendition: PlayedRendition) -> SharedPlaylist? {
        playback[rendition].versionBefore
    }

    package func changedAt(of rendition: PlayedRendition) -> Instant { playback[rendition].changedAt }

    /// Whether the viewer requested no more than the next segment or part of a rendition, and this version has it.
    package func askedForNoMore(than shared: SharedPlaylist, of rendition: PlayedRendition) -> Bool {
        playback[rendition].askedForNoMore(than: shared)
    }

    /// Whether a rendition loads a segment, or its initialisation section, that is still listed at a moment.
    package func awaitsListedSegment(of rendition: PlayedRendition, at now: Instant) -> Bool {
        playback.awaitsListedSegment(of: rendition, at: now)
    }

    // MARK: Breaks

    /// Break that a request belongs to, by its serial; nil once it is over.
    package func subject(ofSerial serial: UInt16) -> BreakSubject? { breaks.subject(ofSerial: serial) }

    /// Asset that a request of a break is for; nil once the break is over, or if it has no such asset.
    package func asset(ofSerial serial: UInt16, index: UInt8) -> AssetSubject? {
        breaks.asset(ofSerial: serial, index: index)
    }
}

package struct PollFacts: Sendable {
    package let latest: SharedPlaylist
    package let changedAt: Instant
    package let wantsAge: Bool
}

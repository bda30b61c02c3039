package import AdServing
import Profile
package import Values

/// Facts for an audit, from a copy of the viewer made before it handles an answer.
///
/// A copy costs references and no contents. Unplayed renditions and finished breaks yield nil or empty values.
extension ViewerMachine {
    package var isPresent: Bool { phase != .leaving && phase != .gone }

    package var streamID: StreamID? { session.streamID }

    /// `_HLS_primary_id`.
    package var primaryID: String { plan.primaryID(of: number) }

    /// Empty without polling.
    package var metadataURL: String { session.metadataURL ?? "" }

    /// Whether the answer to a metadata poll would be read, not only counted.
    package var wantsMetadata: Bool { plan.playback.sendsVerificationPings && screen.wantsMetadata }

    /// False if the session stated no validity.
    package func sessionHeld(from plannedAt: Instant, to doneAt: Instant) -> Bool {
        session.held(from: plannedAt, to: doneAt, plan.timebase)
    }

    /// Whether a ping went to the current session, not to the one before a renewal.
    package func isPingOfSession(_ url: String) -> Bool { session.isPing(url) }

    /// Whether metadata lists the last pinged id, which may then be a prefix.
    package var pingedListedID: Bool { screen.pingedListedID }

    /// Nil if the viewer will not change its variant.
    package var multivariant: SharedMultivariant? { screen.playback.choice?.multivariant }

    /// Index in ``multivariant``.
    package var variant: Int? { screen.playback.choice?.variant }

    package var wantsAge: Bool { plan.playbackFacts[Int(personaIndex)].lowLatency.blocking != .never }

    /// Nil if another playlist has replaced the requested one.
    package func rendition(ofRequest index: UInt8) -> PlayedRendition? { screen.playback.rendition(ofRequest: index) }

    /// Empty if the rendition is not played.
    package func url(of rendition: PlayedRendition) -> String { screen.playback[rendition].url }

    /// Version in hand, even of a playlist that was left since.
    package func latest(of rendition: PlayedRendition) -> SharedPlaylist? { screen.playback[rendition].latest }

    /// Version that the answer to a rendition's request follows; nil for the first of its playlist.
    package func version(before rendition: PlayedRendition) -> SharedPlaylist? {
        screen.playback[rendition].versionBefore
    }

    package func changedAt(of rendition: PlayedRendition) -> Instant { screen.playback[rendition].changedAt }

    /// Whether the viewer requested at most the next segment or part, and this version has it.
    package func askedForNoMore(than shared: SharedPlaylist, of rendition: PlayedRendition) -> Bool {
        screen.playback[rendition].askedForNoMore(than: shared)
    }

    /// Whether a rendition loads a segment, or its initialisation section, that is still listed.
    package func awaitsListedSegment(of rendition: PlayedRendition, at now: Instant) -> Bool {
        screen.playback.awaitsListedSegment(of: rendition, at: now)
    }

    /// Nil once the break is over.
    package func subject(ofSerial serial: UInt16) -> BreakSubject? { screen.subject(ofSerial: serial) }

    /// Nil once the break is over, or if it has no such asset.
    package func asset(ofSerial serial: UInt16, index: UInt8) -> AssetSubject? {
        screen.asset(ofSerial: serial, index: index)
    }
}

package struct PollFacts: Sendable {
    package let latest: SharedPlaylist
    package let changedAt: Instant
    package let wantsAge: Bool
}

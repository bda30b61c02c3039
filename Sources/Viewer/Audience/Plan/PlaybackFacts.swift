package import Profile

/// Playback facts of a persona without its texts, for quick access at each answer.
package final class PlaybackFacts: Sendable {
    package let reload: ReloadFacts
    package let lowLatency: LowLatencyFacts
    package let start: StartFacts
    package let multivariant: RequestRule
    package let playlist: RequestRule
    package let segment: RequestRule
    package let steering: RequestRule
    package let pathways: PathwayFacts
    package let outage: OutageFacts
    package let maximumDownloads: UInt8
    /// Whether the basis alone decides when a playlist is loaded again, and no directives are sent.
    package let isPlain: Bool
    private let playlistInParts: RequestRule
    private let segmentInParts: RequestRule

    package init(_ persona: Persona) {
        reload = persona.reload
        lowLatency = persona.lowLatency
        start = persona.start
        multivariant = persona.requests.multivariant
        playlist = persona.requests.playlist
        segment = persona.requests.segment
        steering = persona.requests.steering
        pathways = persona.pathways
        outage = persona.outage
        playlistInParts = persona.requests.playlist.waitingFirst(persona.lowLatency.retryWait)
        segmentInParts = persona.requests.segment.waitingFirst(persona.lowLatency.retryWait)
        maximumDownloads = UInt8(clamping: max(persona.maximumDownloads, 1))
        isPlain =
            persona.reload.clock == .loadStart && persona.reload.unchanged == .halfTarget
            && persona.reload.afterChange != .shorterNearEdge && !persona.reload.loadsRenditionsTogether
            && persona.reload.stuckAfterTargets == nil && persona.lowLatency.blocking == .never
            && persona.lowLatency.skip == .never
    }

    /// Rule for playlists; the first wait may differ while the version in hand has parts.
    package func playlist(hasParts: Bool) -> RequestRule { hasParts ? playlistInParts : playlist }

    package func segment(hasParts: Bool) -> RequestRule { hasParts ? segmentInParts : segment }
}

extension PlaybackPlan {
    package var loadsContent: Bool { segments.includesContent }

    package var loadsAdSegments: Bool { segments.includesAds }

    var readsTimedMetadata: Bool { loadsAdSegments && sendsVerificationPings && timedMetadataShare > 0 }
}

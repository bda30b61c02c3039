package import Players

/// What a persona says of playback, without its texts, for the machine to ask at each answer.
package final class PlaybackFacts: Sendable {
    package let reload: ReloadFacts
    package let lowLatency: LowLatencyFacts
    package let start: StartFacts
    package let multivariant: RequestRule
    package let playlist: RequestRule
    package let segment: RequestRule
    package let steering: RequestRule
    package let pathways: PathwayFacts
    package let maximumDownloads: UInt8
    /// True where the basis alone decides when a playlist is loaded again, and no directives are sent.
    package let isPlain: Bool

    package init(_ persona: Persona) {
        reload = persona.reload
        lowLatency = persona.lowLatency
        start = persona.start
        multivariant = persona.requests.multivariant
        playlist = persona.requests.playlist
        segment = persona.requests.segment
        steering = persona.requests.steering
        pathways = persona.pathways
        maximumDownloads = UInt8(clamping: max(persona.maximumDownloads, 1))
        isPlain =
            persona.reload.clock == .loadStart && persona.reload.unchanged == .halfTarget
            && persona.reload.afterChange != .shorterNearEdge && !persona.reload.loadsRenditionsTogether
            && persona.reload.stuckAfterTargets == nil && persona.lowLatency.blocking == .never
            && persona.lowLatency.skip == .never
    }
}

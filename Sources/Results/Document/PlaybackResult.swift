import Recording
import Rules

/// Playback figures over all viewers of the whole run.
package struct PlaybackResult: Equatable, Codable, Sendable {
    /// Use of delivery directives and hints (rfc8216bis sections 6.2.5 and 4.4.5.3).
    package struct LowLatency: Equatable, Codable, Sendable {
        package var blockingReloads: UInt64
        package var blockingFallbacks: UInt64
        package var deltaUpdates: UInt64
        /// Whole playlists requested because a delta update did not match the known playlist.
        package var deltaRefetches: UInt64
        /// Delta updates that resulted in another playlist than the whole one.
        package var deltaMismatches: UInt64
        package var hintsUsed: UInt64
        package var hintsGone: UInt64
    }

    package var stalls: UInt64
    package var stalledMilliseconds: UInt64
    package var variantSwitches: UInt64
    package var seeks: UInt64
    /// Distance of playheads from the wall clock; nil without data.
    package var liveLatency: LatencyResult?
    package var lowLatency: LowLatency?

    /// Nil without data; viewer counters of `totals` cover the whole run, warm-up included.
    package init?(_ totals: RunTotals) {
        stalls = totals.count(of: .stalls)
        stalledMilliseconds = totals.count(of: .stalledMilliseconds)
        variantSwitches = totals.count(of: .variantSwitches)
        seeks = totals.count(of: .seeks)
        liveLatency = LatencyResult(totals.liveLatency)
        lowLatency = LowLatency(totals)
        let counted = stalls | stalledMilliseconds | variantSwitches | seeks
        guard counted > 0 || liveLatency != nil || lowLatency != nil else { return nil }
    }
}

extension PlaybackResult.LowLatency {
    fileprivate init?(_ totals: RunTotals) {
        blockingReloads = totals.count(of: .blockingReloads)
        blockingFallbacks = totals.count(of: .blockingFallbacks)
        deltaUpdates = totals.count(of: .deltaUpdates)
        deltaRefetches = totals.count(of: .deltaRefetches)
        deltaMismatches = totals.findings.filter { $0.code == .deltaMismatch }.reduce(0) { $0 &+ $1.count }
        hintsUsed = totals.count(of: .hintsUsed)
        hintsGone = totals.count(of: .hintsGone)
        let all = blockingReloads | blockingFallbacks | deltaUpdates | deltaRefetches | hintsUsed | hintsGone
        guard all > 0 else { return nil }
    }
}

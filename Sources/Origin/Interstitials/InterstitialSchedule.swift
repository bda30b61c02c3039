import AdServing
import HLS

/// Selects the interstitials of a live playlist: a pure function of the window and the live edge.
struct InterstitialSchedule: Sendable {
    let scripts: [InterstitialScript]
    /// Time before its start from which an interstitial without `announce` is listed.
    let standardLead: Duration
    /// Path and query of X-ASSET-LIST, by ID.
    var list: @Sendable (String) -> String = InterstitialPaths.list

    private struct Entry {
        let script: InterstitialScript
        let occasion: InterstitialOccasion
        let scriptIndex: Int
    }

    /// Tags of a playlist whose first segment begins at `start` and whose last ends at `edge`.
    ///
    /// Ordered by start, then by script, so that interstitials of one start play in the same order from every playlist (bis-22
    /// appendix D).
    func dateRanges(from start: WallTime, edge: WallTime, base: String) -> [DateRange] {
        guard !scripts.isEmpty else { return [] }
        let entries = scripts.enumerated().flatMap { index, script in
            occasions(of: script, from: start, edge: edge).map {
                Entry(script: script, occasion: $0, scriptIndex: index)
            }
        }
        let ordered = entries.sorted { ($0.occasion.start, $0.scriptIndex) < ($1.occasion.start, $1.scriptIndex) }
        return ordered.flatMap { tags($0, from: start, edge: edge, base: base) }
    }

    private func lead(_ script: InterstitialScript) -> Duration { script.announce ?? standardLead }

    private func occasions(
        of script: InterstitialScript,
        from start: WallTime,
        edge: WallTime
    ) -> [InterstitialOccasion] {
        let ahead = lead(script) + (script.preload?.ahead ?? .zero)
        let oldest = start - script.length * script.together
        return script.occasions(in: oldest..<max(oldest, edge + ahead + .microseconds(1)))
    }

    private func tags(_ entry: Entry, from start: WallTime, edge: WallTime, base: String) -> [DateRange] {
        let script = entry.script
        let begin = entry.occasion.start
        guard script.schedule != nil else {
            return (0..<script.together).map { tag(entry, $0, base).interstitial(edge: edge) }
        }
        if let cancel = script.cancel, edge >= begin - cancel { return [] }
        let length = script.length * script.together
        let isListed = edge >= begin - lead(script) && begin + length > start
        return (0..<script.together).flatMap { place -> [DateRange] in
            let tag = tag(entry, place, base)
            var ranges = isListed ? [tag.interstitial(edge: edge)] : []
            // It must stay while a date in it belongs to a listed segment (bis-22 6.2.1).
            if let preload = script.preload, begin > start {
                ranges.insert(tag.preload(preload), at: preload.order == .before ? 0 : ranges.count)
            }
            return ranges
        }
    }

    private func tag(_ entry: Entry, _ place: Int, _ base: String) -> InterstitialTag {
        InterstitialTag(script: entry.script, occasion: entry.occasion, place: place, base: base, list: list)
    }
}

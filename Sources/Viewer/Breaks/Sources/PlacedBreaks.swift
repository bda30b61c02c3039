import Profile
import Values

extension BreakList {
    /// Places breaks ahead by the dates of a new version; an interstitial that comes to lie behind the playhead is lost.
    mutating func place(_ playback: PlaybackPart, turn: inout Turn) {
        guard let shift = playback.dateShift, let playhead = playback.playheadDate(turn) else { return }
        let player = turn.persona.interstitials.dates
        for index in indices where self[index].isAhead && !self[index].offer.isPreRoll && self[index].joinedAt == nil {
            let one = self[index]
            guard !one.offer.isByWallClock, let date = one.offer.start else { continue }
            let rule = one.offer.dates(player)
            // Media3 places an interstitial once for each ID (1.11.0 HlsInterstitialsAdsLoader.java:1645).
            if rule == .firstTag, let start = one.start, start <= shift.placedUntil { continue }
            self[index].start = playback.placed(date, by: rule)
            guard let start = self[index].start, start != one.start, one.offer.programme == .paused,
                start + InterstitialFeed.tolerance < playhead, let passedAt = playback.playheadInstant(of: start, turn)
            else { continue }
            self[index].conclude(PassedBreak(startAt: passedAt).outcome(playback, &turn), turn: &turn)
        }
        sort()
    }
}

extension BreakOffer {
    /// A stitched break lies at its segments, whatever the player.
    func dates(_ rule: InterstitialFacts.Dates) -> InterstitialFacts.Dates {
        programme == .carriesIt ? .coveringTag : rule
    }
}

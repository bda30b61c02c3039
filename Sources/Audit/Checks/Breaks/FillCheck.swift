import AdServing
import Audience
import HLS
import Time

/// Counts how much of a break came filled, and how much of that is slate: figures and no finding.
struct FillCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let media: MediaPlaylist
        switch content.content {
        case .pod(.media(let playlist)): media = playlist
        case .asset(.media(let pod)): media = pod.playlist
        case .nothing, .segment, .pod, .repeated, .list, .asset, .noPlaylist, .noList: return
        }
        let slate = examination.context.plan.slate
        var ads = 0
        var (adTime, slateTime): (Int64, Int64) = (0, 0)
        var isInAd = false
        for segment in media.segments {
            let isSlate = slate.isSlate(media.uri(of: segment))
            if !isSlate, !isInAd || segment.isDiscontinuity { ads += 1 }
            isInAd = !isSlate
            if isSlate {
                slateTime = slateTime.addingClamped(segment.durationMicroseconds)
            } else {
                adTime = adTime.addingClamped(segment.durationMicroseconds)
            }
        }
        examination.context.sink.breakFilled(
            content.subject.slot,
            cohort: examination.viewer.cohort,
            ads: ads,
            adMilliseconds: UInt64(clamping: adTime / 1_000),
            slateMilliseconds: UInt64(clamping: slateTime / 1_000)
        )
    }
}

import AdServing
import HLS
import Values
import Viewer

/// Counts how much of a break was filled, and how much of that is slate: figures, not findings.
struct FillCheck: BreakCheck {
    func examine(_ content: borrowing GivenContent, _ examination: borrowing Examination) {
        let media: MediaPlaylist
        switch content.content {
        case .pod(.media(let playlist)): media = playlist
        // Players refuse a live asset (bis-22 appendix D.1).
        case .asset(.media(let pod)) where pod.playlist.hasEndList: media = pod.playlist
        case .list(let list): return nameSlate(of: list, content.subject, examination)
        case .nothing, .segment, .pod, .repeated, .asset, .noPlaylist, .noList: return
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
        examination.came(
            content.subject.slot,
            ads: ads,
            adMilliseconds: UInt64(clamping: adTime / 1_000),
            slateMilliseconds: UInt64(clamping: slateTime / 1_000)
        )
    }

    /// Slate that the creative signalling of a list, or of its assets, identifies by ids.
    private func nameSlate(of list: AssetList, _ subject: AuditSubject, _ examination: borrowing Examination) {
        let pattern = examination.context.plan.slate
        let whole = pattern.slate(in: list.signaling, total: list.duration)
        let single = list.assets.map { pattern.slate(in: $0.signaling, total: $0.duration) }
        let sum = (ads: single.reduce(0) { $0 + $1.ads }, duration: single.reduce(.zero) { $0 + $1.duration })
        // Both may describe the same ads.
        let slate = sum.duration > whole.duration ? sum : whole
        examination.namedSlate(subject.slot, ads: slate.ads, duration: slate.duration)
    }
}

import AdServing
import HLS
import Rules
import Transport
import Values
import Viewer

/// Viewers that are not told in time of an early return, though another viewer was.
///
/// Confined to its loop, and bounded: the oldest early returns are forgotten.
final class EarlyReturnCheck: VersionCheck {
    private struct EarlyReturn {
        let key: String
        let slot: Int32
        /// The end that viewers are told of now.
        let end: WallTime
        /// When the first viewer knew.
        let firstAt: Instant
        var missed: Set<Int> = []
    }

    private static let keptReturns = 8

    private let breaks: KnownBreaks
    private var returns: [EarlyReturn] = []

    init(_ breaks: KnownBreaks) {
        self.breaks = breaks
    }

    func examine(_ version: borrowing GivenVersion, _ examination: borrowing Examination) {
        guard version.rendition == .video else { return }
        for index in returns.indices {
            missed(index, version.shared, examination)
        }
        guard version.isNew, let latest = version.latest, latest.audience.digest != version.shared.audience.digest
        else { return }
        noteReturns(version.shared, after: latest, examination)
    }

    /// Reports a viewer that was not told of an early return 1.5 target durations after the first one knew (bis-22 section
    /// 6.2.1 lets no update be later).
    private func missed(_ index: Int, _ shared: SharedPlaylist, _ examination: borrowing Examination) {
        let target = shared.targetNanoseconds
        let early = returns[index]
        let since = examination.answer.sentAt.nanoseconds(since: early.firstAt)
        guard
            since > target / 2 * 3,
            let notice = shared.audience.notices.first(where: { $0.scheduled.key == early.key }),
            notice.end > early.end + .nanoseconds(target) / 2,
            returns[index].missed.insert(examination.viewer.number).inserted
        else { return }
        let late = Duration.nanoseconds(since) / .seconds(1)
        examination.viewer.found(
            .earlyReturnMissed,
            url: shared.url,
            expected: "a break that is over at \(early.end.iso8601), as another viewer was told",
            observed: "over at \(notice.end.iso8601), \((late * 10).rounded() / 10) s after the other viewer knew",
            breakSlot: early.slot,
            at: examination.answer.doneAt
        )
    }

    private func noteReturns(
        _ shared: SharedPlaylist,
        after latest: SharedPlaylist,
        _ examination: borrowing Examination
    ) {
        let half = Duration.nanoseconds(shared.targetNanoseconds) / 2
        for notice in shared.audience.notices {
            let key = notice.scheduled.key
            guard
                let before = latest.audience.notices.first(where: { $0.scheduled.key == key }),
                notice.end <= before.end - half, let slot = breaks.slot(ofKey: key),
                !returns.contains(where: { $0.key == key })
            else { continue }
            let early = EarlyReturn(key: key, slot: slot, end: notice.end, firstAt: examination.answer.doneAt)
            returns.append(early, atMost: Self.keptReturns)
            examination.context.watchesRepeats = true
        }
    }
}

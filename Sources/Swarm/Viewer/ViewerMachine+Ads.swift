import AdServing
import HLS
import LoadProfile
import Measurement

/// How far a viewer's ads have come.
struct AdProgress: Sendable {
    /// When the first ad started, monotonic nanoseconds.
    var startedAt: Int64 = 0
    var ad = 0
    /// Index into `adQuartiles`.
    var step = 0
}

/// The tracking events of one ad in order, with the quarter of its duration at which each happens.
let adQuartiles: [(event: TrackingEvent, quarter: Int64)] = [
    (.started, 0), (.firstQuartile, 1), (.midpoint, 2), (.thirdQuartile, 3), (.complete, 4),
]

extension ViewerMachine {
    mutating func startAds(now: Int64, actions: inout [ViewerAction]) {
        self.adBreak.phase = .playing
        self.note(.eventsStarted, &actions)
        self.adBreak.course.adProgress = AdProgress(startedAt: now)
        actions.append(.note(.adEvent(.adBreakStarted)))
        actions.append(.note(.adEvent(.adPeriodStarted)))
        self.adsProgressed(now: now, actions: &actions)
    }

    /// Emits all tracking events that are due and sets the timer for the next.
    mutating func adsProgressed(now: Int64, actions: inout [ViewerAction]) {
        guard self.adBreak.phase == .playing, let content = self.adBreak.course.content else { return }
        let endAt = self.endOfAds(content)
        while let (event, at) = self.nextAdEvent(content), at <= now, at <= endAt {
            actions.append(.note(.adEvent(event)))
            self.track(event, ad: self.adBreak.course.adProgress.ad, now: now, actions: &actions)
            self.advance()
        }
        let next = self.nextAdEvent(content)?.at ?? endAt
        guard now >= endAt, next >= endAt else {
            actions.append(.schedule(.adProgress, at: max(min(next, endAt), now)))
            return
        }
        if self.nextAdEvent(content) != nil {
            self.note(.playoutLimited, &actions)
            self.settlePod(.eventsCutShort, &actions)
        } else {
            self.settlePod(.eventsFinished, &actions)
        }
        actions.append(.note(.adEvent(.adPeriodEnded)))
        actions.append(.note(.adEvent(.adBreakEnded)))
        self.finishBreak(now: now, actions: &actions)
        self.rejoin(now: now, actions: &actions)
    }

    private func endOfAds(_ content: AdTimeline) -> Int64 {
        let whole = content.durationMicroseconds.multipliedReportingOverflow(by: 1000)
        let duration = whole.overflow ? Int64.max / 4 : whole.partialValue
        return self.adBreak.course.adProgress.startedAt &+ min(duration, self.plan.playoutLimitNanoseconds ?? duration)
    }

    private func nextAdEvent(_ content: AdTimeline) -> (event: TrackingEvent, at: Int64)? {
        let progress = self.adBreak.course.adProgress
        guard progress.ad < content.ads.count, progress.step < adQuartiles.count else { return nil }
        let ad = content.ads[progress.ad]
        let step = adQuartiles[progress.step]
        let into = ad.offsetMicroseconds &+ ad.durationMicroseconds / 4 &* step.quarter
        return (step.event, progress.startedAt &+ (step.quarter == 4 ? ad.endMicroseconds : into) &* 1000)
    }

    private mutating func advance() {
        self.adBreak.course.adProgress.step += 1
        guard self.adBreak.course.adProgress.step == adQuartiles.count else { return }
        self.adBreak.course.adProgress.step = 0
        self.adBreak.course.adProgress.ad += 1
    }

    /// Loads the pod's parts one after another; the first segment in hand makes the pod playable.
    mutating func loadNextPodItem(now: Int64, actions: inout [ViewerAction]) {
        guard var loading = self.adBreak.course.loading else { return }
        while let item = loading.pod.playlist.part(at: loading.nextItem) {
            guard !item.isEmpty, let url = URLReference.resolve(item, against: loading.pod.url) else {
                loading.nextItem += 1
                continue
            }
            self.adBreak.course.loading = loading
            self.fetch(.podSegment, url: url, plannedAt: now, actions: &actions)
            return
        }
        self.adBreak.course.loading = nil
        // Nothing of the pod can be loaded, and no answer is to come that would end the break.
        self.podFailed(.segmentFailed, now: now, actions: &actions)
    }

    mutating func podSegmentFinished(succeeded: Bool, now: Int64, actions: inout [ViewerAction]) {
        guard let loading = self.adBreak.course.loading else { return }
        let wasSegment = loading.pod.playlist.isSegment(partAt: loading.nextItem)
        self.adBreak.course.loading?.nextItem += 1
        if self.adBreak.phase == .asking || self.adBreak.phase == .waiting {
            guard succeeded else {
                self.podFailed(.segmentFailed, now: now, actions: &actions)
                return
            }
            if wasSegment {
                self.podInHand(now: now, actions: &actions)
            }
        }
        self.loadNextPodItem(now: now, actions: &actions)
    }
}

extension MediaPlaylist {
    /// The reference at this place of the list of initialisation sections and segments, as a player loads them.
    ///
    /// Two places belong to each segment: its map, where it differs from the one before, and itself; empty where there is
    /// nothing to load, as in a gap.
    func part(at place: Int) -> String? {
        let index = place / 2
        guard self.segments.indices.contains(index) else { return nil }
        let segment = self.segments[index]
        guard !segment.isGap else { return "" }
        guard place % 2 == 0 else { return self.uri(of: segment) }
        guard let map = segment.mapURI, index == 0 || self.segments[index - 1].mapURI != map else { return "" }
        return self.string(in: map)
    }

    func isSegment(partAt place: Int) -> Bool { place % 2 == 1 }
}

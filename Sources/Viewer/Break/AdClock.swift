package import AdServing
package import Rules
package import Values

/// Plays the assets of one break over time; all offsets are nanoseconds of content.
package struct AdClock: Sendable {
    /// Event of an ad or beacon that became due.
    package enum Mark: Sendable {
        /// `ad` counts the ads of the asset from 0.
        case ad(TrackingEvent, ad: Int)
        case beacon(url: String)
    }

    package struct End: Sendable {
        package let outcome: BreakOutcome
        package let at: Instant
        /// Content played, from the break's start.
        package let position: Int64
    }

    package let arrival: Arrival
    private var asset: Int
    /// Start of the current asset; earlier than playback if the viewer entered in the middle.
    private var startedAt: Instant
    /// Stands still because the next asset is not in hand.
    private var isStarved = false
    private(set) var before: Int64 = 0
    private var ad = 0
    private var step = 0
    private var beacon = 0
    private var assetBeacon = 0
    /// Content of the first asset that was over when the viewer entered.
    private var entered: Int64 = 0
    /// From the break's start; nil for never.
    var skipsAt: Int64?
    /// Multiple of the usual rate from there on; nil for a viewer that leaves the rest.
    var rate: Int64?

    /// `quarter`: part of the ad's length at which the event is due.
    private static let steps: [(event: TrackingEvent, quarter: Int64)] = [
        (.started, 0), (.firstQuartile, 1), (.midpoint, 2), (.thirdQuartile, 3), (.complete, 4),
    ]

    /// A viewer that joined inside the break begins there; a list requested with an offset begins at its start.
    package init(_ queue: AssetQueue, arrival: Arrival, joinedAt: Duration?, now: Instant) {
        self.arrival = arrival
        asset = queue.firstUsable ?? 0
        startedAt = now
        guard let joinedAt = joinedAt?.nanosecondsHeld else { return }
        before = queue.isTrimmed ? joinedAt : queue.nanoseconds(before: asset)
        if !queue.isTrimmed { entered = max(joinedAt &- before, 0) }
        startedAt = now.earlier(by: entered)
        // Earlier marks are left out.
        if queue.assets.indices.contains(asset) { emit(queue, length: .max, until: now.earlier(by: 1)) { _ in } }
    }

    /// Passes due marks to `say`; returns the end, or nil while the break continues.
    package mutating func advance(_ queue: AssetQueue, limit: Int64?, now: Instant, say: (Mark) -> Void) -> End? {
        while true {
            guard asset < queue.assets.count else {
                // Listed durations can exceed the played ones, so beacons due at the end are due now.
                for beacon in queue.beacons.dropFirst(beacon) { say(.beacon(url: beacon.url)) }
                return End(outcome: .finished, at: startedAt, position: before)
            }
            let current = queue.assets[asset]
            guard current.isUsable else {
                leaveFailed(now: now)
                continue
            }
            guard let timeline = current.playable else {
                isStarved = true
                return nil
            }
            if isStarved { (isStarved, startedAt) = (false, now) }
            let stop = stop(queue, length: timeline.nanoseconds, limit: limit)
            emit(queue, length: timeline.nanoseconds, until: min(now, stop.at), say: say)
            guard stop.at <= now else { return nil }
            if let outcome = stop.outcome {
                return End(outcome: outcome, at: stop.at, position: position(now: stop.at))
            }
            before = before.addingClamped(timeline.nanoseconds)
            startedAt = stop.at
            asset += 1
            rewind()
        }
    }

    /// If the asset failed while playing, the next one begins here, at its own start.
    private mutating func leaveFailed(now: Instant) {
        if ad > 0 || step > 0 {
            before = position(now: now)
            startedAt = now
            rewind()
        }
        asset += 1
    }

    private mutating func rewind() { (ad, step, assetBeacon) = (0, 0, 0) }

    private func stop(_ queue: AssetQueue, length: Int64, limit: Int64?) -> (at: Instant, outcome: BreakOutcome?) {
        let endAt = instant(at: before.addingClamped(length))
        var stop: (at: Instant, outcome: BreakOutcome?) = (endAt, nil)
        if let limit {
            let at = instant(at: limit)
            if at < endAt || (at == endAt && queue.hasUsable(after: asset)) { stop = (at, .cutShort) }
        }
        if let skipsAt, rate == nil {
            let at = instant(at: skipsAt)
            if at < stop.at { stop = (at, .skipped) }
        }
        return stop
    }

    private mutating func emit(_ queue: AssetQueue, length: Int64, until: Instant, say: (Mark) -> Void) {
        while let at = stepAt(queue), at <= until {
            say(.ad(Self.steps[step].event, ad: ad))
            advanceStep()
        }
        while let at = assetBeaconAt(queue, length: length), at <= until {
            say(.beacon(url: queue.assets[asset].beacons[assetBeacon].url))
            assetBeacon += 1
        }
        while let at = beaconAt(queue), at <= until {
            say(.beacon(url: queue.beacons[beacon].url))
            beacon += 1
        }
    }

    private func stepAt(_ queue: AssetQueue) -> Instant? {
        let current = queue.assets[asset]
        guard let timeline = current.timeline, ad < current.ads(of: timeline) else { return nil }
        let place = current.ad(ad, of: timeline)
        let quarter = Self.steps[step].quarter
        let into = quarter == 4 ? place.length : place.length / 4 &* quarter
        return instant(at: before.addingClamped(place.offset).addingClamped(into))
    }

    /// An asset that is shorter than listed still sends all of its beacons.
    private func assetBeaconAt(_ queue: AssetQueue, length: Int64) -> Instant? {
        let current = queue.assets[asset]
        guard current.timeline != nil, assetBeacon < current.beacons.count else { return nil }
        return instant(at: before.addingClamped(min(current.beacons[assetBeacon].offset, length)))
    }

    private func beaconAt(_ queue: AssetQueue) -> Instant? {
        beacon < queue.beacons.count ? instant(at: queue.beacons[beacon].offset) : nil
    }

    private mutating func advanceStep() {
        step += 1
        guard step == Self.steps.count else { return }
        step = 0
        ad += 1
    }

    /// Content played by now, from the break's start.
    package func position(now: Instant) -> Int64 {
        let (passed, slow) = (max(now &- startedAt, 0), beforeRate)
        guard let rate, passed > slow else { return before.addingClamped(passed) }
        return before.addingClamped(slow).addingClamped((passed &- slow).multipliedClamped(by: rate))
    }

    /// Only content of assets that can be played to their end.
    package func filled(_ queue: AssetQueue, now: Instant) -> Int64 {
        var sum = Int64(0)
        for (index, one) in queue.assets.prefix(asset + 1).enumerated() where one.isUsable {
            guard let length = one.timeline?.nanoseconds else { continue }
            if index < asset {
                sum = sum.addingClamped(length)
            } else if !isStarved {
                sum = sum.addingClamped(min(position(now: now) &- before, length))
            }
        }
        return max(sum &- entered, 0)
    }

    package func instant(at position: Int64) -> Instant {
        let (into, slow) = (position &- before, beforeRate)
        guard let rate, into > slow else { return startedAt.later(by: into) }
        return startedAt.later(by: slow &+ (into &- slow) / rate)
    }

    /// Nanoseconds of the current asset before the rate applies.
    private var beforeRate: Int64 { skipsAt.map { max($0 &- before, 0) } ?? .max }

    /// The distant future while no mark or end is known.
    package func nextInstant(_ queue: AssetQueue, limit: Int64?) -> Instant {
        guard !isStarved, queue.assets.indices.contains(asset) else { return .distantFuture }
        guard let timeline = queue.assets[asset].playable else { return .distantFuture }
        let length = timeline.nanoseconds
        let beaconAt = min(assetBeaconAt(queue, length: length) ?? .distantFuture, beaconAt(queue) ?? .distantFuture)
        return min(stop(queue, length: length, limit: limit).at, stepAt(queue) ?? .distantFuture, beaconAt)
    }

    /// Nil while unknown.
    package func expectedEnd(_ queue: AssetQueue, limit: Int64?) -> (at: Instant, position: Int64)? {
        guard !isStarved else { return nil }
        var length = Int64(0)
        for asset in queue.assets.dropFirst(asset) where asset.isUsable {
            guard let nanoseconds = asset.nanoseconds else { return nil }
            length = length.addingClamped(nanoseconds)
        }
        if let limit { length = min(length, max(limit &- before, 0)) }
        let end = before.addingClamped(length)
        return (instant(at: end), end)
    }
}

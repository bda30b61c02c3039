import AdServing
import HLS
import Profile
import Rules
package import Values

/// Reload loop of one rendition, with one open request at a time.
package struct ReloadLoop: Sendable {
    struct Asked: OptionSet, Sendable {
        let rawValue: UInt8
        static let anything = Asked(rawValue: 1)
        /// The server holds the request.
        static let blocking = Asked(rawValue: 2)
        static let delta = Asked(rawValue: 4)
        /// The full playlist at once, to compare with a merged one.
        static let verification = Asked(rawValue: 8)
    }

    /// One byte, since each of thousands of viewers has a loop.
    private struct Marks: OptionSet {
        let rawValue: UInt8
        /// The next answer is the first of this playlist.
        static let fresh = Marks(rawValue: 1)
        /// The next request omits directives, because the last one failed with them.
        static let plainNext = Marks(rawValue: 2)
        static let advanced = Marks(rawValue: 4)
        static let failing = Marks(rawValue: 8)
        /// Loads failed before the last new version came.
        static let recovered = Marks(rawValue: 16)
    }

    /// Empty until chosen, and if the rendition is not played.
    package private(set) var url = ""
    /// Version in hand, even of a playlist that was left since.
    package private(set) var latest: SharedPlaylist?
    package var changedAt = Instant.zero
    var failures: UInt8 = 0
    var asked: Asked = []
    /// Rises when another playlist replaces this one, so that late answers of the old one are recognized.
    private(set) var generation: UInt8 = 0
    private var marks: Marks = .fresh
    /// Seconds that the last plain answer had spent in caches; at most 255.
    private var age: UInt8 = 0

    var isLoading: Bool { !asked.isEmpty }

    /// Whether the rendition is played and has no open playlist request.
    var isIdle: Bool { !isLoading && !url.isEmpty }

    var isFresh: Bool { marks.contains(.fresh) }

    var isFailing: Bool { marks.contains(.failing) }

    var hasRecovered: Bool { marks.contains(.recovered) }

    /// Nil if the next answer will be the first of its playlist.
    package var versionBefore: SharedPlaylist? { isFresh ? nil : latest }

    /// Rendition in the low two bits, generation above.
    func requestIndex(_ rendition: PlayedRendition) -> UInt8 { rendition.rawValue | generation << 2 }

    func isCurrent(_ index: UInt8) -> Bool { generation == index >> 2 }

    /// Begins with the loop's first playlist, or sets its URL after its first version came.
    mutating func begin(at url: String) {
        self.url = url
        failures = 0
        marks.remove(.failing)
    }

    /// The open request of the old playlist becomes obsolete.
    mutating func move(to url: String) {
        self.url = url
        generation = (generation &+ 1) & 0x3F
        asked = []
        failures = 0
        marks = isFailing ? [.fresh, .failing] : .fresh
        age = 0
    }

    mutating func ask(_ asked: Asked) {
        self.asked = asked
        marks.remove(.plainNext)
    }

    /// Applies the answer to the open request; returns the version before it.
    mutating func take(_ shared: SharedPlaylist, now: Instant) -> (isNews: Bool, asked: Asked, before: SharedPlaylist?)
    {
        let before = latest
        let asked = asked
        let isNews = isFresh || shared.isNews(after: before)
        if isNews { changedAt = now }
        latest = shared
        self.asked = []
        if failures > 0 {
            marks.insert(.recovered)
        } else if marks.contains(.advanced) {
            marks.remove(.recovered)
        }
        failures = 0
        marks.subtract([.fresh, .failing])
        return (isNews, asked, before)
    }

    mutating func goPlain() { marks.insert(.plainNext) }

    /// Returns the consecutive failures, at most 255.
    mutating func failed() -> UInt8 {
        marks.insert(.failing)
        failures = failures == .max ? .max : failures + 1
        return failures
    }

    /// Stores the facts that decide the next request's directives.
    mutating func tune(hasAdvanced: Bool, age: UInt8) {
        if hasAdvanced { marks.insert(.advanced) } else { marks.remove(.advanced) }
        self.age = age
    }

    // MARK: Delivery directives and delta updates (bis-22 sections 6.2.5 and 6.3.7)

    func directives(_ lowLatency: LowLatencyFacts, now: Instant) -> DeliveryDirectives? {
        guard let shared = latest, !marks.contains(.plainNext), shared.isReloaded else { return nil }
        guard !isFresh else { return reported(by: shared, lowLatency) }
        let unchanged = now &- changedAt
        if let targets = lowLatency.dropsDirectivesAfterTargets,
            Double(unchanged) > targets * Double(shared.targetNanoseconds)
        {
            return nil
        }
        var wish = DeliveryDirectives()
        switch lowLatency.blocking {
        case .never: break
        case .afterAdvance where !marks.contains(.advanced): break
        case .afterAdvance, .always: wish = tuneIn(shared, lowLatency) ?? .next(after: shared.playlist) ?? wish
        }
        let control = shared.playlist.serverControl
        switch lowLatency.skip {
        case .never: break
        case .whenYoung where !DeliveryDirectives.isYoungEnough(age: .nanoseconds(unchanged), control): break
        case .whenYoung, .always:
            wish.skip = DeliveryDirectives.skip(offeredBy: control, includingDateRanges: lowLatency.skipsDateRanges)
        }
        return wish.isEmpty ? nil : wish
    }

    /// After a plain answer from a cache, requests what the origin should have by now (bis-22 appendix C).
    private func tuneIn(_ shared: SharedPlaylist, _ facts: LowLatencyFacts) -> DeliveryDirectives? {
        guard age > 0, let target = shared.playlist.partTargetMicroseconds,
            let missing = CDNTuneIn.goal(ageSeconds: Int(age), partTargetMicroseconds: target)
        else { return nil }
        let most = facts.tuneInTargets.map { Duration.seconds($0 * Double(shared.playlist.targetDurationSeconds)) }
        return CDNTuneIn.directives(goal: most.map { min(missing, $0) } ?? missing, playlist: shared.playlist)
    }

    /// From the rendition report that the previous playlist had of this one (bis-22 section 4.4.5.4).
    private func reported(by shared: SharedPlaylist, _ facts: LowLatencyFacts) -> DeliveryDirectives? {
        guard facts.usesRenditionReports, facts.blocking != .never else { return nil }
        let report = shared.playlist.renditionReports.first {
            URLReference.resolve(shared.playlist.string(in: $0.uri), against: shared.url) == url
        }
        return report.flatMap { shared.playlist.directives(reportedBy: $0) }
    }

    /// Whether the viewer requested no more than the next segment or part, and this version has it.
    package func askedForNoMore(than shared: SharedPlaylist) -> Bool {
        guard let latest, age == 0 else { return false }
        return shared.reachesFurther(than: latest)
    }
}

extension PlayedRendition {
    var timer: ViewerTimer {
        switch self {
        case .video: .reload
        case .audio: .reloadAudio
        case .subtitles: .reloadSubtitles
        }
    }
}

struct ReloadPace: Sendable {
    /// The fifth root of one half.
    private static let keep = 0.870_550_563_296_124
    private var sum = 0.0
    private var weight = 0.0
    /// Shortest delay so far of renditions that are loaded together.
    private var sharedDelay: Int64 = .max

    /// Nil while an answer of another rendition is awaited.
    mutating func together(_ delay: Int64, isLast: Bool) -> Int64? {
        let shortest = min(delay, sharedDelay)
        sharedDelay = isLast ? .max : shortest
        return isLast ? shortest : nil
    }

    /// Mean in which each load time weighs half as much as one five later (Shaka Player's EWMA).
    mutating func smoothed(_ nanoseconds: Int64) -> Int64 {
        sum = sum * Self.keep + Double(max(nanoseconds, 0)) * (1 - Self.keep)
        weight = weight * Self.keep + (1 - Self.keep)
        return Int64(min(sum / weight, 1e15))
    }
}

// Delta updates must yield the same playlist as a full load (bis-22 section 6.3.7).
extension Turn {
    mutating func countMerge(_ merged: SharedPlaylist) {
        count(.deltaUpdates)
        guard let mismatch = merged.mismatch else { return }
        note(.deltaMismatched(mismatch, url: merged.url, at: now))
    }

    /// Ignores a full playlist that is newer than the merged one; `own` is masked in the finding.
    mutating func verify(_ whole: SharedPlaylist, against merged: SharedPlaylist, own: StreamID?) {
        guard merged.isMerged, whole.playlist.isOfSameMoment(as: merged.playlist),
            let mismatch = DeltaMismatch(expected: whole.playlist, observed: merged.playlist, own: own)
        else { return }
        note(.deltaMismatched(mismatch, url: whole.url, at: now))
    }
}

/// A player's open downloads of the channel, and the playlists that wait for a free one.
struct Downloads: Sendable {
    private(set) var underWay: UInt8 = 0
    /// The player has given up.
    private(set) var isOver = false
    /// A bit for each rendition, since each of thousands of viewers has these.
    private var waiting: UInt8 = 0

    func isFree(of maximum: UInt8) -> Bool { underWay < maximum }

    var hasWaiting: Bool { waiting != 0 }

    func isWaiting(_ rendition: PlayedRendition) -> Bool { waiting & 1 << rendition.rawValue != 0 }

    mutating func begin() { underWay += 1 }

    mutating func end() { if underWay > 0 { underWay -= 1 } }

    mutating func wait(for rendition: PlayedRendition) { waiting |= 1 << rendition.rawValue }

    mutating func stopWaiting(_ rendition: PlayedRendition) { waiting &= ~(1 << rendition.rawValue) }

    mutating func stopWaiting() { waiting = 0 }

    mutating func giveUp() { (waiting, isOver) = (0, true) }
}

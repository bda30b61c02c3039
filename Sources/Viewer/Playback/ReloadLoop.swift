import Audience
import HLS
import LoadProfile
import Players
import Time

/// The reload loop of one rendition: one request at a time.
struct ReloadLoop: Sendable {
    /// What was asked for in the request under way.
    struct Asked: OptionSet, Sendable {
        let rawValue: UInt8
        static let anything = Asked(rawValue: 1)
        /// The request carries delivery directives that have the server hold it.
        static let blocking = Asked(rawValue: 2)
        static let delta = Asked(rawValue: 4)
        /// The whole playlist at once, to hold a merged one against it.
        static let verification = Asked(rawValue: 8)
    }

    /// What is marked of a loop, in one byte: thousands of viewers each have one.
    private struct Marks: OptionSet {
        let rawValue: UInt8
        /// The next answer is the first of this playlist.
        static let fresh = Marks(rawValue: 1)
        /// Directives are left out of the next request: the last one failed with them.
        static let plainNext = Marks(rawValue: 2)
        /// The last load brought anything new.
        static let advanced = Marks(rawValue: 4)
        /// The last load brought nothing, so that the next one asks again.
        static let failing = Marks(rawValue: 8)
        /// Loads failed before the last news came.
        static let recovered = Marks(rawValue: 16)
    }

    /// Media playlist; empty until chosen, and where the rendition is not played.
    private(set) var url = ""
    private(set) var latest: SharedPlaylist?
    /// When something new was last loaded.
    private(set) var changedAt = Instant.zero
    /// Requests in a row that failed.
    private(set) var failures: UInt8 = 0
    private(set) var asked: Asked = []
    /// Rises when another playlist takes the place of this one, so that late answers of the old one are told apart.
    private(set) var generation: UInt8 = 0
    private var marks: Marks = .fresh
    /// Seconds that the last plain answer had spent in caches, 255 at the most.
    private var age: UInt8 = 0

    var isLoading: Bool { !asked.isEmpty }

    /// True where the rendition is played and no request for its playlist is under way.
    var isIdle: Bool { !isLoading && !url.isEmpty }

    var isFresh: Bool { marks.contains(.fresh) }

    /// Whether the next request asks again for what did not come.
    var isFailing: Bool { marks.contains(.failing) }

    /// Whether loads failed before the last version that brought anything new.
    var hasRecovered: Bool { marks.contains(.recovered) }

    /// The version that the next answer follows; nil where it will be the first of its playlist.
    var versionBefore: SharedPlaylist? { isFresh ? nil : latest }

    /// The index that a request of this loop carries: the rendition and the generation.
    func requestIndex(_ rendition: PlayedRendition) -> UInt8 { rendition.rawValue | generation << 2 }

    /// Whether a request with this index was for the playlist that the loop is at.
    func isCurrent(_ index: UInt8) -> Bool { generation == index >> 2 }

    /// The first playlist of the loop, or one whose address comes after its first version.
    mutating func begin(at url: String) {
        self.url = url
        failures = 0
        marks.remove(.failing)
    }

    /// Takes another playlist; what is under way for the old one is of no use any more.
    mutating func move(to url: String) {
        self.url = url
        generation = (generation &+ 1) & 0x3F
        asked = []
        failures = 0
        marks = isFailing ? [.fresh, .failing] : .fresh
        age = 0
    }

    /// A request is made.
    mutating func ask(_ asked: Asked) {
        self.asked = asked
        marks.remove(.plainNext)
    }

    /// Takes the answer to the request under way.
    ///
    /// - Returns: Whether it brings anything new, what was asked for, and the version before.
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

    /// The request under way is over without a playlist.
    mutating func end() { asked = [] }

    /// The next request carries no directives.
    mutating func goPlain() { marks.insert(.plainNext) }

    /// One more request in a row failed.
    ///
    /// - Returns: How many, of which no more are counted than fit.
    mutating func failed() -> UInt8 {
        marks.insert(.failing)
        failures = failures == .max ? .max : failures + 1
        return failures
    }

    /// The player gives up for now: failures are counted anew.
    mutating func giveUp() { failures = 0 }

    /// The playlist that does not change is borne as long once more.
    mutating func bear(since now: Instant) { changedAt = now }

    /// What an answer says for the directives of the next request.
    mutating func tune(hasAdvanced: Bool, age: UInt8) {
        if hasAdvanced { marks.insert(.advanced) } else { marks.remove(.advanced) }
        self.age = age
    }
}

// Delivery directives: requests that the server holds until there is news, and answers that leave out what is known
// (bis-22 sections 6.2.5 and 6.3.7).
extension ReloadLoop {
    /// What the next request asks for besides the playlist; nil for a plain one.
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
        case .afterAdvance, .always:
            wish = tuneIn(shared, lowLatency) ?? .next(after: shared.playlist) ?? wish
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

    /// A plain answer came from a cache: what is asked for next is what the origin should have by now (bis-22
    /// appendix C).
    private func tuneIn(_ shared: SharedPlaylist, _ facts: LowLatencyFacts) -> DeliveryDirectives? {
        guard age > 0, let target = shared.playlist.partTargetMicroseconds,
            let missing = CDNTuneIn.goal(ageSeconds: Int(age), partTargetMicroseconds: target)
        else { return nil }
        let most = facts.tuneInTargets.map { Duration.seconds($0 * Double(shared.playlist.targetDurationSeconds)) }
        return CDNTuneIn.directives(goal: most.map { min(missing, $0) } ?? missing, playlist: shared.playlist)
    }

    /// What the playlist that is left reports of the one that takes its place (bis-22 section 4.4.5.4).
    private func reported(by shared: SharedPlaylist, _ facts: LowLatencyFacts) -> DeliveryDirectives? {
        guard facts.usesRenditionReports, facts.blocking != .never else { return nil }
        let report = shared.playlist.renditionReports.first {
            URLReference.resolve(shared.playlist.string(in: $0.uri), against: shared.url) == url
        }
        return report.flatMap { shared.playlist.directives(reportedBy: $0) }
    }

    /// Whether the viewer asked for no more than the next segment or part, and this version has it.
    func askedForNoMore(than shared: SharedPlaylist) -> Bool {
        guard let latest, age == 0 else { return false }
        return shared.reachesFurther(than: latest)
    }
}

extension PlayedRendition {
    /// The timer of this rendition's reload loop.
    var timer: ViewerTimer {
        switch self {
        case .video: .reload
        case .audio: .reloadAudio
        case .subtitles: .reloadSubtitles
        }
    }

    /// The rendition of a request's index; nil for an index that no request has.
    init?(ofRequest index: UInt8) { self.init(rawValue: index & 3) }
}

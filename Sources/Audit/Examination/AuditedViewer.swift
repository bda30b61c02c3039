import AdServing
import HLS
import Profile
import Results
import Rules
import Values
import Viewer

/// Not copied, since facts are many references.
struct AuditedViewer: ~Copyable {
    let facts: ViewerMachine
    let record: ViewerRecord
    let context: AuditContext

    var number: Int { facts.number }

    func found(_ code: FindingCode, _ evidence: Evidence, breakSlot: BreakSlot, at now: Instant) {
        if code.severity > .advice { record.findings &+= 1 }
        context.observer?.viewer(number, found: code, evidence)
        context.recorder.finding(code, breakSlot: breakSlot, at: moment(now), evidence: evidence)
    }

    /// Texts are redacted here.
    func found(_ all: [Violation], url: String, served: ServedBy = .unknown, breakSlot: BreakSlot, at now: Instant) {
        let own = facts.streamID
        for violation in all {
            let line = violation.line.map { "line \($0): " } ?? ""
            let texts = [violation.expected, violation.observed]
            let shown = context.redacted(texts, own: own) { own in
                let pair = Redaction.pair(expected: texts[0], observed: texts[1], own: own)
                return [pair.expected, pair.observed]
            }
            let evidence = Evidence(
                url: redacted(url),
                expected: shown[0],
                observed: line + shown[1],
                served: served,
                likely: violation.likely
            )
            found(violation.code, evidence, breakSlot: breakSlot, at: now)
        }
    }

    func redacted(_ url: String) -> String {
        context.redacted([url], own: facts.streamID) { [Redaction.url(url, own: $0)] }[0]
    }

    func moment(_ now: Instant) -> ViewerMoment {
        ViewerMoment(viewer: number, wallMicroseconds: context.plan.timebase.wall(at: now).microseconds)
    }

    func slot(of planned: PlannedBreak) -> BreakSlot { context.slot(of: planned, record) }

    func slot(of notice: BreakNotice, in shared: SharedPlaylist) -> BreakSlot {
        let key = notice.scheduled.key
        let source: BreakSource
        if shared.announced.contains(where: { $0.key == key }) {
            source = context.plan.calendar.readsPlaylist ? .dateRange : .schedule
        } else {
            source = shared.schedule?.stitched.contains { $0.key == key } == true ? .stitched : .interstitial
        }
        return context.slot(of: notice.scheduled, from: source)
    }

    var ownIDs: [String] { [facts.primaryID] + (facts.streamID.map { [$0.rawValue] } ?? []) }

    var played: PlayedContent { PlayedContent(address: context.plan.playedAddress, own: ownIDs) }

    /// Nil if figures are not kept per cohort.
    var cohort: String? { context.plan.tellsCohorts ? cohortName : nil }

    /// The content as viewers share it that must be given the same; nil if it is not compared.
    func compared(_ content: @autoclosure () -> ComparedContent, by match: PodPlan.Match) -> ComparedContent? {
        switch match {
        case .all: content()
        case .session: nil
        case .cohort: .ofCohort(cohortName, content())
        }
    }

    var playedRendition: String? {
        guard let variant = facts.variant, let multivariant = facts.multivariant else { return nil }
        return Ladder(multivariant.playlist).rendition(ofVariant: variant)
    }

    private var cohortName: String { context.cohortName(of: record, number: number, persona: facts.personaIndex) }

    var currentSlot: BreakSlot { record.current?.slot ?? .outside }

    /// Nearest own break within three target durations; `isOfBreak` omits that limit, since a playhead may be any time
    /// behind.
    func breakSlot(nearTo now: WallTime, isOfBreak: Bool = false) -> BreakSlot {
        let room = Duration.seconds(facts[.video].latest?.playlist.targetDurationSeconds ?? 6) * 3
        let known = [record.current, record.former].compactMap(\.self)
        let isNear = isOfBreak || known.contains { $0.planned.scheduled.isNear(now, within: room) }
        guard isNear else { return .outside }
        return known.min { now.distance(to: $0) < now.distance(to: $1) }?.slot ?? .outside
    }

    func playlistSlot(at now: Instant) -> BreakSlot {
        let target = facts[.video].versionBefore?.targetNanoseconds ?? 0
        let reach = Duration.nanoseconds(min(target, 3_600_000_000_000) &* 3)
        let wall = context.plan.timebase.wall(at: now)
        if let current = record.current, current.planned.scheduled.isNear(wall, within: reach) { return current.slot }
        guard let former = record.former, wall <= former.planned.scheduled.end + reach else { return .outside }
        return former.slot
    }
}

extension ScheduledBreak {
    func isNear(_ date: WallTime, within room: Duration) -> Bool { start - room <= date && date <= end + room }
}

extension WallTime {
    fileprivate func distance(to other: BookedBreak) -> Duration {
        let since = duration(since: other.planned.scheduled.start)
        return since < .zero ? .zero - since : since
    }
}

/// An object, so that no access to one field copies or moves the others; confined to its loop.
package final class ViewerRecord {
    var playlist: RenditionPlaylist?
    /// Audio and subtitle playlists.
    var renditions: [RenditionPlaylist] = []
    /// Near or in progress.
    var current: BookedBreak?
    /// Answers may still come.
    var former: BookedBreak?
    /// The loop's number for the cohort; nil before the first use.
    var cohort: Int?
    /// Nil if pods are not compared.
    var pod: PodInHand?
    var filled: [FilledBreak] = []
    /// Microseconds since the Unix epoch.
    private var listed: [Int64] = []
    /// The viewer watched past these breaks, which no playlist announced to it.
    private var missed: [(key: String, start: Int64)] = []
    /// Findings above advice so far.
    package internal(set) var findings: UInt32 = 0
    var unavailable: [(slot: BreakSlot, evidence: Evidence)] = []
    /// Nil if media ids are not read.
    var adSegment: AdSegmentRequest?
    /// URL hash of an ad's last loaded initialisation section.
    var adInitialization: UInt64?
    /// Keyed by the finding that each failure may become; `problem` is redacted.
    var unreached: [FindingCode: (url: String, problem: String, served: ServedBy)] = [:]
    /// Nil if small.
    var metadataMemory: KeptMemory?
    var listMemory: KeptMemory?

    package init() {}

    /// More than are in sight at a time.
    private static let keptBreaks = 16

    func list(_ start: Int64) {
        guard !listed.contains(start) else { return }
        listed.append(start, atMost: Self.keptBreaks)
    }

    /// In microseconds since the Unix epoch.
    package func isTold(of start: Int64, within slack: Int64) -> Bool {
        listed.contains { ($0 &- start).magnitude <= UInt64(slack) }
    }

    package func hasMissed(_ key: String) -> Bool { missed.contains { $0.key == key } }

    package func miss(_ key: String, start: Int64) { missed.append((key, start), atMost: Self.keptBreaks) }

    /// Nothing is known of a break before everything that is remembered.
    package func hasForgotten(_ start: Int64) -> Bool {
        (listed.count >= Self.keptBreaks && listed.allSatisfy { start < $0 })
            || (missed.count >= Self.keptBreaks && missed.allSatisfy { start < $0.start })
    }

    subscript(rendition: PlayedRendition) -> RenditionPlaylist? {
        get { rendition == .video ? playlist : renditions.first { $0.rendition == rendition } }
        set {
            if rendition == .video {
                playlist = newValue
            } else {
                renditions.removeAll { $0.rendition == rendition }
                if let newValue { renditions.append(newValue) }
            }
        }
    }

    func release(in library: PlaylistLibrary) {
        for kept in [playlist].compactMap(\.self) + renditions { library.release(kept.known) }
        (playlist, renditions) = (nil, [])
    }

    func renditions(of known: KnownPlaylist) -> [PlayedRendition] {
        (playlist?.known === known ? [.video] : []) + renditions.filter { $0.known === known }.map(\.rendition)
    }

    func watch(_ rendition: PlayedRendition) -> RenditionWatch {
        if let known = self[rendition]?.watch { return known }
        let watch = RenditionWatch()
        self[rendition]?.watch = watch
        return watch
    }

    func endWatchIfSettled(_ rendition: PlayedRendition) {
        guard let watch = self[rendition]?.watch, watch.course.isSettled, watch.staleSince == nil else { return }
        self[rendition]?.watch = nil
    }
}

struct BookedBreak {
    let planned: PlannedBreak
    let slot: BreakSlot
}

struct RenditionPlaylist {
    let rendition: PlayedRendition
    /// That of its requests; another one has another URL.
    let index: UInt8
    let known: KnownPlaylist
    /// Nil for nearly every viewer.
    var watch: RenditionWatch?
}

/// Memory of a playlist that broke a rule lately.
///
/// An object, so that viewers without one need no memory for it.
final class RenditionWatch {
    var course = VersionCourse<SharedPlaylist>()
    /// The standstill was already reported.
    var staleSince: Instant?
}

/// Content that one viewer was given for a break, and the part identified as slate by other means than its URL.
struct FilledBreak {
    let slot: BreakSlot
    private var ads = 0
    private var (adMilliseconds, slateMilliseconds): (UInt64, UInt64) = (0, 0)
    private var (namedAds, namedMilliseconds): (UInt64, UInt64) = (0, 0)
    private var (movedAds, movedMilliseconds): (UInt64, UInt64) = (0, 0)
    /// Filled milliseconds; nil before the break is over.
    private var counted: UInt64?

    init(slot: BreakSlot) { self.slot = slot }

    mutating func came(ads: Int, adMilliseconds: UInt64, slateMilliseconds slate: UInt64) {
        self.ads = self.ads.addingClamped(ads)
        self.adMilliseconds = self.adMilliseconds.addingClamped(adMilliseconds)
        slateMilliseconds = slateMilliseconds.addingClamped(slate)
    }

    /// Splits the filled time in the proportion in which ads and slate came.
    mutating func over(filledMilliseconds filled: UInt64, _ tally: inout FillTally) {
        counted = filled
        let slate = inCounted(slateMilliseconds.addingClamped(movedMilliseconds))
        tally.cameAds = UInt64(clamping: max(ads - Int(clamping: movedAds), 0))
        (tally.cameAdMilliseconds, tally.cameSlateMilliseconds) = (filled - min(slate, filled), slate)
    }

    /// 0 before the break is over.
    func inCounted(_ milliseconds: UInt64) -> UInt64 {
        let all = adMilliseconds.addingClamped(slateMilliseconds)
        guard let counted, all > 0 else { return 0 }
        return UInt64(min(Double(milliseconds) / Double(all), 1) * Double(counted))
    }

    /// Uses maxima, since the same slate may be named repeatedly.
    mutating func named(ads: Int, milliseconds: UInt64) {
        namedAds = max(namedAds, UInt64(clamping: ads))
        namedMilliseconds = max(namedMilliseconds, milliseconds)
    }

    /// Slate that was counted as ads until now; slate that its URL identifies was never counted as an ad.
    mutating func takeUncounted() -> (ads: UInt64, milliseconds: UInt64)? {
        let wanted = min(adMilliseconds, namedMilliseconds - min(slateMilliseconds, namedMilliseconds))
        guard wanted > movedMilliseconds else { return nil }
        let taken = (ads: namedAds - min(movedAds, namedAds), milliseconds: wanted - movedMilliseconds)
        (movedAds, movedMilliseconds) = (max(movedAds, namedAds), wanted)
        return taken
    }

    var adsOfSlateAlone: UInt64? { adMilliseconds > 0 && movedMilliseconds == adMilliseconds ? movedAds : nil }
}

extension Examination {
    /// May be called before the ads come, and repeatedly.
    func namedSlate(_ slot: BreakSlot, ads: Int, duration: Duration) {
        guard slot != .outside, ads > 0, duration > .zero else { return }
        let milliseconds = UInt64(clamping: duration.nanosecondsHeld / 1_000_000)
        updateFill(slot) { $0.named(ads: ads, milliseconds: milliseconds) }
    }

    func updateFill(_ slot: BreakSlot, _ change: (inout FilledBreak) -> Void) {
        let record = viewer.record
        let place = record.place(ofFilled: slot)
        change(&record.filled[place])
        guard let slate = record.filled[place].takeUncounted() else { return }
        let counted = record.filled[place].inCounted(slate.milliseconds)
        if counted > 0 {
            var tally = FillTally()
            (tally.namedAds, tally.namedMilliseconds) = (slate.ads, counted)
            context.recorder.withBreak(slot) { $0.fill.count(viewer.cohort, tally) }
        }
        guard let ads = record.filled[place].adsOfSlateAlone else { return }
        let observed = "\(GroupedDigits.counted(ads, "ad")), all called slate by their metadata or their signalling"
        found(.slateOnly, expected: "at least one ad", observed: observed, breakSlot: slot)
    }
}

extension AuditedViewer {
    func filled(_ slot: BreakSlot, askedMilliseconds asked: Int64, filledMilliseconds filled: Int64) {
        var tally = FillTally()
        (tally.asked, tally.askedMilliseconds) = (1, UInt64(clamping: asked))
        if filled > 0 {
            let place = record.place(ofFilled: slot)
            record.filled[place].over(filledMilliseconds: UInt64(clamping: filled), &tally)
        }
        context.recorder.withBreak(slot) { $0.fill.count(cohort, tally) }
    }
}

extension ViewerRecord {
    private static let keptFills = 4

    fileprivate func place(ofFilled slot: BreakSlot) -> Int {
        if let known = filled.firstIndex(where: { $0.slot == slot }) { return known }
        filled.append(FilledBreak(slot: slot), atMost: Self.keptFills)
        return filled.count - 1
    }
}

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

    /// `url` is redacted here, texts must be already.
    func found(
        _ code: FindingCode,
        url: String,
        expected: String,
        observed: String,
        likely: String? = nil,
        served: ServedBy = .unknown,
        breakSlot: BreakSlot,
        at now: Instant
    ) {
        if code.severity > .advice { record.findings &+= 1 }
        let url = redacted(url)
        let evidence = Evidence(url: url, expected: expected, observed: observed, served: served, likely: likely)
        context.observer?.viewer(number, found: code, evidence)
        context.recorder.finding(code, breakSlot: breakSlot, at: moment(now), evidence: evidence)
    }

    /// Texts are redacted here.
    func found(
        _ violations: [Violation],
        url: String,
        served: ServedBy = .unknown,
        breakSlot: BreakSlot,
        at now: Instant
    ) {
        let own = facts.streamID
        for violation in violations {
            let line = violation.line.map { "line \($0): " } ?? ""
            let texts = [violation.expected, violation.observed]
            let shown = context.redacted(texts, own: own) { own in
                let pair = Redaction.pair(expected: texts[0], observed: texts[1], own: own)
                return [pair.expected, pair.observed]
            }
            found(
                violation.code,
                url: url,
                expected: shown[0],
                observed: line + shown[1],
                likely: violation.likely,
                served: served,
                breakSlot: breakSlot,
                at: now
            )
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
    var cohort: String? { context.plan.matching.tellsCohorts ? cohortName : nil }

    /// Viewers that must be given the same pods; nil if pods are not compared.
    var group: Matching.Group? { grouped(by: context.plan.pods.match) }

    var stitchedGroup: Matching.Group? { grouped(by: context.plan.pods.matchStitched ?? context.plan.pods.match) }

    /// Compares renditions whatever the ads in them.
    var ladderGroup: Matching.Group? { grouped(by: context.plan.pods.matchLadder) }

    /// X-CONTENT-MAY-VARY=NO makes one group of all viewers (bis-22 appendix D.2).
    func assetGroup(mayVary: Bool) -> Matching.Group? {
        mayVary ? grouped(by: context.plan.pods.matchVarying) : .everybody
    }

    private func grouped(by match: PodPlan.Match) -> Matching.Group? {
        switch match {
        case .all: .everybody
        case .session: nil
        case .cohort: .cohort(cohortName)
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
        let room = Duration.seconds(facts.latest(of: .video)?.playlist.targetDurationSeconds ?? 6) * 3
        let known = [record.current, record.former].compactMap(\.self)
        let isNear =
            isOfBreak
            || known.contains { $0.planned.scheduled.isNear(now, within: room) }
        guard isNear else { return .outside }
        return known.min { now.distance(to: $0) < now.distance(to: $1) }?.slot ?? .outside
    }

    func playlistSlot(at now: Instant) -> BreakSlot {
        let target = facts.version(before: .video)?.targetNanoseconds ?? 0
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

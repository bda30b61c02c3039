package import Rules
import Values

package protocol Punctuality {
    var due: UInt64 { get }
    var onTime: UInt64 { get }
    var late: UInt64 { get }
    var failed: UInt64 { get }
}

extension Punctuality {
    /// Due viewers without a known outcome.
    package var unresolved: UInt64 {
        let resolved = onTime &+ late &+ failed
        return due > resolved ? due - resolved : 0
    }

    package var onTimePercent: Double? { due == 0 ? nil : Double(onTime) * 100 / Double(due) }

    package var byResult: [(String, UInt64)] {
        [("due", due), ("on_time", onTime), ("late", late), ("failed", failed)]
    }
}

package struct BreakRecord: Summable, Punctuality, Equatable, Codable, Sendable, CheckedWhenRead {
    package let key: String
    package let startMicroseconds: Int64
    package let durationMilliseconds: Int
    /// Instant of the break for viewers without an announcement.
    package var meeting: BreakMeeting = .individual
    /// Combines all breaks past the limit, without burst, identifiers and pods: mixed breaks would make false findings.
    package var isOverflow: Bool = false

    package internal(set) var due: UInt64 = 0
    package internal(set) var onTime: UInt64 = 0
    package internal(set) var late: UInt64 = 0
    /// Late viewers that only their own line kept from being on time.
    package internal(set) var lateByLine: UInt64 = 0
    private(set) var failures: [BreakFailure: UInt64] = [:]
    var skips: [SkipReason: UInt64] = [:]

    /// On-time viewers, in microseconds from the break's start.
    package internal(set) var inHandFirst: Int64?
    package internal(set) var inHandLast: Int64?
    package internal(set) var latenessMaximumMicroseconds: Int64 = 0

    package private(set) var requests: UInt64 = 0
    package private(set) var errors: UInt64 = 0
    package private(set) var slowestResponseMicroseconds: Int64 = 0

    /// Planned to sent, without connecting, for pod manifests or asset lists.
    package private(set) var sendLateness = SparseHistogram(digits: .two)
    /// Responses of pod manifests and asset lists, of the pods' playlists, and of segments of ads.
    package private(set) var manifests = SparseHistogram(digits: .two)
    package private(set) var playlists = SparseHistogram(digits: .two)
    package private(set) var segments = SparseHistogram(digits: .two)
    /// From the break's start at the playhead to the first segment of ads in hand; empty where none are loaded.
    package var firstPicture = SparseHistogram(digits: .two)
    package internal(set) var burst = BurstWindow()
    /// On-time and late viewers.
    package internal(set) var inHand = BurstWindow()
    package internal(set) var pods = PodLedger()
    package internal(set) var personas = PersonaTallies()
    package internal(set) var groups = PersonaTallies()
    package var discovery = DiscoveryWindow()
    package var announcements = AnnouncementLedger()
    package var fill = FillLedger()

    package var failed: UInt64 { failures.values.reduce(0, &+) }
    package var skipped: UInt64 { skips.values.reduce(0, &+) }

    package func failures(_ failure: BreakFailure) -> UInt64 { failures[failure] ?? 0 }
    package func skips(_ reason: SkipReason) -> UInt64 { skips[reason] ?? 0 }

    package var failuresByName: [String: UInt64] { failures.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value } }

    package var skipsByName: [String: UInt64] { skips.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value } }

    package var onTimeShare: Double? { due == 0 ? nil : Double(onTime) / Double(due) }

    private mutating func change(_ cohort: Cohort, _ deed: (inout PunctualityTally) -> Void) {
        personas.change(min(Int(cohort.persona), PersonaTallies.limit - 1), deed)
        for number in cohort.groups.numbers { self.groups.change(number, deed) }
    }

    mutating func countDue(_ cohort: Cohort) {
        due &+= 1
        change(cohort) { $0.due &+= 1 }
    }

    /// Their personas are unknown.
    package mutating func countSilent(_ viewers: UInt64) { due = due &+ viewers }

    mutating func countOnTime(inHandAfterStart nanoseconds: Int64, wallMicroseconds: Int64?, _ cohort: Cohort) {
        onTime &+= 1
        let offset = nanoseconds / 1_000
        countInHand(offset, wallMicroseconds, cohort) { $0.onTime &+= 1 }
        inHandFirst = min(inHandFirst ?? offset, offset)
        inHandLast = max(inHandLast ?? offset, offset)
    }

    mutating func countLate(microseconds: Int64, wallMicroseconds: Int64?, _ cohort: Cohort) {
        late &+= 1
        countInHand(microseconds, wallMicroseconds, cohort) { $0.late &+= 1 }
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, microseconds)
    }

    /// `offset` is from the break's start at the playhead, in microseconds.
    private mutating func countInHand(
        _ offset: Int64,
        _ wallMicroseconds: Int64?,
        _ cohort: Cohort,
        _ deed: (inout PunctualityTally) -> Void
    ) {
        let inHandAt = self.offset(of: wallMicroseconds ?? startMicroseconds &+ offset)
        if !isOverflow { inHand.count(offset: inHandAt) }
        change(cohort) {
            deed(&$0)
            $0.countPlayhead(inHandAt &- offset)
        }
    }

    func offset(of wallMicroseconds: Int64) -> Int64 { wallMicroseconds &- startMicroseconds }

    mutating func countShutOut(_ stretch: ShutOut, viewers: UInt64) {
        due &+= viewers
        failures[stretch.cause, default: 0] &+= viewers
        change(stretch.cohort) {
            $0.due &+= viewers
            $0.failed &+= viewers
        }
    }

    mutating func countFailed(_ failure: BreakFailure, _ cohort: Cohort) {
        failures[failure, default: 0] &+= 1
        change(cohort) { $0.failed &+= 1 }
    }

    /// Finished request of the break; a response time below zero means none.
    @inline(__always)
    mutating func record(_ sample: borrowing RequestSample, responseMicroseconds response: Int64) {
        requests &+= 1
        if sample.outcome.isError { errors &+= 1 }
        if sample.kind.beginsBreak, sample.sentAt != 0 { sendLateness.record(sample.latenessMicroseconds) }
        guard response >= 0 else { return }
        slowestResponseMicroseconds = max(slowestResponseMicroseconds, response)
        switch sample.kind {
        case .podManifest, .assetList: manifests.record(response)
        case .podPlaylist: playlists.record(response)
        case .podSegment: segments.record(response)
        default: break
        }
    }

    package mutating func add(_ other: BreakRecord) {
        due &+= other.due
        onTime &+= other.onTime
        late &+= other.late
        lateByLine &+= other.lateByLine
        failures.merge(other.failures, uniquingKeysWith: &+)
        skips.merge(other.skips, uniquingKeysWith: &+)
        inHandFirst = [inHandFirst, other.inHandFirst].compactMap(\.self).min()
        inHandLast = [inHandLast, other.inHandLast].compactMap(\.self).max()
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, other.latenessMaximumMicroseconds)
        requests &+= other.requests
        errors &+= other.errors
        slowestResponseMicroseconds = max(slowestResponseMicroseconds, other.slowestResponseMicroseconds)
        sendLateness.add(other.sendLateness)
        manifests.add(other.manifests)
        playlists.add(other.playlists)
        segments.add(other.segments)
        firstPicture.add(other.firstPicture)
        burst.add(other.burst)
        inHand.add(other.inHand)
        pods.add(other.pods)
        personas.add(other.personas)
        groups.add(other.groups)
        discovery.add(other.discovery)
        announcements.add(other.announcements)
        fill.add(other.fill)
    }

    /// For a lost process; returns the number of removed viewers.
    @discardableResult
    package mutating func leaveOutUnresolved() -> UInt64 {
        let left = unresolved
        due &-= left
        personas.leaveOutUnresolved()
        groups.leaveOutUnresolved()
        return left
    }

    package var problem: String? {
        let counts = [due, onTime, late, requests, errors] + failures.values + skips.values
        return counts.allSatisfy { $0 < 1 << 48 } ? nil : "counts that no run can reach"
    }
}

/// Outcomes of one persona's or group's viewers, or of all, in one break or several.
package struct PunctualityTally: Summable, Punctuality, Equatable, Codable, Sendable {
    package internal(set) var due: UInt64 = 0
    package internal(set) var onTime: UInt64 = 0
    package internal(set) var late: UInt64 = 0
    package internal(set) var failed: UInt64 = 0
    /// In wall-clock microseconds from the break's start, for viewers with a pod.
    package fileprivate(set) var playheadFirst: Int64?
    package fileprivate(set) var playheadLast: Int64?
    private(set) var playheadSum: Int64 = 0
    /// Finished requests of the break; nil for personas.
    package fileprivate(set) var answers: AnswerFigures?

    package var playheadMean: Int64? {
        let count = Int64(clamping: onTime &+ late)
        return count == 0 || playheadFirst == nil ? nil : playheadSum / count
    }

    fileprivate mutating func countPlayhead(_ offset: Int64) {
        playheadFirst = min(playheadFirst ?? offset, offset)
        playheadLast = max(playheadLast ?? offset, offset)
        playheadSum &+= offset
    }

    package mutating func add(_ other: PunctualityTally) {
        add(outcomesOf: other)
        playheadFirst = [playheadFirst, other.playheadFirst].compactMap(\.self).min()
        playheadLast = [playheadLast, other.playheadLast].compactMap(\.self).max()
        playheadSum &+= other.playheadSum
        answers.add(other.answers)
    }

    mutating func add(outcomesOf other: some Punctuality) {
        due &+= other.due
        onTime &+= other.onTime
        late &+= other.late
        failed &+= other.failed
    }

    mutating func subtract(_ record: BreakRecord) {
        due &-= record.due
        onTime &-= record.onTime
        late &-= record.late
        failed &-= record.failed
    }
}

/// Tallies by persona number in the profile, those past the last share its tally, or by number of a value of `report.by`.
package struct PersonaTallies: Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    package static let limit = 16

    package private(set) var each: [PunctualityTally] = []

    package init() {}

    package subscript(persona: Int) -> PunctualityTally {
        each.indices.contains(persona) ? each[persona] : PunctualityTally()
    }

    /// Whether any playhead reached the break at another instant than the wall clock.
    package var isBehindLiveEdge: Bool { each.contains { ($0.playheadFirst ?? 0) != 0 || ($0.playheadLast ?? 0) != 0 } }

    mutating func leaveOutUnresolved() { for index in each.indices { each[index].due &-= each[index].unresolved } }

    @inline(__always)
    fileprivate mutating func change(_ index: Int, _ deed: (inout PunctualityTally) -> Void) {
        makeRoom(for: index + 1)
        deed(&each[index])
    }

    mutating func record(_ sample: borrowing RequestSample, of number: Int, responseMicroseconds: Int64) {
        makeRoom(for: number + 1)
        if each[number].answers == nil { each[number].answers = AnswerFigures() }
        each[number].answers?.record(sample, responseMicroseconds: responseMicroseconds)
    }

    package mutating func add(_ other: PersonaTallies) {
        makeRoom(for: other.each.count)
        for index in other.each.indices { each[index].add(other.each[index]) }
    }

    private mutating func makeRoom(for count: Int) {
        guard each.count < count else { return }
        each.append(contentsOf: repeatElement(PunctualityTally(), count: count - each.count))
    }

    package var problem: String? {
        let largest = each.reduce(0) { max($0, $1.due, $1.onTime, $1.late, $1.failed, $1.answers?.count ?? 0) }
        let isBounded = each.count <= ReportedGroups.mostValues && largest < 1 << 48
        return isBounded ? nil : "\(each.count) personas, up to \(largest)"
    }
}

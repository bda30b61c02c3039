package import Rules
import Values

/// Sums of an interval, of the measured part of a run, of its warm-up or of a recent part, for one process or several.
package struct RunSums: Summable, Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    static let failedConnectLimit = 64

    package private(set) var requests = RequestSums()
    package var viewers = ViewerCounts()
    package var breakLateness = SparseHistogram()
    /// Negative values count as 0.
    package var liveEdgeAge = SparseHistogram()
    package var liveLatency = SparseHistogram()
    /// From a viewer's join to the first segment of content in hand.
    package var firstPicture = SparseHistogram()
    package var edges: [Edge: [RequestKind: AnswerFigures]] = [:]
    /// Keyed by number of a value of `report.by`.
    package var groups: [Int: [RequestKind: AnswerFigures]] = [:]
    package var slowest = SlowestAnswers()
    package var warnings = ServerWarnings()
    package var leftOut = LeftOutLedger()
    /// Refused or timed out, by address with port, whether or not another address took the request.
    package internal(set) var failedConnects: [String: UInt64] = [:]
    package var channelClock = ChannelClock()
    package var breaksNotKept: UInt64 = 0

    package init() {}

    package mutating func add(_ other: RunSums) {
        requests.add(other.requests)
        viewers.add(other.viewers)
        breakLateness.add(other.breakLateness)
        liveEdgeAge.add(other.liveEdgeAge)
        liveLatency.add(other.liveLatency)
        firstPicture.add(other.firstPicture)
        edges.add(other.edges)
        groups.add(other.groups)
        slowest.add(other.slowest)
        warnings.add(other.warnings)
        leftOut.add(other.leftOut)
        failedConnects.add(other.failedConnects, limit: Self.failedConnectLimit)
        channelClock.add(other.channelClock)
        breaksNotKept &+= other.breaksNotKept
    }

    /// Without the lateness of the loop's pods.
    mutating func add(_ loop: LoopInterval) {
        add(loop.sums)
        guard let set = loop.set else { return }
        requests.add(set.requests)
        liveEdgeAge.add(set.liveEdgeAge)
        liveLatency.add(set.liveLatency)
        channelClock.add(set.channelClock)
        edges.add(set.edges) { EdgeBook.edge($0, of: loop.edges) }
        groups.add(set.groups) { $0 }
    }

    package mutating func takeRoom(like other: RunSums) {
        requests.takeRoom(like: other.requests)
        breakLateness.takeRoom(like: other.breakLateness)
        liveEdgeAge.takeRoom(like: other.liveEdgeAge)
        liveLatency.takeRoom(like: other.liveLatency)
        firstPicture.takeRoom(like: other.firstPicture)
    }

    package var problem: String? {
        // Coarser distributions would not fit the exact extremes of those they are added to.
        let hasThreeDigits = [breakLateness, liveEdgeAge, liveLatency, firstPicture].allSatisfy { $0.digits == .three }
        let isBounded = breaksNotKept < 1 << 48 && failedConnects.count <= Self.failedConnectLimit
        return hasThreeDigits && isBounded ? nil : "no sums of a run"
    }
}

package struct ViewerCounts: Summable, Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    private var counts = [UInt64](repeating: 0, count: ViewerCounter.allCases.count)
    /// Personas past the last count with it.
    package private(set) var byPersona = [UInt64](repeating: 0, count: PersonaTallies.limit)

    package init() {}

    package subscript(_ counter: ViewerCounter) -> UInt64 {
        get { counts[Int(counter.rawValue)] }
        set { counts[Int(counter.rawValue)] = newValue }
    }

    package mutating func countViewer(persona: UInt8) { byPersona[min(Int(persona), PersonaTallies.limit - 1)] &+= 1 }

    package mutating func add(_ other: ViewerCounts) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
        for index in byPersona.indices { byPersona[index] &+= other.byPersona[index] }
    }

    package var byName: [String: UInt64] {
        ViewerCounter.allCases.reduce(into: [:]) { if self[$1] > 0 { $0[$1.name] = self[$1] } }
    }

    /// Viewers that joined, without those that opened the application again.
    package var people: UInt64 { self[.joined] &- min(self[.joined], self[.reopened]) }

    package var problem: String? {
        let isWhole = counts.count == ViewerCounter.allCases.count && byPersona.count == PersonaTallies.limit
        return isWhole && (byPersona + counts).allSatisfy { $0 < 1 << 48 } ? nil : "no counts"
    }
}

/// Small enough to be sent by every loop every second.
package struct IntervalCounts: Summable, Equatable, Codable, Sendable {
    package var requests: UInt64 = 0
    package var errors: UInt64 = 0
    package var podRequests: UInt64 = 0
    package var findings: UInt64 = 0
    package var activeViewers: Int64 = 0
    package var latenessMaximumMicroseconds: Int64 = 0

    package init() {}

    package mutating func add(_ other: IntervalCounts) {
        requests &+= other.requests
        errors &+= other.errors
        podRequests &+= other.podRequests
        findings &+= other.findings
        activeViewers &+= other.activeViewers
        latenessMaximumMicroseconds = max(latenessMaximumMicroseconds, other.latenessMaximumMicroseconds)
    }
}

/// Offset of a channel's dates from this machine's clock, by the playlist whose live edge was furthest ahead.
package struct ChannelClock: Summable, Equatable, Codable, Sendable, EmptyWhereMissing {
    /// Wall clock minus that live edge, in microseconds.
    package private(set) var leastAge: Int64?

    package init(leastAge: Int64? = nil) { self.leastAge = leastAge }

    /// Microseconds, positive if the channel is ahead; playlists do not show whether a clock differs or publishing is delayed.
    package var offset: Int64? { leastAge.map { 0 &- $0 } }

    package mutating func add(_ other: ChannelClock) {
        guard let age = other.leastAge else { return }
        leastAge = min(leastAge ?? age, age)
    }

    package init() { self.init(leastAge: nil) }
}

import Rules
import Values

package struct Exchange: Equatable, Comparable, Codable, Sendable {
    package struct Field: Equatable, Codable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package struct Times: Equatable, Codable, Sendable {
        package var waitedMicroseconds: Int64 = 0
        package var connectMicroseconds: Int64 = 0
        package var tlsMicroseconds: Int64 = 0
        package var firstByteMicroseconds: Int64 = 0
        package var readMicroseconds: Int64 = 0
        package var handlingMicroseconds: Int64 = 0

        package var sum: Int64 {
            [waitedMicroseconds, connectMicroseconds, tlsMicroseconds, firstByteMicroseconds, readMicroseconds]
                .reduce(0) { $0.addingClamped($1) }
        }
    }

    package let viewer: Int
    package var viewerFindings = 0
    package var findings: [String] = []
    package let kind: String
    package let wallMicroseconds: Int64
    package var times = Times()
    package var method = "GET"
    package var url = ""
    package var requestFields: [Field] = []
    package var status = 0
    package var outcome = ""
    package var fields: [Field] = []
    package var body: String?
    package var bodyBytes = 0
    package var contentBytes = 0
    package var version = "unknown"
    package var address = ""
    package var redirects = 0

    /// Texts must be redacted.
    package init(viewer: Int, kind: String, wallMicroseconds: Int64) {
        (self.viewer, self.kind, self.wallMicroseconds) = (viewer, kind, wallMicroseconds)
    }

    package static let longestBody = 2_048

    var bytes: Int {
        (requestFields + fields).reduce(url.utf8.count + (body?.utf8.count ?? 0) + 256) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
    }

    package static func < (lhs: Exchange, rhs: Exchange) -> Bool { lhs.order < rhs.order }

    private var order: (Int64, Int, String, String) { (wallMicroseconds.addingClamped(times.sum), viewer, kind, url) }

    /// Whether both are records of one exchange, with or without its body.
    func isSame(as other: Exchange) -> Bool { order == other.order }
}

/// Viewers and findings whose exchanges a run keeps whole.
package struct ExchangesAsked: Equatable, Sendable {
    package var viewers: [ClosedRange<Int>] = []
    package var codes: Set<String> = []

    package init() {}

    package func concern(_ viewer: Int) -> Bool { viewers.contains { $0.contains(viewer) } }
}

/// Exchanges asked for, and of each finding those of its first and worst viewer; only a limit depends on the order.
package struct ExchangeLedger: Summable, Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    /// Asked for; the first by time are kept.
    package static let most = 1_000
    package static let mostBytes = 4 << 20

    package struct OfFinding: Summable, Equatable, Codable, Sendable {
        package private(set) var first: Exchange
        /// Exchange of the viewer with most findings, counted by powers of two.
        package private(set) var worst: Exchange

        init(_ only: Exchange) { (first, worst) = (only, only) }

        package mutating func add(_ other: OfFinding) {
            first = min(first, other.first)
            let (rank, theirs) = (Self.rank(worst.viewerFindings), Self.rank(other.worst.viewerFindings))
            if theirs > rank || theirs == rank && other.worst < worst { worst = other.worst }
        }

        static func rank(_ findings: Int) -> Int { Int.bitWidth - max(findings, 0).leadingZeroBitCount }
    }

    package fileprivate(set) var asked: [Exchange] = []
    package fileprivate(set) var notKept: UInt64 = 0
    package fileprivate(set) var ofFindings: [String: OfFinding] = [:]

    package init() {}

    var note: String? {
        guard notKept > 0 else { return nil }
        return "\(notKept) exchanges that were asked for are not kept: a result has the first \(Self.most), of at most "
            + "\(Self.mostBytes >> 20) MiB."
    }

    package mutating func add(_ other: ExchangeLedger) {
        ofFindings.add(other.ofFindings)
        notKept &+= other.notKept
        guard !other.asked.isEmpty else { return }
        let all = (asked + other.asked).sorted()
        var room = Self.mostBytes
        asked = Array(
            all.prefix(Self.most).prefix {
                room -= $0.bytes
                return room >= 0
            }
        )
        notKept &+= UInt64(all.count - asked.count)
    }

    package var problem: String? {
        asked.count <= Self.most && ofFindings.count <= Self.most && notKept < 1 << 48
            ? nil : "\(asked.count) exchanges"
    }
}

/// Exchanges of one loop since its last interval, with what was kept before.
package struct ExchangeDesk {
    package var asked = ExchangesAsked()
    /// Codes that the answer at hand has led to so far.
    package private(set) var found: Set<String> = []
    package private(set) var news = ExchangeLedger()
    private var room = (count: ExchangeLedger.most, bytes: ExchangeLedger.mostBytes)
    /// Ranks of the viewers whose exchange was kept last, by code.
    private var ranks: [String: Int] = [:]
    private var (hasKept, isCounted) = (false, false)

    package init() {}

    /// The next answer is at hand.
    package mutating func begin() {
        (hasKept, isCounted) = (false, false)
        if !found.isEmpty { found = [] }
    }

    mutating func found(_ code: FindingCode) { found.insert(code.code) }

    /// First sight of a fingerprint; `isMore`: others were given something else before.
    mutating func compared(_ content: ComparedContent, _ fingerprint: UInt64, isMore: Bool) {
        if let code = content.codeIfMissing {
            if fingerprint == ComparedContent.Availability.missing.rawValue { found(code) }
        } else if let code = content.codeIfDifferent, isMore || asked.codes.contains(code.code) {
            found(code)
        }
    }

    /// Keeps the exchange, as long as there is room; later ones are only counted.
    package mutating func keep(_ exchange: () -> Exchange) {
        isCounted = true
        guard room.count > 0, room.bytes > 0 else {
            news.notKept &+= 1
            return
        }
        let kept = exchange()
        room = (room.count - 1, room.bytes - kept.bytes)
        news.asked.append(kept)
        hasKept = true
    }

    /// Keeps what the answer at hand has led to, after `keep` if that was asked for.
    package mutating func keepFound(viewerFindings: Int, _ exchange: () -> Exchange) {
        defer { found = [] }
        let rank = ExchangeLedger.OfFinding.rank(viewerFindings)
        let told = found.filter { ranks[$0].map { $0 < rank } ?? true }
        if !isCounted, !found.isDisjoint(with: asked.codes) { keep(exchange) }
        guard hasKept || !told.isEmpty else { return }
        var head = hasKept ? news.asked[news.asked.count - 1] : exchange()
        (head.findings, head.viewerFindings) = (found.sorted(), viewerFindings)
        if hasKept { news.asked[news.asked.count - 1] = head }
        head.body = nil
        for code in told {
            ranks[code] = rank
            news.ofFindings.add([code: ExchangeLedger.OfFinding(head)])
        }
    }

    mutating func take() -> ExchangeLedger {
        defer { news = ExchangeLedger() }
        return news
    }
}

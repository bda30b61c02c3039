import Values

/// Text that may leave the process: the creator must have redacted stream ids, tokens and keys.
package struct Evidence: Hashable, Comparable, Codable, Sendable {
    package static let textLimit = 512

    package var url: String
    package var expected: String
    package var observed: String
    package var served: ServedBy
    /// Likeliest cause, without foreign text; nil where that of its code holds.
    package var likely: String?

    /// Cuts texts, because foreign bodies may be of any length.
    package init(
        url: String,
        expected: String = "",
        observed: String = "",
        served: ServedBy = .unknown,
        likely: String? = nil
    ) {
        self.url = Self.bounded(url)
        (self.expected, self.observed) = Self.bounded(expected, observed)
        (self.served, self.likely) = (served, likely)
    }

    package func saying(expected: String, observed: String) -> Evidence {
        Evidence(url: url, expected: expected, observed: observed, served: served)
    }

    private static let keptBeforeDifference = 64

    /// Leaves out equal beginnings that would hide the difference.
    private static func bounded(_ expected: String, _ observed: String) -> (String, String) {
        let texts = (bounded(expected), bounded(observed))
        guard texts.0 == texts.1, expected != observed else { return texts }
        let same = zip(expected, observed).prefix { $0 == $1 }.count
        let skipped = max(0, same - keptBeforeDifference)
        return (bounded("…" + expected.dropFirst(skipped)), bounded("…" + observed.dropFirst(skipped)))
    }

    static func bounded(_ text: String) -> String {
        text.utf8.count <= textLimit ? text : String(text.prefix(textLimit - 1)) + "…"
    }

    package static func < (lhs: Evidence, rhs: Evidence) -> Bool {
        (lhs.url, lhs.expected, lhs.observed, lhs.served, lhs.likely ?? "")
            < (rhs.url, rhs.expected, rhs.observed, rhs.served, rhs.likely ?? "")
    }
}

/// Redacted starting point for the server's operator.
package struct ServedBy: Hashable, Comparable, Codable, Sendable, EmptyWhereMissing {
    package static let unknown = ServedBy()

    /// Answer fields: caches, points of presence, request ids.
    package var head: String
    package var address: String
    package var traceID: String

    package init(head: String = "", address: String = "", traceID: String = "") {
        self.head = Evidence.bounded(head)
        self.address = Evidence.bounded(address)
        self.traceID = Evidence.bounded(traceID)
    }

    var shown: (address: String?, head: String?, traceID: String?) {
        (address.isEmpty ? nil : address, head.isEmpty ? nil : head, traceID.isEmpty ? nil : traceID)
    }

    package static func < (lhs: ServedBy, rhs: ServedBy) -> Bool {
        (lhs.head, lhs.address, lhs.traceID) < (rhs.head, rhs.address, rhs.traceID)
    }

    package init() { self.init(head: "") }
}

/// Evidence is expensive to build: a sighting without it gets that of the first.
package struct SightingSpan: Summable, Equatable, Codable, Sendable {
    package private(set) var first: Sighting
    package private(set) var last: Sighting

    init(_ only: Sighting) { (first, last) = (only, only) }

    init(first: Sighting, last: Sighting) { (self.first, self.last) = (first, last) }

    mutating func add(_ moment: ViewerMoment, _ evidence: Evidence? = nil) {
        add(SightingSpan(Sighting(moment, evidence ?? first.evidence)))
    }

    package mutating func add(_ other: SightingSpan) {
        first = min(first, other.first)
        last = max(last, other.last)
    }

    /// For text that is known only after the merge.
    package func replacingEvidence(_ change: (Evidence) -> Evidence) -> SightingSpan {
        var changed = self
        changed.first.evidence = change(first.evidence)
        changed.last.evidence = change(last.evidence)
        return changed
    }
}

extension Sequence<SightingSpan> {
    package var union: SightingSpan? { reduce(into: nil) { $0.add($1) } }
}

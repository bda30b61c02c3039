import JSON

/// What is known of who served an answer, redacted: where to look first, at whom it concerns.
package struct ServedBy: Hashable, Comparable, Codable, Sendable {
    /// Nobody is known.
    package static let unknown = ServedBy()

    /// What the answer's head says: caches, points of presence, requests' ids; empty where it says nothing.
    package var head: String
    /// The address and port that answered; empty where there was no connection.
    package var address: String
    /// The trace id that the request carried; empty where it carried none.
    package var traceID: String

    package init(head: String = "", address: String = "", traceID: String = "") {
        self.head = Evidence.bounded(head)
        self.address = Evidence.bounded(address)
        self.traceID = Evidence.bounded(traceID)
    }

    package static func < (lhs: ServedBy, rhs: ServedBy) -> Bool {
        (lhs.head, lhs.address, lhs.traceID) < (rhs.head, rhs.address, rhs.traceID)
    }
}

extension ServedBy: EmptyWhereMissing {
    package init() { self.init(head: "") }
}

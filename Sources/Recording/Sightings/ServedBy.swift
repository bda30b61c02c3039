import Values

/// Redacted data on the server of an answer, as a starting point for its operator.
package struct ServedBy: Hashable, Comparable, Codable, Sendable {
    package static let unknown = ServedBy()

    /// Answer fields: caches, points of presence, request ids; empty if there are none.
    package var head: String
    /// Address and port that answered; empty without a connection.
    package var address: String
    /// Trace id of the request; empty without one.
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

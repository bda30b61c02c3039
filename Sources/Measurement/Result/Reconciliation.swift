/// The client's counts beside the origin's own, kind by kind; a difference is a defect of podswarm.
package struct Reconciliation: Equatable, Codable, Sendable {
    /// One request kind, counted on both ends.
    package struct Row: Equatable, Codable, Sendable {
        package var kind: String
        /// Requests the client got a status for.
        package var clientAnswered: UInt64
        /// Requests the client got no status for, though the origin may have received them.
        package var clientUnanswered: UInt64
        package var originReceived: UInt64
        package var agrees: Bool

        private enum CodingKeys: String, CodingKey {
            case kind
            case clientAnswered = "client_answered"
            case clientUnanswered = "client_unanswered"
            case originReceived = "origin_received"
            case agrees
        }
    }

    package var rows: [Row]
    package var agrees: Bool

    /// Compares counts: exactly where every request was answered, otherwise within what the unanswered leave open.
    ///
    /// - Parameters:
    ///   - totals: The client's side.
    ///   - originReceived: Requests received by kind name; an unknown kind must be zero.
    ///   - resends: Requests that went out once more by kind name; the first try may or may not have been received.
    package init(totals: RunTotals, originReceived: [String: Int], resends: [String: Int] = [:]) {
        let known = RequestKind.allCases.map { kind in
            Row(
                kind: kind.name,
                answered: totals.answeredCount(of: kind),
                unanswered: totals.unansweredCount(of: kind) &+ UInt64(clamping: resends[kind.name] ?? 0),
                received: originReceived[kind.name] ?? 0
            )
        }
        let strange = originReceived.keys.filter { RequestKind(name: $0) == nil }.sorted().map { name in
            Row(kind: name, answered: 0, unanswered: 0, received: originReceived[name] ?? 0)
        }
        rows = known + strange
        agrees = rows.allSatisfy(\.agrees)
    }
}

extension Reconciliation.Row {
    fileprivate init(kind: String, answered: UInt64, unanswered: UInt64, received: Int) {
        let received = UInt64(clamping: received)
        let most = answered.addingReportingOverflow(unanswered)
        self.init(
            kind: kind,
            clientAnswered: answered,
            clientUnanswered: unanswered,
            originReceived: received,
            agrees: received >= answered && received <= (most.overflow ? .max : most.partialValue)
        )
    }
}

import Rulebook

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
    }

    /// Whose requests the origin saw on which connections.
    package struct Connections: Equatable, Codable, Sendable {
        /// Connections that carried at least one request.
        package var total: Int
        /// Connections that carried requests of more than one viewer; anything but 0 is a defect of podswarm.
        package var shared: Int
        package var viewers: Int
        /// Most connections that one viewer opened over the whole run.
        package var maximumPerViewer: Int

        package init(total: Int, shared: Int, viewers: Int, maximumPerViewer: Int) {
            self.total = total
            self.shared = shared
            self.viewers = viewers
            self.maximumPerViewer = maximumPerViewer
        }
    }

    package var rows: [Row]
    /// Nil where the origin cannot tell viewers apart.
    package var connections: Connections?
    package var agrees: Bool

    /// Compares counts: exactly where every request was answered, otherwise within what the unanswered leave open.
    ///
    /// - Parameters:
    ///   - totals: The client's side.
    ///   - originReceived: Requests received by kind name; an unknown kind must be zero.
    ///   - connections: What the origin saw of connections.
    ///   - resends: Requests that went out once more by kind name; the first try may or may not have been received.
    ///   - besides: Requests of no viewer that were answered, by kind name.
    package init(
        totals: RunTotals,
        originReceived: [String: Int],
        connections: Connections? = nil,
        resends: [String: Int] = [:],
        besides: [String: Int] = [:]
    ) {
        let known = RequestKind.allCases.map { kind in
            Row(
                kind: kind.name,
                answered: totals.answeredCount(of: kind) &+ UInt64(clamping: besides[kind.name] ?? 0),
                unanswered: totals.unansweredCount(of: kind) &+ UInt64(clamping: resends[kind.name] ?? 0),
                received: originReceived[kind.name] ?? 0
            )
        }
        let strange = originReceived.keys.filter { RequestKind(name: $0) == nil }.sorted().map { name in
            Row(kind: name, answered: 0, unanswered: 0, received: originReceived[name] ?? 0)
        }
        rows = known + strange
        self.connections = connections
        agrees = rows.allSatisfy(\.agrees) && (connections?.shared ?? 0) == 0
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

extension Reconciliation {
    /// Each difference as a sentence.
    var defects: [String] {
        let counts = rows.filter { !$0.agrees }.map { row in
            "client and origin count \(row.kind) requests differently: \(row.clientAnswered) answered"
                + " and \(row.clientUnanswered) unanswered here, \(row.originReceived) received there"
        }
        guard let connections, connections.shared > 0 else { return counts }
        return counts + [
            "\(connections.shared) connection\(connections.shared == 1 ? "" : "s") carried requests of more than one viewer"
        ]
    }
}

import Rules
import Values

/// A difference is a defect of podswarm.
package struct Reconciliation: Equatable, Codable, Sendable {
    package struct Row: Equatable, Codable, Sendable {
        package var kind: String
        package var clientAnswered: UInt64
        package var clientUnanswered: UInt64
        package var originReceived: UInt64
        package var agrees: Bool

        fileprivate init(kind: String, answered: UInt64, unanswered: UInt64, received: Int) {
            (self.kind, clientAnswered, clientUnanswered) = (kind, answered, unanswered)
            originReceived = UInt64(clamping: received)
            agrees = originReceived >= answered && originReceived <= answered.addingClamped(unanswered)
        }
    }

    package struct Connections: Equatable, Codable, Sendable {
        package var total: Int
        package var shared: Int
        package var viewers: Int
        package var maximumPerViewer: Int

        package init(total: Int, shared: Int, viewers: Int, maximumPerViewer: Int) {
            (self.total, self.shared, self.viewers, self.maximumPerViewer) = (total, shared, viewers, maximumPerViewer)
        }
    }

    package var rows: [Row]
    package var connections: Connections?
    package var agrees: Bool

    /// The first try of one of `resends` may have been received; `besides` are answered requests of no viewer.
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

    var defects: [String] {
        let counts = rows.filter { !$0.agrees }.map { row in
            "client and origin count \(row.kind) requests differently: \(row.clientAnswered) answered"
                + " and \(row.clientUnanswered) unanswered here, \(row.originReceived) received there"
        }
        guard let connections, connections.shared > 0 else { return counts }
        return counts + [
            "\(GroupedDigits.counted(connections.shared, "connection")) carried requests of more than one viewer"
        ]
    }
}

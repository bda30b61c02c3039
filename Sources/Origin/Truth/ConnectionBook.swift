/// Viewer of a request: a number in `x-podswarm-viewer`, or else a stream id.
enum ViewerIdentity: Hashable, Sendable {
    case number(UInt64)
    /// Hash of the stream id, which is secret and not kept here.
    case session(UInt64)
}

/// Connections by viewer; a viewer number and a stream id on one connection count as one viewer.
struct ConnectionBook: Sendable {
    private struct Connection {
        var number: UInt64?
        var session: UInt64?
        var requests = 0
        var isShared = false
    }

    private var open: [ObjectIdentifier: Connection] = [:]
    private var connectionsOfViewer: [UInt64: Int] = [:]
    private var total = 0
    private var shared = 0
    private var attributed = 0
    private var maximumRequests = 0
    private var openedFor = [Int](repeating: 0, count: RequestKind.allCases.count)

    /// Records a request; true for the connection's first, after which `closed` must be called once.
    mutating func carried(_ kind: RequestKind, on identifier: ObjectIdentifier, by viewer: ViewerIdentity?) -> Bool {
        let isFirst = open[identifier] == nil
        if isFirst {
            total += 1
            openedFor[Int(kind.rawValue)] += 1
        }
        var connection = open[identifier] ?? Connection()
        connection.requests += 1
        maximumRequests = max(maximumRequests, connection.requests)
        if let viewer { attribute(viewer, to: &connection) }
        open[identifier] = connection
        return isFirst
    }

    mutating func closed(_ identifier: ObjectIdentifier) {
        open[identifier] = nil
    }

    private mutating func attribute(_ viewer: ViewerIdentity, to connection: inout Connection) {
        if connection.number == nil, connection.session == nil { attributed += 1 }
        let isOther: Bool
        switch viewer {
        case .number(let number):
            isOther = connection.number.map { $0 != number } ?? false
            let opened = connection.number == nil ? 1 : 0
            if opened == 1 { connection.number = number }
            if opened == 1 || isOther { connectionsOfViewer[number, default: 0] += opened }
        case .session(let session):
            // A viewer that registers again keeps its connections, so that only its number identifies it.
            isOther = connection.number == nil && connection.session.map { $0 != session } ?? false
            connection.session = session
        }
        if isOther, !connection.isShared {
            connection.isShared = true
            shared += 1
        }
    }

    var connectionTruth: GroundTruth.ConnectionTruth {
        var truth = GroundTruth.ConnectionTruth()
        truth.total = total
        truth.open = open.count
        truth.maximumRequests = maximumRequests
        truth.sharedBetweenSessions = shared
        truth.attributed = attributed
        for kind in RequestKind.allCases where openedFor[Int(kind.rawValue)] > 0 {
            truth.openedFor[kind.name] = openedFor[Int(kind.rawValue)]
        }
        return truth
    }

    var viewerTruth: GroundTruth.ViewerTruth {
        var truth = GroundTruth.ViewerTruth()
        truth.seen = connectionsOfViewer.count
        truth.maximumConnections = connectionsOfViewer.values.max() ?? 0
        return truth
    }
}

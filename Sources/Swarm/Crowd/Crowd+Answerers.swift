import AdServing
import Audit
import Recording
import Rules
import Transport
import Values
import Viewer

struct KnownEdges {
    private struct Name: Hashable {
        let remote: UInt16
        let pop: String
    }

    private var slots: [Name: UInt16] = [:]

    /// The slot of an edge; the recorder is called once for each.
    mutating func slot(_ result: borrowing TransferResult, pop: String, _ recorder: LoopRecorder) -> UInt16 {
        let name = Name(remote: result.remote, pop: pop)
        if let known = slots[name] { return known }
        let slot = recorder.edgeSlot(of: Edge(address: result.remoteAddress, pop: pop))
        // A server that names another point of presence each time must not fill the memory.
        if slots.count < 4 * EdgeSlot.limit { slots[name] = slot }
        return slot
    }
}

extension Crowd {
    /// The edge that answered, noted with the connection at its first answer, because one connection leads to one edge.
    @inline(__always)
    func edge(of result: borrowing TransferResult) -> UInt16 {
        result.connectionNote != EdgeSlot.none ? result.connectionNote : readEdge(of: result)
    }

    @inline(never)
    private func readEdge(of result: TransferResult) -> UInt16 {
        guard result.remote != 0 else { return EdgeSlot.none }
        // A failed request names no point of presence, and the next answer on this connection may.
        guard result.status > 0 else { return edges.slot(result, pop: "", recorder) }
        let slot = edges.slot(result, pop: PointOfPresence.name(result.readHeader), recorder)
        result.noteConnection(slot)
        return slot
    }

    /// Keeps the data of a slow answer; its text is made later, if it is still among the slowest.
    @inline(never)
    func keepSlow(_ role: ViewerRole, _ result: TransferResult, breakSlot: BreakSlot, _ viewer: ViewerSlot) {
        let response = (result.doneAt &- result.handling &- result.plannedAt) / 1_000
        let wall = plan.timebase.wall(at: result.plannedAt).microseconds
        let outcome = Outcome(result)
        recorder.keepSlow(role.kind, breakSlot: breakSlot, wallMicroseconds: wall) {
            let (head, url, address, trace) = (result.copyHead(), result.url, result.remoteAddress, result.trace)
            let own = viewer.machine.facts.streamID
            return SlowAnswerDraft(
                responseMicroseconds: response,
                wallMicroseconds: wall,
                viewer: viewer.machine.number,
                outcome: outcome
            ) {
                (
                    Redaction.url(url, own: own),
                    ServedBy(own: own, address: address, traceID: trace?.traceID) { head.read($0, $1) }
                )
            }
        }
    }
}

// MARK: - Traces

extension Crowd {
    /// The request with a trace context, for a share of all requests and for each that follows a failed one of its kind or one
    /// with a finding.
    func traced(_ request: PreparedRequest, _ role: ViewerRole, _ viewer: ViewerSlot) -> PreparedRequest {
        viewer.requestNumber &+= 1
        let isSuspect = viewer.suspectKinds != 0 && viewer.suspectKinds & Self.mark(role.kind) != 0
        guard isSuspect || tracing.chooses(viewer.requestNumber, ofViewer: viewer.machine.number) else {
            return request
        }
        viewer.suspectKinds &= ~Self.mark(role.kind)
        return request.carrying(tracing.context(viewer.requestNumber, ofViewer: viewer.machine.number))
    }

    /// Traces the viewer's next request of this kind, and for a kind of a break the next request for its pod too.
    func suspect(_ role: ViewerRole, _ viewer: ViewerSlot) {
        viewer.suspectKinds |= Self.mark(role.kind)
        switch role {
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .podSegment:
            viewer.suspectKinds |= Self.mark(.podManifest)
        default: break
        }
    }

    /// Traces the repeat of a pod if the viewer finds something wrong with the pod in the same step.
    func suspectRepeat(_ viewer: ViewerSlot) {
        for case .note(.finding, _) in actions { suspect(.podManifest, viewer) }
    }

    private static func mark(_ kind: RequestKind) -> UInt32 { 1 << UInt32(kind.rawValue) }
}

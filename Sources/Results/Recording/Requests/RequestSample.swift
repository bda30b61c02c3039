package import Rules

package enum BreakSlot: Hashable, Sendable {
    case outside
    /// The viewer does not have the request's break any more.
    case over
    /// Index of a record from `LoopRecorder.breakSlot`.
    case kept(Int32)
}

package enum CacheUse: Sendable {
    case unsaid
    case hit
    case miss
}

/// Instants are nanoseconds of `CLOCK_MONOTONIC`; 0 means that the instant never came.
package struct RequestSample: Sendable {
    package var kind: RequestKind
    package var outcome: Outcome
    /// Latency is judged from here.
    package var plannedAt: Int64
    package var sentAt: Int64
    package var firstByteAt: Int64
    /// Kernel's stamp of the answer's last byte: service and response end there.
    package var receivedAt: Int64 = 0
    /// The loop had read the answer; service and response end there without a stamp.
    package var doneAt: Int64
    /// 0 on a reused connection.
    package var connectMicroseconds: Int32 = 0
    /// Handshake alone; 0 on a reused connection and without TLS.
    package var tlsMicroseconds: Int32 = 0
    /// Wait for a connection that another request opened, or for room on one; 0 over HTTP/1.1.
    package var awaitedMicroseconds: Int32 = 0
    package var bodyBytes = 0
    package var isNewConnection = false
    /// The answer exceeded the socket's receive buffer: the target waited for the reader.
    package var outgrewBuffer = false
    /// Ignored for a request that was not sent.
    package var carrier = Carrier.curl
    package var breakSlot = BreakSlot.outside
    /// Slot from `LoopRecorder.edgeSlot`.
    package var edgeSlot = EdgeSlot.none
    package var cache = CacheUse.unsaid
    package var groups = ViewerGroups()

    package init(
        kind: RequestKind,
        outcome: Outcome,
        plannedAt: Int64,
        sentAt: Int64,
        firstByteAt: Int64 = 0,
        doneAt: Int64
    ) {
        (self.kind, self.outcome) = (kind, outcome)
        (self.plannedAt, self.sentAt, self.firstByteAt, self.doneAt) = (plannedAt, sentAt, firstByteAt, doneAt)
    }

    /// Delay caused by the generator itself, without connecting.
    @inline(__always)
    var latenessMicroseconds: Int64 {
        let connecting = Int64(connectMicroseconds) &+ Int64(tlsMicroseconds) &+ Int64(awaitedMicroseconds)
        let whole = (sentAt &- plannedAt) / 1_000
        // A clock that was read too early shows as below zero; a handshake must not.
        return connecting == 0 ? whole : max(whole &- connecting, min(whole, 0))
    }
}

package import Rules

/// Break of a request or finding on one loop.
package enum BreakSlot: Hashable, Sendable {
    case outside
    /// The viewer does not have the request's break any more.
    case over
    /// Index of a record from `LoopRecorder.breakSlot`.
    case kept(Int32)
}

/// Statement of an answer on whether a cache made it.
package enum CacheUse: Sendable {
    case unsaid
    case hit
    case miss
}

/// Measurements of one finished request.
///
/// Instants are nanoseconds of `CLOCK_MONOTONIC`; 0 means that the instant never came.
package struct RequestSample: Sendable {
    package var kind: RequestKind
    package var outcome: Outcome
    /// Latency is judged from here.
    package var plannedAt: Int64
    package var sentAt: Int64
    package var firstByteAt: Int64
    /// Kernel's stamp of the answer's last byte: service and response end there.
    package var receivedAt: Int64
    /// The loop had read the answer; service and response end there without a stamp.
    package var doneAt: Int64
    /// 0 on a reused connection.
    package var connectMicroseconds: Int32
    /// Handshake alone; 0 on a reused connection and without TLS.
    package var tlsMicroseconds: Int32
    /// Wait for a connection that another request opened, or for room on one; 0 over HTTP/1.1.
    package var awaitedMicroseconds: Int32
    package var bodyBytes: Int
    package var isNewConnection: Bool
    /// The answer exceeded the socket's receive buffer: the target waited for the reader.
    package var outgrewBuffer: Bool
    /// Ignored for a request that was not sent.
    package var carrier: Carrier
    package var breakSlot: BreakSlot
    /// Slot from `LoopRecorder.edgeSlot`.
    package var edgeSlot: UInt16
    package var cache: CacheUse
    package var groups: ViewerGroups

    package init(
        kind: RequestKind,
        outcome: Outcome,
        plannedAt: Int64,
        sentAt: Int64,
        firstByteAt: Int64 = 0,
        receivedAt: Int64 = 0,
        doneAt: Int64,
        connectMicroseconds: Int32 = 0,
        tlsMicroseconds: Int32 = 0,
        awaitedMicroseconds: Int32 = 0,
        bodyBytes: Int = 0,
        isNewConnection: Bool = false,
        outgrewBuffer: Bool = false,
        carrier: Carrier = .curl,
        breakSlot: BreakSlot = .outside,
        edgeSlot: UInt16 = EdgeSlot.none,
        cache: CacheUse = .unsaid,
        groups: ViewerGroups = ViewerGroups()
    ) {
        self.kind = kind
        self.outcome = outcome
        self.plannedAt = plannedAt
        self.sentAt = sentAt
        self.firstByteAt = firstByteAt
        self.receivedAt = receivedAt
        self.doneAt = doneAt
        self.connectMicroseconds = connectMicroseconds
        self.tlsMicroseconds = tlsMicroseconds
        self.awaitedMicroseconds = awaitedMicroseconds
        self.bodyBytes = bodyBytes
        self.isNewConnection = isNewConnection
        self.outgrewBuffer = outgrewBuffer
        self.carrier = carrier
        self.breakSlot = breakSlot
        self.edgeSlot = edgeSlot
        self.cache = cache
        self.groups = groups
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

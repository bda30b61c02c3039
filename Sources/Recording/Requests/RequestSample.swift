package import Rulebook

/// Everything measured about one finished request.
///
/// Instants are nanoseconds of `CLOCK_MONOTONIC`; 0 means that the instant never came.
package struct RequestSample: Sendable {
    package var kind: RequestKind
    package var outcome: Outcome
    /// When the viewer's schedule wanted the request on its way; latency is judged from here.
    package var plannedAt: Int64
    package var sentAt: Int64
    package var firstByteAt: Int64
    /// When the kernel received the last byte of the answer: service and response end there.
    package var receivedAt: Int64
    /// When the loop had read it; service and response end there where the kernel does not say.
    package var doneAt: Int64
    /// Time to establish the TCP connection; 0 on a reused one.
    package var connectMicroseconds: Int32
    /// Time of the TLS handshake alone; 0 on a reused connection and without TLS.
    package var tlsMicroseconds: Int32
    /// Time it waited for a connection that another request opened, or for room on one; 0 over HTTP/1.1.
    package var awaitedMicroseconds: Int32
    package var bodyBytes: Int
    package var isNewConnection: Bool
    /// Whether the answer was larger than the socket's receive buffer, so that the target had to wait for the reader.
    package var outgrewBuffer: Bool
    /// Counts where the request was sent.
    package var carrier: Carrier
    /// The break this request belongs to, as `LoopRecorder.breakSlot` gave it; -1 for none.
    package var breakSlot: Int32
    /// Who answered, as `LoopRecorder.edgeSlot` gave it.
    package var edgeSlot: UInt16

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
        breakSlot: Int32 = -1,
        edgeSlot: UInt16 = EdgeSlot.none
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
    }

    /// Planned to sent, without the time that connecting took: how long the generator itself kept the request back.
    @inline(__always)
    var latenessMicroseconds: Int64 {
        let connecting = Int64(connectMicroseconds) &+ Int64(tlsMicroseconds) &+ Int64(awaitedMicroseconds)
        let whole = (sentAt &- plannedAt) / 1_000
        // A clock that is read before it is due shows as below zero; a handshake must not.
        return connecting == 0 ? whole : max(whole &- connecting, min(whole, 0))
    }
}

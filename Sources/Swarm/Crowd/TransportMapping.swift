package import Profile
package import Recording
package import Rules
package import Transport
import Values

extension TransportConfiguration {
    init(_ plan: ConnectionPlan, permitting hosts: AuthorisedHosts) {
        self.init()
        httpVersion = plan.version == .http1 ? .http1 : .http2
        verifyTLS = plan.verifiesTLS
        caFile = plan.caFile
        clientCertificateFile = plan.clientCertificateFile
        clientKeyFile = plan.clientKeyFile
        connectTimeout = plan.connectTimeout
        firstByteTimeout = plan.firstByteTimeout
        totalTimeout = plan.totalTimeout
        maximumBodyBytes = plan.maximumBodyBytes
        maximumRedirects = plan.maximumRedirects
        acceptEncoding = plan.acceptsCompression
        sourceAddresses = plan.sourceAddresses
        carriers = plan.transport == .curl ? .curl : .auto
        maximumHandshakes = plan.maximumHandshakes
        authorisedHosts = hosts
    }
}

extension ConnectionPlan {
    /// Reads the certificates and the key that the plan names, without any request.
    ///
    /// Throws a `TransportError` that names the unusable file.
    package func checkTLSFiles() throws(TransportError) {
        _ = try TLSContext(TransportConfiguration(self, permitting: AuthorisedHosts([])))
    }
}

extension Outcome {
    init(_ result: borrowing TransferResult) {
        guard let failure = result.failure else {
            self = .status(UInt16(clamping: result.status))
            return
        }
        self = .failure(failure)
    }
}

extension RequestSample {
    @inline(__always)
    package init(
        _ result: borrowing TransferResult,
        kind: RequestKind,
        breakSlot: BreakSlot = .outside,
        edgeSlot: UInt16 = 0
    ) {
        self.init(
            kind: kind,
            outcome: Outcome(result),
            plannedAt: result.plannedAt.nanoseconds,
            sentAt: result.sentAt.nanoseconds,
            firstByteAt: result.firstByteAt.nanoseconds,
            receivedAt: result.receivedAt.nanoseconds,
            doneAt: result.doneAt.nanoseconds,
            connectMicroseconds: Int32(clamping: result.connectMicroseconds),
            tlsMicroseconds: Int32(clamping: result.tlsMicroseconds),
            awaitedMicroseconds: Int32(clamping: result.awaitedMicroseconds),
            bodyBytes: result.bodyBytes,
            isNewConnection: result.isNewConnection,
            outgrewBuffer: result.outgrewBuffer,
            carrier: result.carrier,
            breakSlot: breakSlot,
            edgeSlot: edgeSlot
        )
    }
}

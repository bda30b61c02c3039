import LoadProfile
package import Recording
package import Rulebook
package import Transport

extension TransportConfiguration {
    init(_ plan: ConnectionPlan, permitting hosts: AuthorisedHosts) {
        self.init()
        self.httpVersion = plan.version == .http1 ? .http1 : .http2
        self.verifyTLS = plan.verifiesTLS
        self.caFile = plan.caFile
        self.clientCertificateFile = plan.clientCertificateFile
        self.clientKeyFile = plan.clientKeyFile
        self.connectTimeout = plan.connectTimeout
        self.firstByteTimeout = plan.firstByteTimeout
        self.totalTimeout = plan.totalTimeout
        self.maximumBodyBytes = plan.maximumBodyBytes
        self.maximumRedirects = plan.maximumRedirects
        self.acceptEncoding = plan.acceptsCompression
        self.sourceAddresses = plan.sourceAddresses
        self.carriers = plan.transport == .curl ? .curl : .auto
        self.maximumHandshakes = plan.maximumHandshakes
        self.authorisedHosts = hosts
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
    /// What there is to record of a finished transfer.
    @inline(__always)
    package init(_ result: borrowing TransferResult, kind: RequestKind, breakSlot: Int32 = -1) {
        self.init(
            kind: kind,
            outcome: Outcome(result),
            plannedAt: result.plannedAt,
            sentAt: result.sentAt,
            firstByteAt: result.firstByteAt,
            doneAt: result.doneAt,
            connectMicroseconds: Int32(clamping: result.connectMicroseconds),
            tlsMicroseconds: Int32(clamping: result.tlsMicroseconds),
            bodyBytes: result.bodyBytes,
            isNewConnection: result.isNewConnection,
            carrier: result.carrier,
            breakSlot: breakSlot
        )
    }
}

extension TransferResult {
    /// True for an answer with a status of 200 to 299.
    package var isSuccess: Bool { self.failure == nil && (200..<300).contains(self.status) }
}

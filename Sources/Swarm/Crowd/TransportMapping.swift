package import Audit
package import Profile
package import Results
package import Rules
package import Transport
package import Values
package import Viewer

extension TransportConfiguration {
    init(_ plan: ConnectionPlan, permitting hosts: AuthorisedHosts) {
        self.init()
        httpVersion = plan.version
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
        carriers = plan.transport
        maximumHandshakes = plan.maximumHandshakes
        connectionLife = ConnectionLife(longest: plan.maximumLifetime, mostRequests: plan.maximumRequests)
        resolve = plan.resolve
        connectTo = plan.connectTo
        proxy = plan.proxy
        noProxy = plan.noProxy
        names = .shared(servers: plan.nameServers, timeToLive: plan.nameTimeToLive)
        authorisedHosts = hosts
    }
}

extension ConnectionPlan {
    /// Sends no request; the error names the unusable file.
    package func checkTLSFiles() throws(TransportError) {
        _ = try TLSContext(TransportConfiguration(self, permitting: AuthorisedHosts([])))
    }
}

extension Outcome {
    init(_ result: borrowing TransferResult) {
        self = result.failure.map(Outcome.failure) ?? .status(UInt16(clamping: result.status))
    }
}

extension RequestSample {
    @inline(__always)
    package init(
        _ result: borrowing TransferResult,
        kind: RequestKind,
        breakSlot: BreakSlot = .outside,
        edgeSlot: UInt16 = 0,
        cache: CacheUse = .unsaid,
        groups: ViewerGroups = ViewerGroups()
    ) {
        self.init(
            kind: kind,
            outcome: Outcome(result),
            plannedAt: result.plannedAt.nanoseconds,
            sentAt: result.sentAt.nanoseconds,
            firstByteAt: result.firstByteAt.nanoseconds,
            doneAt: result.doneAt.nanoseconds
        )
        receivedAt = result.receivedAt.nanoseconds
        connectMicroseconds = Int32(clamping: result.history.connectMicroseconds)
        tlsMicroseconds = Int32(clamping: result.history.tlsMicroseconds)
        awaitedMicroseconds = result.history.awaitedMicroseconds
        bodyBytes = result.bodyBytes
        isNewConnection = result.history.newConnections > 0
        outgrewBuffer = result.times.outgrewBuffer
        carrier = result.carrier
        (self.breakSlot, self.edgeSlot) = (breakSlot, edgeSlot)
        (self.cache, self.groups) = (cache, groups)
    }
}

protocol ViewerTransport: AnyObject {
    var handler: (any TransferHandler)? { get set }

    func makeOwner(sourceAddressIndex: Int?) -> ConnectionOwner
    func start(_ request: TransferRequest)
    func start(_ request: TransferRequest, after history: TransferHistory)
    func warm(_ request: PreparedRequest, owner: ConnectionOwner)
    func close(_ owner: ConnectionOwner)
    func shutDown(_ done: @escaping () -> Void)
}

extension HTTPTransport: ViewerTransport {}

/// For the explanations of `check`; called on the viewers' loops.
package protocol ViewerObserver: FindingObserver, Sendable {
    /// Called before the actions are carried out.
    func viewer(_ number: Int, met event: ViewerEvent, did actions: [ViewerAction], now: Instant)

    /// Called before the answer is understood, or after a failure; nothing in it is redacted.
    func viewer(_ number: Int, got outcome: Outcome, of kind: RequestKind, _ result: borrowing TransferResult)
}

extension ViewerObserver {
    package func viewer(_ number: Int, got outcome: Outcome, of kind: RequestKind, _ result: borrowing TransferResult) {
    }
}

struct RequestLimits {
    /// Ordered by persona, then by role; empty where all use the connection's limits.
    private let limits: ContiguousArray<TransferLimits>

    init(_ personas: [PersonaShare], _ bodies: BodyLimits = .usual) {
        let limits = personas.flatMap { part in
            ViewerRole.allCases.map { role in
                let (rule, bytes) = (part.persona.requests.rule(for: role), bodies.bytes(for: role))
                return TransferLimits(
                    connect: rule?.connect,
                    firstByte: rule?.firstByte,
                    total: rule?.total,
                    bodyBytes: bytes
                )
            }
        }
        self.limits = limits.allSatisfy { $0 == .configured } ? [] : ContiguousArray(limits)
    }

    @inline(__always)
    subscript(persona: UInt8, role: ViewerRole) -> TransferLimits {
        guard !limits.isEmpty else { return .configured }
        return limits[Int(persona) * ViewerRole.allCases.count + Int(role.rawValue)]
    }

    /// In nanoseconds.
    func greatestTotal(otherwise configured: Int64) -> Int64 {
        limits.reduce(configured) { max($0, $1.total.nanoseconds(otherwise: configured)) }
    }
}

extension BodyLimits {
    /// nil for bodies that are not kept.
    fileprivate func bytes(for role: ViewerRole) -> Int? {
        switch role {
        case .registration: registration
        case .multivariant: multivariant
        case .playlist, .blockingPlaylist: playlist
        case .podManifest, .podRepeat, .podPlaylist, .podRepeatPlaylist, .assetManifest: pod
        case .metadata: metadata
        case .assetList: assetList
        case .steering: steering
        case .segment, .podSegment, .part, .verification, .beacon, .sessionUpdate, .key, .preflight: nil
        }
    }
}

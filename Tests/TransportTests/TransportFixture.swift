import Rules
import Testing
import Transport
import Values

struct Finished: Sendable {
    var token: UInt64
    var failure: TransportFailure?
    var carrier: Carrier
    var status: Int
    var body: String
    var bodyBytes: Int
    var plannedAt: Instant
    var sentAt: Instant
    var firstByteAt: Instant
    var receivedAt: Instant
    var doneAt: Instant
    var outgrewBuffer: Bool
    var connectMicroseconds: Int64
    var tlsMicroseconds: Int64
    var newConnections: Int
    var sends: Int
    var redirects: Int
    var leftHost: Bool
    var flaws: AnswerFlaws
    var localPort: UInt16
    var effectiveURL: String
    var contentType: String?
    var retryAfter: String?
    var retryAfterSeconds: Int?
    var ageSeconds: Int?
    var remoteAddress: String
    var note: UInt16
    var traceID: String?
    var head: AnswerHeadCopy

    init(token: UInt64, _ result: borrowing TransferResult) {
        self.token = token
        (failure, carrier, status, flaws) = (result.failure, result.carrier, result.status, result.flaws)
        (body, bodyBytes) = (String(decoding: result.body, as: UTF8.self), result.bodyBytes)
        (plannedAt, sentAt, firstByteAt) = (result.plannedAt, result.sentAt, result.firstByteAt)
        (receivedAt, doneAt, outgrewBuffer) = (result.receivedAt, result.doneAt, result.times.outgrewBuffer)
        (connectMicroseconds, tlsMicroseconds) = (result.history.connectMicroseconds, result.history.tlsMicroseconds)
        (newConnections, sends) = (Int(result.history.newConnections), Int(result.history.sends))
        (redirects, leftHost, effectiveURL) = (result.redirects, result.leftHost, result.url)
        (contentType, retryAfter) = (result.header("content-type"), result.header("Retry-After"))
        (retryAfterSeconds, ageSeconds) = (result.retryAfterSeconds, result.ageSeconds)
        (remoteAddress, localPort) = (result.remoteAddress, result.connection.localPort)
        (note, traceID, head) = (result.connection.note, result.trace?.traceID, result.copyHead())
    }
}

/// A loop and a transport for one test, with numbered owners.
///
/// `@unchecked Sendable`: everything but the loop is touched on the loop only.
final class TransportFixture: TransferHandler, @unchecked Sendable {
    let loop: EventLoop
    private(set) var transport: HTTPTransport?
    private(set) var finished: [Finished] = []
    private(set) var harnessFailure: String?
    private(set) var failedConnects: [String: Int] = [:]
    /// Noted of each connection that an answer comes on; 0 for nothing.
    var note: UInt16 = 0
    /// Cookies of redirects; nil keeps none.
    var jar: CookieJar?
    var isPage = false
    /// Holds each redirected transfer for a turn of the loop.
    var holdsHops = false
    /// Called on the loop for each result, after it was noted.
    var onFinished: ((HTTPTransport, Finished) -> Void)?
    private var owners: [Int: ConnectionOwner] = [:]
    private var waiters: [(count: Int, continuation: CheckedContinuation<[Finished], Never>)] = []
    private var nextToken: UInt64 = 0

    private init() throws { loop = try EventLoop(label: "test") }

    static func run<Outcome>(
        _ configuration: TransportConfiguration = .with { _ in },
        _ body: (TransportFixture) async throws -> Outcome
    ) async throws -> Outcome {
        let fixture = try TransportFixture()
        var configuration = configuration
        configuration.carriers = EachCarrier.underTest
        do {
            try await fixture.onLoop { [fixture, configuration] in
                let transport = try HTTPTransport(loop: fixture.loop, configuration: configuration, expectedOwners: 16)
                transport.handler = fixture
                fixture.transport = transport
            }
            let outcome = try await body(fixture)
            await fixture.shutDown()
            return outcome
        } catch {
            await fixture.shutDown()
            throw error
        }
    }

    @discardableResult
    func onLoop<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            loop.execute { continuation.resume(with: Result { try work() }) }
        }
    }

    @discardableResult func withTransport<Value: Sendable>(
        _ work: @escaping @Sendable (TransportFixture, HTTPTransport) throws -> Value
    ) async throws -> Value {
        try await onLoop { [self] in
            guard let transport else { throw TransportError.library(call: "test", message: "no transport") }
            return try work(self, transport)
        }
    }

    /// The owner of a number, made when first asked for; on the loop.
    func owner(_ number: Int, sourceAddressIndex: Int? = nil) throws -> ConnectionOwner {
        if let known = owners[number] { return known }
        guard let transport else { throw TransportError.library(call: "test", message: "no transport") }
        let owner = transport.makeOwner(sourceAddressIndex: sourceAddressIndex)
        owners[number] = owner
        return owner
    }

    /// Starts a request, on the loop; its token is its ordinal among the started ones.
    func start(
        _ request: PreparedRequest,
        owner number: Int = 0,
        keepBody: Bool = true,
        limits: TransferLimits = .configured
    ) throws {
        let owner = try owner(number)
        transport?.start(
            TransferRequest(
                request,
                owner: owner,
                plannedAt: MonotonicClock.now(),
                token: nextToken,
                keepBody: keepBody,
                limits: limits
            )
        )
        nextToken += 1
    }

    /// Everything finished, once at least so many have.
    func results(_ count: Int) async -> [Finished] {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                if finished.count >= count {
                    continuation.resume(returning: finished)
                } else {
                    waiters.append((count, continuation))
                }
            }
        }
    }

    /// Makes one request, which the test hands over to the loop, and returns its result.
    func send(_ request: PreparedRequest, owner: Int = 0, keepBody: Bool = true, limits: TransferLimits = .configured)
        async throws -> Finished
    {
        nonisolated(unsafe) let request = request
        let count = try await onLoop { [self] in
            try start(request, owner: owner, keepBody: keepBody, limits: limits)
            return finished.count + 1
        }
        return await results(count)[count - 1]
    }

    func get(_ url: String, owner: Int = 0, keepBody: Bool = true, limits: TransferLimits = .configured) async throws
        -> Finished
    { try await send(PreparedRequest(url: url), owner: owner, keepBody: keepBody, limits: limits) }

    func startAll(_ url: String, owners: some Sequence<Int> & Sendable) async throws {
        try await onLoop { [self] in for owner in owners { try start(PreparedRequest(url: url), owner: owner) } }
    }

    /// Closes owners, and returns how many connections are left open.
    @discardableResult func close(owners numbers: some Sequence<Int> & Sendable) async throws -> Int {
        try await withTransport { fixture, transport in
            for number in numbers { transport.close(try fixture.owner(number)) }
            return fixture.open(on: transport)
        }
    }

    func openConnections() async throws -> Int { try await withTransport { $0.open(on: $1) } }

    func open(on transport: HTTPTransport) -> Int {
        owners.values.reduce(0) { $0 + transport.descriptors(of: $1).count }
    }

    func inFlight() async throws -> Int { try await withTransport { $1.inFlight } }

    func transferFinished(token: UInt64, _ result: borrowing TransferResult) {
        let entry = Finished(token: token, result)
        if note != 0 { result.noteConnection(note) }
        finished.append(entry)
        if let transport { onFinished?(transport, entry) }
        let ready = waiters.filter { $0.count <= finished.count }
        waiters.removeAll { $0.count <= finished.count }
        for waiter in ready { waiter.continuation.resume(returning: finished) }
    }

    func redirected(to url: String, token: UInt64, after result: borrowing TransferResult) -> RedirectedViewer {
        _ = jar?.take(result, now: 0)
        return (jar?.field(for: url, now: 0), isPage)
    }

    func holds(_ next: TransferRequest, after history: TransferHistory) -> Bool {
        nonisolated(unsafe) let held = next
        if holdsHops { loop.execute { [self] in transport?.start(held, after: history) } }
        return holdsHops
    }

    func transportFailed(_ reason: String) { harnessFailure = reason }

    func connectFailed(at address: String) { failedConnects[address, default: 0] += 1 }

    private func shutDown() async {
        await withCheckedContinuation { continuation in
            loop.execute { [self] in
                guard let transport else {
                    continuation.resume()
                    return
                }
                transport.shutDown {
                    // Tests' closures hold the fixture.
                    self.onFinished = nil
                    self.transport = nil
                    continuation.resume()
                }
            }
        }
        await withCheckedContinuation { continuation in loop.shutDown { continuation.resume() } }
    }
}

func withServer<Outcome>(
    _ configuration: TransportConfiguration = .with { _ in },
    address: String = "127.0.0.1",
    script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step],
    test: (TransportFixture, ScriptedServer) async throws -> Outcome
) async throws -> Outcome {
    let server = try ScriptedServer(address: address, script: script)
    defer { server.stop() }
    return try await TransportFixture.run(configuration) { try await test($0, server) }
}

/// What one request comes to at a server that answers each of them so.
func result(
    of steps: ScriptedServer.Step...,
    with configuration: TransportConfiguration = .with { _ in },
    keepBody: Bool = true,
    limits: TransferLimits = .configured
) async throws -> Finished {
    let script: ScriptedServer.Script = { _ in steps }
    return try await withServer(configuration, script: script) { fixture, server in
        try await fixture.get(server.url("/"), keepBody: keepBody, limits: limits)
    }
}

/// Runs a test's body with nginx and a transport that trusts its certificate.
func withNginx(
    _ change: (inout TransportConfiguration) -> Void = { _ in },
    test: (TransportFixture, NginxServer) async throws -> Void
) async throws {
    try await NginxServer.run { server in
        let configuration = TransportConfiguration.with {
            $0.caFile = server.certificate
            change(&$0)
        }
        try await TransportFixture.run(configuration) { try await test($0, server) }
    }
}

extension TransportConfiguration {
    /// The usual configuration but for what `change` does to it.
    static func with(_ change: (inout TransportConfiguration) -> Void) -> TransportConfiguration {
        var configuration = TransportConfiguration()
        // A test that waits its turn on a busy machine is no slow server.
        (configuration.connectTimeout, configuration.firstByteTimeout) = (.seconds(120), .seconds(120))
        configuration.totalTimeout = .seconds(180)
        change(&configuration)
        return configuration
    }
}

struct EachCarrier: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var underTest = CarrierChoice.auto

    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void)
        async throws
    {
        guard testCase != nil else {
            try await function()
            return
        }
        for choice in CarrierChoice.allCases { try await Self.$underTest.withValue(choice) { try await function() } }
    }
}

extension Trait where Self == EachCarrier {
    /// Once over podswarm's own exchange where it can, and once over libcurl alone.
    static var eachCarrier: Self { EachCarrier() }
}

import Glibc
import Rules
import TestSupport
import Testing
import Values

@testable import Transport

/// Requests end at the limits of the configuration, or at their own.
///
/// The limit under test is the only one that a test lives to see, so that no machine is too slow for it.
///
/// Over sockets, because it is a server that takes its time.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct TransferLimitsTests {
    private static let short = Duration.milliseconds(50)
    private static let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome"

    @Test(arguments: [true, false]) func aSilentServerIsAFirstByteTimeout(isOwn: Bool) async throws {
        let configuration = TransportConfiguration.with { if !isOwn { $0.firstByteTimeout = Self.short } }
        let limits = TransferLimits(connect: nil, firstByte: isOwn ? Self.short : nil, total: nil)
        let result = try await result(of: .hold, with: configuration, limits: limits)
        #expect((result.failure, result.firstByteAt) == (.firstByteTimeout, .zero))
        #expect(result.sentAt > .zero && result.doneAt >= result.sentAt.later(by: Self.short))
    }

    @Test(arguments: [true, false]) func anAnswerThatNeverEndsIsATotalTimeout(isOwn: Bool) async throws {
        let total = Duration.milliseconds(300)
        let configuration = TransportConfiguration.with {
            $0.firstByteTimeout = .seconds(600)
            if !isOwn { $0.totalTimeout = total }
        }
        let limits = TransferLimits(connect: nil, firstByte: nil, total: isOwn ? total : nil)
        let result = try await result(of: .send(Self.half), .hold, with: configuration, limits: limits)
        #expect(result.failure == .totalTimeout)
        #expect(result.status == (result.firstByteAt > .zero ? 200 : 0), "the half that came is told")
    }

    /// A peer whose accept queue is full never completes the handshake.
    @Test(arguments: [true, false]) func aConnectThatIsNotAnsweredTimesOut(isOwn: Bool) async throws {
        let full = try FullListener()
        defer { full.stop() }
        let configuration = TransportConfiguration.with { if !isOwn { $0.connectTimeout = Self.short } }
        try await TransportFixture.run(configuration) { fixture in
            let limits = TransferLimits(connect: isOwn ? Self.short : nil, firstByte: nil, total: nil)
            let result = try await fixture.get("http://127.0.0.1:\(full.port)/", limits: limits)
            #expect((result.failure, result.sentAt) == (.connectTimeout, .zero))
        }
    }

    /// The request with a limit of its own waits for longer than the later one that ends by the configuration's.
    @Test func longerLimitsThanTheConfigurationsHold() async throws {
        try await withServer(.with { $0.firstByteTimeout = Self.short }, script: always(.hold)) { fixture, server in
            let limits = TransferLimits(connect: nil, firstByte: .seconds(600), total: .seconds(600))
            try await fixture.onLoop {
                try fixture.start(PreparedRequest(url: server.url("/")), owner: 1, limits: limits)
            }
            await server.wait { $0.requests.count == 1 }
            let later = try await fixture.get(server.url("/"), owner: 2)
            #expect(later.token == 1 && later.failure == .firstByteTimeout)
            #expect(try await fixture.inFlight() == 1)
        }
    }

    /// While the loop is kept from its work, the target's time does not run.
    @Test func aStallOfTheLoopIsGivenBack() async throws {
        try await withServer(.with { $0.firstByteTimeout = .seconds(2) }, script: always(.hold)) { fixture, server in
            try await fixture.startAll(server.url("/"), owners: [0])
            await server.wait { $0.requests.count == 1 }
            try await fixture.onLoop {
                let end = MonotonicClock.now().later(by: .milliseconds(500))
                while MonotonicClock.now() < end {}
            }
            let result = try #require(await fixture.results(1).first)
            #expect(result.failure == .firstByteTimeout)
            #expect(result.doneAt >= result.sentAt.later(by: .milliseconds(2_400)))
        }
    }

    @Test func oneThatWaitsHoldsUpNobodyElse() async throws {
        try await withServer(script: holding) { fixture, server in
            try await fixture.startAll(server.url("/hold"), owners: [0])
            try await fixture.startAll(server.url("/"), owners: 1...20)
            #expect(await fixture.results(20).allSatisfy { $0.status == 200 })
            #expect(try await fixture.inFlight() == 1)
        }
    }

    /// A connection is one owner's, and its next request is under its own limits again.
    @Test func limitsEndWithTheirRequest() async throws {
        try await withServer(.with { $0.firstByteTimeout = Self.short }, script: holding) { fixture, server in
            let limits = TransferLimits(connect: nil, firstByte: .seconds(600), total: nil)
            let answered = try await fixture.get(server.url("/"), limits: limits)
            let held = try await fixture.get(server.url("/hold"))
            #expect(answered.status == 200)
            #expect(held.failure == .firstByteTimeout)
        }
    }

    @Test func redirectsKeepTheLimits() async throws {
        try await withServer { request in
            request.path == "/large"
                ? [.send(answer("200 OK", String(repeating: "x", count: 100_000)))]
                : [.send(answer("302 Found", headers: ["Location: /large"]))]
        } test: { fixture, server in
            let limits = TransferLimits(connect: nil, firstByte: nil, total: nil, bodyBytes: 2_000)
            let result = try await fixture.get(server.url("/"), limits: limits)
            #expect((result.failure, result.redirects) == (.bodyTooLarge, 1))
        }
    }

    @Test(
        arguments: [
            ("Retry-After: 30", 30, nil), ("Retry-After:  7 ", 7, nil), ("Age: 4", nil, 4),
            ("Retry-After: Wed, 21 Oct 2026 07:28:00 GMT", nil, nil), ("Age: -1", nil, nil), ("X-Age: 3", nil, nil),
            ("Retry-After: 99999999999999999999", 1 << 31, nil),
        ] as [(String, Int?, Int?)]
    ) func whatAnAnswerAsksToWaitIsRead(_ header: String, retryAfter: Int?, age: Int?) async throws {
        let result = try await result(of: .send(answer("429 Too Many Requests", headers: [header])))
        #expect((result.retryAfterSeconds, result.ageSeconds) == (retryAfter, age))
    }
}

@Suite struct TransferLimitsValueTests {
    @Test func whatIsNotGivenIsTheConfigurations() {
        let limits = TransferLimits(connect: nil, firstByte: .seconds(2), total: nil)
        #expect(limits.connect.nanoseconds(otherwise: 7) == 7)
        #expect(limits.firstByte.nanoseconds(otherwise: 7) == 2_000_000_000)
        #expect(limits.total.nanoseconds(otherwise: 7) == 7)
        #expect(limits.least == 2_000_000_000)
        #expect(TransferLimits.configured.least == nil)
        #expect(TransferLimits(connect: nil, firstByte: nil, total: nil) == .configured)
    }

    @Test(
        arguments: [
            (.zero, 10_000_000), (.milliseconds(11), 20_000_000), (.seconds(600), 600_000_000_000),
            (.seconds(100_000), 655_350_000_000),
        ] as [(Duration, Int64)]
    ) func hundredthsAreRoundedUpAndHeld(total: Duration, nanoseconds: Int64) {
        let limits = TransferLimits(connect: nil, firstByte: nil, total: total)
        #expect(limits.total.nanoseconds(otherwise: 0) == nanoseconds)
    }

    @Test func sizesAreRoundedUpByASixteenthAtMost() {
        func body(_ bytes: Int?) -> Int {
            TransferLimits(connect: nil, firstByte: nil, total: nil, bodyBytes: bytes).bodyBytes(atMost: 1 << 30)
        }
        #expect(body(nil) == 1 << 30)
        for size in [1 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20, 16 << 20] { #expect(body(size) == size) }
        for size in stride(from: 1024, to: 60 << 20, by: 99_991) {
            #expect((size...(size + size / 16 + 1)).contains(body(size)), "\(size)")
        }
        #expect(body(0) == 1 << 10)
        #expect(body(64 << 20) == 1 << 30)
        #expect(TransferLimits(connect: nil, firstByte: nil, total: nil, bodyBytes: 1 << 20).bodyBytes(atMost: 9) == 9)
    }

    @Test func aRequestIsNoLargerForThem() { #expect(MemoryLayout<TransferRequest>.stride == 40) }
}

/// Listens with a full accept queue: the kernel drops what else knocks.
final class FullListener: Sendable {
    private let listener: LoopbackPort
    private let callers: [Int32]

    init(address: String = "127.0.0.1") throws {
        // The queue holds one connection more than the backlog.
        let listener = try LoopbackPort(address: address, backlog: 0)
        self.listener = listener
        let place = IPAddress(address).map { SocketAddress($0, port: listener.number) }
        callers = (0..<4).compactMap { _ in
            guard let place, case .underWay(let caller) = ConnectingSocket.open(to: place, from: nil)
            else { return nil }
            return caller
        }
    }

    var port: UInt16 { listener.number }

    func stop() { for caller in callers { close(caller) } }
}

import Glibc
import Rules
import Testing
import Values

@testable import Transport

/// Answers end when the kernel received them, however long they lie in their socket.
///
/// Over sockets, because it is the kernel that stamps what it receives.
@Suite(.timeLimit(.minutes(15))) struct ReceiptTests {
    private static let hold: Int64 = 20_000_000

    /// Sends a request on the owner's idle connection, and keeps the loop until its answer lies in the socket, and then
    /// for a while longer.
    ///
    /// - Returns: When the answer was there, and when the loop was let go.
    private static func hold(
        _ url: String,
        _ fixture: TransportFixture,
        limits: TransferLimits = .configured,
        for nanoseconds: Int64 = Self.hold
    ) async throws -> (readyAt: Instant, releasedAt: Instant) {
        try await fixture.withTransport { fixture, transport in
            let descriptor = try #require(transport.descriptors(of: try fixture.owner(0)).first)
            try fixture.start(PreparedRequest(url: url), limits: limits)
            var polled = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            while poll(&polled, 1, -1) <= 0 {}
            let readyAt = MonotonicClock.now()
            while MonotonicClock.now() &- readyAt < nanoseconds {}
            return (readyAt, MonotonicClock.now())
        }
    }

    @Test(arguments: [HTTPVersion.http1, .http2], [false, true])
    func anAnswerEndsWhenItCameAndNotWhenItIsRead(_ version: HTTPVersion, isTLS: Bool)
        async throws
    {
        try await withNginx {
            $0.httpVersion = version
        } test: { fixture, server in
            let plain = version == .http1 ? server.plainPort : server.clearHTTP2Port
            let url = isTLS ? "https://127.0.0.1:\(server.securePort)/facts" : "http://127.0.0.1:\(plain)/facts"
            _ = try await fixture.get(url)
            let held = try await Self.hold(url, fixture)
            let result = await fixture.results(2)[1]
            #expect(result.failure == nil && result.carrier == .exchange)
            // What makes the socket readable may be the first of several frames.
            #expect((result.sentAt..<held.releasedAt).contains(result.receivedAt))
            #expect(result.doneAt >= held.releasedAt)
            if version == .http1, !isTLS { #expect(result.firstByteAt == result.receivedAt) }
        }
    }

    /// The next hop could be asked for only once the redirect was read.
    @Test func theTimeThatARedirectLiesInItsSocketIsHandling() async throws {
        try await withServer { request in
            [.send(request.path == "/moved" ? answer("302 Found", headers: ["Location: /"]) : answer())]
        } test: { fixture, server in
            _ = try await fixture.get(server.url("/"))
            let held = try await Self.hold(server.url("/moved"), fixture)
            let result = await fixture.results(2)[1]
            #expect((result.failure, result.redirects) == (nil, 1))
            #expect(result.firstByteAt >= result.sentAt)
            #expect(result.receivedAt >= result.firstByteAt)
            // Handling of hops is kept in whole microseconds.
            let handling = (result.doneAt &- result.receivedAt) / 1_000
            #expect(handling >= (held.releasedAt &- held.readyAt) / 1_000)
        }
    }

    @Test func theHandlingOfRedirectsAddsUp() {
        let owner = ConnectionOwner(scope: 1)
        let request = PreparedRequest(url: "http://a.example/")
        var transfer = CarriedTransfer(request: TransferRequest(request, owner: owner, plannedAt: .zero, token: 0))
        transfer.history.sent(at: Self.at(1))
        // An answer without a stamp has no handling.
        for (received, done) in [(Self.at(3), Self.at(5)), (Self.at(6), Self.at(9)), (Self.at(0), Self.at(10))] {
            transfer = transfer.redirected(to: request, after: Self.stamped(transfer, received, done))
        }
        let last = [12, 4, 0].map { Self.stamped(transfer, Self.at($0), Self.at(12)).receivedAt }
        #expect(last == [Self.at(7), transfer.history.sentAt, .zero])
    }

    private static func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

    private static func stamped(_ transfer: CarriedTransfer, _ received: Instant, _ done: Instant) -> TransferResult {
        let (times, source) = (AnswerTimes(receivedAt: received, doneAt: done), KnownAnswer(url: "", lastRequest: nil))
        return TransferResult(failure: nil, plannedAt: .zero, history: transfer.history, times: times, source: source)
    }

    /// The sweep comes when the answer lies in the socket, and the deadline has long passed.
    @Test func anAnswerThatCameBeforeItsDeadlineIsInTimeWheneverItIsRead() async throws {
        try await withServer(script: always(.send(answer()))) { fixture, server in
            let url = server.url("/")
            _ = try await fixture.get(url)
            let limits = TransferLimits(connect: nil, firstByte: .milliseconds(16), total: .milliseconds(16))
            // Longer than the patience and the time between two sweeps.
            _ = try await Self.hold(url, fixture, limits: limits, for: 100_000_000)
            let result = await fixture.results(2)[1]
            #expect((result.failure, result.status) == (nil, 200))
        }
    }

    @Test func aTimeoutHasNoReceipt() async throws {
        let limits = TransferLimits(connect: nil, firstByte: nil, total: .milliseconds(50))
        let half = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome")
        let result = try await result(of: half, .hold, limits: limits)
        #expect((result.failure, result.receivedAt) == (.totalTimeout, .zero))
    }

    @Test func anAnswerThatIsLargerThanTheReceiveBufferIsMarked() async throws {
        try await withServer { request in
            [.send(answer("200 OK", String(repeating: "x", count: request.path == "/small" ? 2_000 : 12 << 20)))]
        } test: { fixture, server in
            let small = try await fixture.get(server.url("/small"))
            let large = try await fixture.get(server.url("/large"))
            #expect(!small.outgrewBuffer && large.outgrewBuffer)
        }
    }
}

import EventLoop
import Rulebook
import TestSupport
import Testing
import Time

@testable import Transport

/// Each request may have limits of its own, whatever the configuration says.
@Suite(.eachCarrier) struct TransferLimitsTests {
    private static let patient = TransportConfiguration.with { _ in }

    @Test func aSilentServerMeetsTheRequestsOwnPatience() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        try await TransportFixture.run(Self.patient) { fixture in
            let limits = TransferLimits(connect: nil, firstByte: .milliseconds(50), total: nil)
            let result = try await fixture.get(server.url("/"), limits: limits)
            #expect(result.failure == .firstByteTimeout)
            #expect(result.doneAt >= result.sentAt.later(by: .milliseconds(50)))
        }
    }

    @Test func anEndlessAnswerMeetsTheRequestsOwnTotal() async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome"), .hold] }
        defer { server.stop() }
        try await TransportFixture.run(Self.patient) { fixture in
            let result = try await Patience.growing(from: .milliseconds(100)) { total in
                let limits = TransferLimits(connect: nil, firstByte: .seconds(600), total: total)
                return try await fixture.get(server.url("/"), limits: limits)
            } until: {
                $0.status == 200
            }
            #expect(result.failure == .totalTimeout)
            #expect(result.status == 200)
        }
    }

    @Test func aConnectThatIsNotAnsweredMeetsTheRequestsOwnTime() async throws {
        let full = try FullListener()
        defer { full.stop() }
        try await TransportFixture.run(Self.patient) { fixture in
            let limits = TransferLimits(connect: .milliseconds(50), firstByte: nil, total: nil)
            let result = try await fixture.get("http://127.0.0.1:\(full.port)/", limits: limits)
            #expect(result.failure == .connectTimeout)
        }
    }

    @Test func longerLimitsThanTheConfigurationsHold() async throws {
        let server = try ScriptedServer { request in
            request.path == "/slow" ? [.hold] : [.send(answer("200 OK", "x"))]
        }
        defer { server.stop() }
        try await TransportFixture.run(.with { $0.firstByteTimeout = .milliseconds(100) }) { fixture in
            var asked = 0
            // Where it takes longer to connect, the total ends first.
            let results = try await Patience.growing(from: .milliseconds(300)) { total in
                let limits = TransferLimits(connect: nil, firstByte: .seconds(600), total: total)
                try await fixture.withTransport { fixture, _ in
                    try fixture.start(PreparedRequest(url: server.url("/slow")), owner: 1, limits: limits)
                    try fixture.start(PreparedRequest(url: server.url("/slow")), owner: 2)
                }
                asked += 2
                return Array(await fixture.results(asked).suffix(2))
            } until: { (results: [Finished]) in
                results.first?.failure == .firstByteTimeout
            }
            #expect(results.map { $0.token % 2 } == [1, 0])
            #expect(results.map(\.failure) == [.firstByteTimeout, .totalTimeout])
        }
    }

    /// A connection is one owner's, and its next request is under its own limits again.
    @Test func limitsEndWithTheirRequest() async throws {
        let server = try ScriptedServer { request in
            request.path == "/hold" ? [.hold] : [.send(answer("200 OK", "x"))]
        }
        defer { server.stop() }
        try await TransportFixture.run(.with { $0.firstByteTimeout = .milliseconds(400) }) { fixture in
            let limits = TransferLimits(connect: nil, firstByte: .seconds(600), total: nil)
            #expect(try await fixture.get(server.url("/"), limits: limits).status == 200)
            let held = try await fixture.get(server.url("/hold"))
            #expect(held.failure == .firstByteTimeout)
        }
    }

    @Test func redirectsKeepTheLimits() async throws {
        let server = try ScriptedServer { request in
            request.path == "/hold"
                ? [.hold] : [.send("HTTP/1.1 302 Found\r\nLocation: /hold\r\nContent-Length: 0\r\n\r\n")]
        }
        defer { server.stop() }
        try await TransportFixture.run(Self.patient) { fixture in
            let result = try await Patience.growing(from: .milliseconds(100)) { firstByte in
                let limits = TransferLimits(connect: nil, firstByte: firstByte, total: nil)
                return try await fixture.get(server.url("/"), limits: limits)
            } until: {
                $0.redirects == 1
            }
            #expect(result.failure == .firstByteTimeout)
            #expect(result.redirects == 1)
        }
    }

    @Test(
        arguments: [
            ("Retry-After: 30", 30, nil), ("Retry-After:  7 ", 7, nil), ("Age: 4", nil, 4),
            ("Retry-After: Wed, 21 Oct 2026 07:28:00 GMT", nil, nil), ("Age: -1", nil, nil), ("X-Age: 3", nil, nil),
            ("Retry-After: 99999999999999999999", 1 << 31, nil),
        ] as [(String, Int?, Int?)]
    )
    func whatAnAnswerAsksToWaitIsRead(_ header: String, retryAfter: Int?, age: Int?) async throws {
        let server = try ScriptedServer { _ in
            [.send("HTTP/1.1 429 Too Many Requests\r\n\(header)\r\nContent-Length: 0\r\n\r\n")]
        }
        defer { server.stop() }
        try await TransportFixture.run(Self.patient) { fixture in
            let result = try await fixture.get(server.url("/"))
            #expect(result.retryAfterSeconds == retryAfter)
            #expect(result.ageSeconds == age)
        }
    }
}

@Suite struct TransferLimitsValueTests {
    @Test func whatIsNotGivenIsTheConfigurations() {
        let limits = TransferLimits(connect: nil, firstByte: .seconds(2), total: nil)
        #expect(limits.connectTimeout(otherwise: 7) == 7)
        #expect(limits.firstByteTimeout(otherwise: 7) == 2_000_000_000)
        #expect(limits.totalTimeout(otherwise: 7) == 7)
        #expect(limits.least == 2_000_000_000)
        #expect(TransferLimits.configured.least == nil)
        #expect(TransferLimits(connect: nil, firstByte: nil, total: nil) == .configured)
    }

    @Test func hundredthsAreRoundedUpAndHeld() {
        func total(_ duration: Duration) -> Int64 {
            TransferLimits(connect: nil, firstByte: nil, total: duration).totalTimeout(otherwise: 0)
        }
        #expect(total(.zero) == 10_000_000)
        #expect(total(.milliseconds(11)) == 20_000_000)
        #expect(total(.seconds(600)) == 600_000_000_000)
        #expect(total(.seconds(100_000)) == 655_350_000_000)
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

    /// A request is no larger for them.
    @Test func theyFitBesideTheRest() {
        #expect(MemoryLayout<TransferRequest>.stride == 40)
    }
}

@Suite struct DeadlineQueuesTests {
    @Test(arguments: 1...10) func theyAgreeWithAList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queues = DeadlineQueues(timeout: 20)
        var model: [Int32: Instant] = [:]
        var now = Instant.zero
        for _ in 0..<500 {
            now = now.later(by: Int64.random(in: 0..<5, using: &generator))
            let slot = Int32.random(in: 0..<12, using: &generator)
            switch UInt8.random(in: 0..<3, using: &generator) {
            case 0:
                let timeout = [20, 5, 60][Int.random(in: 0..<3, using: &generator)] as Int64
                queues.start(slot, at: now, timeout: timeout)
                model[slot] = now.later(by: timeout)
            case 1:
                queues.remove(slot)
                model[slot] = nil
            default:
                var expired: Set<Int32> = []
                while let slot = queues.popExpired(at: now) { expired.insert(slot) }
                #expect(expired == Set(model.filter { $0.value <= now }.keys), "seed \(seed)")
                model = model.filter { $0.value > now }
            }
            #expect(queues.earliest == model.values.min(), "seed \(seed)")
        }
    }
}

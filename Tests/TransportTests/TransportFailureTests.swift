import Destinations
import EventLoop
import Glibc
import Rulebook
import Sockets
import TestSupport
import Testing
import Time
import Transport

/// Each way a request can fail, made to happen, has its own code.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct TransportFailureTests {
    private typealias Step = ScriptedServer.Step

    struct Misbehaviour: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [ScriptedServer.Step]
        let failure: TransportFailure
        var status = 200
    }

    static let misbehaviours = [
        Misbehaviour(testDescription: "closes unanswered", steps: [.close], failure: .reset, status: 0),
        Misbehaviour(testDescription: "resets unanswered", steps: [.reset], failure: .reset, status: 0),
        Misbehaviour(
            testDescription: "closes in the body",
            steps: [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close],
            failure: .truncated
        ),
        Misbehaviour(
            testDescription: "closes in a chunk",
            steps: [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe"), .close],
            failure: .truncated
        ),
        Misbehaviour(
            testDescription: "speaks no HTTP",
            steps: [.send("SSH-2.0-x\r\n"), .close],
            failure: .protocolError,
            status: 0
        ),
        Misbehaviour(
            testDescription: "sends a bad chunk size",
            steps: [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), .hold],
            failure: .protocolError
        ),
        Misbehaviour(
            testDescription: "sends no gzip as gzip",
            steps: [.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd")],
            failure: .protocolError
        ),
        Misbehaviour(
            testDescription: "sends too many headers",
            steps: [
                .send(
                    "HTTP/1.1 200 OK\r\n"
                        + String(repeating: "X: " + String(repeating: "y", count: 1000) + "\r\n", count: 70)
                )
            ],
            failure: .protocolError
        ),
        Misbehaviour(
            testDescription: "sends too much",
            steps: [.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "x", count: 2000))],
            failure: .bodyTooLarge
        ),
    ]

    @Test(arguments: misbehaviours)
    func aMisbehavingServerIsToldByCode(misbehaviour: Misbehaviour) async throws {
        let server = try ScriptedServer { request in
            request.path == "/bad" ? misbehaviour.steps : [.send(answer("200 OK", "fine"))]
        }
        defer { server.stop() }
        try await TransportFixture.run(.with { $0.maximumBodyBytes = 1000 }) { fixture in
            let result = try await fixture.get(server.url("/bad"))
            #expect(result.failure == misbehaviour.failure)
            #expect(result.status == misbehaviour.status)
            let next = try await fixture.get(server.url("/good"))
            #expect(next.failure == nil)
            #expect(next.body == "fine")
            #expect(fixture.harnessFailure == nil)
        }
    }

    @Test func aClosedPortIsRefused() async throws {
        let closed = try LoopbackPort(backlog: nil)
        try await TransportFixture.run { fixture in
            let result = try await fixture.get("http://127.0.0.1:\(closed.number)/")
            #expect(result.failure == .connectRefused)
            #expect(result.sentAt == .zero)
            #expect(result.sends == 0)
        }
    }

    @Test func aNameThatDoesNotResolveIsADNSFailure() async throws {
        try await TransportFixture.run(.with { $0.authorisedHosts = AuthorisedHosts(["*.invalid"]) }) { fixture in
            let result = try await fixture.get("http://nowhere.invalid/")
            #expect(result.failure == .dns)
        }
    }

    @Test func plainTextWhereTLSIsExpectedIsATLSFailure() async throws {
        let server = try ScriptedServer { _ in [.close] }
        let talker = try GreetingServer("HTTP/1.1 400 Bad Request\r\n\r\n")
        defer {
            server.stop()
            talker.stop()
        }
        try await TransportFixture.run { fixture in
            let result = try await fixture.get("https://127.0.0.1:\(talker.port)/")
            #expect(result.failure == .tls)
        }
    }

    /// A peer whose accept queue is full never completes the handshake.
    @Test func aConnectThatIsNotAnsweredTimesOut() async throws {
        let full = try FullListener()
        defer { full.stop() }
        try await TransportFixture.run(
            .with {
                $0.connectTimeout = .milliseconds(50)
                $0.totalTimeout = .seconds(600)
            }
        ) { fixture in
            let result = try await fixture.get("http://127.0.0.1:\(full.port)/")
            #expect(result.failure == .connectTimeout)
            #expect(result.sentAt == .zero)
        }
    }

    @Test func aNamesSecondAddressIsTriedWhenTheFirstRefuses() async throws {
        let server = try ScriptedServer { _ in [.send(answer("200 OK", "second"))] }
        defer { server.stop() }
        try await TransportFixture.run(
            .with {
                $0.authorisedHosts = AuthorisedHosts(["two.example"])
                $0.resolveOverrides = ["two.example:\(server.port):127.0.0.9,127.0.0.1"]
            }
        ) { fixture in
            let result = try await fixture.get("http://two.example:\(server.port)/")
            #expect(result.failure == nil)
            #expect(result.body == "second")
            let open = try await fixture.withTransport { _, transport in transport.openConnections }
            #expect(open == 1, "the refused socket is closed and forgotten")
        }
    }

    @Test func aSilentServerIsAFirstByteTimeout() async throws {
        let server = try ScriptedServer { _ in [.hold] }
        defer { server.stop() }
        // The other timeouts are longer than the suite's time limit.
        try await TransportFixture.run(
            .with {
                $0.connectTimeout = .seconds(600)
                $0.firstByteTimeout = .milliseconds(50)
                $0.totalTimeout = .seconds(600)
            }
        ) { fixture in
            let result = try await fixture.get(server.url("/"))
            #expect(result.failure == .firstByteTimeout)
            #expect(result.sentAt > .zero)
            #expect(result.firstByteAt == .zero)
            #expect(result.doneAt >= result.sentAt.later(by: .milliseconds(50)))
        }
    }

    @Test func aServerThatNeverEndsIsATotalTimeout() async throws {
        let server = try ScriptedServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome"), .hold] }
        defer { server.stop() }
        let result = try await Patience.growing(from: .milliseconds(100)) { limit in
            let configuration = TransportConfiguration.with {
                $0.firstByteTimeout = .seconds(600)
                $0.totalTimeout = limit
            }
            return try await TransportFixture.run(configuration) { try await $0.get(server.url("/")) }
        } until: {
            $0.status == 200
        }
        #expect(result.failure == .totalTimeout)
        #expect(result.status == 200)
        #expect(result.firstByteAt > .zero)
    }

    @Test func anOwnerTimesOutWithoutHoldingUpTheOthers() async throws {
        let server = try ScriptedServer { request in request.path == "/hold" ? [.hold] : [.send(answer("200 OK", "x"))]
        }
        defer { server.stop() }
        let results = try await Patience.growing(from: .milliseconds(200)) { limit in
            try await TransportFixture.run(.with { $0.firstByteTimeout = limit }) { fixture in
                try await fixture.withTransport { fixture, _ in
                    try fixture.start(PreparedRequest(url: server.url("/hold")), owner: 0)
                    for number in 1...20 { try fixture.start(PreparedRequest(url: server.url("/")), owner: number) }
                }
                return await fixture.results(21)
            }
        } until: {
            $0.prefix(20).allSatisfy { $0.status == 200 }
        }
        #expect(results.prefix(20).allSatisfy { $0.status == 200 })
        #expect(results.last?.failure == .firstByteTimeout)
    }

    @Test func anAddressThatIsNotOursIsALackOfLocalResources() async throws {
        let server = try ScriptedServer { _ in [.send(answer("200 OK", "x"))] }
        defer { server.stop() }
        try await TransportFixture.run(.with { $0.sourceAddresses = ["192.0.2.1"] }) { fixture in
            try await fixture.withTransport { fixture, _ in
                _ = try fixture.owner(0, sourceAddressIndex: 0)
            }
            let result = try await fixture.get(server.url("/"))
            #expect(result.failure == .localResources)
        }
    }

    @Test func anUnauthorisedHostIsNeverAsked() async throws {
        try await TransportFixture.run { fixture in
            for url in ["http://192.0.2.1/", "ftp://127.0.0.1/", "file:///etc/passwd", "", "http://", "http://[/"] {
                let result = try await fixture.get(url)
                #expect(result.failure == .unauthorisedHost, "\(url)")
                #expect(result.newConnections == 0)
            }
        }
    }

    /// The server closes a kept connection: libcurl notices when it uses it next, and asks again on a new one.
    @Test func aConnectionClosedWhileIdleIsReplaced() async throws {
        let server = try ScriptedServer { _ in [.send(answer("200 OK", "x")), .close] }
        defer { server.stop() }
        try await TransportFixture.run { fixture in
            for _ in 0..<20 {
                let result = try await fixture.get(server.url("/"))
                #expect(result.failure == nil)
                #expect(result.newConnections == 1)
            }
            #expect(server.log.requests.count == 20)
        }
    }

    @Test func unreadableFilesAndBadAddressesAreRefusedAtTheStart() async throws {
        await #expect(throws: TransportError.unreadableFile("/nonexistent/ca.pem")) {
            try await TransportFixture.run(.with { $0.caFile = "/nonexistent/ca.pem" }) { _ in }
        }
        await #expect(throws: TransportError.invalidSourceAddress("eth0")) {
            try await TransportFixture.run(.with { $0.sourceAddresses = ["eth0"] }) { _ in }
        }
    }
}

import Rules
import TestSupport
import Testing
import Values

@testable import Transport

/// Each way a request can fail, made to happen, has its own code; those of a bad answer are in the table of answers.
///
/// Over sockets, because most failures are the kernel's to tell.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct TransportFailureTests {
    @Test(arguments: [ScriptedServer.Step.close, .reset])
    func aServerThatEndsUnansweredIsAReset(step: ScriptedServer.Step) async throws {
        try await withServer {
            $0.path == "/bad" ? [step] : [.send(answer("200 OK", "fine"))]
        } test: { fixture, server in
            let result = try await fixture.get(server.url("/bad"))
            #expect(
                (result.failure, result.status, result.sends) == (.reset, 0, 1),
                "a new connection's is not repeated"
            )
            #expect(server.log.requests.count == 1)
            #expect(try await fixture.get(server.url("/good")).body == "fine")
            #expect(fixture.harnessFailure == nil)
        }
    }

    @Test func withoutAConnectionNothingIsSent() async throws {
        let closed = try LoopbackPort(backlog: nil)
        let unauthorised = ["http://192.0.2.1/", "ftp://127.0.0.1/", "file:///etc/passwd", "", "http://", "http://[/"]
        try await withNginx {
            $0.authorisedHosts = AuthorisedHosts(["*.invalid"])
        } test: { fixture, server in
            let cases: [(String, TransportFailure)] = [
                ("http://127.0.0.1:\(closed.number)/", .connectRefused), ("http://nowhere.invalid/", .dns),
                ("https://127.0.0.1:\(server.plainPort)/", .tls),
            ]
            for (url, failure) in cases + unauthorised.map({ ($0, .unauthorisedHost) }) {
                let result = try await fixture.get(url)
                #expect((result.failure, result.sentAt, result.sends) == (failure, .zero, 0), "\(url)")
                if failure == .unauthorisedHost { #expect(result.newConnections == 0, "\(url)") }
            }
        }
    }

    @Test func aNamesSecondAddressIsTriedWhenTheFirstRefuses() async throws {
        let server = try ScriptedServer { _ in [.send(answer("200 OK", "second"))] }
        defer { server.stop() }
        let configuration = TransportConfiguration.with {
            $0.authorisedHosts = AuthorisedHosts(["two.example"])
            $0.resolve = ["two.example:\(server.port):127.0.0.9,127.0.0.1"]
        }
        try await TransportFixture.run(configuration) { fixture in
            let result = try await fixture.get("http://two.example:\(server.port)/")
            #expect((result.failure, result.body) == (nil, "second"))
            #expect(try await fixture.openConnections() == 1, "the refused socket is closed and forgotten")
        }
    }

    /// curl's `--connect-to`: what is empty matches any, or stays; the first entry that matches counts.
    @Test(arguments: ["one.example:80:127.0.0.1:*", ":80::*", "[::1]:80::1 one.example:80:127.0.0.1:*"])
    func anotherPlaceKeepsTheHost(entries: String) async throws {
        let server = try ScriptedServer { request in [.send(answer("200 OK", request.header("host") ?? ""))] }
        defer { server.stop() }
        let configuration = TransportConfiguration.with {
            $0.authorisedHosts = AuthorisedHosts(["one.example"])
            $0.connectTo = entries.replacing("*", with: "\(server.port)").split(separator: " ").map(String.init)
            $0.resolve = ["*:\(server.port):127.0.0.1"]
        }
        try await TransportFixture.run(configuration) { fixture in
            let result = try await fixture.get("http://one.example/")
            #expect((result.failure, result.body) == (nil, "one.example"))
            #expect(result.remoteAddress == "127.0.0.1:\(server.port)")
        }
    }

    @Test func anAddressThatIsNotOursIsALackOfLocalResources() async throws {
        try await withServer(.with { $0.sourceAddresses = ["192.0.2.1"] }, script: always(.send(answer("200 OK", "x"))))
        { fixture, server in
            try await fixture.onLoop { _ = try fixture.owner(0, sourceAddressIndex: 0) }
            #expect(try await fixture.get(server.url("/")).failure == .localResources)
        }
    }

    /// The server closes a kept connection: libcurl notices when it uses it next, and asks again on a new one.
    @Test func aConnectionClosedWhileIdleIsReplaced() async throws {
        try await withServer(script: always(.send(answer("200 OK", "x")), .close)) { fixture, server in
            for _ in 0..<20 {
                let result = try await fixture.get(server.url("/"))
                #expect((result.failure, result.newConnections) == (nil, 1))
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

    @Test func aFailedLibraryIsToldOnceAndEndsEverything() async throws {
        try await withServer(script: holding) { fixture, server in
            try await fixture.startAll(server.url("/hold"), owners: 0..<5)
            await server.wait { $0.requests.count == 5 }
            try await fixture.withTransport { _, transport in
                transport.fail("planned")
                transport.fail("a second reason")
            }
            let ended = await fixture.results(5)
            #expect(ended.allSatisfy { $0.failure == .other })
            let later = try await fixture.get(server.url("/"))
            #expect(later.failure == .other)
            #expect(try await fixture.onLoop { fixture.harnessFailure } == "planned")
            #expect(server.log.requests.count == 5)
        }
    }
}

import Foundation
import Results
import TestSupport
import Testing

/// Viewers behind a proxy that shares no line with podswarm; other schemes and what a proxy does wrong are told by `ProxyTests` of the
/// transport, and that only the profile chooses one by `ConnectionTests`.
///
/// Over sockets, because connections to a proxy, and what it makes of them, are what is counted.
@Suite(.fewWaiting) struct ProxiedTargetTests {
    private static let password = "QUIET-PROXY-4471"
    @Test func everyRequestGoesThroughIt() async throws {
        let (outcome, told, place) = try await ForeignScript.serving("proxy", ["--password", Self.password]) {
            port,
            server in
            let place = "127.0.0.1:\(port)"
            let proxy = "connection.proxy=socks5h://viewer:${PROXY_PASSWORD}@\(place)"
            let outcome = try await Rehearsal(FastProfile.embedded.lasting("10s").yaml).run(
                ["--set", proxy, "--set", "target.embedded.tls=true"],
                // Nothing of the environment leads past it.
                environment: ["PROXY_PASSWORD": Self.password, "no_proxy": "*"]
            )
            return (outcome, server.output.split(separator: "\n").dropFirst().map { $0 }, place)
        }
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.run.transports.contains("proxy socks5h://\(place)"))
        let reconciliation = try #require(outcome.document.reconciliation)
        #expect(reconciliation.agrees && reconciliation.connections?.shared == 0)
        #expect(outcome.document.requests.values.allSatisfy { $0.carried?["exchange"] == 0 })
        #expect(told.allSatisfy { $0.hasPrefix("connect ") } && told.count > FastProfile.viewers, "\(told)")
        let result = try String(contentsOf: outcome.resultFile, encoding: .utf8)
        let page = try String(
            contentsOf: outcome.resultFile.deletingPathExtension().appendingPathExtension("html"),
            encoding: .utf8
        )
        #expect(!(outcome.end.output + outcome.end.errors + result + page).contains(Self.password))
        #expect(outcome.end.errors.contains("through the proxy socks5h://\(place)"), "\(outcome.end.errors)")
    }

    @Test func aProxyWithoutAnAddressEndsTheRunBeforeItBegins() async throws {
        let profile = """
            name: proxied
            duration: 6s
            target:
              urlTemplates:
                content: http://channel.test/live/index.m3u8
                authorisedHosts: [channel.test, "proxy.invalid:3128"]
            audience: {viewers: 4, ramp: 1s}
            playback: {segments: none}
            breaks: none
            connection: {proxy: "http://proxy.invalid:3128"}

            """
        let rehearsal = try Rehearsal(profile)
        let end = try await rehearsal.start().ended()
        withExtendedLifetime(rehearsal) {}
        #expect(end.errors.contains("(proxy_unresolved)"), "\(end.errors)")
        #expect(end.errors.contains("connection.proxy, which is http://proxy.invalid:3128"), "\(end.errors)")
    }
}

import Foundation
import Results
import TestSupport
import Testing

/// Viewers behind a proxy that shares no line with podswarm, lawful and not.
///
/// Over sockets, because connections to a proxy, and what it makes of them, are what is counted.
@Suite(.fewWaiting) struct ProxiedTargetTests {
    private static let password = "QUIET-PROXY-4471"
    private static let tls = "target.embedded.tls=true"

    /// A run before the embedded origin, and the lines that the proxy printed.
    private static func rehearse(
        _ scheme: String,
        fault: String = "",
        _ settings: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> (Rehearsal.Outcome, told: [Substring], place: String) {
        try await ForeignScript.serving("proxy", ["--password", password, "--fault", fault]) { port, server in
            let place = "127.0.0.1:\(port)"
            let proxy = "connection.proxy=\(scheme)://viewer:${PROXY_PASSWORD}@\(place)"
            let outcome = try await Rehearsal(FastProfile.embedded.yaml).run(
                ([proxy] + settings).flatMap { ["--set", $0] },
                environment: environment.merging(["PROXY_PASSWORD": password]) { $1 }
            )
            return (outcome, server.output.split(separator: "\n").dropFirst().map { $0 }, place)
        }
    }

    private static let ways: [(scheme: String, settings: [String], word: String)] = [
        ("http", [], "forward "), ("http", [tls], "connect "), ("socks5", [], "connect "),
        ("socks5h", [tls], "connect "),
    ]

    @Test(arguments: ways.indices) func everyRequestGoesThroughIt(index: Int) async throws {
        let (scheme, settings, word) = Self.ways[index]
        // A no_proxy of the environment leads nothing past it.
        let (outcome, told, place) = try await Self.rehearse(scheme, settings, environment: ["no_proxy": "*"])
        #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.run.transports.contains("proxy \(scheme)://\(place)"))
        let reconciliation = try #require(outcome.document.reconciliation)
        #expect(reconciliation.agrees && reconciliation.connections?.shared == 0)
        #expect(outcome.document.requests.values.allSatisfy { $0.carried?["exchange"] == 0 })
        #expect(told.allSatisfy { $0.hasPrefix(word) } && told.count > FastProfile.viewers, "\(told)")
        if word == "forward " {
            let sent = outcome.document.requests.values.reduce(0) { $0 + ($1.carried?["curl"] ?? 0) }
            #expect(UInt64(told.count) >= sent, "\(told.count) of \(sent)")
        }
        let result = try String(contentsOf: outcome.resultFile, encoding: .utf8)
        let page = try String(
            contentsOf: outcome.resultFile.deletingPathExtension().appendingPathExtension("html"),
            encoding: .utf8
        )
        #expect(!(outcome.end.output + outcome.end.errors + result + page).contains(Self.password))
        #expect(outcome.end.errors.contains("through the proxy \(scheme)://\(place)"), "\(outcome.end.errors)")
    }

    @Test func exceptionsAreAskedWithoutIt() async throws {
        let (outcome, told, _) = try await Self.rehearse("http", ["connection.noProxy=[127.0.0.0/8]"])
        #expect(outcome.end.status == 0 && told == [], "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.requests.values.allSatisfy { $0.carried?["curl"] == 0 })
    }

    /// Only the profile chooses a proxy.
    @Test func theEnvironmentDivertsNothing() async throws {
        try await ForeignScript.serving("proxy", ["--password", Self.password]) { port, server in
            let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
            let outcome = try await Rehearsal(FastProfile.embedded.yaml).run(
                ["--set", "connection.transport=curl"],
                environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "http://127.0.0.1:\(port)") })
            )
            #expect(outcome.end.status == 0, "\(outcome.end.output)\(outcome.end.errors)")
            #expect(server.output.split(separator: "\n").count == 1, "\(server.output)")
        }
    }

    private static let faults: [(scheme: String, settings: [String], fault: String, code: String)] = [
        ("http", [tls], "407", "proxy_unauthorised"), ("http", [], "407", "proxy_unauthorised"),
        ("http", [tls], "502", "proxy_refused"), ("http", [tls], "hang", "proxy_timeout"),
        ("http", [tls], "garbage", "proxy_broken"), ("http", [], "garbage", "proxy_broken"),
        ("http", [tls], "close", "proxy_broken"), ("http", [tls], "gone", "proxy_unreachable"),
        ("socks5", [], "407", "proxy_unauthorised"), ("socks5", [], "502", "proxy_refused"),
        ("socks5h", [], "hang", "proxy_timeout"), ("socks5h", [], "garbage", "proxy_broken"),
    ]

    @Test(arguments: faults.indices) func whatAProxyDoesWrongIsNotTheTargets(index: Int) async throws {
        let (scheme, settings, fault, code) = Self.faults[index]
        let short = "connection.timeouts.connect=2s"
        let (outcome, _, _) = try await Self.rehearse(scheme, fault: fault, settings + [short])
        #expect(outcome.end.status != 0, "\(outcome.end.output)\(outcome.end.errors)")
        let outcomes = outcome.document.requests.values.reduce(into: Set()) { $0.formUnion($1.outcomes.keys) }
        #expect(outcomes.subtracting(["abandoned"]) == [code])
        #expect(outcome.findings == [])
    }

    /// `socks5` has names looked up here, and the others by the proxy, which alone knows this one.
    @Test(arguments: ["http", "socks5", "socks5h"]) func namesAreLookedUpWhereTheSchemeSays(scheme: String) async throws
    {
        try await ForeignScript.serving("redirecting", ["--kind", "cookies"]) { port, _ in
            try await ForeignScript.serving("proxy", ["--password", Self.password]) { proxy, server in
                let resolve = scheme == "socks5" ? "resolve: [\"channel.test:\(port):127.0.0.1\"]" : ""
                let profile = """
                    name: proxied
                    duration: 6s
                    target:
                      urlTemplates:
                        content: http://channel.test:\(port)/live/index.m3u8
                        authorisedHosts: [channel.test]
                    audience: {viewers: 4, ramp: 1s}
                    playback: {segments: none}
                    breaks: none
                    connection:
                      proxy: "\(scheme)://viewer:\(Self.password)@127.0.0.1:\(proxy)"
                      \(resolve)
                      cookies: true
                      \(StarvedMachine.timeouts)
                    thresholds: ["viewers.joined > 0"]
                    \(StarvedMachine.budgets)

                    """
                let outcome = try await Rehearsal(profile).run()
                #expect(outcome.document.viewers["started_watching"] == 4, "\(outcome.end.output)\(outcome.end.errors)")
                let asked = scheme == "socks5" ? "127.0.0.1:\(port)" : "channel.test:\(port)"
                let told = server.output.split(separator: "\n").dropFirst()
                #expect(!told.isEmpty && told.allSatisfy { $0.contains(asked) }, "\(told)")
            }
        }
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

import Foundation
import Rules
import TestSupport
import Testing
import Transport
import Values

/// Requests through a proxy that shares no line with podswarm, lawful and not.
///
/// Over sockets, because what the proxy does with its connections is what it is about.
@Suite(.timeLimit(.minutes(15))) struct ProxyTests {
    private static let password = "QUIET-PROXY-4471"

    /// Lends the port of a proxy with something wrong in it, and returns the lines that it printed.
    ///
    /// `tls`: the server whose certificate it shows; nil without TLS.
    private static func serving(
        fault: String = "",
        tls: NginxServer? = nil,
        _ body: (_ port: Int) async throws -> Void
    ) async throws -> [Substring] {
        let nothing = try #require(FileHandle(forUpdatingAtPath: "/dev/null"))
        let output = Pipe()
        let program = try SpawnedProgram(
            try InstalledProgram("python3").path,
            [PackageFolder.file("Tests/ForeignServers/proxy.py").path, "--password", password, "--fault", fault]
                + (tls.map { ["--tls", $0.certificate, $0.key] } ?? []),
            input: nothing.fileDescriptor,
            output: output.fileHandleForWriting.fileDescriptor,
            errors: nothing.fileDescriptor
        )
        try output.fileHandleForWriting.close()
        let told = output.fileHandleForReading
        let line = String(decoding: told.availableData, as: UTF8.self)
        let port = try #require(Int(line.trimmingCharacters(in: .newlines)))
        try await ending {
            _ = await program.stop()
        } after: {
            try await body(port)
        }
        return String(decoding: try told.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    }

    private static func address(_ scheme: ProxyAddress.Scheme, _ port: Int) -> ProxyAddress {
        ProxyAddress(scheme: scheme, host: "127.0.0.1", port: port, user: "viewer", password: password)
    }

    /// None of them is found of the target: `pods/unavailable.txt` of the swarm.
    private static let faults: [(scheme: ProxyAddress.Scheme, isTLS: Bool, fault: String, failure: TransportFailure)] =
        [
            (.http, true, "407", .proxyUnauthorised), (.http, false, "407", .proxyUnauthorised),
            (.http, true, "502", .proxyRefused), (.http, true, "hang", .proxyTimeout),
            (.http, true, "garbage", .proxyBroken), (.http, false, "garbage", .proxyBroken),
            (.http, true, "close", .proxyBroken), (.http, true, "gone", .proxyUnreachable),
            (.https, true, "407", .proxyUnauthorised), (.https, false, "407", .proxyUnauthorised),
            (.https, true, "502", .proxyRefused), (.https, true, "hang", .proxyTimeout),
            (.https, true, "close", .proxyBroken),
            (.socks5, false, "407", .proxyUnauthorised), (.socks5, false, "502", .proxyRefused),
            (.socks5h, false, "hang", .proxyTimeout), (.socks5h, false, "garbage", .proxyBroken),
        ]

    @Test(arguments: faults.indices) func whatAProxyDoesWrongIsNotTheTargets(index: Int) async throws {
        let (scheme, isTLS, fault, failure) = Self.faults[index]
        try await NginxServer.run { server in
            let told = try await Self.serving(fault: fault, tls: scheme == .https ? server : nil) { port in
                let configuration = TransportConfiguration.with {
                    ($0.caFile, $0.proxy) = (server.certificate, Self.address(scheme, port))
                    if fault == "hang" { $0.connectTimeout = .seconds(2) }
                }
                try await TransportFixture.run(configuration) { fixture in
                    let place =
                        isTLS ? "https://127.0.0.1:\(server.securePort)" : "http://127.0.0.1:\(server.plainPort)"
                    #expect(try await fixture.get(place + "/facts").failure == nil, "the first connection is lawful")
                    let result = try await fixture.get(place + "/facts", owner: 1)
                    #expect((result.failure, result.carrier) == (failure, .curl))
                }
            }
            let word = scheme.isSOCKS || isTLS ? "connect " : "forward "
            #expect(!told.isEmpty && told.allSatisfy { $0.hasPrefix(word) }, "\(told)")
        }
    }

    /// `socks5` has names looked up here, and the others by the proxy, which alone knows this one.
    @Test(arguments: [ProxyAddress.Scheme.http, .socks5, .socks5h])
    func namesAreLookedUpWhereTheSchemeSays(scheme: ProxyAddress.Scheme) async throws {
        let server = try ScriptedServer(script: always(.send(answer("200 OK", "x"))))
        defer { server.stop() }
        let told = try await Self.serving { port in
            let configuration = TransportConfiguration.with {
                $0.proxy = Self.address(scheme, port)
                $0.authorisedHosts = AuthorisedHosts(["channel.test"])
                if scheme == .socks5 { $0.resolve = ["channel.test:\(server.port):127.0.0.1"] }
            }
            try await TransportFixture.run(configuration) { fixture in
                let result = try await fixture.get("http://channel.test:\(server.port)/")
                #expect(result.body == "x")
            }
        }
        let asked = (scheme == .socks5 ? "127.0.0.1" : "channel.test") + ":\(server.port)"
        #expect(!told.isEmpty && told.allSatisfy { $0.contains(asked) }, "\(told)")
    }

    @Test func exceptionsAreAskedWithoutItByTheUsualCarrier() async throws {
        let server = try ScriptedServer(script: always(.send(answer("200 OK", "x"))))
        defer { server.stop() }
        let told = try await Self.serving { port in
            let configuration = TransportConfiguration.with {
                ($0.proxy, $0.noProxy) = (Self.address(.http, port), ["127.0.0.0/8"])
            }
            try await TransportFixture.run(configuration) { fixture in
                let result = try await fixture.get(server.url("/"))
                #expect((result.body, result.carrier) == ("x", .exchange))
            }
        }
        #expect(told == [])
    }
}

import Destinations
import EventLoop
import Rulebook
import Testing
import Transport

/// TLS and HTTP/2 against nginx; needs nginx and openssl installed.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct TLSAndHTTP2Tests {
    @Test func aVerifiedConnectionIsKept() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run(.with { $0.caFile = server.certificate }) { fixture in
                let url = "https://127.0.0.1:\(server.securePort)/facts"
                let first = try await fixture.get(url)
                #expect(first.failure == nil)
                #expect(first.tlsMicroseconds > 0)
                #expect(first.connectMicroseconds > 0)
                let second = try await fixture.get(url)
                #expect(second.newConnections == 0)
                #expect(second.tlsMicroseconds == 0)
                let (one, two) = (first.body.split(separator: " "), second.body.split(separator: " "))
                #expect(one.first == "HTTP/1.1")
                #expect(one[1] == two[1])
                #expect(two[2] == "2")
            }
        }
    }

    @Test func anUnknownAuthorityIsATLSFailureAndNothingIsSent() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run { fixture in
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/facts")
                #expect(result.failure == .tls)
                #expect(result.sends == 0)
            }
        }
    }

    @Test func aCertificateOfAnotherNameIsATLSFailure() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run(.with { $0.caFile = server.certificate }) { fixture in
                let result = try await fixture.get("https://127.0.0.2:\(server.securePort)/facts")
                #expect(result.failure == .connectRefused, "nothing listens there")
            }
            try await TransportFixture.run(
                .with {
                    $0.caFile = server.certificate
                    $0.authorisedHosts = AuthorisedHosts(["other.example"])
                    $0.resolveOverrides = ["other.example:\(server.securePort):127.0.0.1"]
                }
            ) { fixture in
                let result = try await fixture.get("https://other.example:\(server.securePort)/facts")
                #expect(result.failure == .tls)
            }
        }
    }

    /// What was found of a chain is remembered for the name that it was found for.
    @Test func aChainThatWasGoodForOneNameIsNotForAnother() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run(
                .with {
                    $0.caFile = server.certificate
                    $0.authorisedHosts = AuthorisedHosts(["other.example"])
                    $0.resolveOverrides = ["other.example:\(server.securePort):127.0.0.1"]
                }
            ) { fixture in
                let good = "https://127.0.0.1:\(server.securePort)/facts"
                let bad = "https://other.example:\(server.securePort)/facts"
                let results = [good, bad, bad, good, bad]
                for (owner, url) in results.enumerated() {
                    let result = try await fixture.get(url, owner: owner)
                    #expect(result.failure == (url == good ? nil : .tls), "owner \(owner)")
                }
            }
        }
    }

    @Test func anUnknownAuthorityStaysUnknown() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run { fixture in
                for owner in 0..<3 {
                    let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/facts", owner: owner)
                    #expect(result.failure == .tls)
                }
            }
        }
    }

    @Test func withoutVerificationAnyCertificateWillDo() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run(.with { $0.verifyTLS = false }) { fixture in
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/facts")
                #expect(result.failure == nil)
                #expect(result.status == 200)
            }
        }
    }

    @Test func aClientCertificateIsShown() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run(.with { $0.caFile = server.certificate }) { fixture in
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/client")
                #expect(result.body == "NONE")
            }
            try await TransportFixture.run(
                .with {
                    $0.caFile = server.certificate
                    $0.clientCertificateFile = server.clientCertificate
                    $0.clientKeyFile = server.clientKey
                }
            ) { fixture in
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/client")
                #expect(result.body == "SUCCESS")
            }
        }
    }

    /// A pooled handle must not carry one viewer's TLS session to another.
    @Test func noOwnerResumesAnothersSession() async throws {
        try await NginxServer.run { server in
            try await TransportFixture.run(.with { $0.caFile = server.certificate }) { fixture in
                for owner in 0..<12 {
                    let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/facts", owner: owner)
                    #expect(result.body.split(separator: " ").last == ".", "owner \(owner) resumed a session")
                }
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: TransportConfiguration.HTTPVersion
        let scheme: String
        let port: @Sendable (NginxServer) -> UInt16
        let proto: String
    }

    static let cases = [
        Case(testDescription: "HTTP/1.1", version: .http1, scheme: "http", port: { $0.plainPort }, proto: "HTTP/1.1"),
        Case(
            testDescription: "HTTP/1.1 over TLS",
            version: .http1,
            scheme: "https",
            port: { $0.securePort },
            proto: "HTTP/1.1"
        ),
        Case(
            testDescription: "HTTP/2 over TLS",
            version: .http2,
            scheme: "https",
            port: { $0.securePort },
            proto: "HTTP/2.0"
        ),
        Case(
            testDescription: "HTTP/2 without TLS",
            version: .http2,
            scheme: "http",
            port: { $0.clearHTTP2Port },
            proto: "HTTP/2.0"
        ),
        Case(
            testDescription: "HTTP/2 asked, HTTP/1.1 negotiated",
            version: .http2,
            scheme: "https",
            port: { $0.oldSecurePort },
            proto: "HTTP/1.1"
        ),
    ]

    /// Many owners, many requests each, seen from nginx: its connection numbers beside our local ports.
    @Test(arguments: cases)
    func everyOwnerKeepsOneConnectionOnEveryProtocol(of variant: Case) async throws {
        let owners = 24
        let rounds = 15
        try await NginxServer.run { server in
            let configuration = TransportConfiguration.with {
                $0.httpVersion = variant.version
                $0.caFile = server.certificate
            }
            let url = "\(variant.scheme)://127.0.0.1:\(variant.port(server))/facts"
            try await TransportFixture.run(configuration) { fixture in
                for round in 0..<rounds {
                    try await fixture.withTransport { fixture, _ in
                        let request = PreparedRequest(url: url)
                        for owner in 0..<owners { try fixture.start(request, owner: owner) }
                    }
                    _ = await fixture.results((round + 1) * owners)
                }
                let results = await fixture.results(owners * rounds)
                var connections: [UInt64: Set<String>] = [:]
                var ports: [UInt64: Set<UInt16>] = [:]
                for result in results {
                    let facts = result.body.split(separator: " ").map(String.init)
                    #expect(result.failure == nil)
                    #expect(facts.first == variant.proto)
                    connections[result.token % UInt64(owners), default: []].insert(facts.count > 1 ? facts[1] : "")
                    ports[result.token % UInt64(owners), default: []].insert(result.localPort)
                }
                #expect(connections.values.allSatisfy { $0.count == 1 })
                #expect(ports.values.allSatisfy { $0.count == 1 })
                #expect(Set(connections.values.flatMap(\.self)).count == owners)
                #expect(results.map(\.newConnections).reduce(0, +) == owners)
                #expect(fixture.harnessFailure == nil)
            }
        }
    }

    @Test func parallelHTTP2RequestsOfAnOwnerShareItsOneConnection() async throws {
        try await NginxServer.run { server in
            let configuration = TransportConfiguration.with {
                $0.httpVersion = .http2
                $0.caFile = server.certificate
            }
            try await TransportFixture.run(configuration) { fixture in
                try await fixture.withTransport { fixture, _ in
                    let request = PreparedRequest(url: "https://127.0.0.1:\(server.securePort)/facts")
                    for index in 0..<40 { try fixture.start(request, owner: index % 4) }
                }
                let results = await fixture.results(40)
                let connections = Set(results.compactMap { $0.body.split(separator: " ").dropFirst().first })
                #expect(results.allSatisfy { $0.failure == nil })
                #expect(connections.count == 4)
            }
        }
    }

    @Test(arguments: cases)
    func aConnectionThatTheServerClosesIsReplaced(on variant: Case) async throws {
        try await NginxServer.run { server in
            let configuration = TransportConfiguration.with {
                $0.httpVersion = variant.version
                $0.caFile = server.certificate
            }
            try await TransportFixture.run(configuration) { fixture in
                let base = "\(variant.scheme)://127.0.0.1:\(variant.port(server))"
                for _ in 0..<5 {
                    let result = try await fixture.get(base + "/close")
                    #expect(result.failure == nil)
                    #expect(result.body == "closing")
                }
                let last = try await fixture.get(base + "/facts")
                #expect(last.failure == nil, "\(last.explanation)")
            }
        }
    }
}

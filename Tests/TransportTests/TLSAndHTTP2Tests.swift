import Rules
import TestSupport
import Testing
import Values

@testable import Transport

/// TLS and HTTP/2 against nginx; needs nginx and openssl installed.
///
/// Over sockets, because the server is a program of others.
@Suite(.timeLimit(.minutes(15)), .eachCarrier) struct TLSAndHTTP2Tests {
    @Test func aVerifiedConnectionIsKept() async throws {
        try await withNginx { fixture, server in
            let url = "https://127.0.0.1:\(server.securePort)/facts"
            let first = try await fixture.get(url)
            #expect(first.failure == nil)
            #expect(first.tlsMicroseconds > 0)
            #expect(first.connectMicroseconds > 0)
            let second = try await fixture.get(url)
            #expect(second.newConnections == 0)
            #expect(second.tlsMicroseconds == 0 && second.connectMicroseconds == 0)
            let (one, two) = (first.body.split(separator: " "), second.body.split(separator: " "))
            #expect((one.first, one[1]) == ("HTTP/1.1", two[1]))
            #expect(two[2] == "2")
        }
    }

    @Test(arguments: [(.tls, 0), (nil, 200)] as [(TransportFailure?, Int)])
    func anUnknownAuthorityStaysUnknownUnlessNoneIsWanted(failure: TransportFailure?, status: Int) async throws {
        try await withNginx {
            ($0.caFile, $0.verifyTLS) = (nil, failure != nil)
        } test: { fixture, server in
            for owner in 0..<3 {
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/facts", owner: owner)
                #expect((result.failure, result.status, result.sends) == (failure, status, status / 200))
            }
        }
    }

    /// A verdict on a chain is remembered for the name that it was found for.
    @Test func aChainThatWasGoodForOneNameIsNotForAnother() async throws {
        try await NginxServer.run { server in
            let configuration = TransportConfiguration.with {
                ($0.caFile, $0.authorisedHosts) = (server.certificate, AuthorisedHosts(["other.example"]))
                $0.resolve = ["other.example:\(server.securePort):127.0.0.1"]
            }
            try await TransportFixture.run(configuration) { fixture in
                for (owner, host) in ["other.example", "127.0.0.1", "other.example", "127.0.0.1"].enumerated() {
                    let result = try await fixture.get("https://\(host):\(server.securePort)/facts", owner: owner)
                    #expect(result.failure == (host == "127.0.0.1" ? nil : .tls), "owner \(owner)")
                }
            }
        }
    }

    /// The certificate is for 127.0.0.1, and another name leads there: it is checked for the name of the address.
    @Test(arguments: [("127.0.0.1", nil), ("other.example", .tls)] as [(String, TransportFailure?)])
    func anotherPlaceKeepsTheNameInTLS(host: String, failure: TransportFailure?) async throws {
        try await NginxServer.run { server in
            let configuration = TransportConfiguration.with {
                ($0.caFile, $0.authorisedHosts) = (server.certificate, AuthorisedHosts(["other.example"]))
                $0.connectTo = ["\(host):443:place.example:\(server.securePort)"]
                $0.resolve = ["PLACE.example:\(server.securePort):127.0.0.1"]
            }
            try await TransportFixture.run(configuration) { fixture in
                let result = try await fixture.get("https://\(host)/facts")
                #expect(result.failure == failure)
            }
        }
    }

    @Test(arguments: [false, true]) func aClientCertificateIsShown(hasOne: Bool) async throws {
        try await NginxServer.run { server in
            let configuration = TransportConfiguration.with {
                $0.caFile = server.certificate
                $0.clientCertificateFile = hasOne ? server.clientCertificate : nil
                $0.clientKeyFile = hasOne ? server.clientKey : nil
            }
            try await TransportFixture.run(configuration) { fixture in
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/client")
                #expect(result.body == (hasOne ? "SUCCESS" : "NONE"))
            }
        }
    }

    /// A pooled handle must not carry one viewer's TLS session to another.
    @Test func noOwnerResumesAnothersSession() async throws {
        try await withNginx { fixture, server in
            for owner in 0..<12 {
                let result = try await fixture.get("https://127.0.0.1:\(server.securePort)/facts", owner: owner)
                #expect(result.body.split(separator: " ").last == ".", "owner \(owner) resumed a session")
            }
        }
    }

    /// OpenSSL would read key updates within one call for as long as they come; a close comes without close_notify.
    @Test func bothCarriersSayTheSameOfRawTLS() async throws {
        let cases: [(path: String, failure: TransportFailure?)] = [
            ("5", nil), ("3000", .protocolError), ("endless", .protocolError), ("until-close", nil),
            ("until-told", nil), ("short", .truncated),
        ]
        try await withNginx { fixture, server in
            try await server.besideRawTLS { port, strictPort in
                for (path, failure) in cases {
                    let result = try await fixture.get("https://127.0.0.1:\(port)/\(path)", owner: 1)
                    #expect(result.failure == failure, "\(path)")
                    if failure == nil { #expect(result.body == "fine", "\(path)") }
                    #expect(result.flaws == (path == "until-close" ? .closeUnannounced : []), "\(path)")
                    let other = try await fixture.get("https://127.0.0.1:\(port)/5")
                    #expect((other.failure, other.newConnections) == (nil, path == "5" ? 1 : 0), "\(path)")
                }
                #expect(try await fixture.get("https://127.0.0.1:\(strictPort)/0").failure == .tls)
            }
        }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: HTTPVersion
        let answered: String
        let address: @Sendable (NginxServer) -> String
        /// libcurl is not asked for HTTP/2 without TLS.
        var isCarried: Bool { EachCarrier.underTest == .auto || testDescription != "h2c" }
    }

    static let cases = [
        Case(testDescription: "HTTP/1.1", version: .http1, answered: "1.1") { "http://127.0.0.1:\($0.plainPort)" },
        Case(testDescription: "TLS", version: .http1, answered: "1.1") { "https://127.0.0.1:\($0.securePort)" },
        Case(testDescription: "HTTP/2", version: .http2, answered: "2.0") { "https://127.0.0.1:\($0.securePort)" },
        Case(testDescription: "h2c", version: .http2, answered: "2.0") { "http://127.0.0.1:\($0.clearHTTP2Port)" },
        Case(testDescription: "HTTP/2 refused", version: .http2, answered: "1.1") {
            "https://127.0.0.1:\($0.oldSecurePort)"
        },
    ]

    /// Many owners, many requests each, seen from nginx: its connection numbers beside our local ports.
    @Test(arguments: cases) func everyOwnerKeepsOneConnectionOnEveryProtocol(of variant: Case) async throws {
        guard variant.isCarried else { return }
        let owners = 24
        let rounds = 15
        try await withNginx {
            $0.httpVersion = variant.version
        } test: { fixture, server in
            for round in 0..<rounds {
                try await fixture.startAll(variant.address(server) + "/facts", owners: 0..<owners)
                _ = await fixture.results((round + 1) * owners)
            }
            let results = await fixture.results(owners * rounds)
            var connections: [UInt64: Set<String>] = [:]
            var ports: [UInt64: Set<UInt16>] = [:]
            for result in results {
                let facts = result.body.split(separator: " ").map(String.init)
                #expect(result.failure == nil)
                #expect(facts.first == "HTTP/\(variant.answered)")
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

    @Test func parallelHTTP2RequestsOfAnOwnerShareItsOneConnection() async throws {
        try await withNginx {
            $0.httpVersion = .http2
        } test: { fixture, server in
            try await fixture.startAll("https://127.0.0.1:\(server.securePort)/facts", owners: (0..<40).map { $0 % 4 })
            let results = await fixture.results(40)
            let connections = Set(results.compactMap { $0.body.split(separator: " ").dropFirst().first })
            #expect(results.allSatisfy { $0.failure == nil })
            #expect(connections.count == 4)
        }
    }

    @Test(arguments: cases) func aConnectionThatTheServerClosesIsReplaced(on variant: Case) async throws {
        guard variant.isCarried else { return }
        try await withNginx {
            $0.httpVersion = variant.version
        } test: { fixture, server in
            for _ in 0..<5 {
                let result = try await fixture.get(variant.address(server) + "/close")
                #expect((result.failure, result.body) == (nil, "closing"))
            }
            let last = try await fixture.get(variant.address(server) + "/facts")
            #expect(last.failure == nil)
        }
    }
}

/// Files that name no authority, no certificate and no key are refused, and memory that was taken is freed once.
@Suite struct TLSContextTests {
    @Test(
        arguments: [
            "", "this is no PEM\n", "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ],
        [true, false]
    ) func spoiltFilesAreRefused(content: String, isAuthority: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(content, to: "file.pem")
        var configuration = TransportConfiguration()
        if isAuthority { configuration.caFile = file } else { configuration.clientCertificateFile = file }
        for _ in 0..<8 {
            #expect { _ = try TLSContext(configuration) } throws: { "\($0)".hasPrefix("cannot use \(file): ") }
        }
    }
}

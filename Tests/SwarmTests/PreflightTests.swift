import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// What stands in the way of a plan on a machine with these limits, and what does not but nearly.
@Suite struct PreflightTests {
    private static let roomy = Preflight.Limits(hardDescriptors: 1 << 20, ports: 28_232)
    private static let apart = "http://127.0.0.1:8081"

    private static func limits(descriptors: Int = 1 << 20, ports: Int = 28_232) -> Preflight.Limits {
        Preflight.Limits(hardDescriptors: descriptors, ports: ports)
    }

    private func plan(viewers: Int, adServer: String? = nil, _ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan
    {
        LoadPlan.forTests {
            $0.audience.viewers = viewers
            if let adServer, case .podServing(var target) = $0.target {
                target.adServer = adServer
                $0.target = .podServing(target)
            }
            change(&$0)
        }
    }

    private func counts(_ plan: LoadPlan, _ limits: Preflight.Limits) -> [Int] {
        [Preflight(plan, limits).problems.count, Preflight(plan, limits).warnings.count]
    }

    @Test(arguments: [
        // A connection each, and a second one where requests coincide.
        (448, 1024, 28_232, [0, 0]), (449, 1024, 28_232, [0, 1]), (896, 1024, 28_232, [0, 1]),
        (897, 1024, 28_232, [1, 0]), (7_058, 1 << 20, 28_232, [0, 0]), (7_059, 1 << 20, 28_232, [0, 1]),
        (28_232, 1 << 20, 28_232, [0, 1]), (28_233, 1 << 20, 28_232, [1, 0]), (15_000, 20_000, 28_232, [0, 2]),
        (20_000, 20_000, 28_232, [1, 1]), (30_000, 20_000, 28_232, [2, 0]), (1, 0, 0, [2, 0]),
    ])
    func limitsAreCheckedToTheLastConnection(viewers: Int, descriptors: Int, ports: Int, expected: [Int]) {
        let limits = Self.limits(descriptors: descriptors, ports: ports)
        #expect(counts(plan(viewers: viewers), limits) == expected)
    }

    @Test(arguments: [
        (PlaybackPlan.SegmentChoice.none, false, 2), (.ads, false, 2), (.content, false, 3), (.all, false, 3),
        (.none, true, 3), (.all, true, 4),
    ])
    func eachServerNeedsAConnectionAndASecondWhereRequestsCoincide(
        segments: PlaybackPlan.SegmentChoice,
        hasMetadata: Bool,
        usual: Int
    ) {
        let plan = self.plan(viewers: 100, adServer: Self.apart) {
            $0.playback.segments = segments
            $0.playback.pollsMetadata = hasMetadata
            $0.playback.sendsVerificationPings = hasMetadata
        }
        let warned = usual > 2 ? 1 : 0
        let descriptors = [327, 328, usual * 100 + 127, usual * 100 + 128]
        let found = descriptors.map { counts(plan, Self.limits(descriptors: $0)) }
        #expect(found == [[1, 0], [0, warned], [1 - warned, warned], [0, 0]])
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", 1), ("HTTP://127.0.0.1:8080/", 1), ("https://127.0.0.1:8080", 2),
        ("http://127.0.0.1:8081", 2), ("http://127.0.0.2:8080", 2),
    ])
    func serversDifferBySchemeHostOrPort(adServer: String, servers: Int) {
        let plan = self.plan(viewers: 10, adServer: adServer)
        #expect(ConnectionNeed(plan).servers.count == servers)
        #expect([128, 127].map { counts(plan, Self.limits(descriptors: servers * 10 + $0)).first } == [0, 1])
    }

    @Test func theSchemesPortNeedNotBeWritten() {
        #expect(WebOrigin(of: "https://live.example.com/a.m3u8") == WebOrigin(of: "https://LIVE.example.com:443"))
        #expect(WebOrigin(of: "http://live.example.com") == WebOrigin(of: "http://live.example.com:80/x?y"))
        #expect(WebOrigin(of: "http://live.example.com:80")?.description == "http://live.example.com")
        #expect(WebOrigin(of: "https://live.example.com:80")?.description == "https://live.example.com:80")
        #expect(WebOrigin(of: "ftp://live.example.com") == nil)
    }

    @Test func theEmbeddedOriginIsOneServer() {
        let plan = self.plan(viewers: 100) { $0.target = .embedded(.forTests) }
        #expect([227, 327, 328].map { counts(plan, Self.limits(descriptors: $0)) } == [[1, 0], [0, 1], [0, 0]])
    }

    /// Two servers are two destinations, so the same local ports serve for both; a connection of HTTP/2 needs no second one,
    /// and more source addresses carry more connections.
    @Test(
        arguments: [
            (28_232, apart, .http1, 0, [0, 1]), (14_116, apart, .http1, 0, [0, 0]), (28_233, apart, .http1, 0, [1, 0]),
            (14_116, nil, .http2, 0, [0, 0]), (14_117, nil, .http2, 0, [0, 1]), (28_233, nil, .http2, 0, [1, 0]),
            (40_000, nil, .http1, 6, [0, 0]), (40_000, nil, .http1, 3, [0, 1]),
        ] as [(Int, String?, HTTPVersion, Int, [Int])]
    )
    func portsAreCountedForEachServerAndAddress(
        viewers: Int,
        adServer: String?,
        version: HTTPVersion,
        addresses: Int,
        expected: [Int]
    ) {
        let plan = plan(viewers: viewers, adServer: adServer) {
            $0.connection.version = version
            $0.connection.sourceAddresses = (0..<addresses).map { "127.0.0.\($0 + 2)" }
            if adServer != nil { ($0.playback.pollsMetadata, $0.playback.sendsVerificationPings) = (false, false) }
        }
        #expect(counts(plan, Self.roomy) == expected)
    }

    /// Past half of the ephemeral ports of one address the kernel searches long for a free one.
    @Test func onLoopbackAddressesAreTakenPastHalfOfThePorts() {
        #expect(Preflight(plan(viewers: 7_058), Self.roomy).loopbackSources.isEmpty)
        let taken = Preflight(plan(viewers: 15_000), Self.roomy).loopbackSources
        #expect(taken == ["127.64.0.1", "127.64.0.2", "127.64.0.3"])
        let enough = plan(viewers: 15_000) { $0.connection.sourceAddresses = taken }
        #expect(counts(enough, Self.roomy) == [0, 0])
        #expect(Preflight(enough, Self.roomy).loopbackSources.isEmpty)
        let remote = plan(viewers: 15_000, adServer: "http://ads.example.com")
        #expect(Preflight(remote, Self.roomy).loopbackSources.isEmpty)
        let shards = [0, 300].map { AudienceStripe($0, of: 301) }
        let ofShards = shards.map { Preflight(plan(viewers: 3_010), Self.roomy, $0).loopbackSources }
        #expect(ofShards == [["127.64.0.1"], ["127.65.44.1"]])
    }

    @Test func shardsOfOneMachineShareItsPorts() throws {
        let plan = self.plan(viewers: 40_000, adServer: "http://ads.example.com") {
            ($0.playback.pollsMetadata, $0.playback.sendsVerificationPings) = (false, false)
        }
        let stripe = AudienceStripe(1, of: 4)
        let alone = Preflight(ConnectionNeed(plan, stripe), Self.roomy)
        #expect(alone.portProblem == nil && alone.portWarning == nil)
        let two = Preflight(ConnectionNeed(plan, stripe, sharing: 2), Self.roomy)
        #expect(two.problems.isEmpty && two.portWarning?.contains("more than half of the 28232 ephemeral") == true)
        let three = Preflight(ConnectionNeed(plan, stripe, sharing: 3), Self.roomy)
        #expect(three.portProblem?.contains("the 2 other shards on this machine") == true)
    }

    @Test func theRemedySaysHowManyWouldDo() throws {
        let ports = try #require(Preflight(self.plan(viewers: 40_000), Self.roomy).problems.first)
        #expect(ports.contains("at least 6 addresses"))
        let plan = self.plan(viewers: 5000, adServer: Self.apart)
        let problem = try #require(Preflight(plan, Self.limits(descriptors: 1128)).problems.first)
        let servers = "http://127.0.0.1:8080 and http://127.0.0.1:8081"
        for part in ["at least 10128 file descriptors", servers, "--viewers 500", "ulimit -Hn 15128"] {
            #expect(problem.contains(part))
        }
        let warning = try #require(Preflight(plan, Self.limits(descriptors: 12_000)).warnings.first)
        #expect(warning.contains("(to http://127.0.0.1:8081)") && warning.contains("ulimit -Hn 15128"))
        // No viewer fits where descriptors do not suffice for the process.
        let none = Preflight(self.plan(viewers: 10), Self.limits(descriptors: 20)).problems.first
        #expect(none?.hasSuffix("or run on another machine") == true)
        let one = Preflight(self.plan(viewers: 1), Self.limits(descriptors: 20)).problems.first
        #expect(one?.hasPrefix("1 viewer needs at least 129 file descriptors") == true)
    }

    @Test func ofAShardItsOwnViewersCountAndMoreShardsWouldDo() throws {
        let plan = self.plan(viewers: 100_000)
        let shard = AudienceStripe(1, of: 2)
        #expect(Preflight(plan, Self.roomy, AudienceStripe(0, of: 4)).problems.isEmpty)
        let ports = try #require(Preflight(plan, Self.roomy, shard).problems.first)
        #expect(ports.hasPrefix("the connections of the 50,000 viewers of shard 1 of 2 to one server need more than"))
        #expect(ports.hasSuffix("or divide the audience over at least 4 shards"))
        let few = Self.limits(descriptors: 1_128, ports: 65_536)
        let descriptors = try #require(Preflight(plan, few, shard).problems.first)
        #expect(descriptors.hasPrefix("the 50,000 viewers of shard 1 of 2 need at least 50128 file descriptors"))
        #expect(descriptors.hasSuffix("or divide the audience over at least 100 shards"))
    }

    @Test func tooLittleAddressSpaceIsSaidBeforeItEndsTheProcess() throws {
        var plan = self.plan(viewers: 1_024)
        plan.generator.loops = 2
        var limits = Self.roomy
        limits.addressSpaceBytes = 960 << 20
        #expect(Preflight(plan, limits).problems.isEmpty)
        limits.addressSpaceBytes = 400_000 << 10
        let problem = try #require(Preflight(plan, limits).problems.first)
        #expect(problem.contains("needs about 960 MiB of address space and 390 MiB are allowed"))
        #expect(problem.contains("ulimit -v 983040"))
    }

    @Test func thisMachineHasLimits() {
        let limits = Preflight.Limits.ofThisMachine()
        #expect(limits.hardDescriptors > 0 && limits.ports > 0)
    }
}

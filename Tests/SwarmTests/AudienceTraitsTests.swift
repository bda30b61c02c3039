import AdServing
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

@Suite struct AudienceTraitsTests {
    private static let traits = [
        AudienceTrait("region", .values([.init("north", share: 0.75), .init("south", share: 0.25)])),
        AudienceTrait("tier", .values([.init("free", share: 0.5), .init("paid", share: 0.5)])),
    ]

    @Test func valuesAreDrawnByShareAndTheSameInEveryRun() {
        let traits = AudienceTraits(Self.traits, seed: 7)
        let values = (0..<4_000).map { traits.values(ofViewer: $0) }
        #expect((2_900..<3_100).contains(values.count { $0["region"] == "north" }))
        #expect((1_900..<2_100).contains(values.count { $0["tier"] == "free" }))
        // One does not follow from the other.
        #expect((1_400..<1_600).contains(values.count { $0["region"] == "north" && $0["tier"] == "free" }))
        let again = AudienceTraits(Self.traits, seed: 7)
        #expect(values == (0..<4_000).map { again.values(ofViewer: $0) })
        #expect(values != (0..<4_000).map { AudienceTraits(Self.traits, seed: 8).values(ofViewer: $0) })
    }

    /// What is added behind changes nobody's first.
    @Test func aFurtherLabelChangesNoOther() {
        let one = AudienceTraits(Array(Self.traits.prefix(1)), seed: 7)
        let two = AudienceTraits(Self.traits, seed: 7)
        #expect((0..<100).allSatisfy { one.values(ofViewer: $0)["region"] == two.values(ofViewer: $0)["region"] })
    }

    @Test func valuesFollowFromWhatStandsBefore() throws {
        let personas = [PersonaShare(try #require(Self.plan).audience.personas[0].persona, share: 1)]
        let name = personas[0].persona.name
        let table = try TraitTable.read(Array("city,zone\na,1\nb,2\nc,3\n".utf8))
        guard case .addresses(let block)? = Self.plan?.audience.traits.first?.source else {
            Issue.record("there are no addresses")
            return
        }
        let traits = AudienceTraits(
            Self.traits + [
                AudienceTrait("age", .numbers(18...20)), AudienceTrait("address", .addresses(block)),
                AudienceTrait("ppid", .digits(40)), AudienceTrait("agent", .by("persona", [name: "Player/{tier}"])),
                AudienceTrait("price", .by("tier", ["free": "0", "paid": "{age}"])),
                AudienceTrait("city", .column(0, of: table)), AudienceTrait("zone", .column(1, of: table)),
            ],
            personas: personas,
            seed: 7
        )
        let values = (0..<600).map { traits.values(ofViewer: $0) }
        #expect(Set(values.compactMap { $0["age"] }) == ["18", "19", "20"])
        #expect(values.allSatisfy { $0["address"]?.hasPrefix("198.51.100.") ?? false })
        #expect(Set(values.compactMap { $0["ppid"] }).count == 600)
        #expect(values.allSatisfy { $0["ppid"]?.utf8.count == 40 })
        #expect(values.allSatisfy { $0["agent"] == "Player/\($0["tier"] ?? "")" })
        #expect(values.allSatisfy { $0["price"] == ($0["tier"] == "free" ? "0" : $0["age"]) })
        let told = values.enumerated().map { ($1["city"], $1["zone"], row: $0 % 3) }
        #expect(told.allSatisfy { $0 == table.value(row: $2, column: 0) && $1 == table.value(row: $2, column: 1) })
        #expect(traits.placeholders(in: "{age} {viewer} {none} {1}") == ["age", "viewer"])
        #expect(traits.areShared(["age", "tier"]) && !traits.areShared(["ppid"]) && !traits.areShared(["viewer"]))
    }

    private static let plan = try? ProfileReader().read(
        yaml: """
            duration: 60s
            target: embedded
            audience: {viewers: 1, personas: [hlsjs], traits: [{name: a, range: 198.51.100.0/24}]}
            breaks: {source: {every: 20s}}

            """,
        path: "a.yaml"
    )

    @Test func whatViewersSendSaysWhoTheyAre() {
        let viewer = ViewerIdentity(number: 3, primaryID: "p", traits: ["region": "north"])
        #expect(viewer.filled("r={region}&v={viewer}&p={primary_id}") == "r=north&v=3&p=p")
        #expect(viewer.filled("plain") == "plain" && viewer.filled("{state}") == "{state}")
        let target = MediaTailorPlan(
            server: "http://a",
            asset: "b",
            session: .implicit,
            adsParameters: ["r": "{region}"]
        )
        #expect(target.templates?.contentURL(of: viewer, streamID: nil)?.contains("ads.r=north") == true)
    }
}

@Suite struct ClientDataTests {
    private static let viewer = ViewerIdentity(number: 3, primaryID: "a-b", traits: ["event": "cup \"26\""])

    private static func told(
        _ carriage: ClientDataPlan.Carriage,
        _ role: ViewerRole,
        _ url: String,
        content: String? = nil
    )
        -> (url: String, fields: [String])
    {
        let data = ClientData(ClientDataPlan(carriage: carriage, contentID: content))
        let told = data.told(role, url: url, by: viewer)
        return (told.url, told.fields.map { "\($0.name): \($0.value)" })
    }

    @Test func aParameterHasTheKeysInTheirOrder() {
        let value = "CMCD=cid%3D%22cup%20%5C%2226%5C%22%22%2Cot%3Dm%2Csf%3Dh%2Csid%3D%22a-b%22%2Cst%3Dl"
        let told = Self.told(.query, .playlist, "http://x/a.m3u8", content: "{event}")
        #expect(told.url == "http://x/a.m3u8?\(value)" && told.fields == [])
        #expect(Self.told(.query, .segment, "http://x/a.ts?b").url.hasPrefix("http://x/a.ts?b&CMCD=ot%3Dav%2C"))
    }

    @Test func headersAreThoseOfTheirKeys() {
        let told = Self.told(.header, .podManifest, "http://x/a.m3u8", content: "c")
        let session = "CMCD-Session: cid=\"c\",sf=h,sid=\"a-b\",st=l"
        #expect(told.url == "http://x/a.m3u8" && told.fields == ["CMCD-Object: ot=m", session])
    }

    @Test(arguments: [ViewerRole.registration, .metadata, .verification, .beacon, .steering])
    func whatIsNoPartOfTheStreamTellsNothing(role: ViewerRole) {
        for carriage in ClientDataPlan.Carriage.allCases {
            let told = Self.told(carriage, role, "http://x/a")
            #expect(told.url == "http://x/a" && told.fields == [])
        }
    }
}

/// Traits that viewers sent, beside those that they were to send.
@Suite struct PlannedFieldsTests {
    private static func plan(keepsCookies: Bool = true) -> LoadPlan {
        var session = SessionPlan.forTests
        session.adTagParameters = ["ppid": "{ppid}"]
        session.custParams = "region={region}"
        var origin = EmbeddedOriginPlan.forTests
        origin.session = session
        return .forTests {
            $0.target = .embedded(origin)
            $0.audience.traits = [
                AudienceTrait("region", .values([.init("north", share: 0.5), .init("south", share: 0.5)])),
                AudienceTrait("ppid", .digits(16)),
            ]
            $0.connection.headers = ["X-Region": "{region}"]
            $0.connection.keepsCookies = keepsCookies
        }
    }

    /// What an origin counts of viewers, each of whom says a text.
    private static func count(_ viewers: [Int] = Array(0..<50), _ text: (Int) -> String) -> ToldCount {
        var count = ToldCount()
        count.numbers = ToldCount.numbers(viewers.map { UInt64($0) })
        count.digest = ToldCount.digest(of: viewers.map { ToldCount.hash(text($0), of: UInt64($0)) })
        return count
    }

    /// As an origin counts it where each viewer says what `change` makes of what it is to say.
    private static func told(_ change: (Int, String) -> String = { $1 }) -> [String: ToldCount] {
        let traits = AudienceTraits(plan().audience, seed: plan().seed)
        let texts = [
            "header x-region": "{region}", "registration ppid": "{ppid}", "pod cust_params": "region={region}",
        ]
        return texts.mapValues { text in count { change($0, traits.identity(ofViewer: $0).filled(text)) } }
    }

    private static func otherwise(_ field: String) -> [String] {
        ["viewers said something else in \(field) than is planned"]
    }

    @Test func whatIsSaidAsPlannedIsNoDefect() {
        let fields = PlannedFields(Self.plan())
        #expect(fields.counted.map(\.title) == ["header x-region", "pod cust_params", "registration ppid"])
        #expect(fields.counted.allSatisfy { $0.showsValues })
        #expect(fields.defects(in: Self.told()) == [])
    }

    @Test func whatASingleViewerSaysOtherwiseIsADefect() {
        let told = Self.told { $0 == 17 && $1.hasPrefix("region=") ? "region=west" : $1 }
        #expect(PlannedFields(Self.plan()).defects(in: told) == Self.otherwise("pod cust_params"))
    }

    @Test func twoViewersWhoSayEachOthersAreADefect() {
        let traits = AudienceTraits(Self.plan().audience, seed: Self.plan().seed)
        let others = [3: 4, 4: 3].mapValues { traits.values(ofViewer: $0)["ppid"] ?? "" }
        let told = Self.told { viewer, text in text.count == 16 ? others[viewer] ?? text : text }
        #expect(PlannedFields(Self.plan()).defects(in: told) == Self.otherwise("registration ppid"))
    }

    @Test func missingAndChangingValuesAndForeignCookiesAreDefects() {
        var told = Self.told()
        told["header x-region"]?.requestsWithout = 2
        told["registration ppid"]?.changed = 3
        told["pod cust_params"] = nil
        var cookies = CookieCount()
        (cookies.returned, cookies.foreign) = (5, 1)
        #expect(
            PlannedFields(Self.plan(keepsCookies: false)).defects(in: told, cookies: cookies) == [
                "2 requests came without header x-region", "the origin did not count pod cust_params",
                "3 requests said something else in registration ppid than their viewer had said before",
                "1 request brought a cookie of another viewer",
                "5 requests brought a cookie, though viewers keep none",
            ]
        )
    }

    @Test func whatNobodySaidIsADefect() {
        var told = Self.told()
        told["registration ppid"] = ToldCount()
        told["registration ppid"]?.digest = ToldCount.digest(of: [])
        told["registration ppid"]?.requestsWithout = 50
        #expect(PlannedFields(Self.plan()).defects(in: told) == ["50 requests came without registration ppid"])
    }

    /// Google wants it encoded within the body, which is encoded again; of a pod request's query it is encoded once.
    @Test func custParamsOfARegistrationAreExpectedAsTheyAreSent() throws {
        var plan = Self.plan()
        guard case .embedded(var origin) = plan.target else { return }
        origin.session.adTagParameters["cust_params"] = "region={region}&a=b"
        plan.target = .embedded(origin)
        let traits = AudienceTraits(plan.audience, seed: plan.seed)
        func told(_ sent: (String) -> String) -> [String: ToldCount] {
            let count = Self.count { sent(traits.values(ofViewer: $0)["region"] ?? "") }
            return Self.told().merging(["registration cust_params": count]) { $1 }
        }
        #expect(PlannedFields(plan).defects(in: told { "region%3D\($0)%26a%3Db" }) == [])
        let once = PlannedFields(plan).defects(in: told { "region=\($0)&a=b" })
        #expect(once == Self.otherwise("registration cust_params"))
    }

    /// By their names, or because they came from the environment; what says nothing of viewers is not counted.
    @Test func valuesOfSecretsAreNotShown() {
        var plan = Self.plan()
        plan.secrets = ["hunter2"]
        plan.connection.headers = ["Authorization": "{region}", "X-Own": "hunter2-{region}", "X-Same": "hunter2"]
        let hidden = ["authorization", "x-own"].map { CountedField(.header, $0, showsValues: false) }
        #expect(PlannedFields(plan).counted.filter { $0.place == .header } == hidden)
    }

    @Test func whatUpdatesTellIsPlannedToo() throws {
        var plan = Self.plan()
        guard case .embedded(var origin) = plan.target else { return }
        let parameters = ["npa": "1", "who": "{region}"]
        origin.session.updates = SessionUpdatePlan(share: 0.5, every: .seconds(10), adTagParameters: parameters)
        plan.target = .embedded(origin)
        let updates = try #require(origin.session.updates)
        let traits = AudienceTraits(plan.audience, seed: plan.seed)
        func told(_ concern: (Int) -> Bool, npa: String = "1") -> [String: ToldCount] {
            var told = Self.told()
            for (name, text) in ["npa": npa, "who": "{region}", "ppid": "{ppid}"] {
                told["update \(name)"] = Self.count((0..<50).filter(concern)) {
                    traits.identity(ofViewer: $0).filled(text)
                }
            }
            return told
        }
        let fields = PlannedFields(plan)
        #expect(fields.counted.filter { $0.place == .update }.map(\.name) == ["npa", "ppid", "who"])
        #expect(fields.defects(in: told { updates.concern(viewer: $0, seed: plan.seed) }) == [])
        let other = fields.defects(in: told({ updates.concern(viewer: $0, seed: plan.seed) }, npa: "0"))
        #expect(other == Self.otherwise("update npa"))
        let others = (0..<50).count { !updates.concern(viewer: $0, seed: plan.seed) }
        let talkative = ["npa", "ppid", "who"].map {
            "\(others) viewers said something in update \($0) who were not to"
        }
        #expect(fields.defects(in: told { _ in true }) == talkative)
    }

    @Test func withoutTraitsNothingIsCounted() {
        var plan = Self.plan()
        plan.audience.traits = []
        #expect(PlannedFields(plan).counted.isEmpty && PlannedFields(plan).defects(in: [:]) == [])
    }

    @Test(arguments: ["", "5", "0-4999", "0-3,5,7-9"])
    func numbersAreReadAsTheyAreWritten(text: String) {
        var count = ToldCount()
        count.numbers = text
        #expect(ToldCount.numbers(count.viewers.flatMap { Array($0) }) == text)
    }

    @Test(arguments: ["x", "3-1", "1-2-3", "-", "5-"]) func numbersThatCannotBeReadAreNone(text: String) {
        var count = ToldCount()
        count.numbers = text
        #expect(count.viewers.isEmpty)
    }
}

/// Chance that is the viewer's own and the same in every run.
@Suite struct ViewerChanceTests {
    @Test func sameSeedAndViewerSameDraws() {
        for viewer in [0, 1, 4999, -1, .max] {
            var first = ViewerChance(seed: 7, viewer: viewer)
            var second = ViewerChance(seed: 7, viewer: viewer)
            #expect((0..<100).allSatisfy { _ in first.next() == second.next() })
        }
    }

    @Test func viewersAndSeedsDiffer() {
        let firsts = (0..<10_000).map { viewer -> UInt64 in
            var chance = ViewerChance(seed: 7, viewer: viewer)
            return chance.next()
        }
        #expect(Set(firsts).count == firsts.count)
        var other = ViewerChance(seed: 8, viewer: 0)
        #expect(other.next() != firsts[0])
    }

    @Test func firstDrawsOfNeighboursAreSpreadEvenly() {
        var tenths = [Int](repeating: 0, count: 10)
        for viewer in 0..<10_000 {
            var chance = ViewerChance(seed: 7, viewer: viewer)
            tenths[Int(chance.unit() * 10)] += 1
        }
        #expect(tenths.allSatisfy { (850...1150).contains($0) }, "\(tenths)")
    }

    @Test func aProcessWithoutMemoryHasTheMeanThatWasAskedFor() {
        var chance = ViewerChance(seed: 3, viewer: 1)
        let draws = (0..<20_000).map { _ in chance.nanoseconds(untilNextOfMean: 1_000_000) }
        let mean = draws.reduce(0, +) / Int64(draws.count)
        #expect((950_000...1_050_000).contains(mean))
        #expect(draws.allSatisfy { $0 >= 0 })
        #expect(chance.nanoseconds(untilNextOfMean: 0) == 0)
        #expect(chance.nanoseconds(untilNextOfMean: .max) <= 1_000_000_000_000_000_000)
    }

    @Test func certaintyAndImpossibilityAreExact() {
        var chance = ViewerChance(seed: 3, viewer: 1)
        #expect((0..<1000).allSatisfy { _ in chance.happens(1) })
        #expect((0..<1000).allSatisfy { _ in !chance.happens(0) })
    }
}

import AdServing
import Testing

@testable import Audience
@testable import LoadProfile

/// What viewers said, held against what they were to say.
@Suite struct PlannedFieldsTests {
    private static func plan(keepsCookies: Bool = true) -> LoadPlan {
        var session = SessionPlan.forTests
        session.adTagParameters = ["ppid": "{ppid}"]
        session.custParams = "region={region}"
        let origin = EmbeddedOriginPlan(
            usesTLS: false,
            segmentDuration: .seconds(2),
            windowSegments: 6,
            variantCount: 2,
            adDuration: .seconds(5),
            announcesBreaks: true,
            sessionValidity: .seconds(600),
            metadataPollingFrequency: .seconds(10),
            faultPlanPath: nil,
            session: session
        )
        return .forTests {
            $0.target = .embedded(origin)
            $0.audience.traits = [
                AudienceTrait("region", values: [.init("north", share: 0.5), .init("south", share: 0.5)]),
                AudienceTrait("ppid", .digits(16)),
            ]
            $0.connection.headers = ["X-Region": "{region}"]
            $0.connection.keepsCookies = keepsCookies
        }
    }

    /// As an origin counts it where each viewer says what `change` makes of what it is to say.
    private static func told(_ change: (Int, String) -> String = { $1 }) -> [String: ToldCount] {
        let plan = plan()
        let traits = AudienceTraits(plan.audience, seed: plan.seed)
        var told: [String: ToldCount] = [:]
        for (title, text) in [
            ("header x-region", "{region}"), ("registration ppid", "{ppid}"),
            ("pod cust_params", "region={region}"),
        ] {
            var (count, digest) = (ToldCount(), ToldDigest())
            for viewer in 0..<50 {
                digest.add(change(viewer, traits.identity(ofViewer: viewer).filled(text)), of: UInt64(viewer))
            }
            (count.numbers, count.digest) = ("0-49", digest.text)
            told[title] = count
        }
        return told
    }

    @Test func whatIsSaidAsPlannedIsNoDefect() {
        let fields = PlannedFields(Self.plan())
        #expect(fields.counted.map(\.title) == ["header x-region", "pod cust_params", "registration ppid"])
        #expect(fields.counted.allSatisfy { $0.showsValues })
        #expect(fields.defects(in: Self.told()) == [])
    }

    @Test func whatASingleViewerSaysOtherwiseIsADefect() {
        let told = Self.told { $0 == 17 && $1.hasPrefix("region=") ? "region=west" : $1 }
        #expect(
            PlannedFields(Self.plan()).defects(in: told)
                == ["viewers said something else in pod cust_params than is planned"]
        )
    }

    @Test func twoViewersWhoSayEachOthersAreADefect() {
        let traits = AudienceTraits(Self.plan().audience, seed: Self.plan().seed)
        let others = [3: 4, 4: 3].mapValues { traits.values(ofViewer: $0)["ppid"] ?? "" }
        let told = Self.told { viewer, text in text.count == 16 ? others[viewer] ?? text : text }
        #expect(
            PlannedFields(Self.plan()).defects(in: told)
                == ["viewers said something else in registration ppid than is planned"]
        )
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
                "1 requests brought a cookie of another viewer",
                "5 requests brought a cookie, though viewers keep none",
            ]
        )
    }

    @Test func whatNobodySaidIsADefect() {
        var told = Self.told()
        told["registration ppid"] = ToldCount()
        told["registration ppid"]?.digest = ToldDigest().text
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
            var (count, digest) = (ToldCount(), ToldDigest())
            for viewer in 0..<50 {
                digest.add(sent(traits.values(ofViewer: viewer)["region"] ?? ""), of: UInt64(viewer))
            }
            (count.numbers, count.digest) = ("0-49", digest.text)
            var told = Self.told()
            told["registration cust_params"] = count
            return told
        }
        #expect(PlannedFields(plan).defects(in: told { "region%3D\($0)%26a%3Db" }) == [])
        #expect(
            PlannedFields(plan).defects(in: told { "region=\($0)&a=b" })
                == ["viewers said something else in registration cust_params than is planned"]
        )
    }

    /// By their names, or because they came from the environment; what says nothing of viewers is not counted.
    @Test func valuesOfSecretsAreNotShown() {
        var plan = Self.plan()
        plan.secrets = ["hunter2"]
        plan.connection.headers = ["Authorization": "{region}", "X-Own": "hunter2-{region}", "X-Same": "hunter2"]
        #expect(
            PlannedFields(plan).counted.filter { $0.place == .header } == [
                CountedField(.header, "authorization", showsValues: false),
                CountedField(.header, "x-own", showsValues: false),
            ]
        )
    }

    @Test func whatUpdatesTellIsPlannedToo() throws {
        var plan = Self.plan()
        guard case .embedded(var origin) = plan.target else { return }
        origin.session.updates = SessionUpdatePlan(
            share: 0.5,
            every: .seconds(10),
            adTagParameters: ["npa": "1", "who": "{region}"]
        )
        plan.target = .embedded(origin)
        let updates = try #require(SessionUpdates(origin.session, seed: plan.seed))
        let traits = AudienceTraits(plan.audience, seed: plan.seed)
        func told(_ concern: (Int) -> Bool, npa: String = "1") -> [String: ToldCount] {
            var told = Self.told()
            for (name, text) in ["npa": npa, "who": "{region}", "ppid": "{ppid}"] {
                var (count, digest) = (ToldCount(), ToldDigest())
                let viewers = (0..<50).filter(concern)
                for viewer in viewers {
                    digest.add(traits.identity(ofViewer: viewer).filled(text), of: UInt64(viewer))
                }
                (count.numbers, count.digest) = (ToldCount.numbers(viewers.map { UInt64($0) }), digest.text)
                told["update \(name)"] = count
            }
            return told
        }
        let fields = PlannedFields(plan)
        #expect(fields.counted.filter { $0.place == .update }.map(\.name) == ["npa", "ppid", "who"])
        #expect(fields.defects(in: told { updates.concern(viewer: $0) }) == [])
        #expect(
            fields.defects(in: told({ updates.concern(viewer: $0) }, npa: "0")) == [
                "viewers said something else in update npa than is planned"
            ]
        )
        let others = (0..<50).count { !updates.concern(viewer: $0) }
        #expect(
            fields.defects(in: told { _ in true })
                == ["npa", "ppid", "who"].map {
                    "\(others) viewers said something in update \($0) who were not to"
                }
        )
    }

    @Test func withoutTraitsNothingIsCounted() {
        var plan = Self.plan()
        plan.audience.traits = []
        #expect(PlannedFields(plan).counted.isEmpty)
        #expect(PlannedFields(plan).defects(in: [:]) == [])
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

import AdServing
import Foundation
import Rules
import TestSupport
import Testing
import Values

@testable import Profile

@Suite struct ProfileReaderTests {
    /// Other defaults are among the overrides of `PlanDigests/minimal.yaml` that change nothing.
    @Test func asManyLoopsRunAsTheMachineAllows() throws { #expect(try Samples.plan().generator.loops == nil) }

    @Test(arguments: CarrierChoice.allCases) func readsEachTransport(_ transport: CarrierChoice)
        throws
    { #expect(try Samples.plan(set: "connection.transport=\(transport.rawValue)").connection.transport == transport) }

    @Test func readsEachQuantityInItsSpellings() throws {
        let plan = try Samples.plan(
            """
            duration: 1h1m1.5s
            target: embedded
            audience: {viewers: 5_000, ramp: 1500us, churnPerMinute: 0.02}
            breaks: {source: {every: 1h}, grace: 250ms, preconnect: 1.5s}
            pods: {repeatShare: 2.5%}
            connection: {maximumBody: 10MiB, maximumHandshakes: 1_000, traceShare: 100%}
            generator: {maximumMemory: 1GB, spin: 50us}
            """
        )
        let durations = [plan.audience.ramp, plan.breaks.grace, plan.breaks.preconnect, plan.generator.spin]
        #expect(durations == [.microseconds(1500), .milliseconds(250), .milliseconds(1500), .microseconds(50)])
        #expect(plan.duration == .milliseconds(3_661_500))
        #expect((plan.audience.viewers, plan.connection.maximumHandshakes) == (5000, 1000))
        #expect((plan.audience.churnPerMinute, plan.connection.traceShare) == (0.02, 1))
        #expect((plan.pods.repeatShare, plan.connection.maximumBodyBytes) == (0.025, 10_485_760))
        #expect(plan.generator.maximumResidentBytes == 1_000_000_000)
    }

    @Test(
        arguments: [
            ("{every: 20s, offset: 5s}", BreakPlan.Source.every(interval: .seconds(20), offset: .seconds(5))),
            ("guideMinute", .guideMinute(repeats: false)),
            ("{guideMinute: {}}", .guideMinute(repeats: false)),
            ("{guideMinute: {repeats: true}}", .guideMinute(repeats: true)),
            ("{list: [20s, 40s]}", .list([.init(.seconds(20)), .init(.seconds(40))])),
            (
                "{list: [20s, {at: 40s, duration: 15s, scte35: /DAl+A==}, {at: 55s}]}",
                .list([
                    .init(.seconds(20)), .init(.seconds(40), duration: .seconds(15), scte35: "/DAl+A=="),
                    .init(.seconds(55)),
                ])
            ),
            (
                "[dateRange, {list: [20s]}, {list: [40s]}]",
                .several([
                    .dateRange(classAttribute: nil), .list([.init(.seconds(20))]),
                    .list([.init(.seconds(40))]),
                ])
            ),
            ("[{every: 20s}]", .every(interval: .seconds(20), offset: .zero)),
            ("dateRange", .dateRange(classAttribute: nil)),
            ("{dateRange: {class: com.podswarm.break}}", .dateRange(classAttribute: "com.podswarm.break")),
        ]
    )
    func readsEachBreakSource(_ text: String, _ source: BreakPlan.Source) throws {
        #expect(try Samples.plan(Samples.profile(breaks: "{source: \(text)}")).breaks.source == source)
    }

    @Test func readsWhoCallsForBreaks() throws {
        let text = """
            {source: [{every: 20s}, {trigger: {lead: 5s, mostPerMinute: 3, http: '[::1]:0', token: '${PODSWARM_KEY}', \
            standardInput: true, file: ca.pem}}], identifierTemplate: 'b-{id}'}
            """
        let plan = try Samples.plan(Samples.profile(breaks: text))
        var trigger = TriggerPlan()
        (trigger.lead, trigger.mostPerMinute) = (.seconds(5), 3)
        (trigger.http, trigger.token) = (ListeningAddress(host: "::1", port: 0), "hunter2hunter2")
        (trigger.readsStandardInput, trigger.file) = (true, "ca.pem")
        #expect(plan.breaks.source == .several([.every(interval: .seconds(20), offset: .zero), .trigger(trigger)]))
        #expect(plan.secrets.contains("hunter2hunter2"))
        let usual = try Samples.plan(set: "breaks.source={trigger: {http: 'localhost:80'}}")
        #expect(usual.breaks.source.triggerPlan?.lead == .seconds(2))
        #expect(usual.breaks.source.triggerPlan?.http == ListeningAddress(host: "localhost", port: 80))
    }

    @Test(arguments: IdentifierPolicy.allCases, ["{every: 20s}", "guideMinute", "{list: [20s]}", "dateRange"])
    func everyIdentifierGoesWithEverySource(_ identifier: IdentifierPolicy, _ source: String) throws {
        let text = Samples.profile(breaks: "{source: \(source), podIdentifier: \(identifier.rawValue)}")
        #expect(try Samples.plan(text).breaks.podIdentifier == identifier)
    }

    @Test func readsAPodServingTarget() throws {
        let text = Samples.podServing(
            channel: "https://live.example.com:8443/a.m3u8?x=1",
            adServer: "https://ads.example.com",
            "backupAdServer: http://127.0.0.1:8080/, authorisedHosts: ['live.example.com:8443', '*.example.com']"
        )
        let target = try Samples.plan(Samples.profile(target: text)).podServing
        #expect(target.contentURL == "https://live.example.com:8443/a.m3u8?x=1")
        #expect((target.adServer, target.backupAdServer) == ("https://ads.example.com", "http://127.0.0.1:8080"))
        #expect(target.authorisedHosts == ["live.example.com:8443", "*.example.com"])
        #expect((target.session.networkCode, target.session.authTokenKey) == ("1", nil))
    }

    @Test func takesSecretsFromTheEnvironment() throws {
        let plan = try Samples.plan(
            Samples.profile(
                target: "{embedded: {authTokenKey: '${PODSWARM_KEY}'}}",
                and: "connection: {headers: {Authorization: 'Bearer ${PODSWARM_KEY}!'}}"
            )
        )
        let origin = try plan.embedded
        #expect(origin.session.authTokenKey == "hunter2hunter2")
        #expect(plan.connection.headers == ["Authorization": "Bearer hunter2hunter2!"])
        #expect(plan.secrets == ["hunter2hunter2", "Bearer hunter2hunter2!"])
    }

    @Test func lineEndsOfOtherSystemsAndAByteOrderMarkChangeNothing() throws {
        let plain = try Samples.plan()
        #expect(try Samples.plan(Samples.minimal.replacing("\n", with: "\r\n")) == plain)
        #expect(try Samples.plan("\u{FEFF}" + Samples.minimal) == plain)
    }

    @Test func anAmpersandAndAStarAreNoAliasUnlessTheyShareAName() throws {
        #expect(try Samples.plan(Samples.profile(target: "{embedded: {custParams: a=*&b=*c&d}}")).seed == 1)
    }

    @Test func pathsCountFromTheProfilesFolder() throws {
        let files = "connection: {caFile: ca.pem, clientCertificate: client.pem, clientKey: client.key}\n"
        let connection = try Samples.plan(Samples.minimal + files).connection
        #expect((connection.caFile, connection.clientCertificateFile) == ("Profiles/ca.pem", "Profiles/client.pem"))
        #expect(connection.clientKeyFile == "Profiles/client.key")
    }

    @Test func thresholdsKeepTheirLines() throws {
        let plan = try Samples.plan(
            Samples.minimal + """
                thresholds:
                  - findings.* == 0

                  - breaks.on_time >= 99.9%
                abort: {when: [playlist.errors > 5%]}
                allowFindings: [empty_pod]
                """
        )
        #expect(plan.thresholds.map(\.text) == ["findings.* == 0", "breaks.on_time >= 99.9%"])
        #expect(plan.abort.map(\.text) == ["playlist.errors > 5%"])
        #expect((plan.abortAfter, plan.allowedFindings) == (.seconds(30), ["empty_pod": .any]))
    }

    @Test func aFileThatIsMissingTooLargeOrNotUTF8IsRefused() throws {
        let folder = try TemporaryFolder()
        let cases: [(bytes: [UInt8]?, message: String)] = [
            (nil, "no such file"), ([0x6E, 0xFF, 0xFE], "the text is not UTF-8"),
            ([UInt8](repeating: UInt8(ascii: "#"), count: 1_048_577), "the text is larger than 1 MiB"),
            ([], "1:1: the profile is empty"),
        ]
        for (index, (bytes, message)) in cases.enumerated() {
            let path = folder.file("case-\(index).yaml").path
            if let bytes { try folder.write(Data(bytes), to: "case-\(index).yaml") }
            let errors = #expect(throws: ProfileErrors.self) { try Samples.reader.read(contentsOf: path) }
            let separator = message.hasPrefix("1:1") ? ":" : ": "
            #expect(errors?.description == path + separator + message)
        }
    }

    @Test func aFolderIsNoProfile() throws {
        let folder = try TemporaryFolder()
        let errors = #expect(throws: ProfileErrors.self) { try Samples.reader.read(contentsOf: folder.path) }
        #expect(errors?.description == "\(folder.path): is a folder")
    }
}

@Suite struct OverrideTests {
    @Test func flagsAndFieldsAreOneMechanismAndMakeWhatTheProfileLacks() throws {
        let flags = try Samples.plan(set: "--duration=30s", "--viewers=7", "--seed=1", "--seed=9")
        #expect(try flags == Samples.plan(set: "duration=30s", "audience.viewers=7", "seed=1", "seed=9"))
        #expect(flags.duration == .seconds(30) && flags.audience.viewers == 7 && flags.seed == 9)
        let made = try Samples.plan(set: "connection.timeouts.connect=1s", "target.embedded.tls=true")
        #expect(try made.connection.connectTimeout == .seconds(1) && made.embedded.usesTLS)
    }

    @Test func takesListsAndQuotedTextAsYAMLAndTheRestAsItStands() throws {
        let plan = try Samples.plan(
            set: "breaks.source={list: [10s, 30s]}",
            "thresholds=[findings.* == 0]",
            "description=a: b = # c",
            "name=\"x\""
        )
        #expect(plan.breaks.source == .list([.init(.seconds(10)), .init(.seconds(30))]))
        #expect(plan.thresholds.map(\.text) == ["findings.* == 0"])
        #expect((plan.summary, plan.name) == ("a: b = # c", "x"))
    }
}

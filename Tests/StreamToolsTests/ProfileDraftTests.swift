import AdServing
import HLS
import Profile
import Rules
import TestSupport
import Testing

@testable import Tools

@Suite struct ProfileDraftTests {
    private static let options = DraftOptions(file: "my-channel.yaml")

    private static func event(at url: String = "https://ads.example.org") -> DraftOptions {
        var options = Self.options
        options.adServer = .init(url: url, networkCode: "123", customAssetKey: "event")
        return options
    }

    private static let withAds: DraftOptions = {
        var options = Self.options
        options.access.hosts = ["ads.example.net"]
        return options
    }()

    private func plan(_ facts: StreamFacts, _ options: DraftOptions = options) throws -> (LoadPlan, ProfileDraft) {
        let drafted = try Drafted(facts, options)
        return (drafted.plan, drafted.draft)
    }

    @Test func aStreamWithoutBreaksIsJudgedByItsPlaylists() throws {
        let (plan, draft) = try plan(try Streams.facts(Streams.media()))
        #expect(plan.audience.viewers == 10)
        #expect(plan.breaks.areNone)
        #expect(draft.text.contains("#   podswarm origin --port 8090\n"))
        #expect(draft.text.contains("--network-code 21775744923 --asset-key sgai-hls-live"))
        #expect((plan.impressions, plan.target.authorisedHosts) == (.withheld, ["live.example.com"]))
        for words in ["FILL IN", "No break was announced"] { #expect(draft.text.contains(words)) }
        #expect(!plan.thresholds.contains { $0.metricName.hasPrefix("breaks") })
    }

    @Test(arguments: [true, false]) func cookiesAreKeptWherePlaylistsNeedThem(areNeeded: Bool) throws {
        var facts = try Streams.facts(Streams.media())
        facts.cookies.names = ["session", "a: b"]
        facts.cookies.areNeeded = areNeeded
        let (plan, draft) = try plan(facts)
        #expect(plan.connection.keepsCookies == areNeeded)
        #expect(draft.text.contains("  # Seen: servers set session, a: b; playlists"))
        #expect(draft.text.contains("  # cookies: true\n") == !areNeeded)
    }

    @Test func findingsBecomeAllowancesAndBrokenOnesComments() throws {
        var facts = try Streams.facts(Streams.media())
        facts.findings = try [Severity.broken, .wrong, .advice].map { severity in
            try #require(FindingCode.table.first { $0.severity == severity })
        }
        let (broken, wrong) = (facts.findings[0], facts.findings[1])
        let (plan, draft) = try plan(facts)
        #expect(plan.allowedFindings == [wrong.code: .any])
        #expect(draft.text.contains("  # \(broken.code): any"))
        #expect(draft.text.contains(wrong.meaning) && draft.text.contains(broken.meaning))
        facts.findings = [broken]
        #expect(try self.plan(facts).0.allowedFindings.isEmpty)
    }

    @Test func whatABillNeedsOfTheChannelIsInFields() throws {
        let facts = try Streams.facts(Streams.interstitials, allowing: ["ads.example.net"])
        let channel = try plan(facts, Self.withAds).0.channel
        #expect((channel.targetDuration, channel.breakInterval) == (facts.media.targetDuration, .seconds(30)))
        #expect(channel.breakDuration == .seconds(10))
        let start = try #require(facts.breaks.interstitials.firstStart)
        let offset = try #require(channel.breakOffset)
        #expect((start.microseconds - Int64(offset / .microseconds(1))) % 30_000_000 == 0)
        let plain = try plan(try Streams.facts(Streams.media())).0.channel
        #expect(plain.breakInterval == nil && plain.targetDuration != nil)
    }

    @Test func interstitialsOnHostsThatMayBeAskedArePlayed() throws {
        let facts = try Streams.facts(Streams.interstitials, allowing: ["ads.example.net"])
        let (plan, _) = try plan(facts, Self.withAds)
        #expect(plan.breaks.playsInterstitials)
        #expect(plan.target.authorisedHosts == ["live.example.com", "ads.example.net"])
        #expect(plan.thresholds.contains { $0.text == "breaks.on_time >= 99%" })
        // One comes every 30 s and is 10 s long.
        #expect(plan.duration >= .seconds(60))
    }

    @Test func interstitialsElsewhereWaitForConsent() throws {
        let (plan, draft) = try plan(try Streams.facts(Streams.interstitials))
        // A run of the draft as it is asks for no ad, and must not pass for that.
        #expect(plan.breaks.playsInterstitials)
        #expect(plan.target.authorisedHosts == ["live.example.com"])
        #expect(draft.text.contains("# - \"ads.example.net\" # asset lists"))
        #expect(draft.text.contains("# FILL IN: authorisedHosts, with the hosts"))
    }

    @Test func breaksThatComeTooRarelyWantALongerRun() throws {
        let one = Streams.interstitials.split(separator: "\n").filter { !$0.contains("ID=\"b\"") }.joined(
            separator: "\n"
        )
        let (plan, draft) = try plan(try Streams.facts(one, allowing: ["ads.example.net"]))
        #expect(plan.thresholds.map(\.text) == ["breaks.on_time >= 99%", "playlist.errors < 1%"])
        #expect(draft.text.contains("FILL IN: a duration that"))
    }

    /// A class that reads like a reference stays the stream's own word: nothing of the environment gets into a draft.
    @Test(arguments: [("com.example.break", "com.example.break"), ("${HOME}", "$${HOME}")])
    func dateRangesBecomeTheBreaksOfAnAdServerThatWasNamed(name: String, written: String) throws {
        let facts = try Streams.facts(Streams.dateRanges.replacing("com.example.break", with: name))
        let (named, _) = try plan(facts, Self.event())
        let target = try #require(named.podServing)
        #expect(target.session.networkCode == "123")
        #expect(target.authorisedHosts == ["live.example.com", "ads.example.org"])
        #expect(named.breaks.source == .dateRange(classAttribute: name))
        #expect(named.breaks.podDuration == .seconds(30))
        let (alone, draft) = try plan(facts)
        #expect(alone.breaks.asksForNoAds)
        #expect(draft.text.contains("#   source: {dateRange: {class: \"\(written)\"}}"))
    }

    @Test func anAdServerWithoutAnnouncedBreaksGetsPlannedOnes() throws {
        let (plan, _) = try plan(try Streams.facts(Streams.media()), Self.event(at: "http://127.0.0.1:9/"))
        #expect(plan.thresholds.contains { $0.text == "breaks.on_time >= 99%" })
        #expect(plan.target.authorisedHosts == ["live.example.com"])
    }

    @Test func whatAnEventHasNoUseForIsToldAllTheSame() throws {
        let (_, draft) = try plan(try Streams.facts(Streams.interstitials), Self.event())
        #expect(draft.text.contains("# Seen: 2 breaks of 10s, one every 30s as interstitials"))
        #expect(draft.text.contains("That is not used"))
        #expect(!draft.text.contains("No break was announced"))
        let (_, quiet) = try plan(try Streams.facts(Streams.media()), Self.event())
        #expect(quiet.text.contains("No break was announced"))
        #expect(!quiet.text.contains("That is not used"))
    }

    /// Only an address is loopback by its number: a name may begin with one.
    @Test(arguments: [
        ("https://127.cdn.example/a.m3u8", ["127.cdn.example"]), ("http://127.0.0.2:8080/a.m3u8", []),
        ("http://localhost/a.m3u8", []), ("http://[::1]:8080/a.m3u8", []), ("http://[0:0:0:0:0:0:0:1]/a.m3u8", []),
        ("http://[::2]/a.m3u8", ["[::2]"]),
    ]) func aHostIsAuthorisedUnlessItIsThisMachine(address: String, hosts: [String]) throws {
        let facts = try Streams.facts(Streams.media(), address: address)
        #expect(facts.address.origin.isLoopback == hosts.isEmpty)
        #expect(try plan(facts).0.target.authorisedHosts == hosts)
        let event = Self.event(at: String(address.dropLast("/a.m3u8".count)))
        #expect(try plan(Streams.facts(Streams.media()), event).0.target.authorisedHosts.dropFirst() == hosts[...])
    }

    @Test func aGuidedSessionIsMediaTailors() throws {
        let address =
            "https://abc.mediatailor.example.com/v1/master/1/live/index.m3u8"
            + "?aws.insertionMode=GUIDED&aws.reportingMode=CLIENT&ads.segment=a%20b&manifest.token=hunter2hunter2"
        let (plan, draft) = try plan(try Streams.facts(Streams.media(), address: address))
        let target = try #require(plan.mediaTailor)
        #expect((target.server, target.asset) == ("https://abc.mediatailor.example.com", "1/live/index.m3u8"))
        #expect((target.session, target.reporting, target.adsParameters) == (.implicit, .client, ["segment": "a b"]))
        #expect(target.manifestParameters == ["token": "hunter2hunter2"])
        #expect(!draft.text.contains("hunter2"))
        // None was in sight.
        #expect(plan.breaks.areNone)
        #expect(draft.text.contains("#   breaks: {interstitials: true}\n"))
    }

    /// A client that reports needs the tracking URL, which only the answer to a POST names.
    @Test(arguments: [false, true]) func aStitchedSessionIsMediaTailors(reports: Bool) throws {
        let address =
            "https://abc.mediatailor.example.com/v1/master/1/live/index.m3u8?ads.segment=a"
            + (reports ? "&aws.reportingMode=CLIENT" : "")
        var facts = try Streams.facts(Streams.media(), address: address)
        facts.session = SessionTrace(parameters: ["aws.sessionId"], piecesAfter: [])
        let (plan, draft) = try plan(facts)
        let target = try #require(plan.mediaTailor)
        #expect(
            (target.asset, target.insertion, target.adsParameters) == ("1/live/index.m3u8", .stitched, ["segment": "a"])
        )
        #expect(target.session == (reports ? .explicit : .implicit))
        #expect(target.tracksAvails == reports && plan.pods.match == .session)
        #expect(draft.text.contains("trackingUrl"))
    }

    @Test func whatMediaTailorsFieldsCannotSayStaysAnAddress() throws {
        let address = "https://abc.example.com/v1/master/1/a.m3u8?aws.insertionMode=GUIDED&other=1"
        let (plan, _) = try plan(try Streams.facts(Streams.media(), address: address))
        #expect(plan.contentURL == address)
    }

    /// What an address spells like a reference is text of it, in whichever field it ends up.
    @Test(arguments: [
        "https://abc.example.com/v1/master/1/a.m3u8?aws.insertionMode=GUIDED&ads.x=%24%7BOTHERS_KEY%7D",
        "https://abc.example.com/v1/master/1/a.m3u8?aws.insertionMode=GUIDED&ads.x=${OTHERS_KEY}",
        "https://abc.example.com/v1/master/1/a.m3u8?aws.insertionMode=GUIDED&manifest.x=a%24{OTHERS_KEY}b",
        "https://abc.example.com/v1/master/1/a.m3u8?aws.insertionMode=GUIDED&ads.token=${OTHERS_KEY}",
        "https://abc.example.com/v1/master/${OTHERS_KEY}/a.m3u8?aws.insertionMode=GUIDED&ads.x=1",
        "https://abc.example.com/${OTHERS_KEY}/a.m3u8?x=${OTHERS_KEY}&${OTHERS_KEY}=x&token=$%7BOTHERS_KEY}",
    ]) func anAddressTakesNothingFromTheEnvironment(address: String) throws {
        let facts = try Streams.facts(Streams.dateRanges, address: address)
        for options in [Self.options, Self.event()] {
            let drafted = try Drafted(facts, options, environment: ["OTHERS_KEY": "hunter2"])
            #expect(!drafted.draft.text.contains("${OTHERS_KEY"))
            #expect(!"\(drafted.plan.target)".contains("hunter2"))
            if let url = drafted.plan.contentURL { #expect(url == facts.address.url) }
        }
    }

    @Test func secretsOfTheAddressAreReferences() throws {
        let address = "https://live.example.com/a.m3u8?token=abc%2Fdef&quality=high&token=other&signature=s3cr3ts3cr3t"
        let (plan, draft) = try plan(try Streams.facts(Streams.media(), address: address))
        #expect(plan.contentURL == address)
        #expect(draft.secrets.map(\.variable) == ["STREAM_TOKEN", "STREAM_TOKEN_2", "STREAM_SIGNATURE"])
        #expect(draft.text.contains("quality=high"))
        for value in ["abc%2Fdef", "s3cr3t", "=other"] { #expect(!draft.text.contains(value)) }
    }

    @Test func aSecretsNameMayBeEncoded() throws {
        let address = "https://live.example.com/a.m3u8?%74oken=s3cr3ts3cr3t"
        let (plan, draft) = try plan(try Streams.facts(Streams.media(), address: address))
        #expect(!draft.text.contains("s3cr3t"))
        #expect(plan.contentURL == address)
    }

    @Test func whatIsASessionsOwnIsLeftOutOfComparisons() throws {
        var facts = try Streams.facts(Streams.media())
        facts.session = SessionTrace(parameters: ["sid", "a b"], piecesAfter: ["s", "", "*", "\""])
        let (plan, draft) = try plan(facts)
        #expect(plan.pods.ignoredAddressParts.map(\.text) == ["?sid", "/s/*", "/*/*"])
        #expect(draft.text.contains("ignore:"))
    }

    @Test func anEventThatCannotBeIsThePersonsMistake() throws {
        var options = Self.options
        options.adServer = .init(url: "ads", networkCode: "no digits", customAssetKey: "a/b")
        options.access.hosts = ["not a host"]
        let refusal = #expect(throws: ProfileDraft.Refusal.self) {
            try ProfileDraft(try Streams.facts(Streams.media()), options)
        }
        #expect(refusal?.isOfOptions ?? false, "\(String(describing: refusal?.errors))")
    }

    @Test(arguments: [("my channel.yaml", "my-channel"), ("a/-.b.yaml", "b"), ("ä", "channel"), ("x/ok.yaml", "ok")])
    func aFileThatCannotNameAFolderGivesItsProfileAName(file: String, name: String) throws {
        let (plan, _) = try plan(try Streams.facts(Streams.media()), DraftOptions(file: file))
        #expect(plan.name == name)
    }

    /// Whatever a stream says, its profile validates: names, classes, lengths and dates of anybody's.
    @Test(arguments: 0..<UInt64(Draws.of(100))) func anySurveyMakesAValidProfile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let texts = [
            "com.example.break", "", "a: b # c", "\"", "\\", "${HOME}", "{viewer}", "ü\u{2028}\u{7F}\u{0}", "\n- x: y",
            "*&!%@`", "a | <url> !b", String(repeating: "x", count: 5_000), "true", "null", "0x1F",
        ]
        let addresses = [
            "https://live.example.com/a.m3u8", "http://[::1]:8080/a.m3u8?x=%22%5C&y",
            "https://h.example/v1/master/a/b?ads.x={y}",
            "https://h.example/v1/master/a/b?aws.insertionMode=GUIDED&ads.k=%0A", "http://127.0.0.1/?key=a&key=a&&=&=x",
            "https://live.example.com/a.m3u8?token=${A}'\"",
        ]
        let address = try #require(addresses.randomElement(using: &random))
        var facts = try Streams.facts(Streams.media(), address: address)
        facts.media.targetDuration = .seconds(Int64.random(in: 0...31_536_000, using: &random))
        facts.media.window = .nanoseconds(Int64.random(in: 0...Int64.max, using: &random))
        facts.media.partTarget = Bool.random(using: &random) ? .microseconds(1) : nil
        facts.media.encryption = texts.randomElement(using: &random)
        facts.ladder = Bool.random(using: &random) ? Ladder(variants: 3) : nil
        for name in texts.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
            facts.breaks.dateRanges[name] = Self.announced(&random)
        }
        if Bool.random(using: &random) { facts.breaks.interstitials = Self.announced(&random) }
        if Bool.random(using: &random) { facts.breaks.cueTags = Self.announced(&random) }
        facts.breaks.content.isAllowed = Bool.random(using: &random)
        facts.breaks.content.hasPreRoll = Bool.random(using: &random)
        facts.hosts = [SeenHost(name: "cdn.example.com", places: ["segments"], isAllowed: Bool.random(using: &random))]
        facts.session = SessionTrace(parameters: texts, piecesAfter: texts)
        var options = DraftOptions(file: texts.randomElement(using: &random) ?? "")
        options.access.verifiesTLS = Bool.random(using: &random)
        if Bool.random(using: &random) {
            options.adServer = .init(url: "https://ads.example.com", networkCode: "1", customAssetKey: "a")
        }
        _ = try plan(facts, options)
        #expect(!facts.words.contains { $0.contains("\n") })
    }

    private static func announced(_ random: inout SeededGenerator) -> SeenBreaks.Announced {
        var announced = SeenBreaks.Announced()
        for number in 0..<Int.random(in: 0...4, using: &random) {
            announced.saw(
                "\(number)",
                at: Bool.random(using: &random)
                    ? .init(microseconds: .random(in: Int64.min...Int64.max, using: &random)) : nil,
                length: .microseconds(Int64.random(in: -5...Int64.max / 2_000, using: &random)),
                hasSplice: Bool.random(using: &random)
            )
        }
        return announced
    }

    /// Whatever the bytes are: an error, or facts whose profile validates.
    @Test(arguments: 0..<200) func hostileBytesNeverMakeABadProfile(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = Array((Bool.random(using: &random) ? Streams.interstitials : Streams.dateRanges).utf8)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            default: bytes.insert(contentsOf: bytes[place...].prefix(40), at: place)
            }
        }
        guard let facts = try? Streams.facts([bytes, bytes], address: "https://live.example.com/a.m3u8") else { return }
        _ = try plan(facts)
    }
}

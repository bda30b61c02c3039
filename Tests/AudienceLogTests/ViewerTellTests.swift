import AdServing
import Testing

@testable import Tools

@Suite struct ViewerTellTests {
    private static let time = "1795464263"

    private func told(
        _ target: String,
        cookie: String = "",
        cmcd: String = "",
        address: String = "192.0.2.1",
        agent: String = "x",
        _ change: (inout ViewerTell) -> Void = { _ in }
    ) -> ViewerKey? {
        var tell = ViewerTell(seed: 1)
        change(&tell)
        let texts = [target, cookie, cmcd, address, agent, Self.time].map { Array($0.utf8) }
        let all = texts.flatMap { $0 }
        return all.withUnsafeBytes { bytes in
            var start = 0
            let parts = texts.map { text in
                defer { start += text.count }
                return bytes.part(start, start + text.count)
            }
            var request = LoggedRequest()
            for (role, part) in zip([FieldRole.url, .cookie, .cmcd, .address, .userAgent, .time], parts) {
                request.set(role, part)
            }
            guard request.interpret() else { return nil }
            let facts = QueryReader(sessions: QueryReader.usualSessions).facts(of: request.query)
            return tell.viewer(of: request, facts, place: tell.place(of: request))
        }
    }

    private func kind(_ target: String, _ sorting: RequestSorting = RequestSorting(), post: Bool = false) -> RequestKind
    {
        let line = "\(Self.time)\t\(post ? "POST" : "GET")\t\(target)"
        let reader = LineReader(.cloudfront, FieldNames())
        var request = LoggedRequest()
        let head = Array("#Fields: time cs-method cs-uri-stem".utf8)
        #expect(head.withUnsafeBytes { reader.read($0, into: &request) } == .head)
        return Array(line.utf8).withUnsafeBytes { bytes in
            guard reader.read(bytes, into: &request) == .request else { return .other }
            var facts = QueryReader(sessions: []).facts(of: request.query)
            return sorting.kind(of: request, &facts)
        }
    }

    /// CTA-5004 section 3: in the query percent-encoded, in the field `CMCD-Session` as it is, and as logs escape it.
    @Test func mediaClientDataNamesTheSession() {
        let query = told("/a.m3u8?b=1&CMCD=bl%3D6000%2Ccid%3D%22a%22%2Csid%3D%226e2fb550%22%2Cot%3Dm")
        #expect(query?.mark == .mediaClientData)
        for field in [
            #"cid="a",sid="6e2fb550""#, #"sid=\x226e2fb550\x22"#, #"sid="6e2fb550",su"#, "sid%3D%226e2fb550%22",
        ] { #expect(told("/b.m3u8", cmcd: field, address: "192.0.2.9") == query, "\(field)") }
        #expect(told("/a.m3u8?CMCD=cid%3D%22a%22")?.mark == .address)
        #expect(told("/a.m3u8?CMCD=xsid%3D%22a%22")?.mark == .address)
        #expect(told("/a.m3u8?CMCD=sid")?.mark == .address)
    }

    @Test func whatPodswarmSendsNamesTheSession() throws {
        let event = NetworkEvent(networkCode: "1", customAssetKey: "a")
        let pod = PodManifestRequest(
            event: event,
            identifier: .adBreakID("mid-roll-3"),
            streamID: StreamID("abc:DEF"),
            podDuration: .seconds(10)
        )
        #expect(told(pod.pathAndQuery())?.mark == .parameter)
        #expect(kind(pod.pathAndQuery()) == .ads)
        let master = told("/v1/master/1/a/index.m3u8?aws.sessionId=s1")
        #expect(master?.hash == told("/v1/manifest/1/a/s1/0.m3u8")?.hash)
        #expect(told("/v1/manifest/1/a/s1/0.m3u8?x=y")?.mark == .path)
        #expect(told("/v1/manifest/1/a/s1/0.m3u8") != told("/v1/manifest/1/a/s2/0.m3u8"))
        #expect(kind(RegistrationRequest(event: event).path(), post: true) == .registration)
        #expect(kind("/v1/session/1/a/index.m3u8", post: true) == .registration)
    }

    @Test func cookiesAndPathsNameASession() {
        let cookie = told("/a.m3u8", cookie: "a=b; PlaySession=7; c=d")
        #expect(cookie?.mark == .cookie)
        #expect(told("/a.m3u8", cookie: "x=y;playsession=7", address: "192.0.2.9") == cookie)
        #expect(told("/a.m3u8", cookie: "a=b; awselb=7")?.mark == .address)
        #expect(told("/a.m3u8", cookie: "a=b; UID=7") { $0.cookies = [Array("uid".utf8)] }?.mark == .cookie)
        let paths = [PathPattern("/s/*")].compactMap { $0 }
        #expect(
            told("/s/77/live.m3u8") { $0.paths = paths } == told("/x/s/77/b.m3u8", address: "") { $0.paths = paths }
        )
        #expect(told("/s/77/live.m3u8") { $0.paths = paths }?.mark == .path)
    }

    @Test func elseAddressAndUserAgentTell() {
        #expect(told("/a.m3u8")?.mark == .address)
        #expect(told("/a.m3u8") == told("/b.m3u8"))
        #expect(told("/a.m3u8") != told("/a.m3u8", agent: "y"))
        #expect(told("/a.m3u8") != told("/a.m3u8", address: "192.0.2.2"))
        #expect(told("/a.m3u8", address: "", agent: "") == nil)
    }

    @Test(arguments: [
        ("/live/main.m3u8?x=.ts", RequestKind.playlist), ("/live/pod/main.m3u8", .playlist), ("/live/7.TS", .segment),
        ("/live/7.m4s", .segment), ("/live.m4s/favicon", .other), ("/favicon.ico", .other), ("/", .other),
        ("/a/network/1/custom_asset/b/pod/7.m3u8?pd=1", .ads), ("/a/ad_break_id/mid-roll-3/profile/1.m3u8", .ads),
        ("/list.json?_HLS_primary_id=7", .ads), ("/asset.m3u8?_HLS_interstitial_id=a", .ads),
    ]) func requestsAreSortedByTheirAddresses(target: String, expected: RequestKind) {
        #expect(kind(target) == expected)
    }

    @Test func pathsOfAdsAndOfTheChannelMayBeNamed() throws {
        #expect(
            kind("/decision/7/list", RequestSorting(adPaths: [try #require(PathPattern("/decision/*/list"))])) == .ads
        )
        let channel = RequestSorting(channelPaths: [try #require(PathPattern("/sports"))])
        #expect(kind("/live/sports/a.m3u8", channel) == .playlist)
        #expect(kind("/live/news/a.m3u8", channel) == .other)
    }

    @Test(arguments: [
        ("/s/*/live", "/a/s/77/live/x.m3u8", "77"), ("/s/*/live", "/a/s/77/news/x.m3u8", nil),
        ("a*c", "/x/abbc", "abbc"), ("a*b*c", "/x/a-b-c/d", "a-b-c"), ("a*b*c", "/x/ac", nil),
        ("abc", "/x/abc/", "abc"),
        ("*", "//", nil),
    ]) func piecesOfAPathMayBeOfAnyText(glob: String, path: String, matched: String?) throws {
        let glob = try #require(PathPattern(glob))
        let piece = Array(path.utf8).withUnsafeBytes { bytes in
            glob.place(in: bytes).map { LogText.text(LineBytes(rebasing: bytes[$0])) }
        }
        #expect(piece == matched)
    }

    @Test func anEmptyPieceAndAQueryAreRefused() { #expect(PathPattern("") == nil && PathPattern("/a?b") == nil) }

    @Test(
        arguments: [
            ("AppleCoreMedia/1.0.0.18J411 (Apple TV; U; CPU OS 14_0_2 like Mac OS X; en_us)", PlayerGroup.avplayer),
            ("AppleCoreMedia%2F1.0.0.21G72", .avplayer), ("Demo/1.0 (Linux;Android 9) ExoPlayerLib/2.19.1", .media3),
            ("Demo/1.0 (Linux;Android 14) AndroidXMedia3/1.11.0", .media3), ("Dalvik/2.1.0 (Linux; U)", .media3),
            ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", .browser), ("Roku/DVP-9.10 (519.10E04111A)", .other),
            ("-", .other), ("(nobody)", .other),
        ]
    )
    func aUserAgentTellsThePlayer(text: String, group: PlayerGroup) {
        var names = PlayerNames()
        let player = Array(text.utf8).withUnsafeBytes { names.player(of: $0) }
        #expect(PlayerNames.group(Int(player)) == group)
        if text.hasPrefix("Roku") { #expect(names.names[Int(player)] == "Roku") }
    }
}

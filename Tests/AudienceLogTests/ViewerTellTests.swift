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
        _ change: (inout AudienceLogOptions) -> Void = { _ in }
    ) -> (hash: UInt64, mark: ViewerMark)? {
        var options = AudienceLogOptions()
        change(&options)
        let tell = ViewerTell(options, seed: 1)
        let texts = [target, cookie, cmcd, address, agent, Self.time].map { Array($0.utf8)[...] }
        var fields = LoggedFields()
        for (role, text) in zip([FieldRole.url, .cookie, .cmcd, .address, .userAgent, .time], texts) {
            fields.set(role, text)
        }
        return LoggedRequest(fields).flatMap { request in
            tell.viewer(of: request, tell.facts(of: request.query), place: tell.place(of: request))
        }
    }

    private func kind(
        _ target: String,
        isPost: Bool = false,
        _ change: (inout AudienceLogOptions) -> Void = { _ in }
    ) -> RequestKind {
        var options = AudienceLogOptions()
        change(&options)
        let tell = ViewerTell(options)
        let fields: [(FieldRole, String)] = [(.url, target), (.method, isPost ? "POST" : "GET"), (.time, Self.time)]
        let request = LoggedRequest(LoggedFields(uniqueKeysWithValues: fields.map { ($0, Array($1.utf8)[...]) }))
        return request.map { tell.kind(of: $0, tell.facts(of: $0.query)).kind } ?? .other
    }

    /// CTA-5004 section 3: in the query percent-encoded, in the field `CMCD-Session` as it is, and as logs escape it.
    @Test func mediaClientDataNamesTheSession() {
        let query = told("/a.m3u8?b=1&CMCD=bl%3D6000%2Ccid%3D%22a%22%2Csid%3D%226e2fb550%22%2Cot%3Dm")
        #expect(query?.mark == .mediaClientData)
        for field in [
            #"cid="a",sid="6e2fb550""#, #"sid=\x226e2fb550\x22"#, #"sid="6e2fb550",su"#, "sid%3D%226e2fb550%22",
        ] { #expect(told("/b.m3u8", cmcd: field, address: "192.0.2.9")?.hash == query?.hash, "\(field)") }
        #expect(told("/a.m3u8", cmcd: #"sid="a+b""#)?.hash != told("/a.m3u8", cmcd: #"sid="a+c""#)?.hash)
        for data in ["cid%3D%22a%22", "xsid%3D%22a%22", "sid"] { #expect(told("/?CMCD=\(data)")?.mark == .address) }
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
        #expect(told("/v1/manifest/1/a/s1/0.m3u8")?.hash != told("/v1/manifest/1/a/s2/0.m3u8")?.hash)
        #expect(kind("/v1/session/1/a/index.m3u8", isPost: true) == .other)
    }

    @Test func cookiesAndPathsNameASession() {
        let cookie = told("/a.m3u8", cookie: "a=b; PlaySession=7; c=d")
        #expect(cookie?.mark == .cookie)
        #expect(told("/a.m3u8", cookie: "x=y;playsession=7", address: "192.0.2.9")?.hash == cookie?.hash)
        #expect(told("/a.m3u8", cookie: "a=b; awselb=7")?.mark == .address)
        #expect(told("/a.m3u8", cookie: "a=b; UID=7") { $0.sessionCookies = ["UID"] }?.mark == .cookie)
        let paths = [PathPattern("/s/*")].compactMap { $0 }
        let session = told("/s/77/live.m3u8") { $0.sessionPaths = paths }
        #expect(session?.hash == told("/x/s/77/b.m3u8", address: "") { $0.sessionPaths = paths }?.hash)
        #expect(session?.mark == .path)
    }

    @Test func elseAddressAndUserAgentTell() {
        #expect(told("/a.m3u8")?.mark == .address)
        #expect(told("/a.m3u8")?.hash == told("/b.m3u8")?.hash)
        #expect(told("/a.m3u8")?.hash != told("/a.m3u8", agent: "y")?.hash)
        #expect(told("/a.m3u8")?.hash != told("/a.m3u8", address: "192.0.2.2")?.hash)
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
        let decision = try #require(PathPattern("/decision/*/list"))
        #expect(kind("/decision/7/list") { $0.adPaths = [decision] } == .ads)
        let sports = try #require(PathPattern("/sports"))
        #expect(kind("/live/sports/a.m3u8") { $0.channelPaths = [sports] } == .playlist)
        #expect(kind("/live/news/a.m3u8") { $0.channelPaths = [sports] } == .other)
    }

    @Test(arguments: [
        ("/s/*/live", "/a/s/77/live/x.m3u8", "77"), ("/s/*/live", "/a/s/77/news/x.m3u8", nil),
        ("a*c", "/x/abbc", "abbc"), ("a*b*c", "/x/a-b-c/d", "a-b-c"), ("a*b*c", "/x/ac", nil),
        ("abc", "/x/abc/", "abc"),
        ("*", "//", nil),
    ]) func piecesOfAPathMayBeOfAnyText(glob: String, path: String, matched: String?) throws {
        let glob = try #require(PathPattern(glob))
        let piece = Array(path.utf8).withUnsafeBytes { bytes in
            glob.place(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
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
            ("", .other), ("(nobody)", .other),
        ]
    )
    func aUserAgentTellsThePlayer(text: String, group: PlayerGroup) {
        var names = PlayerNames()
        let player = names.player(of: Array(text.utf8)[...])
        #expect(PlayerNames.group(Int(player)) == group)
        if text.hasPrefix("Roku") { #expect(names.names[Int(player)] == "Roku") }
    }
}

import AdServing
import Profile
import Testing

@testable import Tools

/// What stays out of a profile: tokens in the address, and values of headers.
@Suite struct ReferencedSecretsTests {
    private static let token = "9f86d081884c7d659a2feaa0c55ad015"

    private func drafted(
        _ address: String,
        headers: [String] = [],
        environment: [String: String] = [:],
        keepsPath: Bool = false,
        session: SessionTrace? = nil
    ) throws -> (draft: ProfileDraft, plan: LoadPlan) {
        let outside = ProfileSurroundings(environmentVariable: { environment[$0] }, hasFile: { _ in true })
        var facts = try Streams.facts(Streams.media(), address: address)
        facts.session = session
        var options = DraftOptions(file: "my-channel.yaml")
        options.headers = try StreamHeader.all(of: headers, in: outside)
        options.keepsPath = keepsPath
        let drafted = try Drafted(facts, options, environment: environment)
        return (drafted.draft, drafted.plan)
    }

    @Test(arguments: [
        ("/live/\(token)/index.m3u8", "/live/${STREAM_PATH_TOKEN}/index.m3u8"),
        ("/live/\(token).m3u8", "/live/${STREAM_PATH_TOKEN}.m3u8"),
        ("/tok/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/live.m3u8", "/tok/${STREAM_PATH_TOKEN}/live.m3u8"),
        (
            "/hdntl=exp=1764161000~acl=%2f*~data=hdntl~hmac=\(token)/live/master.m3u8",
            "/${STREAM_PATH_TOKEN}/live/master.m3u8"
        ),
        (
            "/hdnts=exp=1764161000~acl=/*~hmac=\(token)/live/master.m3u8",
            "/${STREAM_PATH_TOKEN}/${STREAM_PATH_TOKEN_2}/live/master.m3u8"
        ),
        ("/session/AbCd1234/live.m3u8?a=1", "/session/${STREAM_PATH_TOKEN}/live.m3u8?a=1"),
        ("/a/0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0/live.m3u8", "/a/${STREAM_PATH_TOKEN}/live.m3u8"),
        // MediaPackage names a channel so, and everybody who watches knows it; a token after it is one all the same.
        ("/out/v1/\(token)/x-\(token)/index.m3u8", "/out/v1/\(token)/${STREAM_PATH_TOKEN}/index.m3u8"),
        ("/live/index.m3u8?verify=\(token)", "/live/index.m3u8?verify=${STREAM_VERIFY}"),
        ("/live/index.m3u8?\(token)", "/live/index.m3u8?${STREAM_QUERY_TOKEN}"),
    ]) func whatLooksLikeASecretIsAReference(address: String, told: String) throws {
        let url = "https://live.example.com" + address
        let (draft, plan) = try drafted(url)
        #expect(draft.text.contains("content: \"https://live.example.com\(told)\""), "\(draft.text)")
        for secret in draft.secrets {
            #expect(!draft.text.contains(secret.value) || told.contains(secret.value), "\(secret)")
            #expect(draft.text.contains("  # \(secret.variable): "))
        }
        // A run asks for the same address, and has its secrets among those that no output shows.
        #expect((plan.contentURL, plan.secrets) == (url, Set(draft.secrets.map(\.value))))
        #expect(!draft.secrets.isEmpty)
    }

    @Test(arguments: [
        "/live/stream/main/index.m3u8", "/streams/channel-720p50-h264/multivariant.m3u8", "/auth/live.m3u8",
        "/session/live/index.m3u8", "/hls/live/2003459/news-hd-1080p/master.m3u8", "/token/v1/x.m3u8", "",
        "/out/v1/\(token)/index.m3u8", "/a//b/..;/%7Bx%7D.m3u8", "/v1/master/\(token)/News/index.m3u8?x=1",
    ]) func ordinaryPathsStay(path: String) throws {
        let (draft, plan) = try drafted("https://live.example.com" + path)
        #expect(draft.secrets.isEmpty, "\(draft.secrets)")
        #expect(plan.contentURL == "https://live.example.com" + path)
    }

    /// A value that is a secret in one place, by its name or its form, stays out of every other.
    @Test(arguments: [
        ("/live/abc123/x.m3u8?token=abc123", "/live/${STREAM_PATH_TOKEN}/x.m3u8?token=${STREAM_PATH_TOKEN}"),
        ("/live/x.m3u8?u=s3cr3t&token=s3cr3t&v=s3cr3t", "/live/x.m3u8?u=${STREAM_U}&token=${STREAM_U}&v=${STREAM_U}"),
        ("/a-abc123-b/x.m3u8?token=abc123", "/${STREAM_PATH_TOKEN}/x.m3u8?token=${STREAM_TOKEN}"),
        ("/x.m3u8?token=a%2Fb12345&v=A/B12345", "/x.m3u8?token=${STREAM_TOKEN}&v=${STREAM_V}"),
        ("/x.m3u8?s3cr3t=1&token=s3cr3t", "/x.m3u8?${STREAM_QUERY_NAME}=1&token=${STREAM_QUERY_NAME}"),
        ("/x.m3u8?s3cr3t&token=s3cr3t", "/x.m3u8?${STREAM_QUERY_TOKEN}&token=${STREAM_QUERY_TOKEN}"),
    ]) func aSecretOfOnePlaceIsOneInEveryOther(address: String, told: String) throws {
        let (draft, plan) = try drafted("https://live.example.com" + address)
        #expect(draft.text.contains("content: \"https://live.example.com\(told)\""), "\(draft.text)")
        #expect(plan.contentURL == "https://live.example.com" + address)
        #expect(Set(draft.secrets.map(\.value)).count == draft.secrets.count)
    }

    /// Names of classes, hosts and methods are the stream's own, and may repeat what is in its address.
    @Test(arguments: [false, true]) func whatTheStreamRepeatsIsNotWritten(hasAdServer: Bool) throws {
        let secret = "s3cr3ts3cr3t"
        let playlist = Streams.media(
            """
            #EXT-X-KEY:METHOD=SAMPLE-S3CR3TS3CR3T,URI="https://\(secret).keys.example.net/k"
            #EXT-X-DATERANGE:ID="b1",CLASS="com.example.\(secret)",START-DATE="2026-11-21T20:00:08.000Z",\
            PLANNED-DURATION=30,SCTE35-OUT=0xFC3025
            #EXT-X-DATERANGE:ID="i1",CLASS="com.example.s3cr3t%73%33cr3t",START-DATE="2026-11-21T20:00:09.000Z",\
            PLANNED-DURATION=30,SCTE35-OUT=0xFC3025
            """,
            segment: "https://\(secret).cdn.example.net/"
        )
        let facts = try Streams.facts(playlist, address: "https://live.example.com/x.m3u8?token=\(secret)")
        var options = DraftOptions(file: "my-channel.yaml")
        if hasAdServer {
            options.adServer = .init(url: "https://ads.example.org", networkCode: "1", customAssetKey: "a")
        }
        let draft = try ProfileDraft(facts, options)
        for spelled in [secret, "S3CR3TS3CR3T", "%73%33cr3t"] {
            #expect(!draft.text.contains(spelled), "\(draft.text)")
        }
        #expect(draft.text.contains("of the class com.example.…."))
        #expect(draft.text.contains("FILL IN: source as announced"))
        let host = "# - ….cdn.example.net # segments; its name has a secret of the URL in it"
        #expect(draft.text.contains(host), "\(draft.text)")
        #expect(draft.text.contains("token=${STREAM_TOKEN}"))
    }

    @Test func aUUIDIsHeldOutAndCalledOne() throws {
        let uuid = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0"
        let (draft, _) = try drafted("https://live.example.com/a/\(uuid)/live.m3u8")
        #expect(draft.secrets.map(\.place) == ["piece 2 of the URL's path, a UUID"])
        let (kept, _) = try drafted("https://live.example.com/a/\(uuid)/live.m3u8", keepsPath: true)
        #expect(kept.secrets.isEmpty)
    }

    @Test func aPathThatEverybodyMayKnowStays() throws {
        let (draft, _) = try drafted("https://live.example.com/\(Self.token)/live.m3u8", keepsPath: true)
        #expect(draft.text.contains("content: \"https://live.example.com/\(Self.token)/live.m3u8\""))
        #expect(draft.secrets.isEmpty)
    }

    /// Whoever keeps the path need not know that it repeats what the query holds.
    @Test func aPathThatIsKeptTellsNoSecretOfTheQuery() throws {
        let url = "https://live.example.com/live/\(Self.token)/live.m3u8?token=\(Self.token)"
        let (draft, _) = try drafted(url, keepsPath: true)
        #expect(!draft.text.contains(Self.token), "\(draft.text)")
    }

    @Test func anAssetOfMediaTailorTakesReferences() throws {
        let mode = "aws.insertionMode=GUIDED&ads.did=0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0"
        let path = "/v1/master/\(Self.token)/conf/x-\(Self.token)/index.m3u8"
        let (draft, plan) = try drafted("https://abc.example.com\(path)?\(mode)")
        #expect(draft.text.contains("asset: \"\(Self.token)/conf/${STREAM_PATH_TOKEN}/index.m3u8\""), "\(draft.text)")
        let target = try #require(plan.mediaTailor)
        #expect("/v1/master/" + target.asset == path)
        #expect(target.adsParameters == ["did": "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0"])
        #expect(draft.secrets.map(\.variable) == ["STREAM_PATH_TOKEN", "STREAM_ADS_DID"])
    }

    @Test func whatDiffersAfterASecretIsNotNamed() throws {
        let session = SessionTrace(parameters: ["sid"], piecesAfter: ["s", Self.token])
        let (draft, plan) = try drafted("https://live.example.com/live/\(Self.token)/a.m3u8", session: session)
        #expect(!draft.text.contains(Self.token))
        #expect(plan.pods.ignoredAddressParts.map(\.text) == ["?sid", "/s/*"])
        #expect(draft.text.contains("stands after what looks like a secret. FILL IN: ignore"))
        let alone = SessionTrace(parameters: [], piecesAfter: [Self.token])
        let (unnamed, none) = try drafted("https://live.example.com/live/a.m3u8", session: alone)
        #expect(!unnamed.text.contains(Self.token))
        #expect(none.pods.ignoredAddressParts.isEmpty)
    }

    @Test func valuesOfHeadersAreReferences() throws {
        let (draft, plan) = try drafted(
            "https://live.example.com/a.m3u8?authorization=s3cr3ts3cr3t",
            headers: [
                "Authorization: Bearer hunter2hunter2", "X-Key:abc", "User-Agent: Example/1.0 (TV)",
                "Origin: https://player.example.com", "Referer: https://player.example.com/?t=hunter2hunter2",
            ]
        )
        #expect(
            plan.connection.headers == [
                "Authorization": "Bearer hunter2hunter2", "X-Key": "abc", "User-Agent": "Example/1.0 (TV)",
                "Origin": "https://player.example.com",
                "Referer": "https://player.example.com/?t=hunter2hunter2",
            ]
        )
        #expect(!draft.text.contains("hunter2"))
        let variables = ["STREAM_AUTHORIZATION", "STREAM_X_KEY", "STREAM_REFERER", "STREAM_AUTHORIZATION_2"]
        #expect(draft.secrets.map(\.variable) == variables)
        #expect(draft.text.contains("\"User-Agent\": \"Example/1.0 (TV)\""))
        #expect(draft.text.contains("\"Origin\": \"https://player.example.com\""))
        #expect(draft.text.contains("not here: STREAM_AUTHORIZATION, STREAM_X_KEY, STREAM_REFERER."))
    }

    @Test func aHeaderThatNamesAVariableStaysAsItWasGiven() throws {
        let (draft, plan) = try drafted(
            "https://live.example.com/a.m3u8?token=s3cr3ts3cr3t",
            headers: ["Authorization: Bearer ${STREAM_TOKEN}", "X-Both: ${STREAM_TOKEN}.\(Self.token)"],
            environment: ["STREAM_TOKEN": "hunter2hunter2"]
        )
        #expect(draft.text.contains("\"Authorization\": \"Bearer ${STREAM_TOKEN}\""))
        #expect(
            plan.connection.headers == [
                "Authorization": "Bearer hunter2hunter2", "X-Both": "hunter2hunter2.\(Self.token)",
            ]
        )
        // The name is taken, so that the address's own gets another.
        #expect(draft.secrets.map(\.variable) == ["STREAM_X_BOTH", "STREAM_TOKEN_2"])
        for text in ["hunter2", Self.token, "s3cr3t"] { #expect(!draft.text.contains(text)) }
    }
}

import EventLoop
import HLS
import LoadProfile
import Players
import Testing
import Transport

@testable import Audience
@testable import Audit
@testable import Swarm
@testable import Viewer

/// Delta updates, variables and several playlists of one viewer in the part that viewers share.
@Suite struct DeliveryTests {
    /// Segments `first ..< end`; the first of them are left out where `skipped` says so.
    private static func text(_ first: Int, _ end: Int, skipped: Int = 0, extra: String = "") -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:2\n"
        text += "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        if skipped > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" }
        for number in (first + skipped)..<end { text += "#EXTINF:2,\n\(number).m4s\n" }
        return text + extra
    }

    private func media(_ cache: PlaylistLibrary, _ text: String, at index: Int, base: String? = nil) throws
        -> SharedPlaylist
    {
        try Array(text.utf8).withUnsafeBytes { try cache.media($0, at: index, base: base) }
    }

    // MARK: Merging

    @Test func oneMergeServesAllThatHadTheSameVersion() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m")
        let before = try media(cache, Self.text(0, 10), at: index)
        let delta = try media(cache, Self.text(1, 11, skipped: 6), at: index)
        let first = try #require(cache.whole(from: delta, after: before, at: index))
        let second = try #require(cache.whole(from: delta, after: before, at: index))
        #expect(first === second)
        #expect(first.isMerged && !first.isDelta && first.mismatch == nil)
        let whole = try media(cache, Self.text(1, 11), at: index)
        #expect(first.playlist.contentDigest == whole.playlist.contentDigest)
        #expect(first.isNews(after: before) && !whole.isNews(after: first))
        #expect(!whole.isMerged)
    }

    @Test func viewersThatCameDifferentWaysGoOnTogether() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m")
        let early = try media(cache, Self.text(0, 10), at: index)
        let late = try media(cache, Self.text(1, 11), at: index)
        let delta = try media(cache, Self.text(2, 12, skipped: 6), at: index)
        let first = try #require(cache.whole(from: delta, after: early, at: index))
        let second = try #require(cache.whole(from: delta, after: late, at: index))
        #expect(first === second)
        // What the server says of the whole is a matter of each update.
        let wrong = Self.text(2, 12, skipped: 6, extra: DigestComment.line(first.playlist.contentDigest ^ 1) + "\n")
        let third = try #require(cache.whole(from: media(cache, wrong, at: index), after: late, at: index))
        #expect(third !== first && third.mismatch != nil)
    }

    @Test func manyDeltaUpdatesPushNoWholePlaylistOut() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m")
        let whole = try media(cache, Self.text(0, 10), at: index)
        for end in 11..<41 { _ = try media(cache, Self.text(end - 10, end, skipped: 6), at: index) }
        #expect(try media(cache, Self.text(0, 10), at: index) === whole)
        #expect(cache.versions(at: index).count == 13)
    }

    @Test func whatSkipsMoreThanIsInHandIsNotMerged() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m")
        let before = try media(cache, Self.text(0, 5), at: index)
        let delta = try media(cache, Self.text(0, 11, skipped: 6), at: index)
        #expect(cache.whole(from: delta, after: before, at: index) == nil)
        #expect(cache.whole(from: delta, after: before, at: index) == nil)
    }

    @Test func whatTheServerSaysOfTheWholeIsHeldAgainstTheMerge() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m")
        let before = try media(cache, Self.text(0, 10), at: index)
        let digest = try MediaPlaylist.parsed(Self.text(1, 11)).contentDigest
        for (said, isFaithful) in [(digest, true), (digest ^ 1, false)] {
            let delta = try media(
                cache,
                Self.text(1, 11, skipped: 6, extra: DigestComment.line(said) + "\n"),
                at: index
            )
            let merged = try #require(cache.whole(from: delta, after: before, at: index))
            #expect((merged.mismatch == nil) == isFaithful)
        }
    }

    @Test func mergesAreForgottenWithTheirPlace() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m")
        let before = try media(cache, Self.text(0, 10), at: index)
        let delta = try media(cache, Self.text(1, 11, skipped: 6), at: index)
        weak let merged = cache.whole(from: delta, after: before, at: index)
        #expect(merged != nil)
        cache.release(index)
        #expect(merged == nil)
    }

    // MARK: Variables

    private static let variables = "#EXT-X-DEFINE:IMPORT=\"dir\"\n#EXT-X-DEFINE:QUERYPARAM=\"q\"\n"

    private func withVariables(_ number: Int) -> String {
        "#EXTM3U\n#EXT-X-VERSION:11\n" + Self.variables
            + "#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{$dir}/\(number).m4s?q={$q}\n"
    }

    @Test func variablesAreReplacedByThoseOfTheMultivariantPlaylistAndTheURL() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m?q=7", importing: ["dir": "x"])
        let first = try media(cache, withVariables(1), at: index)
        #expect(first.playlist.uri(of: try #require(first.playlist.segments.first)) == "x/1.m4s?q=7")
        #expect(try media(cache, withVariables(1), at: index) === first)
        #expect((cache.parsed, cache.recognised) == (1, 1))
    }

    @Test func whereARedirectLedAVariableMayBeAnother() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m?q=7", importing: ["dir": "x"])
        _ = try media(cache, withVariables(1), at: index)
        let other = try media(cache, withVariables(1), at: index, base: "http://b/m?q=8")
        #expect(other.playlist.uri(of: try #require(other.playlist.segments.first)) == "x/1.m4s?q=8")
    }

    @Test func aVariableThatNobodyDefinesIsAFindingAndNoPlaylist() throws {
        let cache = PlaylistLibrary(announcements: nil)
        let index = cache.use("http://a/m?q=7")
        #expect(throws: PlaylistError.self) { try media(cache, withVariables(1), at: index) }
    }

    // MARK: A crowd

    private static func plan(_ facts: LowLatencyFacts, _ change: (inout LoadPlan) -> Void = { _ in }) -> LoadPlan {
        .watching(.forTests { $0.lowLatency = facts }, change)
    }

    @Test func viewersOfOneVersionShareTheMergedPlaylist() async throws {
        let plan = Self.plan(LowLatencyFacts(blocking: .always, skip: .always))
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, loop: loop)
            for index in scripted.crowd.viewers.indices {
                let token = CrowdToken(index: index, detail: CrowdToken.join)
                scripted.crowd.timerFired(token: token.rawValue, deadline: scripted.start)
            }
            scripted.transport.answerAll { role, _ in
                switch role {
                case .multivariant: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nv0/media.m3u8\n"
                case .playlist: Self.text(0, 10)
                case .blockingPlaylist: Self.text(1, 11, skipped: 6)
                default: ""
                }
            }
            let versions = scripted.crowd.viewers.map { $0.machine.facts.latest(of: .video) }
            #expect(versions[0]?.isMerged == true)
            #expect(versions[0]?.playlist.segments.count == 10)
            #expect(versions[0] === versions[1])
            // The first request, its answer that brought news, and the one that did not.
            #expect(scripted.transport.requests(.playlist).count == 1)
            let asked = scripted.transport.requests(.blockingPlaylist).map(\.url)
            #expect(
                asked.map { String($0.drop { $0 != "?" }) } == [
                    "?_HLS_msn=10&_HLS_skip=YES", "?_HLS_msn=11&_HLS_skip=YES",
                ]
            )
            // The multivariant playlist, the whole one and the delta update.
            #expect(scripted.crowd.auditor.library.parsed == 3)
        }
    }

    @Test func aDeltaThatDoesNotFitIsFollowedByTheWholePlaylist() async throws {
        let plan = Self.plan(LowLatencyFacts(blocking: .always, skip: .always))
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, viewers: 1, loop: loop)
            let token = CrowdToken(index: 0, detail: CrowdToken.join)
            scripted.crowd.timerFired(token: token.rawValue, deadline: scripted.start)
            var isWhole = true
            scripted.transport.answerAll { role, _ in
                switch role {
                case .multivariant: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nv0/media.m3u8\n"
                case .playlist where isWhole:
                    Self.text(0, 5)
                case .playlist: Self.text(20, 30)
                case .blockingPlaylist:
                    { () -> String in
                        defer { isWhole = false }
                        return isWhole ? Self.text(20, 30, skipped: 6) : Self.text(20, 30)
                    }()
                default: ""
                }
            }
            #expect(scripted.transport.requests(.playlist).count == 2)
            #expect(scripted.crowd.viewers[0].machine.facts.latest(of: .video)?.playlist.mediaSequence == 20)
        }
    }

    @Test func eachRenditionIsKeptAtItsOwnPlaceAndLetGoWithTheViewer() async throws {
        let plan = LoadPlan.watching { $0.playback.playsAudioRendition = true }
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, viewers: 1, loop: loop)
            let token = CrowdToken(index: 0, detail: CrowdToken.join)
            scripted.crowd.timerFired(token: token.rawValue, deadline: scripted.start)
            scripted.transport.answerAll { role, _ in
                switch role {
                case .multivariant:
                    """
                    #EXTM3U
                    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="main",URI="audio.m3u8"
                    #EXT-X-STREAM-INF:BANDWIDTH=800000,AUDIO="a"
                    v0/media.m3u8

                    """
                case .playlist: Self.text(0, 10)
                default: ""
                }
            }
            #expect(scripted.crowd.auditor.library.count == 2)
            let machine = scripted.crowd.viewers[0].machine
            #expect(machine.facts.latest(of: .video)?.url == "http://127.0.0.1:8080/live/main/v0/media.m3u8")
            #expect(machine.facts.latest(of: .audio)?.url == "http://127.0.0.1:8080/live/main/audio.m3u8")
            scripted.crowd.deliver(.leave, to: scripted.crowd.viewers[0], index: 0, now: scripted.start)
            #expect(scripted.crowd.auditor.library.count == 0)
        }
    }

    @Test func anotherVariantIsAskedForAtItsOwnURLAndTheOldOneLetGo() async throws {
        let plan = LoadPlan.watching { $0.playback.switchEvery = .nanoseconds(1) }
        try await ScriptedCrowd.onLoop { loop in
            let scripted = try ScriptedCrowd(plan, viewers: 1, loop: loop)
            let token = CrowdToken(index: 0, detail: CrowdToken.join)
            scripted.crowd.timerFired(token: token.rawValue, deadline: scripted.start)
            let answers: (ViewerRole, Int) -> String = { role, _ in
                switch role {
                case .multivariant:
                    "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2\nv0.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv1.m3u8\n"
                case .playlist: Self.text(0, 10)
                default: ""
                }
            }
            scripted.transport.answerAll(answers)
            for _ in 0..<3 {
                #expect(scripted.fire(.reload))
                scripted.transport.answerAll(answers)
            }
            let urls = scripted.transport.requests(.playlist).map { String($0.url.suffix(7)) }
            #expect(Set(urls) == ["v0.m3u8", "v1.m3u8"], "\(urls)")
            #expect(scripted.crowd.auditor.library.count == 1)
            #expect(scripted.crowd.viewers[0].machine.requestsInFlight == 0)
            // An answer that comes after the switch is counted and not read.
            let viewer = scripted.crowd.viewers[0]
            #expect(scripted.fire(.reload))
            let before = viewer.machine.facts.latest(of: .video)
            let parsed = scripted.crowd.auditor.library.parsed
            viewer.machine.switchVariant(now: .zero, scripted.crowd.plan)
            scripted.transport.answerAll { _, _ in Self.text(5, 15) }
            #expect(viewer.machine.facts.latest(of: .video) === before)
            #expect(scripted.crowd.auditor.library.parsed == parsed)
            // What the new variant's loop asked for is still out: its actions went nowhere here.
            #expect(viewer.machine.playback.openDownloads == 1)
        }
    }
}

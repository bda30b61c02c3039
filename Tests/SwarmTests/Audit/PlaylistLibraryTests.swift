import HLS
import Rules
import TestSupport
import Testing
import Transport

@testable import Audit
@testable import Profile
@testable import Swarm
@testable import Viewer

/// A library with one place for a playlist.
private struct Place {
    let library: PlaylistLibrary
    let playlist: KnownPlaylist

    init(_ library: PlaylistLibrary = PlaylistLibrary(announcements: nil), _ url: String = "http://a/m") {
        self.library = library
        playlist = library.use(url)
    }

    func media(_ text: String, base: String? = nil) throws -> SharedPlaylist {
        try Array(text.utf8).withUnsafeBytes { try library.media($0, of: playlist, base: base) }
    }

    var counts: [Int] { [library.parsed, library.recognised] }
}

/// Known bodies are not parsed again, and unused ones are forgotten.
@Suite struct PlaylistLibraryTests {
    private func text(_ number: Int) -> String { AnswerBody.media(number, 1) }

    private func content(_ library: PlaylistLibrary, _ text: String) throws -> SharedPlaylist? {
        let content = try Array(text.utf8).withUnsafeBytes { try library.content($0, url: "http://a/m") }
        guard case .media(let shared) = content else { return nil }
        return shared
    }

    @Test func anEqualBodyIsNotParsedAgain() throws {
        let place = Place()
        #expect(try place.media(text(1)) === place.media(text(1)))
        #expect(place.counts == [1, 1])
    }

    /// The oldest of five versions is forgotten.
    @Test(
        arguments: [
            ([0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3], [4, 8]), ([0, 1, 2, 3, 4, 4], [5, 1]),
            ([0, 1, 2, 3, 4, 4, 0], [6, 1]),
        ]
    )
    func fourVersionsThatComeByTurnsAreKnown(numbers: [Int], counts: [Int]) throws {
        let place = Place()
        for number in numbers { #expect(try place.media(text(number)).version > 0) }
        #expect(place.counts == counts)
    }

    @Test(arguments: ["", "<html>", "#EXTM3U\n#EXTINF:x,\n", AnswerBody.multivariant])
    func aBodyThatIsNoMediaPlaylistIsAnErrorEachTimeAndKeepsWhatIsKnown(text: String) throws {
        let place = Place()
        _ = try place.media(self.text(1))
        for _ in 0..<2 { #expect(throws: PlaylistError.self) { try place.media(text) } }
        _ = try place.media(self.text(1))
        #expect(place.library.recognised == 1)
    }

    @Test func theContentURLMayAnswerWithEitherAndIsParsedOnce() throws {
        let library = PlaylistLibrary(announcements: nil)
        for _ in 0..<3 { #expect(try content(library, AnswerBody.multivariant) == nil) }
        #expect((library.parsed, library.recognised) == (1, 2))
        #expect(try content(library, text(1))?.url == "http://a/m")
        #expect(library.parsed == 2)
    }

    @Test func viewersThatJoinByAMediaPlaylistShareIt() throws {
        let library = PlaylistLibrary(announcements: nil)
        let first = try #require(try content(library, text(1)))
        #expect(try content(library, text(1)) === first)
        let place = Place(library)
        #expect(try place.media(text(1)) === first)
        #expect(place.counts == [1, 2])
        let second = try #require(try content(library, text(2)))
        #expect(try place.media(text(2)) === second)
        #expect(try content(library, text(2)) === second)
        #expect(library.parsed == 2)
    }

    @Test func referencesResolveAgainstTheURLThatARedirectLedTo() throws {
        let place = Place()
        let direct = try place.media(text(1))
        let redirected = try place.media(text(1), base: "http://edge/m")
        #expect(direct.url == "http://a/m" && redirected.url == "http://edge/m")
        #expect(redirected.version == direct.version && place.library.parsed == 1)
    }

    /// The second version ends four seconds past the break that it is the first to announce: those two target durations
    /// behind the edge may be at the start when they load the playlist next; those three behind it are not.
    @Test(arguments: [([], []), ([3], []), ([3, 2], ["break_announced_late"])] as [([Double], [String])])
    func anAnnouncementIsLateForThePlayerNearestToTheEdge(targets: [Double], codes: [String]) throws {
        let players = targets.map { targets in
            PlaybackFacts(.forTests { $0.start = StartFacts(point: .holdBack, targets: targets) })
        }
        let place = Place(PlaylistLibrary(VersionMaker(announcements: nil, rules: VersionRules(players: players))))
        let first = try place.media(AnswerBody.media(1, date: 12))
        let second = try place.media(AnswerBody.media(2, header: AnswerBody.breakTag(at: 22), date: 14))
        let transition = place.playlist.transition(from: first, to: second)
        #expect(transition.violations.map(\.code.code) == codes)
    }

    @Test func aPlaylistIsForgottenWithItsLastUser() throws {
        let library = PlaylistLibrary(announcements: nil)
        let kept = Place(library, "http://a/kept")
        for session in 0..<1000 {
            let place = Place(library, "http://a/\(session)")
            _ = try place.media(text(1))
            library.release(place.playlist)
        }
        #expect(library.count == 1)
        #expect(Place(library, "http://a/kept").playlist === kept.playlist)
        library.release(kept.playlist)
        #expect(library.count == 1)
        library.release(kept.playlist)
        #expect(library.count == 0)
    }

    @Test func aMultivariantPlaylistThatNamesOthersHasDroppedAVariant() throws {
        let library = PlaylistLibrary(announcements: nil)
        func channel(_ variant: String) throws -> SharedMultivariant? {
            let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(variant)\n"
            let content = try Array(text.utf8).withUnsafeBytes { try library.content($0, url: "http://a/main.m3u8") }
            guard case .multivariant(let channel) = content else { return nil }
            return channel
        }
        let first = try #require(try channel("old.m3u8"))
        let played = "http://a/old.m3u8?n=1"
        #expect(!library.hasDropped(played, from: first))
        _ = try channel("old.m3u8?n=2")
        #expect(!library.hasDropped(played, from: first))
        _ = try channel("new.m3u8")
        #expect(library.hasDropped(played, from: first))
    }

    @Test func aPlanWithoutASettingTakesTheUsualLimitOfStandstill() throws {
        let usual = try Place().media(text(1)).staleAfterTargets
        #expect(LoadPlan.forTests().playback.staleAfterTargets == usual)
    }
}

/// Delta updates and variables in the part that viewers share.
@Suite struct DeliveryTests {
    /// Segments `first ..< end`; the first of them are left out where `skipped` says so.
    private static func text(_ first: Int, _ end: Int, skipped: Int = 0, extra: String = "") -> String {
        let header =
            "#EXT-X-VERSION:9\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=12\n"
            + (skipped > 0 ? "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" : "")
        let text = AnswerBody.media(first + skipped, end - first - skipped, header: header) + extra
        return text.replacing("SEQUENCE:\(first + skipped)\n", with: "SEQUENCE:\(first)\n")
    }

    private func whole(_ delta: String, after before: SharedPlaylist, _ place: Place) throws -> SharedPlaylist? {
        place.library.whole(from: try place.media(delta), after: before, of: place.playlist)
    }

    // MARK: Merging

    @Test func oneMergeServesAllThatHadTheSameVersion() throws {
        let place = Place()
        let before = try place.media(Self.text(0, 10))
        let first = try #require(try whole(Self.text(1, 11, skipped: 6), after: before, place))
        #expect(try whole(Self.text(1, 11, skipped: 6), after: before, place) === first)
        #expect(first.isMerged && !first.isDelta && first.mismatch == nil)
        let whole = try place.media(Self.text(1, 11))
        #expect(first.playlist.contentDigest == whole.playlist.contentDigest)
        #expect(first.isNews(after: before) && !whole.isNews(after: first))
        #expect(!whole.isMerged)
    }

    @Test func viewersThatCameDifferentWaysGoOnTogether() throws {
        let place = Place()
        let early = try place.media(Self.text(0, 10))
        let late = try place.media(Self.text(1, 11))
        let delta = Self.text(2, 12, skipped: 6)
        let first = try #require(try whole(delta, after: early, place))
        #expect(try whole(delta, after: late, place) === first)
        // What the server says of the whole is a matter of each update.
        let wrong = delta + DigestComment.line(first.playlist.contentDigest ^ 1) + "\n"
        let third = try #require(try whole(wrong, after: late, place))
        #expect(third !== first && third.mismatch != nil)
    }

    @Test func manyDeltaUpdatesPushNoWholePlaylistOut() throws {
        let place = Place()
        let whole = try place.media(Self.text(0, 10))
        for end in 11..<41 { _ = try place.media(Self.text(end - 10, end, skipped: 6)) }
        #expect(try place.media(Self.text(0, 10)) === whole)
        #expect(place.playlist.versions.count == 13)
    }

    @Test func anUpdateThatSkipsMoreThanIsInHandIsNotMerged() throws {
        let place = Place()
        let before = try place.media(Self.text(0, 5))
        for _ in 0..<2 { #expect(try whole(Self.text(0, 11, skipped: 6), after: before, place) == nil) }
    }

    @Test(arguments: [UInt64(0), 1])
    func theServersDigestIsComparedWithTheMerge(error: UInt64) throws {
        let place = Place()
        let before = try place.media(Self.text(0, 10))
        let digest = try MediaPlaylist.parsed(Self.text(1, 11)).contentDigest ^ error
        let delta = Self.text(1, 11, skipped: 6, extra: DigestComment.line(digest) + "\n")
        let merged = try #require(try whole(delta, after: before, place))
        #expect((merged.mismatch == nil) == (error == 0))
    }

    @Test func mergesAreForgottenWithTheirPlaylist() throws {
        let library = PlaylistLibrary(announcements: nil)
        weak var merged: SharedPlaylist?
        do {
            let place = Place(library)
            let before = try place.media(Self.text(0, 10))
            merged = try whole(Self.text(1, 11, skipped: 6), after: before, place)
            library.release(place.playlist)
        }
        #expect(merged == nil && library.count == 0)
    }

    // MARK: Variables

    private static let withVariables =
        "#EXTM3U\n#EXT-X-VERSION:11\n#EXT-X-DEFINE:IMPORT=\"dir\"\n#EXT-X-DEFINE:QUERYPARAM=\"q\"\n"
        + "#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{$dir}/1.m4s?q={$q}\n"

    /// Variables of the multivariant playlist and of the URL are replaced; where a redirect led one may be another.
    @Test(arguments: [(nil, "x/1.m4s?q=7"), ("http://b/m?q=8", "x/1.m4s?q=8")])
    func variablesAreReplaced(base: String?, uri: String) throws {
        let library = PlaylistLibrary(announcements: nil)
        let playlist = library.use("http://a/m?q=7", importing: ["dir": "x"])
        for _ in 0..<2 {
            let shared = try Array(Self.withVariables.utf8).withUnsafeBytes {
                try library.media($0, of: playlist, base: base)
            }
            #expect(shared.playlist.uri(of: try #require(shared.playlist.segments.first)) == uri)
        }
        #expect(base != nil || (library.parsed, library.recognised) == (1, 1))
    }

    @Test func anUndefinedVariableIsAnError() throws {
        let place = Place(PlaylistLibrary(announcements: nil), "http://a/m?q=7")
        #expect(throws: PlaylistError.self) { try place.media(Self.withVariables) }
    }

    // MARK: A crowd

    @Test func viewersOfOneVersionShareTheMergedPlaylist() {
        let facts = LowLatencyFacts(blocking: .always, skip: .always)
        let crowd = ScriptedCrowd(.watching(.forTests { $0.lowLatency = facts }), viewers: 2)
        crowd.join()
        crowd.answerAll { request in
            switch request.role {
            case .playlist: .init(body: Self.text(0, 10))
            case .blockingPlaylist where request.url.contains("_HLS_msn=10&"): .init(body: Self.text(1, 11, skipped: 6))
            case .registration, .multivariant: .init(body: AnswerBody.ordinary(request, version: 1))
            default: nil
            }
        }
        let versions = (0..<2).map { crowd.slot($0).machine[.video].latest }
        #expect(versions[0]?.isMerged == true && versions[0]?.playlist.segments.count == 10)
        #expect(versions[0] === versions[1])
        let asked = crowd.transport.requests(.blockingPlaylist).map { String($0.url.drop { $0 != "?" }) }
        #expect(asked == ["?_HLS_msn=10&_HLS_skip=YES", "?_HLS_msn=11&_HLS_skip=YES"])
        // The multivariant playlist, the whole one and the delta update.
        #expect(crowd.parsed == 3)
    }

    @Test func eachRenditionIsKeptAtItsOwnPlaceAndLetGoWithTheViewer() {
        let audio =
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"main\",URI=\"audio.m3u8\"\n#EXT-X-STREAM-INF:AUDIO=\"a\","
        let demuxed = AnswerBody.oneVariant.replacing("#EXT-X-STREAM-INF:", with: audio)
        let viewer = ScriptedCrowd.joined(.watching { $0.playback.playsAudioRendition = true }, multivariant: demuxed)
        viewer.answerAll()
        #expect(viewer.crowd.auditor.library.count == 2)
        #expect(viewer.machine[.video].latest?.url == "http://127.0.0.1:8080/live/main/v0/media.m3u8")
        #expect(viewer.machine[.audio].latest?.url == "http://127.0.0.1:8080/live/main/audio.m3u8")
        viewer.leave()
        #expect(viewer.crowd.auditor.library.count == 0)
    }

    @Test func anotherVariantIsAskedForAtItsOwnURLAndTheOldOneLetGo() {
        let viewer = ScriptedCrowd.joined(.watching { $0.playback.switchEvery = .nanoseconds(1) })
        viewer.watch(ScriptedChannel(), seconds: 13)
        let urls = Set(viewer.transport.requests(.playlist).map { $0.url.dropFirst(ScriptedCrowd.server.count) })
        #expect(urls == ["/live/main/v0/media.m3u8", "/live/main/v1/media.m3u8"])
        #expect(viewer.crowd.auditor.library.count == 1 && viewer.machine.requestsInFlight == viewer.open.count)
    }
}

/// What is kept beside a playlist says what the playlist says.
@Suite struct SharedPlaylistTests {
    private func shared(_ version: Int, _ lines: String) throws -> SharedPlaylist {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + lines
        return SharedPlaylist(version: version, playlist: try .parsed(text), announced: [], url: "http://a/m")
    }

    private static let bodies = [
        "#EXTINF:2,\n0.m4s\n", "#EXTINF:2,\n1.m4s\n", "#EXTINF:3,\n0.m4s\n#EXTINF:3,\n1.m4s\n",
        "#EXT-X-MEDIA-SEQUENCE:1\n#EXTINF:2,\n1.m4s\n", "#EXTINF:2,\n0.m4s\n#EXT-X-ENDLIST\n",
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\"\n#EXTINF:2,\n0.m4s\n",
        "#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:2,\n0.m4s\n", "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:0,\n0.m4s\n", "",
    ]

    @Test func newsIsWhatUpdatesThePlaylist() throws {
        for (first, before) in Self.bodies.enumerated() {
            for (second, after) in Self.bodies.enumerated() {
                let old = try shared(1, before)
                let new = try shared(2, after)
                #expect(new.isNews(after: old) == new.playlist.isUpdate(of: old.playlist), "\(first), \(second)")
            }
        }
    }

    @Test func theSameVersionIsNoNews() throws {
        let one = try shared(1, Self.bodies[0])
        #expect(!one.isNews(after: one))
        #expect(!one.based(on: "http://b/m").isNews(after: one))
    }

    @Test(arguments: bodies, ReloadRule.allCases)
    func itIsLoadedAgainByTheRule(body: String, rule: ReloadRule) throws {
        let shared = try self.shared(1, body)
        for isNews in [false, true] {
            let delay = rule.delay(after: shared.playlist, changed: isNews).nanosecondsHeld
            let wanted = ReloadRule.isReloaded(shared.playlist) ? delay : nil
            let facts = ReloadFacts(afterChange: rule == .targetDuration ? .targetDuration : .lastSegment)
            #expect(shared.reloadDelay(facts, isNews: isNews, isNearEdge: false) == wanted)
        }
    }

    /// Each variant with a group of its own.
    @Test func groupsOfRenditionsAreChosenFromInLinearTime() throws {
        let shared = try LinearTime.expect(
            of: 4_000,
            make: { count in
                let groups = (0..<count).map { number in
                    """
                    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a\(number)",NAME="n",URI="a\(number).m3u8"
                    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a\(number)",NAME="d",DEFAULT=YES,URI="d\(number).m3u8"
                    #EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a\(number)"
                    v\(number).m3u8

                    """
                }
                return try MultivariantPlaylist.parsed("#EXTM3U\n" + groups.joined())
            },
            work: { SharedMultivariant($0, url: "http://h/all.m3u8") }
        )
        #expect(shared.url(of: .audio, variant: 7) == "http://h/d7.m3u8")
    }

    @Test func variantsAreResolvedAgainstWhatAnswered() throws {
        let playlist = try MultivariantPlaylist.parsed(AnswerBody.multivariant)
        let shared = SharedMultivariant(playlist, url: "http://edge/live/all.m3u8")
        #expect(shared.variantURLs == ["http://edge/live/v0/media.m3u8", "http://edge/live/v1/media.m3u8"])
        #expect(SharedMultivariant(playlist, url: "file:///x").variantURLs == [nil, nil])
    }
}

import AdServing
import HLS
import LoadProfile
import Players
import Rulebook
import Testing
import Time

@testable import Audience
@testable import Swarm
@testable import Viewer

/// Delivery directives, delta updates, hints and reports, by each of the facts that a persona can have.
@Suite struct LowLatencyTests {
    /// Segments of 4 s in parts of 1 s, the last one with `parts` of them; `end` is the number of the segment being made.
    private func playlist(
        end: Int = 10,
        parts: Int = 1,
        extra: String = "",
        control: String = "CAN-BLOCK-RELOAD=YES",
        skipped: Int = 0
    ) -> String {
        var text =
            "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n#EXT-X-SERVER-CONTROL:\(control),PART-HOLD-BACK=3\n"
        text += "#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-MEDIA-SEQUENCE:\(end - 5)\n"
        if skipped > 0 { text += "#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n" }
        for number in (end - 5 + skipped)..<end {
            text += AnswerBody.dateTag(Double(number * 4 - 40))
            if number == end - 1 {
                for part in 0..<4 { text += "#EXT-X-PART:DURATION=1,URI=\"\(number).\(part).m4s\"\n" }
            }
            text += "#EXTINF:4,\n\(number).m4s\n"
        }
        for part in 0..<parts { text += "#EXT-X-PART:DURATION=1,URI=\"\(end).\(part).m4s\"\n" }
        return text + "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(end).\(parts).m4s\"\n" + extra
    }

    /// The same as an update of the version before.
    private func delta(parts: Int, extra: String = "") -> String {
        playlist(parts: parts, extra: extra, control: Self.skips, skipped: 3)
    }

    private func joined(
        _ facts: LowLatencyFacts = LowLatencyFacts(blocking: .always, skip: .never),
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) -> ScriptedCrowd {
        .joined(.watching(.forTests { $0.lowLatency = facts }, change))
    }

    /// The query of the one open playlist request, and its role.
    private func asked(_ viewer: ScriptedCrowd) throws -> (role: ViewerRole, query: String) {
        let open = viewer.open.filter { $0.role == .playlist || $0.role == .blockingPlaylist }
        #expect(open.count == 1)
        let request = try #require(open.first)
        return (request.role, String(request.url.drop { $0 != "?" }))
    }

    // MARK: Blocking reload

    @Test func theNextPartIsAskedForAtOnceAndHeldByTheServer() throws {
        let viewer = joined()
        #expect(try asked(viewer) == (.playlist, ""))
        viewer.answerPlaylist(playlist(end: 10, parts: 1))
        #expect(try asked(viewer) == (.blockingPlaylist, "?_HLS_msn=10&_HLS_part=1"))
        viewer.answerPlaylist(playlist(end: 10, parts: 2), after: 1)
        #expect(try asked(viewer) == (.blockingPlaylist, "?_HLS_msn=10&_HLS_part=2"))
        viewer.answerPlaylist(playlist(end: 11, parts: 0), after: 2)
        #expect(try asked(viewer) == (.blockingPlaylist, "?_HLS_msn=11&_HLS_part=0"))
        #expect(viewer.counted(.blockingReloads) == 3)
        #expect(viewer.timers[.reload] == nil)
    }

    @Test func whereTheServerDoesNotOfferItThePlaylistIsPolled() throws {
        let viewer = joined()
        viewer.answerPlaylist(playlist(control: "CAN-BLOCK-RELOAD=NO"))
        #expect(viewer.wait(.reload) == 4)
        viewer.advance(seconds: 4)
        #expect(try asked(viewer) == (.playlist, ""))
    }

    @Test func aServerThatDoesNotHoldTheRequestIsAskedAgainAfterHalfAPart() throws {
        let viewer = joined()
        viewer.answerPlaylist(playlist())
        viewer.answerPlaylist(playlist())
        #expect(viewer.wait(.reload) == 0.5)
        viewer.advance(seconds: 0.5)
        #expect(try asked(viewer).role == .blockingPlaylist)
    }

    @Test func somePlayersBlockOnlyAfterALoadThatAdvanced() throws {
        let viewer = joined(LowLatencyFacts(blocking: .afterAdvance, skip: .never))
        viewer.answerPlaylist(playlist())
        #expect(try asked(viewer).role == .blockingPlaylist)
        viewer.answerPlaylist(playlist())
        #expect(viewer.wait(.reload) == 2)
        viewer.advance(seconds: 2)
        #expect(try asked(viewer) == (.playlist, ""))
        viewer.answerPlaylist(playlist(parts: 2))
        #expect(try asked(viewer).role == .blockingPlaylist)
    }

    @Test func someDropDirectivesLongAfterTheLastAdvance() throws {
        let viewer = joined(
            LowLatencyFacts(blocking: .always, skip: .never, dropsDirectivesAfterTargets: 3)
        )
        viewer.answerPlaylist(playlist())
        viewer.answerPlaylist(playlist(), after: 12.5)
        #expect(viewer.count(.blockingPlaylist) == 0)
        viewer.advance(seconds: viewer.wait(.reload) ?? 0)
        #expect(try asked(viewer) == (.playlist, ""))
    }

    @Test(arguments: [LoadFailure.timeout, .badRequest, .unavailable])
    func aRequestThatFailedWithDirectivesIsMadeWithoutThemOnce(reason: LoadFailure) throws {
        let viewer = joined()
        viewer.answerPlaylist(playlist())
        viewer.fail(reason, after: 1)
        #expect(viewer.counted(.blockingFallbacks) == 1)
        #expect(try asked(viewer) == (.playlist, ""))
        viewer.answerPlaylist(playlist(parts: 2))
        #expect(try asked(viewer) == (.blockingPlaylist, "?_HLS_msn=10&_HLS_part=2"))
    }

    @Test func otherFailuresAreNoFaultOfTheDirectives() throws {
        let viewer = joined()
        viewer.answerPlaylist(playlist())
        viewer.fail(.clientError)
        #expect(viewer.counted(.blockingFallbacks) == 0)
        #expect(viewer.wait(.reload) == 2)
    }

    @Test func withoutTheFactAFailureIsRetriedAsItIs() throws {
        let viewer = joined(
            LowLatencyFacts(blocking: .always, skip: .never, retriesWithoutDirectives: false)
        )
        viewer.answerPlaylist(playlist())
        viewer.fail(.unavailable)
        #expect(viewer.counted(.blockingFallbacks) == 0)
        viewer.advance(seconds: 2)
        #expect(try asked(viewer).role == .blockingPlaylist)
    }

    @Test func anAnswerFromACacheIsFollowedByWhatTheOriginShouldHave() throws {
        let viewer = joined()
        viewer.answerPlaylist(playlist(end: 10, parts: 1), age: 5)
        // Five parts of one second more than 10.0: 11.1 and no less.
        #expect(try asked(viewer).query == "?_HLS_msn=11&_HLS_part=1")
        viewer.answerPlaylist(playlist(end: 11, parts: 2), after: 0.2, age: 5)
        #expect(try asked(viewer).query == "?_HLS_msn=11&_HLS_part=2")
    }

    /// How much of an old answer is made up for at once: all of it, or as hls.js does one and a half target durations.
    @Test(arguments: [(nil, "?_HLS_msn=14&_HLS_part=0"), (1.5, "?_HLS_msn=11&_HLS_part=2")] as [(Double?, String)])
    func tuningInMayBeBounded(targets: Double?, query: String) throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .never, tuneInTargets: targets))
        viewer.answerPlaylist(playlist(end: 10, parts: 1), age: 16)
        #expect(try asked(viewer).query == query)
        #expect(KnownPersona.hlsjs.persona.lowLatency.tuneInTargets == 1.5)
    }

    /// A cache takes them for two addresses.
    @Test(arguments: [
        (KnownPersona.strict, "?A=1&_HLS_msn=10&_HLS_part=1&token=2"),
        (.hlsjs, "?token=2&A=1&_HLS_msn=10&_HLS_part=1"), (.media3, "?token=2&A=1&_HLS_msn=10&_HLS_part=1"),
    ])
    func directivesAreSortedInOrAppended(known: KnownPersona, query: String) throws {
        var facts = known.persona.lowLatency
        facts.skip = .never
        facts.loadsHints = false
        let viewer = ScriptedCrowd.joined(
            .watching(.forTests { $0.lowLatency = facts }),
            multivariant: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000\nv0/media.m3u8?token=2&A=1\n"
        )
        #expect(try asked(viewer).query == "?token=2&A=1")
        viewer.answerPlaylist(playlist())
        #expect(try asked(viewer) == (.blockingPlaylist, query))
    }

    @Test func anEndedChannelIsNotAskedForAgain() throws {
        let viewer = joined()
        viewer.answerPlaylist(playlist(extra: "#EXT-X-ENDLIST\n"))
        #expect(viewer.open.allSatisfy { $0.role != .playlist && $0.role != .blockingPlaylist })
        #expect(viewer.timers[.reload] == nil)
    }

    // MARK: Delta updates

    private static let skips = "CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24"
    private static let skipsRanges = skips + ",CAN-SKIP-DATERANGES=YES"

    @Test(arguments: [
        (LowLatencyFacts.Skip.never, false, skips, ""), (.whenYoung, false, skips, "&_HLS_skip=YES"),
        (.always, true, skips, "&_HLS_skip=YES"), (.always, true, skipsRanges, "&_HLS_skip=v2"),
        (.always, false, skipsRanges, "&_HLS_skip=YES"), (.always, true, "CAN-BLOCK-RELOAD=YES", ""),
    ])
    func aDeltaUpdateIsAskedForByFactsAndOffer(
        skip: LowLatencyFacts.Skip,
        ranges: Bool,
        control: String,
        query: String
    ) throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: skip, skipsDateRanges: ranges))
        #expect(try asked(viewer).query == "")
        viewer.answerPlaylist(playlist(control: control))
        #expect(try asked(viewer).query == "?_HLS_msn=10&_HLS_part=1" + query)
    }

    @Test(arguments: [(LowLatencyFacts.Skip.whenYoung, false), (.always, true)])
    func anOldPlaylistIsNotBroughtUpToDateByADelta(skip: LowLatencyFacts.Skip, asks: Bool) throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: skip))
        viewer.answerPlaylist(playlist(control: Self.skips))
        viewer.answerPlaylist(playlist(control: Self.skips), after: 13)
        viewer.advance(seconds: 0.5)
        #expect(try asked(viewer).query.hasSuffix("&_HLS_skip=YES") == asks)
    }

    @Test func aDeltaThatCannotBeMergedIsFollowedByTheWholePlaylist() throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .always))
        viewer.answerPlaylist(playlist(control: Self.skips))
        // It begins after the end of the version in hand.
        viewer.answerPlaylist(playlist(end: 20, control: Self.skips, skipped: 3))
        #expect(viewer.counted(.deltaRefetches) == 1)
        #expect(try asked(viewer) == (.playlist, ""))
    }

    @Test func aDeltaThatNobodyAskedForIsAFailedLoadAndNoEndlessLoop() throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .never))
        viewer.answerPlaylist(delta(parts: 1))
        #expect(viewer.counted(.deltaRefetches) == 0)
        #expect(viewer.open.allSatisfy { $0.role != .playlist })
        #expect(viewer.wait(.reload) == 1)
    }

    private func findings(_ viewer: ScriptedCrowd) -> [FindingCode] {
        viewer.notes.compactMap {
            switch $0 {
            case .finding(let code, _, _): code
            case .deltaMismatched: .deltaMismatch
            default: nil
            }
        }
    }

    @Test func aMergeThatTheServerContradictsIsFound() throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .always))
        viewer.answerPlaylist(playlist(control: Self.skips))
        viewer.answerPlaylist(delta(parts: 2))
        #expect(findings(viewer).isEmpty)
        viewer.answerPlaylist(delta(parts: 3, extra: DigestComment.line(1) + "\n"))
        #expect(findings(viewer) == [.deltaMismatch])
        #expect(viewer.counted(.deltaUpdates) == 2)
    }

    @Test func theFirstSegmentThatDiffersIsShown() throws {
        let own = StreamID("secret:TUL")
        func playlist(_ second: String, _ extra: String = "") throws -> MediaPlaylist {
            let segments = "#EXTINF:2,\na/1.m4s?token=x\n#EXTINF:\(second)\n" + extra
            return try .parsed("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:7\n" + segments)
        }
        let whole = try playlist("2,\na/secret:TUL/2.m4s?token=x")
        #expect(DeltaMismatch(expected: whole, observed: whole, own: own) == nil)
        let other = DeltaMismatch(expected: whole, observed: try playlist("1.5,\na/b/2.m4s?token=x"), own: own)
        #expect(other?.expected == "in the whole playlist: segment 8, a/…/2.m4s, 2000 ms")
        #expect(other?.observed == "after the merge: segment 8, a/b/2.m4s, 1500 ms")
        let longer = try playlist("2,\na/secret:TUL/2.m4s?token=x", "#EXTINF:2,\n3.m4s\n")
        let missing = DeltaMismatch(expected: longer, observed: whole, own: own)
        #expect(missing?.expected == "in the whole playlist: segment 9, 3.m4s, 2000 ms")
        #expect(missing?.observed == "after the merge: no segment 3")
    }

    @Test(arguments: [("", 0), ("#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\"\n", 1)])
    func aShareOfMergesIsHeldAgainstTheWholePlaylist(extra: String, mismatches: Int) throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .always)) {
            $0.playback.verifyDeltaShare = 1
        }
        viewer.answerPlaylist(playlist(control: Self.skips))
        viewer.answerPlaylist(delta(parts: 2))
        #expect(try asked(viewer) == (.playlist, ""))
        viewer.answerPlaylist(playlist(parts: 2, extra: extra, control: Self.skips))
        #expect(findings(viewer).count == mismatches)
        #expect(try asked(viewer).role == .blockingPlaylist)
    }

    @Test func aWholePlaylistThatIsNewerTellsNothingOfAMerge() throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .always)) {
            $0.playback.verifyDeltaShare = 1
        }
        viewer.answerPlaylist(playlist(control: Self.skips))
        viewer.answerPlaylist(delta(parts: 2))
        viewer.answerPlaylist(playlist(parts: 3, control: Self.skips))
        #expect(findings(viewer).isEmpty)
    }

    // MARK: Parts and hints

    private func loading(hints: Bool) -> ScriptedCrowd {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .never, loadsHints: hints)) {
            $0.playback.segments = .content
        }
        viewer.answerPlaylist(playlist(end: 10, parts: 2))
        return viewer
    }

    /// Takes what is asked for of media, answering all but the last, and returns the names.
    private func load(_ viewer: ScriptedCrowd, _ count: Int) -> [String] {
        var names: [String] = []
        while names.count < count, let request = viewer.open.first(where: { $0.role == .segment || $0.role == .part }) {
            names.append(String(request.url.dropFirst(ScriptedChannel.base.count)))
            viewer.answer(request, .init())
        }
        return names
    }

    @Test func atTheEdgePartsAreLoadedAndThenTheHintedOne() throws {
        let viewer = loading(hints: true)
        // Three seconds behind the end of 10.1, which is within segment 9.
        #expect(load(viewer, 9) == ["9.m4s", "10.0.m4s", "10.1.m4s", "10.2.m4s"])
        #expect(viewer.counted(.hintsUsed) == 1)
        // The next version lists what was hinted at: it is not loaded again.
        viewer.answerPlaylist(playlist(end: 10, parts: 3))
        #expect(load(viewer, 9) == ["10.3.m4s"])
        viewer.answerPlaylist(playlist(end: 11, parts: 0))
        #expect(load(viewer, 9) == ["11.0.m4s"])
    }

    @Test func aHintThatComesToNothingIsCountedAndThePartLoadedWhenItIsListed() throws {
        let viewer = loading(hints: true)
        #expect(load(viewer, 3).count == 3)
        viewer.answer(.part, status: 404)
        #expect(viewer.counted(.hintsGone) == 1)
        #expect(viewer.count(.part) == 0)
        viewer.answerPlaylist(playlist(end: 10, parts: 3))
        #expect(load(viewer, 1) == ["10.2.m4s"])
    }

    @Test func withoutTheFactNoHintIsFollowed() throws {
        let viewer = loading(hints: false)
        #expect(load(viewer, 9).count == 3)
        #expect(viewer.counted(.hintsUsed) == 0)
    }

    // MARK: Rendition reports

    @Test(arguments: [(true, "?_HLS_msn=10&_HLS_part=2"), (false, "")])
    func aSwitchBeginsWhereTheReportSaysThatTheOtherVariantIs(uses: Bool, query: String) throws {
        let facts = LowLatencyFacts(blocking: .always, skip: .never, usesRenditionReports: uses)
        let viewer = joined(facts) { $0.playback.switchEvery = .milliseconds(1) }
        viewer.advance(seconds: 5)
        let report = "#EXT-X-RENDITION-REPORT:URI=\"../v1/media.m3u8\",LAST-MSN=10,LAST-PART=1\n"
        viewer.answerPlaylist(playlist(end: 10, parts: 1, extra: report))
        #expect(viewer.counted(.variantSwitches) == 1)
        let request = try #require(viewer.open.last)
        #expect(request.url == "http://127.0.0.1:8080/live/main/v1/media.m3u8" + query)
    }
}

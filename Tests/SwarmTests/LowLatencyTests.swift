import AdServing
import HLS
import Rules
import Testing
import Values

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Delivery directives, delta updates, hints and reports, by each of the facts that a persona can have.
@Suite struct LowLatencyTests {
    /// Segments of 4 s in parts of 1 s, the last one with `parts` of them; `end` is the number of the segment being made.
    private static func playlist(
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

    /// Delta update of the version before.
    private func delta(parts: Int, extra: String = "") -> String {
        Self.playlist(parts: parts, extra: extra, control: Self.skips, skipped: 3)
    }

    private func joined(
        _ facts: LowLatencyFacts = LowLatencyFacts(blocking: .always, skip: .never),
        _ change: (inout LoadPlan) -> Void = { _ in }
    ) -> ScriptedCrowd {
        .joined(.watching(.forTests { $0.lowLatency = facts }, change))
    }

    /// An answer to a poll, so many seconds after it.
    struct Answer: Sendable {
        var text = ""
        var failure: LoadFailure?
        var after = 0.0
        var age: Int?
    }

    private static func version(
        _ end: Int = 10,
        _ parts: Int = 1,
        _ extra: String = "",
        control: String = "CAN-BLOCK-RELOAD=YES",
        skipped: Int = 0,
        after: Double = 0,
        age: Int? = nil
    ) -> Answer {
        let text = playlist(end: end, parts: parts, extra: extra, control: control, skipped: skipped)
        return Answer(text: text, after: after, age: age)
    }

    private static func failed(_ failure: LoadFailure, after: Double = 0) -> Answer {
        Answer(failure: failure, after: after)
    }

    private static let always = LowLatencyFacts(blocking: .always, skip: .never)
    private static let afterAdvance = LowLatencyFacts(blocking: .afterAdvance, skip: .never)
    private static let dropping = LowLatencyFacts(blocking: .always, skip: .never, dropsDirectivesAfterTargets: 3)
    private static let keeping = LowLatencyFacts(blocking: .always, skip: .never, retriesWithoutDirectives: false)
    private static let bounded = LowLatencyFacts(blocking: .always, skip: .never, tuneInTargets: 1.5)

    private static func skipping(_ skip: LowLatencyFacts.Skip, ranges: Bool = false) -> LowLatencyFacts {
        LowLatencyFacts(blocking: .always, skip: skip, skipsDateRanges: ranges)
    }

    private static let skips = "CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24"
    private static let skipsRanges = skips + ",CAN-SKIP-DATERANGES=YES"

    /// Polls with their seconds, by the facts of the player and the answers before: `10/1` waits for part 1 of segment 10.
    @Test(
        arguments: [
            // The next part is asked for at once and held by the server.
            (
                always, [version(), version(10, 2, after: 1), version(11, 0, after: 2)],
                ["0.0", "0.0 10/1", "1.0 10/2", "3.0 11/0"]
            ),
            (always, [version(control: "CAN-BLOCK-RELOAD=NO")], ["0.0", "4.0"]),
            // A server that does not hold the request is asked again after half a part.
            (always, [version(), version()], ["0.0", "0.0 10/1", "0.5 10/1"]),
            (afterAdvance, [version(), version(), version(10, 2)], ["0.0", "0.0 10/1", "2.0", "2.0 10/2"]),
            (dropping, [version(), version(after: 12.5)], ["0.0", "0.0 10/1", "12.5"]),
            // A request that failed with directives is made without them once, unless they are no fault of it.
            (always, [version(), failed(.timeout, after: 1), version(10, 2)], ["0.0", "0.0 10/1", "1.0", "1.0 10/2"]),
            (
                always, [version(), failed(.badRequest, after: 1), version(10, 2)],
                ["0.0", "0.0 10/1", "1.0", "1.0 10/2"]
            ),
            (
                always, [version(), failed(.unavailable, after: 1), version(10, 2)],
                ["0.0", "0.0 10/1", "1.0", "1.0 10/2"]
            ),
            (always, [version(), failed(.clientError)], ["0.0", "0.0 10/1", "2.0 10/1"]),
            (keeping, [version(), failed(.unavailable)], ["0.0", "0.0 10/1", "2.0 10/1"]),
            // An answer from a cache is followed by what the origin should have: five parts of a second more than 10.0.
            (always, [version(age: 5), version(11, 2, after: 0.2, age: 5)], ["0.0", "0.0 11/1", "0.2 11/2"]),
            (always, [version(age: 16)], ["0.0", "0.0 14/0"]), (bounded, [version(age: 16)], ["0.0", "0.0 11/2"]),
            (always, [version(10, 1, "#EXT-X-ENDLIST\n")], ["0.0"]),
            // Delta updates are asked for by the facts and by what is offered, and not for an old playlist.
            (skipping(.never), [version(control: skips)], ["0.0", "0.0 10/1"]),
            (skipping(.whenYoung), [version(control: skips)], ["0.0", "0.0 10/1 YES"]),
            (skipping(.always, ranges: true), [version(control: skips)], ["0.0", "0.0 10/1 YES"]),
            (skipping(.always, ranges: true), [version(control: skipsRanges)], ["0.0", "0.0 10/1 v2"]),
            (skipping(.always), [version(control: skipsRanges)], ["0.0", "0.0 10/1 YES"]),
            (skipping(.always, ranges: true), [version()], ["0.0", "0.0 10/1"]),
            (
                skipping(.whenYoung), [version(control: skips), version(control: skips, after: 13)],
                ["0.0", "0.0 10/1 YES", "13.5 10/1"]
            ),
            (
                skipping(.always), [version(control: skips), version(control: skips, after: 13)],
                ["0.0", "0.0 10/1 YES", "13.5 10/1 YES"]
            ),
            // One that does not fit is followed by the whole playlist, and one that was not asked for is a failed load.
            (
                skipping(.always), [version(control: skips), version(20, control: skips, skipped: 3)],
                ["0.0", "0.0 10/1 YES", "0.0"]
            ),
            (always, [version(control: skips, skipped: 3)], ["0.0", "1.0"]),
        ] as [(LowLatencyFacts, [Answer], [String])]
    )
    func pollsFollowFromTheFactsAndTheAnswers(facts: LowLatencyFacts, answers: [Answer], polls: [String]) {
        let viewer = joined(facts)
        for answer in answers {
            if let failure = answer.failure {
                viewer.fail(failure, after: answer.after)
            } else {
                viewer.answerPlaylist(answer.text, after: answer.after, age: answer.age)
            }
            if viewer.poll() == nil, let wait = viewer.wait(.reload) { viewer.advance(seconds: wait) }
        }
        let sent = viewer.transport.sent.filter { $0.role == .playlist || $0.role == .blockingPlaylist }
        let asked = sent.map { request in
            let query = request.url.drop { $0 != "?" }.dropFirst().replacing("_HLS_msn=", with: " ")
            return "\(ScriptedCrowd.seconds(request.sentAt))"
                + query.replacing("&_HLS_part=", with: "/").replacing("&_HLS_skip=", with: " ")
        }
        #expect(asked == polls)
        #expect(sent.allSatisfy { ($0.role == .blockingPlaylist) == $0.url.contains("_HLS_msn") })
        #expect(viewer.counted(.blockingReloads) == sent.count { $0.role == .blockingPlaylist })
        let isPlain = zip(sent, sent.dropFirst()).map { $0.role == .blockingPlaylist && $1.role == .playlist }
        let failures = answers.contains { $0.failure?.isDirectivesFault == true } && facts.retriesWithoutDirectives
        #expect(viewer.counted(.blockingFallbacks) == (failures ? isPlain.count { $0 } : 0))
        let isRefetched = facts.skip == .always && answers.last?.text.contains("SKIPPED") == true
        #expect(viewer.counted(.deltaRefetches) == (isRefetched ? 1 : 0))
        #expect(Persona.known("hlsjs").lowLatency.tuneInTargets == 1.5)
    }

    /// A cache takes them for two addresses.
    @Test(arguments: [
        ("strict", "?A=1&_HLS_msn=10&_HLS_part=1&token=2"),
        ("hlsjs", "?token=2&A=1&_HLS_msn=10&_HLS_part=1"), ("media3", "?token=2&A=1&_HLS_msn=10&_HLS_part=1"),
    ])
    func directivesAreSortedInOrAppended(known: String, query: String) {
        var facts = Persona.known(known).lowLatency
        facts.skip = .never
        facts.loadsHints = false
        let viewer = ScriptedCrowd.joined(
            .watching(.forTests { $0.lowLatency = facts }),
            multivariant: AnswerBody.oneVariant.replacing("media.m3u8", with: "media.m3u8?token=2&A=1")
        )
        #expect(viewer.poll()?.url.hasSuffix("/media.m3u8?token=2&A=1") == true)
        viewer.answerPlaylist(Self.playlist())
        #expect(viewer.first(.blockingPlaylist)?.url.hasSuffix("/media.m3u8" + query) == true)
    }

    // MARK: Checks of delta updates

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
        viewer.answerPlaylist(Self.playlist(control: Self.skips))
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

    /// A whole playlist that is newer tells nothing of a merge.
    @Test(arguments: [
        ("", 2, 0), ("#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-21T20:00:00Z\"\n", 2, 1), ("", 3, 0),
    ])
    func aShareOfMergesIsComparedWithTheWholePlaylist(extra: String, parts: Int, mismatches: Int) throws {
        let viewer = joined(LowLatencyFacts(blocking: .always, skip: .always)) { $0.playback.verifyDeltaShare = 1 }
        viewer.answerPlaylist(Self.playlist(control: Self.skips))
        viewer.answerPlaylist(delta(parts: 2))
        #expect(viewer.poll()?.role == .playlist)
        viewer.answerPlaylist(Self.playlist(parts: parts, extra: extra, control: Self.skips))
        #expect(findings(viewer).count == mismatches && viewer.poll()?.role == .blockingPlaylist)
    }

    // MARK: Parts and hints

    private func loading(hints: Bool) -> ScriptedCrowd {
        let facts = LowLatencyFacts(blocking: .always, skip: .never, loadsHints: hints)
        let viewer = joined(facts) { $0.playback.segments = .content }
        viewer.answerPlaylist(Self.playlist(end: 10, parts: 2))
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
        viewer.answerPlaylist(Self.playlist(end: 10, parts: 3))
        #expect(load(viewer, 9) == ["10.3.m4s"])
        viewer.answerPlaylist(Self.playlist(end: 11, parts: 0))
        #expect(load(viewer, 9) == ["11.0.m4s"])
        let without = loading(hints: false)
        #expect(load(without, 9).count == 3 && without.counted(.hintsUsed) == 0)
    }

    @Test func aHintThatComesToNothingIsCountedAndThePartLoadedWhenItIsListed() throws {
        let viewer = loading(hints: true)
        #expect(load(viewer, 3).count == 3)
        viewer.answer(.part, status: 404)
        #expect(viewer.counted(.hintsGone) == 1 && viewer.count(.part) == 0)
        viewer.answerPlaylist(Self.playlist(end: 10, parts: 3))
        #expect(load(viewer, 1) == ["10.2.m4s"])
    }

    // MARK: Rendition reports

    @Test(arguments: [(true, "?_HLS_msn=10&_HLS_part=2"), (false, "")])
    func aSwitchBeginsWhereTheReportSaysThatTheOtherVariantIs(uses: Bool, query: String) throws {
        let facts = LowLatencyFacts(blocking: .always, skip: .never, usesRenditionReports: uses)
        let viewer = joined(facts) { $0.playback.switchEvery = .milliseconds(1) }
        viewer.advance(seconds: 5)
        let report = "#EXT-X-RENDITION-REPORT:URI=\"../v1/media.m3u8\",LAST-MSN=10,LAST-PART=1\n"
        viewer.answerPlaylist(Self.playlist(end: 10, parts: 1, extra: report))
        #expect(viewer.counted(.variantSwitches) == 1)
        let request = try #require(viewer.open.last)
        #expect(request.url == "http://127.0.0.1:8080/live/main/v1/media.m3u8" + query)
    }
}

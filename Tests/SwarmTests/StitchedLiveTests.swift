import Testing

@testable import Profile
@testable import Swarm
@testable import Viewer

/// Live channels whose stitched breaks only a vendor's tags mark: a viewer is due at each of them.
///
/// Segments of two seconds are counted from the start of the run; the break lasts from its 14th second to its 22nd.
@Suite struct StitchedLiveTests {
    private typealias Tags = (_ segment: Int) -> [String]

    private static func isAd(_ segment: Int) -> Bool { (7..<11).contains(segment) }

    /// The playlist at a second of the run, with a window of seven segments.
    private static func playlist(at seconds: Double, header: (_ first: Int, _ end: Int) -> [String], _ tags: Tags)
        -> String
    {
        let end = Int(seconds / 2)
        let first = end - 7
        var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:2", "#EXT-X-MEDIA-SEQUENCE:\(first + 100)"] + header(first, end)
        for segment in first..<end {
            lines += tags(segment)
            lines.append("#EXT-X-PROGRAM-DATE-TIME:\(AnswerBody.date(Double(2 * segment)))")
            lines += ["#EXTINF:2,", isAd(segment) ? "v1/segment/AD\(segment).ts" : "v1/segment/\(segment).ts"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let cue = ["#EXT-X-CUE:DURATION=\"8.000\",ID=\"0\",TYPE=\"SpliceOut\",TIME=\"414.171\""]

    static func cued(at seconds: Double) -> String {
        playlist(at: seconds, header: { _, _ in [] }, { $0 == 7 ? cue : [] })
    }

    /// How often a viewer of the channel was due at a break, and had its ads in time, within forty seconds.
    private static func watch(header: (Int, Int) -> [String] = { _, _ in [] }, tags: Tags) -> [Int] {
        let plan = LoadPlan.watching { $0.breaks.recognisesStitched = true }
        let viewer = ScriptedCrowd.joined(plan, multivariant: AnswerBody.oneVariant)
        viewer.watch(seconds: 40) { request in
            guard request.role == .playlist else { return nil }
            return ScriptedCrowd.Reply(body: playlist(at: viewer.seconds, header: header, tags))
        }
        let notes = viewer.notes + viewer.eventNotes.map(\.1)
        let inTime = notes.count { if case .breakOnTime = $0 { true } else { false } }
        return [notes.count { $0 == .breakDue }, inTime]
    }

    /// Reports of Streamlink (4934) and uBlock Origin (uAssets 5184).
    @Test func aDateRangeOfAVendorsClassMarksABreak() {
        let header = { (first: Int, end: Int) -> [String] in
            let sequence = "#EXT-X-DISCONTINUITY-SEQUENCE:\([7, 11].count { $0 < first })"
            guard end > 7, first < 11 else { return [sequence] }
            let names = "ID=\"stitched-ad-1\",CLASS=\"example-stitched-ad\",X-TV-EXAMPLE-AD-ROLL-TYPE=\"MIDROLL\""
            return [sequence, "#EXT-X-DATERANGE:\(names),START-DATE=\"\(AnswerBody.date(14))\",DURATION=8.000"]
        }
        let found = Self.watch(header: header, tags: { [7, 11].contains($0) ? ["#EXT-X-DISCONTINUITY"] : [] })
        #expect(found == [1, 1])
    }

    /// Adobe's cue of AWS MediaLive, alone and with the tags that continue it.
    @Test(arguments: [true, false]) func adobesCueMarksABreak(isContinued: Bool) {
        let tags: Tags = { segment in
            if segment == 7 { return Self.cue }
            guard isContinued, Self.isAd(segment) else { return [] }
            return ["#EXT-X-CUE-CONT:ID=0,AVAIL-DUR-ELAPSED=\(2 * (segment - 7)).0"]
        }
        #expect(Self.watch(tags: tags) == [1, 1])
    }
}

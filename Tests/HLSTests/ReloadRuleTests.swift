import Testing

@testable import HLS

@Suite struct ReloadRuleTests {
    @Test func waitsForTheLastSegmentAfterAChange() throws {
        let playlist = try Samples.playlist("#EXTINF:6,", "0.ts", "#EXTINF:2.5,", "1.ts")
        let rule = ReloadRule.lastSegmentDuration
        #expect(rule.delay(after: playlist, changed: true) == .milliseconds(2_500))
        #expect(rule.delay(after: playlist, changed: false) == .seconds(3))
    }

    @Test func waitsForTheTargetDurationUnderTheOldRule() throws {
        let playlist = try Samples.playlist("#EXTINF:2.5,", "0.ts")
        let rule = ReloadRule.targetDuration
        #expect(rule.delay(after: playlist, changed: true) == .seconds(6))
        #expect(rule.delay(after: playlist, changed: false) == .seconds(3))
    }

    @Test func anEmptyPlaylistWaitsForTheTargetDuration() throws {
        #expect(ReloadRule.lastSegmentDuration.delay(after: try Samples.playlist(""), changed: true) == .seconds(6))
    }

    @Test func aWaitBeyondWhatCanBeHeldIsTheLongestThatCan() throws {
        let playlist = try Samples.playlist("#EXTINF:31557600000,", "0.ts")
        #expect(ReloadRule.lastSegmentDuration.delay(after: playlist, changed: true) == .nanoseconds(Int64.max))
    }

    @Test(arguments: ReloadRule.allCases, [true, false])
    func neverAsksWithoutAPause(_ rule: ReloadRule, _ changed: Bool) throws {
        let playlist = try Samples.mediaPlaylist("#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXTINF:0,\n0.ts\n")
        #expect(rule.delay(after: playlist, changed: changed) == .milliseconds(100))
    }

    @Test(arguments: [
        ("", true), ("#EXT-X-PLAYLIST-TYPE:EVENT", true), ("#EXT-X-PLAYLIST-TYPE:VOD", false),
        ("#EXT-X-ENDLIST", false),
    ]) func finishedPlaylistsAreNotReloaded(_ line: String, _ isReloaded: Bool) throws {
        #expect(ReloadRule.isReloaded(try Samples.playlist(line)) == isReloaded)
    }
}

import Foundation
import TestSupport
import Testing
import Values

@testable import Tools

/// What comes out of a log is the audience that left it.
@Suite struct AudienceReadingTests {
    private static let audience = InventedAudience(600, seed: 11)
    private static let few = InventedAudience(40, seed: 11)

    private func expectAudience(_ figures: AudienceFigures, _ audience: InventedAudience, _ name: Comment) {
        let first = audience.viewers.map(\.join).min() ?? 0
        // At its end all of them leave.
        for second in stride(from: 0, to: min(figures.seconds, InventedAudience.length / 1000), by: 10) {
            let truth = audience.present(at: first + second * 1000)
            let line = interpolated(figures.curve, at: second)
            let allowed = max(6, Double(figures.peak) * 0.05)
            #expect(abs(line - Double(truth)) <= allowed, "\(name): \(line) and not \(truth) after \(second) s")
        }
        let watched = (0..<InventedAudience.agents.count).map { player in
            audience.viewers.reduce(0) { $0 + ($1.player == player ? $1.leave - $1.join : 0) }
        }
        for (player, name) in ["AppleCoreMedia", "Media3", "Mozilla", "Roku"].enumerated() {
            let truth = Double(watched[player]) / Double(watched.reduce(0, +))
            let told = figures.players.first { $0.name == name }?.share ?? 0
            #expect(abs(told - truth) < 0.01, "\(name): \(told) and not \(truth)")
            let mean = figures.players.first { $0.name == name }?.pollMeanMilliseconds ?? 0
            #expect(abs(mean - Double(InventedAudience.polls[player])) < 40, "\(name) polls every \(mean) ms")
        }
        #expect((figures.viewers, figures.breaks.count) == (audience.viewers.count, 2))
        // Whoever asks within seconds of coming asks for a pre-roll, as far as a log tells.
        let asked = figures.breaks.map(\.asked).reduce(0, +) + figures.asksOnJoining
        #expect(asked == audience.asked.reduce(0, +) && figures.asksOnJoining < 10)
        #expect(figures.breaks.allSatisfy { (0.8...0.95).contains($0.share ?? 0) }, "\(figures.breaks)")
    }

    private func interpolated(_ curve: [AudienceFigures.Point], at second: Int) -> Double {
        for (left, right) in zip(curve, curve.dropFirst()) where left.at <= second && second <= right.at {
            let part = Double(second - left.at) / Double(max(1, right.at - left.at))
            return Double(left.viewers) + part * Double(right.viewers - left.viewers)
        }
        return Double(curve.last?.viewers ?? 0)
    }

    @Test func anInventedAudienceComesOut() throws {
        let figures = try LogText.figures(Self.audience.log().joined())
        expectAudience(figures, Self.audience, "in order")
        #expect(figures.stamps == .millisecond)
        #expect((figures.toldBy, figures.read.meaningless) == ([.init(mark: .address, share: 1, leftOut: false)], 0))
        #expect(try String(decoding: figures.json(), as: UTF8.self).contains(#""schema_version" : 2"#))
        let polls = figures.players.first { $0.name == "AppleCoreMedia" }?.pollMilliseconds ?? []
        #expect(polls.map(\.share) == [0.1, 0.5, 0.9])
        #expect(abs((polls.first { $0.share == 0.5 }?.value ?? 0) - 4000) <= 10)
        // Drawn evenly from 20 to 400 s, but for what the log cuts off.
        let stays = Dictionary(uniqueKeysWithValues: figures.stays.secondsByShareLeft.map { ($0.share, $0.value) })
        #expect(abs((stays[0.25] ?? 0) - 115) < 20, "\(stays)")
        // The delays of the asks are even over three seconds.
        let delays = figures.breaks[0].delayMilliseconds.map(\.value)
        #expect(abs(delays[0] - 1500) < 200 && abs(delays[1] - 2700) < 200, "\(delays)")
    }

    /// Stamps of whole seconds: the same audience, and it is said what they hide.
    @Test func aLogOfWholeSecondsSaysWhatItCannotSay() throws {
        let figures = try LogText.figures(Self.audience.log(milliseconds: false).joined())
        expectAudience(figures, Self.audience, "whole seconds")
        #expect(figures.stamps == .second)
        #expect(figures.players.allSatisfy { $0.pollMilliseconds.isEmpty })
        #expect(figures.notes.contains { $0.contains("whole seconds") && $0.contains("cannot be seen") })
    }

    @Test func theOrderOfFilesAndLinesDoesNotMatter() throws {
        let lines = Self.audience.log()
        let ordered = try LogText.figures(lines.joined())
        let (early, late) = (lines[..<(lines.count / 2)].joined(), lines[(lines.count / 2)...].joined())
        let turned = try LogText.figures([Data(late.utf8), Data(early.utf8)])
        #expect((turned.curve, turned.stays, turned.breaks) == (ordered.curve, ordered.stays, ordered.breaks))
        var random = SeededGenerator(seed: 5)
        // The files of many servers lie beside each other, and none of them is in order.
        var servers = Array(repeating: "", count: 4)
        for line in lines.shuffled(using: &random) { servers[Int.random(in: 0..<4, using: &random)] += line }
        let mixed = try LogText.figures(servers.map { Data($0.utf8) })
        #expect((mixed.curve, mixed.stays, mixed.viewers) == (ordered.curve, ordered.stays, ordered.viewers))
    }

    /// What a shell's `<(zcat log.gz)` is: it cannot be opened a second time.
    @Test func pipesAreReadOnce() throws {
        let lines = Self.few.log()
        let half = lines.count / 2
        let halves = [lines[..<half].joined(), lines[half...].joined()].map { Data($0.utf8) }
        let figures = try LogText.figures(halves, through: .pipes)
        #expect(figures.curve == (try LogText.figures(halves).curve))
        #expect(figures.read.lines == lines.count)
    }

    @Test func packedFilesAreUnpacked() async throws {
        let lines = Self.few.log()
        let folder = try TemporaryFolder()
        let half = lines.count / 2
        let first = try folder.write(lines[..<half].joined(), to: "a.log")
        let second = try folder.write(lines[half...].joined(), to: "b.log")
        _ = try InstalledProgram("gzip").output([first, second])
        // Members that follow each other are one file (RFC 1952 section 2.2).
        let packed = try Data(contentsOf: folder.file("a.log.gz")) + Data(contentsOf: folder.file("b.log.gz"))
        let path = try folder.write(packed, to: "both")
        let figures = try AudienceLogReader().read([path])
        #expect(figures.read.bytes == packed.count)
        let plain = try LogText.figures(lines.joined())
        #expect(figures.curve == plain.curve)
        let cut = try folder.write(packed.dropLast(200), to: "cut")
        let rest = try AudienceLogReader().read([cut])
        #expect(rest.notes.contains { $0.contains("in the midst of what is packed") })
        let broken = try folder.write(packed.prefix(20) + Data(repeating: 0xFF, count: 500), to: "broken")
        #expect(throws: AudienceLogError.self) { try AudienceLogReader().read([broken]) }
    }

    /// A log that was cut out of a longer one: nobody joins in its first moments.
    @Test func aLogThatBeginsInTheMidstSaysSo() throws {
        let figures = try LogText.figures(Self.audience.log().joined()) { options in
            options.from = LogText.start + Duration.seconds(100)
            options.to = LogText.start + Duration.seconds(220)
        }
        #expect(figures.underWayAtStart)
        #expect(figures.stays.underWay > 100)
        let truth = Self.audience.present(at: 100_000)
        let told = figures.curve.first?.viewers ?? 0
        #expect(abs(told - truth) < truth / 20, "\(told) and not \(truth)")
        let end = figures.curve.last?.viewers ?? 0
        let left = Self.audience.present(at: 220_000)
        #expect(abs(end - left) < left / 10, "\(end) and not \(left)")
        #expect(figures.read.outside > 0)
        #expect(figures.notes.contains { $0.contains("not between --from and --to") })
        #expect(try !LogText.figures(Self.audience.log().joined()).underWayAtStart)
    }

    @Test func whoeverLeavesForLongerThanTheGapComesAgain() throws {
        func log(_ pause: Int) -> String {
            ([0, 4000, 8000] + [0, 4000, 8000].map { $0 + 8000 + pause })
                .map { LogText.combined($0, "192.0.2.1", "/a.m3u8", "x") }.joined()
        }
        let short = try LogText.figures(log(59_000))
        #expect(short.stays.whole + short.stays.cutOff == 1)
        let long = try LogText.figures(log(61_000))
        #expect(long.stays.whole == 1 && long.stays.cutOff == 1)
        #expect(long.viewers == 1 && long.peak == 1)
        #expect(interpolated(long.curve, at: 30) == 0)
        let told = try LogText.figures(log(61_000)) { $0.gap = .seconds(70) }
        #expect(told.stays.whole + told.stays.cutOff == 1)
        let tight = try LogText.figures(log(10_000)) { $0.gap = .seconds(9) }
        #expect(tight.notes.contains { $0.contains("less than three polls") })
    }

    /// Many behind one address whose sessions tell them apart, and the first request of each that has none yet.
    @Test func sessionsTellWhomAddressesDoNot() throws {
        let joins = (0..<50).map { LogText.combined($0 * 200, "192.0.2.1", "/v1/master/1/a/index.m3u8", "Mozilla/5.0") }
        let polls = LogText.polls(30, by: 50, apart: 200) { viewer, at in
            LogText.combined(at + 100, "192.0.2.1", "/v1/manifest/1/a/session-\(viewer)/0.m3u8", "Mozilla/5.0")
        }
        let figures = try LogText.figures(joins.joined() + polls)
        #expect((figures.viewers, figures.peak) == (50, 50))
        #expect(figures.toldBy.first { $0.mark == .address }?.leftOut == true)
        #expect(figures.notes.contains { $0.contains("name no session while others do") })
        #expect(!figures.notes.contains { $0.contains("NAT") })
    }

    @Test(arguments: [true, false]) func manyBehindOneAddressAreNoticed(hasMilliseconds: Bool) throws {
        func log(_ address: (Int) -> String) -> String {
            let polls = (0..<20).flatMap { poll in (0..<40).map { (viewer: $0, at: $0 * 50 + poll * 2000) } }
            return polls.map { viewer, at in
                LogText.combined(at, address(viewer), "/a.m3u8", "x", milliseconds: hasMilliseconds)
            }.joined()
        }
        let shared = try LogText.figures(log { _ in "192.0.2.1" })
        #expect(shared.notes.contains { $0.contains("many viewers count as one") })
        let apart = try LogText.figures(log { "192.0.2.\($0)" })
        #expect(!apart.notes.contains { $0.contains("many viewers count as one") })
    }

    @Test func aNameOfTheChannelIsNoSession() throws {
        let lines = LogText.polls(10, by: 40, apart: 10) { viewer, at in
            LogText.combined(at, "192.0.2.\(viewer)", "/a.m3u8?stream_id=sports-hd", "x")
        }
        let taken = try LogText.figures(lines)
        #expect(taken.viewers == 1)
        #expect(taken.notes.contains { $0.contains("--not-session") })
        let told = try LogText.figures(lines) { $0.notSessions = ["stream_id"] }
        #expect(told.viewers == 40)
        #expect(!told.notes.contains { $0.contains("--not-session") })
    }

    /// Pods that are asked for by a session, and playlists that know of none.
    @Test func whoOnlyAsksForAdsIsNobodyWhoWatches() throws {
        let polls = LogText.polls(20, by: 40, apart: 1) { LogText.combined($1, "192.0.2.\($0)", "/a.m3u8", "x") }
        let ads = LogText.polls(1, by: 30, apart: 10) { viewer, at in
            let pod = "/linear/pods/v1/hls/network/1/custom_asset/a/ad_break_id/b-1.m3u8?stream_id=s\(viewer)"
            return LogText.combined(20_000 + at, "192.0.2.\(viewer)", pod, "x")
        }
        let figures = try LogText.figures(polls + ads)
        #expect(figures.viewers == 40 && figures.peak == 40)
        #expect((figures.breaks.map(\.asked), figures.breaks.first?.share) == ([30], 0.75))
        #expect(throws: AudienceLogError.self) { try LogText.figures(ads) }
    }

    @Test func tooManyViewersAreSampled() throws {
        let lines = LogText.polls(4, by: 6000, apart: 1) { viewer, at in
            let address = "10.\(viewer / 62_500).\(viewer / 250 % 250).\(viewer % 250)"
            return LogText.combined(at, address, "/a.m3u8", InventedAudience.agents[viewer % 4])
        }
        let figures = try LogText.figures(lines) { $0.mostRequests = 16_000 }
        #expect(figures.sampledOneIn == 4)
        #expect(abs(figures.viewers - 6000) < 600, "\(figures.viewers)")
        #expect(abs(figures.peak - 6000) < 600, "\(figures.peak)")
        #expect(figures.notes.contains { $0.contains("one viewer in 4") })
    }
}

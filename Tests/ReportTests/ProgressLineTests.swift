import Testing

@testable import Report

@Suite struct ProgressLineTests {
    private let progress = Progress(
        profile: "quick",
        elapsedSeconds: 65,
        secondsLeft: 3_725,
        viewers: [("joining", 0), ("watching", 4_980), ("in a break", 20)],
        requestsPerSecond: 1_234.9,
        requests: 81_234,
        errors: 1,
        findings: 2,
        secondsToNextBreak: 7,
        lastBreak: (5_000, 99.98)
    )

    @Test func aPlainLineSaysEverythingWithoutCodes() {
        #expect(
            ProgressLine.plain(progress) == "quick  1:05, 1:02:05 left | 4,980 watching, 20 in a break"
                + " | 1,234/s, 81,234 in all, 1 error, 2 findings"
                + " | next in 0:07, last 99.98% on time of 5,000 viewers"
        )
    }

    @Test func aLimitKeepsItsKeyWhileItsFiguresGrow() {
        var (early, late) = (progress, progress)
        early.limits = ["event loops were delayed more than 250 ms in 5 of 60 s (tolerated 3; worst 900 ms)"]
        late.limits = ["event loops were delayed more than 250 ms in 50 of 600 s (tolerated 30; worst 1.20 s)"]
        late.found = ["broken pod_mismatch: Sessions that must match got different pods."]
        let (first, news) = (ProgressLine.news(early), ProgressLine.news(late, width: 80))
        #expect(first.map(\.key) == Array(news.map(\.key).prefix(1)))
        #expect(news.count == 2 && news[1].text.hasPrefix("1:05 Finding: broken pod_mismatch: "))
        #expect(news.allSatisfy { $0.text.split(separator: "\n").allSatisfy { $0.count <= 80 } })
    }

    @Test func nothingYetIsSaidSo() {
        var bare = progress
        (bare.profile, bare.elapsedSeconds, bare.secondsLeft, bare.viewers) = ("p", 0, nil, [])
        (bare.requestsPerSecond, bare.requests, bare.errors, bare.findings) = (.nan, 0, 0, 0)
        (bare.secondsToNextBreak, bare.lastBreak) = (nil, nil)
        let line = ProgressLine.plain(bare)
        #expect(line == "p  0:00, no end set | none yet | 0/s, 0 in all, 0 errors | none in sight")
    }

    @Test func theFirstBlockDoesNotGoUp() {
        let text = ProgressLine.ansi(progress, width: 80)
        #expect(text.hasPrefix("\r\u{1b}[2K"))
        #expect(text.count { $0 == "\n" } == ProgressLine.height)
    }

    @Test func theNextBlockCoversTheOneBefore() {
        let text = ProgressLine.ansi(progress, width: 80, redrawing: ProgressLine.height)
        #expect(text.hasPrefix("\u{1b}[4A\r\u{1b}[2K"))
    }

    @Test(arguments: [1, 10, 20, 40, 80]) func noLineCanWrap(width: Int) {
        let text = ProgressLine.ansi(progress, width: width, colour: false)
        for line in text.split(separator: "\n") {
            #expect(line.drop { $0 == "\r" }.replacing("\u{1b}[2K", with: "").count < max(width, 2))
        }
    }

    @Test func withoutColourThereAreOnlyCursorCodes() {
        let text = ProgressLine.ansi(progress, width: 80, colour: false)
        #expect(!text.contains(/\u{1b}\[[0-9]+m/))
        #expect(ProgressLine.ansi(progress, width: 80, colour: true).contains(/\u{1b}\[31m/))
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e308, -5]) func aStrangeRateDoesNotTrap(rate: Double) {
        var strange = progress
        strange.requestsPerSecond = rate
        #expect(ProgressLine.plain(strange).contains("/s, 81,234 in all"))
    }
}

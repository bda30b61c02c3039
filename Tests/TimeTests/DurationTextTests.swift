import Testing
import Values

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("500ms", 500_000_000), ("1.5s", 1_500_000_000), ("1500ms", 1_500_000_000), ("1h30m", 5_400_000_000_000),
        ("8h0m0s", 28_800_000_000_000), ("0.000000001s", 1), ("0.0000000019s", 1), ("0s", 0), ("250us", 250_000),
        ("1h1m1s1ms1us", 3_661_001_001_000), ("2562047h", 9_223_369_200_000_000_000),
    ])
    func numbersWithUnitsAreExact(text: String, nanoseconds: Int64) {
        #expect(Duration(text: text) == .nanoseconds(nanoseconds))
        #expect(Duration(signedText: "-" + text) == .nanoseconds(-nanoseconds))
        #expect(Duration(signedText: "+" + text) == .nanoseconds(nanoseconds))
    }

    @Test(arguments: [
        "", "8", "h", "-8h", "1s1h", "1h1h", "8 h", " 8h", "1d", "999999999999h", "2562048h", "..s", ".5s", "5.s",
        "1.2.3s",
        "1e9h", "٣h", "1_000ms", "1S", "9223372036854775808us", "-", "+", "--1s",
    ])
    func anythingElseIsNone(text: String) {
        #expect(Duration(text: text) == nil)
        #expect(Duration(signedText: "-" + text) == nil)
    }

    @Test(arguments: [
        (Duration.milliseconds(1500), "1s500ms"), (.seconds(5400), "1h30m"), (.zero, "0s"), (.seconds(-1), "0s"),
        (.microseconds(1), "1us"), (.seconds(86_400), "24h"),
    ])
    func isSpelledTheWayItIsRead(duration: Duration, text: String) {
        #expect(duration.text == text)
        #expect(Duration(text: text) == max(duration, .zero))
    }

    @Test func whatIsWrittenReadsBackToTheMicrosecond() {
        var microseconds: Int64 = 1
        while microseconds < Int64.max / 4_000 {
            #expect(Duration(text: Duration.microseconds(microseconds).text) == .microseconds(microseconds))
            microseconds = microseconds * 3 + 1
        }
    }
}

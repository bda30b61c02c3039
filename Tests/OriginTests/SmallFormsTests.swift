import HLS
import Testing
import Values

@testable import Origin

@Suite struct HTTPDateTests {
    @Test(
        arguments: [
            (seconds: Int64(0), text: "Thu, 01 Jan 1970 00:00:00 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (1_795_247_699, "Sat, 21 Nov 2026 07:54:59 GMT"), (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
            (-5, "Thu, 01 Jan 1970 00:00:00 GMT"),
        ]
    )
    func dateIsAnIMFFixdate(seconds: Int64, text: String) {
        #expect(HTTPDate.text(epochSeconds: seconds) == text)
    }
}

@Suite struct FormFieldsTests {
    @Test(
        arguments: [
            (text: "", pairs: [String]()), ("a=b", ["a", "b"]), ("a=b&c=d%20e+f", ["a", "b", "c", "d e f"]),
            ("a", ["a", ""]), ("a=b=c", ["a", "b=c"]), ("&&a=&", ["a", ""]),
            ("stream_id=x%3ATUL", ["stream_id", "x:TUL"]), ("a=%", ["a", "%"]), ("a=%4", ["a", "%4"]),
            ("a=%zz%41", ["a", "%zzA"]), ("a=%+1%-1", ["a", "% 1%-1"]),
            ("cust_params=k%253Dv", ["cust_params", "k%3Dv"]),
        ]
    )
    func queryIsRead(text: String, pairs: [String]) {
        #expect(FormFields(text).pairs.flatMap { [$0.name, $0.value] } == pairs)
    }

    @Test func plusStaysItselfInAPath() {
        #expect(PercentEncoding.decode("a+b%3Ac") == "a+b:c")
    }
}

@Suite struct DecimalSecondsTests {
    @Test(arguments: [(Int64(0), "0.000"), (500_000, "0.500"), (30_000_000, "30.000"), (1_000_001, "1.000001")])
    func secondsKeepWhatTheyNeed(microseconds: Int64, text: String) {
        #expect(SecondsText.decimal(microseconds) == text)
    }
}

@Suite struct GzipTests {
    @Test func bodyIsAGzipMemberAndSmaller() throws {
        let body = Array(String(repeating: "#EXTINF:2.000,\n1.m4s\n", count: 50).utf8)
        let compressed = try #require(Gzip.compress(body))
        #expect(compressed.starts(with: [0x1F, 0x8B, 8]))
        #expect(compressed.count < body.count / 4)
        // ISIZE, the last field of RFC 1952, is the length of what was compressed.
        let size = compressed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(size == body.count)
    }

    @Test func emptyBodyIsCompressedToo() throws {
        #expect(try #require(Gzip.compress([])).count >= 18)
    }
}

@Suite struct RegistrationResponseTests {
    @Test(arguments: [
        (Duration.seconds(28_800), "8h0m0s"), (.seconds(59), "59s"), (.seconds(90), "1m30s"),
        (.seconds(3_661), "1h1m1s"),
        (.milliseconds(61_500), "1m1.500s"), (.milliseconds(10), "0.010s"),
    ])
    func lengthsOfTimeAreWrittenAsTheAdServerDoes(time: Duration, text: String) {
        #expect(RegistrationResponse.hours(time) == text)
    }
}

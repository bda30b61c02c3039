import Testing

@testable import Audit

/// The name of a point of presence as each network spells it.
@Suite struct PointOfPresenceTests {
    private func name(_ headers: [String: String]) -> String {
        PointOfPresence.name { name, take in
            guard var value = headers["\(name)"] else { return take(nil) }
            value.withUTF8 { take(UnsafeRawBufferPointer($0)) }
        }
    }

    @Test(arguments: [
        ("x-amz-cf-pop", "FRA56-P3", "FRA56-P3"),
        ("x-served-by", "cache-fra-eddf8230123-FRA", "FRA"),
        // The shield first, the edge last.
        ("x-served-by", "cache-lga21984-LGA, cache-pdx12320-PDX", "PDX"),
        // Whoever else says by whom it was served means a machine.
        ("x-served-by", "web-17", ""),
        ("cf-ray", "230b030023ae2822-SJC", "SJC"),
        ("cf-ray", "230b030023ae2822", ""),
        (
            "akamai-request-bc",
            "[a=12.34.56.89,b=12345678,c=g,n=US_CA_SANJOSE,o=20940],[c=p,n=US_NJ_NEWARK,o=55155]", "US_CA_SANJOSE"
        ),
        ("akamai-request-bc", "[a=12.34.56.89,c=o]", ""),
        ("x-cache", "TCP_HIT from a12", ""),
    ])
    func eachNetworkNamesItInItsOwnWay(header: String, value: String, expected: String) {
        #expect(name([header: value]) == expected)
    }

    @Test func nothingTrapsAndALongOneIsCut() {
        for value in ["", "-", ",", "[", "]", "cache-", "\u{0}", "n="] {
            for header in ["x-amz-cf-pop", "x-served-by", "cf-ray", "akamai-request-bc"] {
                #expect(name([header: value]).utf8.count < 8)
            }
        }
        #expect(name(["x-amz-cf-pop": String(repeating: "x", count: 9_999)]).utf8.count == 512)
    }
}

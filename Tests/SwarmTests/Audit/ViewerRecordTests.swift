import Testing

@testable import Audit

/// A viewer remembers the newest breaks, and says of those before them that it knows nothing.
struct ViewerRecordTests {
    private static func start(_ number: Int) -> Int64 { Int64(number) * 5_000_000 }

    @Test func breaksBeforeAllThatAreRememberedAreForgotten() {
        let (told, untold) = (ViewerRecord(), ViewerRecord())
        for number in 1...17 {
            told.list(Self.start(number))
            untold.miss("\(number)", start: Self.start(number))
        }
        for record in [told, untold] {
            #expect(record.hasForgotten(Self.start(1)) && !record.hasForgotten(Self.start(2)))
        }
        #expect(!told.isTold(of: Self.start(1), within: 1_000_000) && told.isTold(of: Self.start(2), within: 1_000_000))
        #expect(!untold.hasMissed("1") && untold.hasMissed("2") && !untold.hasMissed("18"))
    }
}

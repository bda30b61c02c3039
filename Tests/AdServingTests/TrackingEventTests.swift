import AdServing
import Testing

@Suite struct TrackingEventTests {
    @Test func trackingEventsCarryTheNamesOfTheSDKAndOfTheMetadata() {
        let names = [
            "AD_BREAK_STARTED", "AD_PERIOD_STARTED", "STARTED start", "FIRST_QUARTILE firstquartile",
            "MIDPOINT midpoint", "THIRD_QUARTILE thirdquartile", "COMPLETE complete", "AD_PERIOD_ENDED",
            "AD_BREAK_ENDED",
        ]
        for (event, name) in zip(TrackingEvent.allCases, names) {
            #expect(([event.rawValue] + [event.metadataType].compactMap(\.self)).joined(separator: " ") == name)
        }
        #expect(TrackingEvent.allCases.count == names.count)
    }
}

import AdServing
import Testing

@Suite struct TrackingEventTests {
    @Test func trackingEventsCarryTheNamesOfTheSDK() {
        #expect(
            TrackingEvent.allCases.map(\.rawValue) == [
                "AD_BREAK_STARTED", "AD_PERIOD_STARTED", "STARTED", "FIRST_QUARTILE", "MIDPOINT", "THIRD_QUARTILE",
                "COMPLETE", "AD_PERIOD_ENDED", "AD_BREAK_ENDED",
            ]
        )
        #expect(
            TrackingEvent.allCases.map(\.metadataType) == [
                nil, nil, "start", "firstquartile", "midpoint", "thirdquartile", "complete", nil, nil,
            ]
        )
    }

    @Test func metadataTypesLeadBackToTheirEvent() {
        for event in TrackingEvent.allCases {
            if let type = event.metadataType { #expect(TrackingEvent(metadataType: type) == event) }
        }
    }

    @Test(arguments: ["progress", "", "START", "AD_BREAK_STARTED"])
    func otherTypesAreNoEvent(_ type: String) {
        #expect(TrackingEvent(metadataType: type) == nil)
    }
}

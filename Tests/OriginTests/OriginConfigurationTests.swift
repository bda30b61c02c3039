import Profile
import Testing

@testable import Origin

@Suite struct OriginConfigurationTests {
    private static let bad: [(field: String, change: @Sendable (inout OriginConfiguration) -> Void)] = [
        ("--port", { $0.port = 70_000 }),
        ("--port", { $0.port = -1 }),
        ("target.embedded.variants", { $0.variantCount = 0 }),
        ("target.embedded.variants", { $0.variantCount = 3 }),
        ("target.embedded.segmentDuration", { $0.segmentDuration = .seconds(11) }),
        ("target.embedded.segmentDuration", { $0.segmentDuration = .milliseconds(2_500) }),
        ("target.embedded.windowSegments", { $0.windowSegments = 2 }),
        ("breaks.source", { $0.breakInterval = .seconds(-1) }),
        ("breaks.source", { $0.breakInterval = .milliseconds(1) }),
        ("breaks.source", { $0.breakOffset = .seconds(-1) }),
        ("breaks.podDuration", { $0.breakDuration = .zero }),
        ("breaks.podDuration", { $0.breakDuration = .seconds(61) }),
        ("target.embedded.adDuration", { $0.adDuration = .milliseconds(999) }),
        ("target.embedded.sessionValidity", { $0.sessionValidity = .zero }),
        ("target.embedded.metadataPolling", { $0.metadataPollingFrequency = .zero }),
        ("target.embedded.networkCode", { $0.session.networkCode = "" }),
        ("target.embedded.customAssetKey", { $0.session.customAssetKey = "a b" }),
    ]

    @Test(arguments: bad.indices)
    func mistakeNamesItsField(index: Int) {
        var configuration = OriginConfiguration()
        Self.bad[index].change(&configuration)
        let error = #expect(throws: OriginConfigurationError.self) { try configuration.validate() }
        #expect(error?.mistakes.count == 1)
        #expect(error?.description.hasPrefix("\(Self.bad[index].field): ") == true, "\(error?.description ?? "")")
    }

    @Test func allMistakesAreToldAtOnce() {
        var configuration = OriginConfiguration()
        configuration.port = -1
        configuration.variantCount = 9
        configuration.adDuration = .zero
        let error = #expect(throws: OriginConfigurationError.self) { try configuration.validate() }
        #expect(error?.mistakes.count == 3)
    }
}

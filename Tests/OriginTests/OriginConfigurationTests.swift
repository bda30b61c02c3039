import Profile
import Testing

@testable import Origin

@Suite struct OriginConfigurationTests {
    private static let bad: [(field: String, change: @Sendable (inout OriginConfiguration) -> Void)] = [
        ("port", { $0.port = 70_000 }), ("port", { $0.port = -1 }), ("variantCount", { $0.variantCount = 0 }),
        ("variantCount", { $0.variantCount = 3 }), ("segmentDuration", { $0.segmentDuration = .seconds(11) }),
        ("segmentDuration", { $0.segmentDuration = .milliseconds(2_500) }),
        ("windowSegments", { $0.windowSegments = 2 }), ("breakInterval", { $0.breakInterval = .seconds(-1) }),
        ("breakInterval", { $0.breakInterval = .milliseconds(1) }), ("breakOffset", { $0.breakOffset = .seconds(-1) }),
        ("breakDuration", { $0.breakDuration = .zero }), ("breakDuration", { $0.breakDuration = .seconds(61) }),
        ("adDuration", { $0.adDuration = .milliseconds(999) }), ("sessionValidity", { $0.sessionValidity = .zero }),
        ("pollingFrequency", { $0.metadataPollingFrequency = .zero }), ("networkCode", { $0.session.networkCode = "" }),
        ("customAssetKey", { $0.session.customAssetKey = "a b" }),
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

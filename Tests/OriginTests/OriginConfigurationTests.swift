import Profile
import Testing

@testable import Origin

/// Mistakes that the rules of a profile's fields leave to the origin.
@Suite struct OriginConfigurationTests {
    private static let bad: [(field: String, change: @Sendable (inout OriginConfiguration) -> Void)] = [
        ("--port", { $0.port = 70_000 }),
        ("--port", { $0.port = -1 }),
        ("breaks.podDuration", { $0.breakDuration = .seconds(61) }),
        ("target.embedded.networkCode", { $0.session.networkCode = "1,2" }),
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
        for bad in Self.bad { bad.change(&configuration) }
        let error = #expect(throws: OriginConfigurationError.self) { try configuration.validate() }
        #expect(error?.mistakes.count == 3)
    }
}

import Testing
import Transport
import Values

struct EachCarrier: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var underTest = CarrierChoice.auto

    var isRecursive: Bool { true }

    func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void)
        async throws
    {
        guard testCase != nil else {
            try await function()
            return
        }
        for choice in CarrierChoice.allCases { try await Self.$underTest.withValue(choice) { try await function() } }
    }
}

extension Trait where Self == EachCarrier {
    /// Once over podswarm's own exchange where it can, and once over libcurl alone.
    static var eachCarrier: Self { EachCarrier() }
}

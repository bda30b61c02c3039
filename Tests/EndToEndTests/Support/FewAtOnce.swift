import TestSupport
import Testing

/// Lets a few tests of a suite's kind run at once: each starts programs of its own.
///
/// Most of them wait for a run of twenty viewers, which takes a hundredth of a core.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        // A suite and a test of several cases hold no place themselves: what is within them does.
        guard testCase != nil else { return try await function() }
        await Places.shared.take()
        try await ending({ await Places.shared.giveBack() }, after: function)
    }

    private actor Places {
        static let shared = Places()
        private var free = 10
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func take() async {
            guard free == 0 else {
                free -= 1
                return
            }
            await withCheckedContinuation { waiting.append($0) }
        }

        func giveBack() {
            guard waiting.isEmpty else {
                waiting.removeFirst().resume()
                return
            }
            free += 1
        }
    }
}

extension Trait where Self == FewAtOnce {
    static var fewAtOnce: Self { Self() }
}

import TestSupport
import Testing

/// Lets a few tests of a kind run at once: each starts programs of its own.
///
/// Tests that wait have places of their own, so that the cores are never idle while others have work for them.
struct FewAtOnce: SuiteTrait, TestTrait, TestScoping {
    fileprivate let places: Places

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        // A suite and a test of several cases hold no place themselves: what is within them does.
        guard testCase != nil else { return try await function() }
        await places.take()
        try await ending({ await places.giveBack() }, after: function)
    }

    fileprivate actor Places {
        static let (ofWork, ofWaiting, ofLies) = (Places(5), Places(10), Places(1))
        private var free: Int
        private var waiting: [CheckedContinuation<Void, Never>] = []

        init(_ count: Int) { free = count }

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
    static var fewAtOnce: Self { Self(places: .ofWork) }

    /// For what waits more than it works: a run of twenty viewers over sockets takes a hundredth of a core.
    static var fewWaiting: Self { Self(places: .ofWaiting) }

    /// For crowds that are told lies: what they ask for keeps a core busy, and each viewer has seconds to be lied to.
    static var oneCrowd: Self { Self(places: .ofLies) }
}

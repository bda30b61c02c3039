import Foundation

enum DelayFault {
    /// Gives the true answer late; with `growth`, later by that share with each `per` since the origin started.
    static let delay = FaultKind(
        "delay",
        kinds: RequestKind.known,
        parameters: [.growth, .per],
        required: [.delay]
    ) { fault, occasion, effects in
        let delay = fault.delay ?? .zero
        guard fault.growth > 0 else {
            effects.delay += delay
            return
        }
        let steps = occasion.elapsed / fault.growthStep
        let grown = (delay / Duration.milliseconds(1)) * pow(1 + fault.growth, max(0, steps))
        // An hour is the longest delay that a plan may ask for, however long the origin runs.
        effects.delay += .milliseconds(min(grown, 3_600_000))
    }
}

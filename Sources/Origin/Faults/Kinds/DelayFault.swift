import Foundation

enum DelayFault {
    /// Delays the true answer; with `growth`, more by that share with each `per` since the origin started.
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
        // Limit of a plan's delays.
        effects.delay += .milliseconds(min(grown, 3_600_000))
    }
}

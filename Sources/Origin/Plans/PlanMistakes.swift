/// A mistake in a plan and where it stands.
package struct PlanMistake: Equatable, Sendable {
    /// Counted from 1.
    package let line: Int
    /// What is wrong, what is allowed, and the nearest valid name for a misspelt one.
    package let message: String
}

/// Every mistake in a fault plan or a channel plan at once, each with its line.
package struct PlanError: Error, Equatable, CustomStringConvertible {
    /// In the order of their lines, never empty.
    package let mistakes: [PlanMistake]

    package var description: String {
        mistakes.map { "line \($0.line): \($0.message)" }.joined(separator: "\n")
    }
}

/// Gathers what is wrong with a plan while it is read.
final class PlanMistakes {
    private var all: [PlanMistake] = []

    func note(_ line: Int, _ message: String) {
        all.append(PlanMistake(line: line, message: message))
    }

    /// Throws what was noted; nothing where nothing was.
    func throwAll() throws(PlanError) {
        guard all.isEmpty else { throw PlanError(mistakes: all.sorted { $0.line < $1.line }) }
    }
}

/// Why a call for a break is not taken.
package enum CallRefusal: Error, Equatable, Sendable {
    /// It cannot be read, and what is wrong with it, as a predicate.
    case malformed(String)
    /// It asks for what cannot be.
    case outOfBounds(String)
    /// It meets another break, or repeats a call.
    case conflict(String)
    /// There were too many before it.
    case tooMany(String)
    /// The run has not begun, or is over.
    case closed(String)

    /// A sentence for who called.
    package var text: String {
        switch self {
        case .malformed(let predicate): "the call \(predicate)"
        case .outOfBounds(let text), .conflict(let text), .tooMany(let text), .closed(let text): text
        }
    }
}

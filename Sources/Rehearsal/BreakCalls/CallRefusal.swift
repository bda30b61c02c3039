package enum CallRefusal: Error, Equatable, Sendable {
    /// Cannot be parsed; the predicate says why.
    case malformed(String)
    case outOfBounds(String)
    /// Overlaps another break, or repeats a call.
    case conflict(String)
    case tooMany(String)
    /// The run has not begun, or is over.
    case closed(String)

    package var text: String {
        switch self {
        case .malformed(let predicate): "the call \(predicate)"
        case .outOfBounds(let text), .conflict(let text), .tooMany(let text), .closed(let text): text
        }
    }
}

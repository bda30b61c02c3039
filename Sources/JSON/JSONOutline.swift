/// What is wanted of a JSON text that is large, so that the rest costs no more than to pass over it.
package indirect enum JSONOutline: Sendable {
    case all
    /// It becomes null, whatever it is.
    case nothing
    /// Of an object, the members with these names; other values are read whole.
    case members([String: JSONOutline])
    /// Of an array, every element; of an object, every member.
    case each(JSONOutline)

    /// What is wanted of a member.
    func member(_ name: String) -> JSONOutline {
        switch self {
        case .all: .all
        case .nothing: .nothing
        case .members(let wanted): wanted[name] ?? .nothing
        case .each(let outline): outline
        }
    }

    /// Whether a member stands in what is made; one that is there and of no further interest is null.
    func keeps(_ name: String) -> Bool {
        if case .members(let wanted) = self { return wanted[name] != nil }
        return true
    }

    /// What is wanted of an element.
    var element: JSONOutline {
        switch self {
        case .all, .members: .all
        case .nothing: .nothing
        case .each(let outline): outline
        }
    }
}

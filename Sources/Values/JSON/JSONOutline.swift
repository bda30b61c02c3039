/// Selection of the wanted parts of a large JSON text; the rest is skipped cheaply.
package indirect enum JSONOutline: Sendable {
    case all
    /// The value becomes null.
    case nothing
    /// The listed members of an object; values other than objects are read whole.
    case members([String: JSONOutline])
    /// Every element of an array or member of an object.
    case each(JSONOutline)

    func member(_ name: String) -> JSONOutline {
        switch self {
        case .all: .all
        case .nothing: .nothing
        case .members(let wanted): wanted[name] ?? .nothing
        case .each(let outline): outline
        }
    }

    /// Whether the member is in the output; a kept member with the outline `nothing` is null.
    func keeps(_ name: String) -> Bool {
        if case .members(let wanted) = self { return wanted[name] != nil }
        return true
    }

    var element: JSONOutline {
        switch self {
        case .all, .members: .all
        case .nothing: .nothing
        case .each(let outline): outline
        }
    }
}

/// A header or parameter of which an origin counts who said what in it.
package struct CountedField: Sendable, Equatable, Codable {
    /// What it stands in.
    package enum Place: String, Sendable, Codable {
        /// Every request of a viewer.
        case header
        case registration
        case pod
        /// An update of a session; a viewer may register with what it told there.
        case update
    }

    package var place: Place
    /// Of a header, in lower case.
    package var name: String
    /// Whether values may be shown; those of a secret are only told apart.
    package var showsValues: Bool

    package init(_ place: Place, _ name: String, showsValues: Bool = true) {
        self.place = place
        self.name = name
        self.showsValues = showsValues
    }

    /// What its counts are kept under, such as `header x-region`.
    package var title: String { "\(place.rawValue) \(name)" }
}

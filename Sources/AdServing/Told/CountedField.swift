/// Header or parameter whose values an origin counts per viewer.
package struct CountedField: Sendable, Equatable, Codable {
    package enum Place: String, Sendable, Codable {
        /// Every request of a viewer.
        case header
        case registration
        case pod
        /// Update of a session; a later registration of the viewer may repeat its value.
        case update
    }

    package var place: Place
    /// Lower case for a header.
    package var name: String
    /// False for a secret, whose values are only compared.
    package var showsValues: Bool

    package init(_ place: Place, _ name: String, showsValues: Bool = true) {
        self.place = place
        self.name = name
        self.showsValues = showsValues
    }

    package var title: String { "\(place.rawValue) \(name)" }
}

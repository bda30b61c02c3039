/// A property that tells viewers apart, such as where they live: each viewer has one of its values, by share.
///
/// `{name}` stands for the value wherever a profile writes what a viewer sends to its target.
package struct AudienceLabel: Sendable, Equatable {
    package struct Value: Sendable, Equatable {
        package var text: String
        /// From 0 to 1.
        package var share: Double

        package init(_ text: String, share: Double) {
            self.text = text
            self.share = share
        }
    }

    package var name: String
    /// Their shares add up to 1.
    package var values: [Value]

    package init(_ name: String, values: [Value]) {
        self.name = name
        self.values = values
    }
}

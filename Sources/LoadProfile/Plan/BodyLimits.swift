/// How long a decoded body of each kind may be, in bytes; `maximumBodyBytes` bounds them all.
///
/// What is kept of a body costs a viewer several times its length, and a target may send every viewer another one.
package struct BodyLimits: Sendable, Equatable {
    package var registration = 1 << 20
    package var multivariant = 4 << 20
    package var playlist = 8 << 20
    /// Manifests and playlists of pods and of assets.
    package var pod = 256 << 10
    package var metadata = 4 << 20
    package var assetList = 1 << 20
    package var steering = 256 << 10

    package static let usual = BodyLimits()

    package init() {}

    /// Each with its name in a profile.
    package static let fields: [(name: String, value: any WritableKeyPath<BodyLimits, Int> & Sendable)] = [
        ("registration", \.registration), ("multivariant", \.multivariant), ("playlist", \.playlist), ("pod", \.pod),
        ("metadata", \.metadata), ("assetList", \.assetList), ("steering", \.steering),
    ]
}

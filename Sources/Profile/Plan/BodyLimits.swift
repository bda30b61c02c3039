/// Maximum length of a decoded body of each kind, in bytes; `maximumBodyBytes` limits them all.
///
/// The parsed form of a body costs a viewer several times its length, and a target may send each viewer a different one.
package struct BodyLimits: Sendable, Equatable, ProfileFields {
    package var registration = 1 << 20
    package var multivariant = 4 << 20
    package var playlist = 8 << 20
    package var pod = 256 << 10
    package var metadata = 4 << 20
    package var assetList = 1 << 20
    package var steering = 256 << 10

    package static let usual = BodyLimits()

    package static func fields(_ f: inout FieldTable<Self>) {
        let size = ConnectionPlan.bodySize
        f["registration", \.registration, size, .unlessUsual] = "The answer to a registration."
        f["multivariant", \.multivariant, size, .unlessUsual] = "The multivariant playlist of the channel."
        f["playlist", \.playlist, size, .unlessUsual] = "A media playlist of the channel."
        f["pod", \.pod, size, .unlessUsual] = "A manifest or playlist of a pod or of an asset."
        f["metadata", \.metadata, size, .unlessUsual] = "Ad metadata."
        f["assetList", \.assetList, size, .unlessUsual] = "An asset list."
        f["steering", \.steering, size, .unlessUsual] = "A steering manifest."
    }
}

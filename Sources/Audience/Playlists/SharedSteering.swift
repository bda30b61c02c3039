package import HLS

/// A steering manifest, read once for all viewers of a loop that got an equal one.
package final class SharedSteering: Sendable {
    package let manifest: SteeringManifest
    /// Where the next manifest comes from; empty where there is no next.
    package let reloadURL: String
    /// The channel with the pathways that the manifest adds to it; nil where it adds none.
    package let channel: SharedMultivariant?

    package init(_ manifest: SteeringManifest, url: String, channel: SharedMultivariant?) {
        self.manifest = manifest
        self.channel = channel
        reloadURL = manifest.reloadURI.flatMap { URLReference.resolve($0, against: url) } ?? url
    }
}

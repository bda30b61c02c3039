package import HLS

/// Steering manifest, read once for all viewers of a loop with an equal one.
package final class SharedSteering: Sendable {
    package let manifest: SteeringManifest
    /// URL of the next manifest; empty if there is none.
    package let reloadURL: String
    /// Channel with the pathways that the manifest adds; nil if it adds none.
    package let channel: SharedMultivariant?

    package init(_ manifest: SteeringManifest, url: String, channel: SharedMultivariant?) {
        self.manifest = manifest
        self.channel = channel
        reloadURL = manifest.reloadURI.flatMap { URLReference.resolve($0, against: url) } ?? url
    }
}

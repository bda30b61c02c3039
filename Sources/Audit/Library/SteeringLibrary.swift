import AdServing
import Audience
import HLS

/// The steering manifests that were answered lately on this loop, read once for all viewers that got an equal one.
///
/// Confined to its loop.
final class SteeringLibrary {
    private struct Known {
        let body: [UInt8]
        let channel: SharedMultivariant
        let steering: SharedSteering
    }

    /// A target that gives each session a steering server of its own must not fill the memory.
    private static let keptManifests = 16

    /// By URL.
    private var known: [String: Known] = [:]

    /// The steering manifest in a body, with the pathways that it adds to a channel.
    ///
    /// - Throws: What is wrong with a body that is no steering manifest.
    func steering(
        _ body: UnsafeRawBufferPointer,
        url: String,
        of channel: SharedMultivariant
    ) throws(SteeringManifestError) -> SharedSteering {
        if let last = known[url], last.channel === channel, last.body.equals(body) { return last.steering }
        let manifest = try SteeringManifest.parse(body)
        let extended = SharedMultivariant.extended(channel.playlist, by: manifest, url: channel.url)
        let steering = SharedSteering(manifest, url: url, channel: extended)
        if known.count >= Self.keptManifests {
            known.removeAll()
        }
        known[url] = Known(body: Array(body), channel: channel, steering: steering)
        return steering
    }
}

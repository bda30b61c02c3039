import AdServing
import HLS
import Viewer

/// Recent steering manifests of this loop, parsed once for all viewers with an equal one.
///
/// Confined to its loop.
final class SteeringLibrary {
    private struct Known {
        let body: [UInt8]
        let channel: SharedMultivariant
        let steering: SharedSteering
    }

    /// Limit for targets that give each session a steering server of its own.
    private static let keptManifests = 16

    private var known: [String: Known] = [:]

    func steering(
        _ body: UnsafeRawBufferPointer,
        url: String,
        of channel: SharedMultivariant
    ) throws(SteeringManifestError) -> SharedSteering {
        if let last = known[url], last.channel === channel, last.body.equals(body) { return last.steering }
        let manifest = try SteeringManifest.parse(body)
        let extended = SharedMultivariant.extended(channel.playlist, by: manifest, url: channel.url)
        let steering = SharedSteering(manifest, url: url, channel: extended)
        let new = Known(body: Array(body), channel: channel, steering: steering)
        known.keep(new, for: url, atMost: Self.keptManifests)
        return steering
    }
}

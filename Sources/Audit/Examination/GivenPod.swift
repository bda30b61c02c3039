import AdServing
import HLS

/// A body of a pod: what is compared of it, and how it is shown.
struct GivenPod {
    /// Of a rendition what is played; of a manifest that leads to renditions what it offers, because nothing of it is played.
    let fingerprint: UInt64
    let text: String
    /// What a manifest offers; nil of a rendition.
    let ladder: Ladder?
    /// Which renditions belong together: the same for manifests that lead to the same addresses.
    let name: UInt64

    /// - Parameters:
    ///   - playlist: The manifest, or one of its renditions.
    ///   - played: What is played, as the viewer is given it.
    ///   - own: The viewer's own id, which is not shown.
    init(_ playlist: Playlist, _ played: PlayedContent, own: StreamID?) {
        switch playlist {
        case .media(let media):
            fingerprint = played.fingerprint(of: media)
            text = BodySummary.text(of: media, own: own)
            ladder = nil
            name = fingerprint
        case .multivariant(let multivariant):
            let ladder = Ladder(multivariant)
            fingerprint = ladder.fingerprint
            text = ladder.text
            self.ladder = ladder
            name = played.fingerprint(ofAddressesIn: multivariant)
        }
    }
}

/// What one viewer was given so far for the pod of its break.
///
/// Confined to its loop. An object, so that viewers without a pod hold no room for it.
final class PodInHand {
    let manifest: GivenPod
    /// False where the manifest is another break's or another viewer's, a finding of its own: others are not held against it.
    let isSound: Bool
    /// The rendition that is played, by its name in the ladder.
    var rendition: (name: String, pod: GivenPod)?
    /// What it was offered when it asked once more.
    var repeatedLadder: Ladder?

    init(_ manifest: GivenPod, isSound: Bool) {
        self.manifest = manifest
        self.isSound = isSound
    }
}

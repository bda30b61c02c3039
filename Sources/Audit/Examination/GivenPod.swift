import AdServing
import HLS

/// A pod's body: the compared parts, and a text for evidence.
struct GivenPod {
    /// Covers the played content of a rendition, or the renditions that a multivariant manifest offers.
    let fingerprint: UInt64
    let text: String
    let ladder: Ladder?
    /// Equal for manifests with the same URLs, so that their renditions are compared.
    let name: UInt64

    /// `own` is the viewer's id, which is not shown.
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

/// Pod that one viewer was given for its break.
///
/// Confined to its loop. An object, so that viewers without a pod need no memory for it.
final class PodInHand {
    let manifest: GivenPod
    /// False for another break's or another viewer's manifest, which is a finding of its own and not compared.
    let isSound: Bool
    /// The played rendition, by its name in the ladder.
    var rendition: (name: String, pod: GivenPod)?
    var repeatedLadder: Ladder?

    init(_ manifest: GivenPod, isSound: Bool) {
        self.manifest = manifest
        self.isSound = isSound
    }
}

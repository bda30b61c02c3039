import HLS
import LoadProfile

extension Turn {
    /// Index of the variant that this viewer plays, of the channel and of pods alike; nil where there is none.
    func choice(of multivariant: MultivariantPlaylist) -> Int? {
        choice(of: multivariant, among: Array(multivariant.variants.indices))
    }

    /// The same among some of the variants.
    func choice(of multivariant: MultivariantPlaylist, among indices: [Int]) -> Int? {
        let variants = multivariant.variants
        guard !indices.isEmpty else { return nil }
        switch plan.playback.variant {
        case .first: return indices.first
        case .highest: return indices.max { variants[$0].bandwidth < variants[$1].bandwidth }
        case .lowest: return indices.min { variants[$0].bandwidth < variants[$1].bandwidth }
        case .random:
            var own = ViewerChance(seed: plan.seed &+ 0x5641_5249, viewer: number)
            return indices[Int(own.next() % UInt64(indices.count))]
        }
    }
}

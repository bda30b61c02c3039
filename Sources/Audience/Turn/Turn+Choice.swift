package import HLS

extension Turn {
    /// Index of the variant that this viewer plays, of the channel and of pods alike; nil where there is none.
    package func choice(of multivariant: MultivariantPlaylist) -> Int? {
        choice(of: multivariant, among: Array(multivariant.variants.indices))
    }

    /// The same among some of the variants.
    package func choice(of multivariant: MultivariantPlaylist, among indices: [Int]) -> Int? {
        plan.variant(of: multivariant, among: indices, viewer: number)
    }
}

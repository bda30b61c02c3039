package import HLS

extension Turn {
    /// Index of the variant that this viewer plays, for the channel and pods alike.
    package func choice(of multivariant: MultivariantPlaylist) -> Int? {
        choice(of: multivariant, among: Array(multivariant.variants.indices))
    }

    package func choice(of multivariant: MultivariantPlaylist, among indices: [Int]) -> Int? {
        plan.variant(of: multivariant, among: indices, viewer: number)
    }
}

import AdServing
import HLS

/// What of a body is played, as a hash: equal for two viewers that are shown the same, whatever their sessions, signatures
/// and edges are called.
struct PlayedContent {
    let address: PlayedAddress
    /// Ids of the viewer that the body was given to.
    let own: [String]

    func fingerprint(of media: MediaPlaylist) -> UInt64 {
        var hash = RunHash()
        var section: Range<Int>?
        for segment in media.segments {
            hash.add(segment.durationMicroseconds)
            hash.add((segment.isDiscontinuity ? 1 : 0) + (segment.isGap ? 2 : 0))
            address.add(media.uri(of: segment), own: own, to: &hash)
            if let range = segment.byteRange { add(range, to: &hash) }
            if let map = segment.mapURI, map != section {
                address.add(String(decoding: media.text[map], as: UTF8.self), own: own, to: &hash)
                if let range = segment.mapByteRange { add(range, to: &hash) }
            }
            section = segment.mapURI
        }
        return hash.value
    }

    /// Where the renditions lie that a manifest leads to: equal ones lead to one pod, and others may all the same.
    func fingerprint(ofAddressesIn multivariant: MultivariantPlaylist) -> UInt64 {
        var hash = RunHash()
        for variant in multivariant.variants { address.add(variant.uri, own: own, to: &hash) }
        return hash.value
    }

    /// Which assets, in their order, and how long each is.
    func fingerprint(of list: AssetList) -> UInt64 {
        var hash = RunHash()
        for asset in list.assets {
            address.add(asset.uri, own: own, to: &hash)
            hash.add(asset.duration.nanosecondsHeld)
        }
        return hash.value
    }

    /// How a reference is told from others of its body.
    func name(of url: String) -> UInt64 { address.hash(of: url, own: own) }

    private func add(_ range: ByteRange, to hash: inout RunHash) {
        hash.add(Int64(clamping: range.length))
        hash.add(Int64(clamping: range.offset ?? .max))
    }
}

extension RunHash {
    /// Adds a number.
    mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { add($0) } }
}

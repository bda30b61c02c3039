import AdServing
import HLS

/// Hashes of played content: equal for viewers that are shown the same, whatever their sessions, signatures and edges.
struct PlayedContent {
    let address: PlayedAddress
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

    /// Covers the renditions' URLs: equal ones lead to one pod, but different ones may, too.
    func fingerprint(ofAddressesIn multivariant: MultivariantPlaylist) -> UInt64 {
        var hash = RunHash()
        for variant in multivariant.variants { address.add(variant.uri, own: own, to: &hash) }
        return hash.value
    }

    func fingerprint(of list: AssetList) -> UInt64 {
        var hash = RunHash()
        for asset in list.assets {
            address.add(asset.uri, own: own, to: &hash)
            hash.add(asset.duration.nanosecondsHeld)
        }
        return hash.value
    }

    /// Hash that identifies a reference within its body.
    func name(of url: String) -> UInt64 { address.hash(of: url, own: own) }

    private func add(_ range: ByteRange, to hash: inout RunHash) {
        hash.add(Int64(clamping: range.length))
        hash.add(Int64(clamping: range.offset ?? .max))
    }
}

extension RunHash {
    mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { add($0) } }
}

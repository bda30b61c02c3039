import AdServing
import HLS
import Results

/// Hashes are equal for viewers that are shown the same, whatever their sessions, signatures and edges.
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

    /// Equal URLs lead to one pod, but different ones may, too.
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

    func name(of url: String) -> UInt64 { address.hash(of: url, own: own) }

    private func add(_ range: ByteRange, to hash: inout RunHash) {
        hash.add(Int64(clamping: range.length))
        hash.add(Int64(clamping: range.offset ?? .max))
    }
}

extension RunHash {
    mutating func add(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { add($0) } }
}

/// Leaves out bit rates, which follow from the ads.
struct Ladder {
    private let rungs: [String]
    /// In the order of the manifest; equal in each pod with the same renditions.
    private let names: [String]
    let fingerprint: UInt64

    init(_ playlist: MultivariantPlaylist) {
        let listed = playlist.variants.map(Self.rung)
        rungs = listed.sorted()
        names = Self.names(of: listed, playlist.variants)
        var hash = RunHash()
        for rung in rungs { hash.add(rung + "\n") }
        fingerprint = hash.value
    }

    func rendition(ofVariant variant: Int) -> String? {
        guard names.indices.contains(variant) else { return nil }
        return "\(names[variant]), one of \(names.count) renditions \(fingerprint.shortHex)"
    }

    /// Variants of one rung are numbered by bandwidth.
    private static func names(of rungs: [String], _ variants: [MultivariantPlaylist.Variant]) -> [String] {
        let shared = Dictionary(grouping: rungs.indices) { rungs[$0] }
        var names = rungs.map(Self.shown)
        for same in shared.values where same.count > 1 {
            let byRate = same.sorted { (variants[$0].bandwidth, $0) < (variants[$1].bandwidth, $1) }
            for (place, index) in byRate.enumerated() { names[index] += " #\(place + 1)" }
        }
        return names
    }

    /// Longer than any sensible rung; the text comes from the network.
    private static let shownBytes = 96

    private static func shown(_ rung: String) -> String {
        guard rung.utf8.count > shownBytes else { return rung.isEmpty ? "(nothing said)" : rung }
        return "\(rung.prefix(shownBytes / 4))… \(RunHash.value(of: rung).shortHex)"
    }

    private static func rung(_ variant: MultivariantPlaylist.Variant) -> String {
        let size = [variant.width, variant.height].compactMap { $0.map(String.init) }.joined(separator: "x")
        let rate = variant.frameRate.map { "\(short($0)) fps" } ?? ""
        return [size, variant.codecs ?? "", rate].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// At most three decimals, without trailing zero.
    private static func short(_ rate: Double) -> String {
        let text = "\((rate * 1_000).rounded() / 1_000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    var text: String {
        ContentSummary.text("\(rungs.count) variants", rungs.lazy.map { $0.isEmpty ? "(nothing said)" : $0 })
    }
}

struct GivenPod {
    /// Covers a rendition's played content, or a manifest's renditions.
    let fingerprint: UInt64
    let text: String
    let ladder: Ladder?
    /// Equal for manifests with the same URLs.
    let name: UInt64

    /// `own` is not shown.
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

/// An object, so that viewers without a pod need no memory for it.
final class PodInHand {
    let manifest: GivenPod
    /// Another break's or viewer's manifest is a finding of its own and not compared.
    let isSound: Bool
    var rendition: (name: String, pod: GivenPod)?
    var repeatedLadder: Ladder?

    init(_ manifest: GivenPod, isSound: Bool) { (self.manifest, self.isSound) = (manifest, isSound) }
}

/// Hosts, queries and session parts are omitted, so the text is equal for all viewers of one body.
enum BodySummary {
    static func text(of list: AssetList, own: StreamID?) -> String {
        let assets = list.assets.lazy.map { asset in
            "\(Redaction.name(of: asset.uri, own: own)) \(asset.duration.nanosecondsHeld / 1_000_000) ms"
        }
        return ContentSummary.text("\(list.assets.count) assets", assets)
    }

    /// Such as those of a stitched break.
    static func text(ofSegments names: some Collection<String>) -> String {
        ContentSummary.text("\(names.count) segments", names)
    }

    /// Discontinuities separate the ads.
    static func text(of media: MediaPlaylist, own: StreamID?) -> String {
        var rest = media.segments[...]
        let ads = AnyIterator { () -> String? in
            guard let first = rest.popFirst() else { return nil }
            let others = rest.prefix { !$0.isDiscontinuity }
            rest = rest.dropFirst(others.count)
            let length = others.reduce(first.durationMicroseconds) { $0.addingClamped($1.durationMicroseconds) }
            let name = Redaction.name(of: media.uri(of: first), own: own)
            return "\(name) \(length / 1_000) ms in \(others.count + 1)"
        }
        let length = media.durationMicroseconds / 1_000
        return ContentSummary.text("\(media.segments.count) segments, \(length) ms", ads)
    }
}

extension UInt64 {
    var shortHex: String { String(hexadecimal(digits: 16).prefix(8)) }
}

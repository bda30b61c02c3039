import AdServing
import HLS
import Recording

/// Renditions that a pod offers, whatever the ads in them: sizes, frame rates and codecs, in no order.
///
/// Bit rates are left out: they follow from the ads.
struct Ladder {
    private let rungs: [String]
    /// Names of the variants in the order of the manifest; equal in each pod with the same renditions.
    private let names: [String]
    let fingerprint: UInt64

    init(_ playlist: MultivariantPlaylist) {
        let listed = playlist.variants.map(Self.rung)
        rungs = listed.sorted()
        names = Self.names(of: listed, playlist.variants)
        var hash = RunHash()
        for rung in rungs {
            var text = rung + "\n"
            text.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        }
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
        var (whole, hash) = (rung, RunHash())
        whole.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        return "\(rung.prefix(shownBytes / 4))… \(hash.value.shortHex)"
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
        var summary = ContentSummary()
        summary.add("\(rungs.count) variants")
        for rung in rungs { summary.add(rung.isEmpty ? "(nothing said)" : rung) }
        return summary.text
    }
}

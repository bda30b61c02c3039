import AdServing
import HLS
import Recording

/// The renditions that a pod offers, whatever the ads in them: sizes, frame rates and codecs, in no order.
///
/// Bit rates are left out: they follow from the ads.
struct Ladder {
    private let rungs: [String]
    /// What each variant is called, in the order of the manifest: the same in each pod that offers the same.
    private let names: [String]
    let fingerprint: UInt64

    init(_ playlist: MultivariantPlaylist) {
        let listed = playlist.variants.map(Self.rung)
        rungs = listed.sorted()
        names = listed.indices.map { Self.name(of: $0, among: listed, playlist) }
        var hash = RunHash()
        for rung in rungs {
            var text = rung + "\n"
            text.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        }
        fingerprint = hash.value
    }

    /// The rendition that the variant with an index in the manifest is; nil where there is none.
    func rendition(ofVariant variant: Int) -> String? {
        guard names.indices.contains(variant) else { return nil }
        let name = names[variant].isEmpty ? "(nothing said)" : names[variant]
        return "\(name), one of \(names.count) renditions \(fingerprint.shortHex)"
    }

    /// Variants of one size are told apart by which needs more bits.
    private static func name(of index: Int, among rungs: [String], _ playlist: MultivariantPlaylist) -> String {
        let same = rungs.indices.filter { rungs[$0] == rungs[index] }
        guard same.count > 1 else { return rungs[index] }
        let before = same.count {
            (playlist.variants[$0].bandwidth, $0) < (playlist.variants[index].bandwidth, index)
        }
        return rungs[index] + " #\(before + 1)"
    }

    private static func rung(_ variant: MultivariantPlaylist.Variant) -> String {
        let size = [variant.width, variant.height].compactMap { $0.map(String.init) }.joined(separator: "x")
        let rate = variant.frameRate.map { "\(short($0)) fps" } ?? ""
        return [size, variant.codecs ?? "", rate].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// With three decimals at most, and none where there are none.
    private static func short(_ rate: Double) -> String {
        let text = "\((rate * 1_000).rounded() / 1_000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// How many there are, and each.
    var text: String {
        var summary = ContentSummary()
        summary.add("\(rungs.count) variants")
        for rung in rungs { summary.add(rung.isEmpty ? "(nothing said)" : rung) }
        return summary.text
    }
}

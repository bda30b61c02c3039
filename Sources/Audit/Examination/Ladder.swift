import AdServing
import HLS
import Recording

/// The renditions that a pod offers, whatever the ads in them: sizes, frame rates and codecs, in no order.
///
/// Bit rates are left out: they follow from the ads.
struct Ladder {
    private let rungs: [String]
    let fingerprint: UInt64

    init(_ playlist: MultivariantPlaylist) {
        rungs = playlist.variants.map(Self.rung).sorted()
        var hash = RunHash()
        for rung in rungs {
            var text = rung + "\n"
            text.withUTF8 { hash.add(UnsafeRawBufferPointer($0)) }
        }
        fingerprint = hash.value
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

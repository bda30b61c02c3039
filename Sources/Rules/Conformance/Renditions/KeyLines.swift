import AdServing
import HLS

struct KeyLines {
    private let playlist: MediaPlaylist
    /// In the order of segments.
    private let keys: [KeyTag]

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
        var keys: [KeyTag] = []
        playlist.forEachKey { keys.append($0) }
        self.keys = keys
    }

    var isEmpty: Bool { keys.isEmpty }

    func isEncrypted(at index: Int) -> Bool { key(at: index).map { !$0.isClear } ?? false }

    /// Nil if the segment is not encrypted.
    func line(at index: Int) -> String? { key(at: index).flatMap { $0.isClear ? nil : playlist.string(in: $0.line) } }

    /// Ignores queries, which may be a viewer's own; compares keys of one KEYFORMAT (bis-22 section 4.4.4.4).
    ///
    /// `last` avoids comparing one pair for many segments.
    func change(
        at index: Int,
        to other: KeyLines,
        at otherIndex: Int,
        last: inout (Int?, Int?)?
    ) -> (known: String, found: String)? {
        let compared = (keyIndex(at: index), other.keyIndex(at: otherIndex))
        if let last, last == compared { return nil }
        last = compared
        let (own, others) = (run(at: index), other.run(at: otherIndex))
        guard !own.isEmpty, !others.isEmpty else {
            guard own.isEmpty != others.isEmpty else { return nil }
            return (own.first.map(shown) ?? "no key", others.first.map(other.shown) ?? "no key")
        }
        if own.count == others.count, zip(own, others).allSatisfy({ line($0).elementsEqual(other.line($1)) }) {
            return nil
        }
        let found = others.map { (key: $0, content: other.content(of: $0)) }
        for key in own {
            let known = content(of: key)
            guard let match = found.first(where: { $0.content.format == known.format }), match.content != known
            else { continue }
            return (shown(key), other.shown(match.key))
        }
        return nil
    }

    private static let runLimit = 8

    /// Keys of one segment stand together.
    private func run(at index: Int) -> ArraySlice<KeyTag> {
        guard let last = keyIndex(at: index) else { return [] }
        let run = keys[...last].suffix(Self.runLimit).drop { $0.segmentIndex != keys[last].segmentIndex }
        return run.contains(where: \.isClear) ? [] : run
    }

    private func key(at index: Int) -> KeyTag? { keyIndex(at: index).map { keys[$0] } }

    /// A key may stand before each of tens of thousands of segments.
    private func keyIndex(at index: Int) -> Int? {
        let next = keys.partitioningIndex { $0.segmentIndex > index }
        return next == 0 ? nil : next - 1
    }

    private func line(_ key: KeyTag) -> ArraySlice<UInt8> { playlist.text[key.line] }

    /// As much as evidence shows, and enough beyond it to recognise a secret that is cut off.
    private func shown(_ key: KeyTag) -> String { String(decoding: line(key).prefix(4_096), as: UTF8.self) }

    /// Attributes that identify a key; the path is without query and signatures.
    private typealias Content = (format: String, method: String?, path: String, vector: String)

    private func content(of key: KeyTag) -> Content {
        let text = { (range: Range<Int>?) in range.map { playlist.string(in: $0) } }
        return (
            text(key.format) ?? "identity", text(key.method), PlayedAddress.unsigned((text(key.uri) ?? "")[...]),
            (text(key.vector) ?? "").lowercased()
        )
    }
}

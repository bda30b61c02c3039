import AdServing
import HLS
import Values

struct KeyLines {
    private struct Key {
        let segmentIndex: Int
        let range: Range<Int>
        /// METHOD=NONE.
        let isClear: Bool
    }

    private let playlist: MediaPlaylist
    /// In the order of segments.
    private let keys: [Key]

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
        keys = playlist.otherTags.compactMap { tag in
            let line = playlist.text[safely: tag.line]
            guard line.starts(with: "#EXT-X-KEY:".utf8) else { return nil }
            return Key(segmentIndex: tag.segmentIndex, range: tag.line, isClear: Self.isClear(line))
        }
    }

    var isEmpty: Bool { keys.isEmpty }

    func isEncrypted(at index: Int) -> Bool { key(at: index).map { !$0.isClear } ?? false }

    /// Nil if the segment is not encrypted.
    func line(at index: Int) -> String? {
        key(at: index).flatMap { $0.isClear ? nil : playlist.string(in: $0.range) }
    }

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
            return (own.first.map(KeyTag.shown) ?? "no key", others.first.map(KeyTag.shown) ?? "no key")
        }
        if own.count == others.count, zip(own, others).allSatisfy({ $0.elementsEqual($1) }) { return nil }
        let found = others.map(KeyTag.init)
        for line in own {
            let known = KeyTag(line)
            guard let match = found.first(where: { $0.format == known.format }), match != known else { continue }
            return (KeyTag.shown(line), match.line)
        }
        return nil
    }

    private static let runLimit = 8

    /// Keys of one segment stand together.
    private func run(at index: Int) -> [ArraySlice<UInt8>] {
        guard let last = keyIndex(at: index) else { return [] }
        let run = keys[...last].suffix(Self.runLimit).filter { $0.segmentIndex == keys[last].segmentIndex }
        return run.contains(where: \.isClear) ? [] : run.map { playlist.text[safely: $0.range] }
    }

    private func key(at index: Int) -> Key? { keyIndex(at: index).map { keys[$0] } }

    /// A key may stand before each of tens of thousands of segments.
    private func keyIndex(at index: Int) -> Int? {
        let next = keys.partitioningIndex { $0.segmentIndex > index }
        return next == 0 ? nil : next - 1
    }

    private static func isClear(_ line: ArraySlice<UInt8>) -> Bool {
        var rest = line
        let none = Array("METHOD=NONE".utf8)
        while let index = rest.firstIndex(of: UInt8(ascii: "M")) {
            rest = rest[index...]
            if rest.starts(with: none) { return true }
            rest = rest.dropFirst()
        }
        return false
    }
}

/// The attributes that identify a key.
package struct KeyTag: Equatable {
    let line: String
    let format: String
    package let method: String?
    package let uri: String?
    /// Without its query and signatures.
    private let path: String
    private let vector: String

    package init(_ line: ArraySlice<UInt8>) {
        var values: [String: String] = [:]
        Array(line).withUnsafeBytes { bytes in
            let start = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? bytes.count
            let string = { (range: Range<Int>) in String(decoding: bytes[range], as: UTF8.self) }
            var list = AttributeList(bytes, start..<bytes.count)
            while values.count < 16, let attribute = list.next() {
                values[string(attribute.name)] = string(attribute.value)
            }
        }
        self.line = Self.shown(line)
        format = values["KEYFORMAT"] ?? "identity"
        (method, uri) = (values["METHOD"], values["URI"])
        path = PlayedAddress.unsigned((uri ?? "").prefix { $0 != "?" && $0 != "#" })
        vector = (values["IV"] ?? "").lowercased()
    }

    /// As much as evidence shows, and enough beyond it to recognise a secret that is cut off.
    static func shown(_ line: ArraySlice<UInt8>) -> String { String(decoding: line.prefix(4_096), as: UTF8.self) }

    package static func == (left: KeyTag, right: KeyTag) -> Bool {
        (left.format, left.method, left.path, left.vector) == (right.format, right.method, right.path, right.vector)
    }
}

extension [UInt8] {
    subscript(safely range: Range<Int>) -> ArraySlice<UInt8> {
        range.lowerBound >= 0 && range.upperBound <= count ? self[range] : []
    }
}

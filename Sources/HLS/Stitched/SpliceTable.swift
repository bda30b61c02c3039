import CTexts

/// Names of ANSI/SCTE 35 2023: commands (table 7), descriptors (table 16), UPIDs (table 22), segmentation (table 23).
package enum SpliceTable {
    /// The side of a break that a segmentation marks.
    package enum Edge: Hashable, Sendable { case out, `in` }

    package static func command(_ type: UInt8) -> String {
        commands[type] ?? "a reserved command 0x\(type.hexadecimal(digits: 2))"
    }

    package static func descriptor(_ tag: UInt8) -> String {
        descriptors[tag] ?? "a private descriptor 0x\(tag.hexadecimal(digits: 2))"
    }

    package static func upid(_ type: UInt8) -> String { upids[type] ?? "UPID 0x\(type.hexadecimal(digits: 2))" }

    /// Nil for a reserved segmentation_type_id.
    static func segmentation(_ type: UInt8) -> String? {
        single[type] ?? pairs[type & 0xFE].map { "\($0.name) \(type & 1 == 1 ? "end" : "start")" }
    }

    package static func edge(of type: UInt8) -> (side: Edge, level: Int)? {
        guard single[type] == nil, let pair = pairs[type & 0xFE], pair.level > 0 else { return nil }
        return (type & 1 == 1 ? .in : .out, pair.level)
    }

    private static let commands = ListedNames.numbered("scte35 commands")
    private static let descriptors = ListedNames.numbered("scte35 descriptors")
    private static let upids = ListedNames.numbered("scte35 upids")
    private static let single = ListedNames.numbered("scte35 single segmentations")
    /// Keyed by the even number of the start; level 0 begins no break.
    private static let pairs = ListedNames.numbered("scte35 paired segmentations").mapValues { text in
        (name: String(text.dropFirst(2)), level: text.first?.wholeNumberValue ?? 0)
    }
}

/// Blocks of `names.txt`.
package enum ListedNames {
    private static let blocks: [Substring: [Substring]] = {
        var blocks: [Substring: [Substring]] = [:]
        var title: Substring = ""
        let lines = String(cString: podswarm_names()).split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines where !line.hasPrefix("#") {
            if !line.isEmpty, !title.isEmpty { blocks[title, default: []].append(line) }
            title = line.isEmpty || title.isEmpty ? line : title
        }
        return blocks
    }()

    package static func lines(_ title: String) -> [Substring] { blocks[title[...]] ?? [] }

    package static func words(_ title: String) -> Set<String> {
        Set(lines(title).flatMap { $0.split(separator: " ") }.map(String.init))
    }

    /// Texts of lines by the hexadecimal numbers before them.
    static func numbered(_ title: String) -> [UInt8: String] {
        lines(title).reduce(into: [:]) { texts, line in
            if let number = UInt8(line.prefix(2), radix: 16) { texts[number] = String(line.dropFirst(3)) }
        }
    }
}

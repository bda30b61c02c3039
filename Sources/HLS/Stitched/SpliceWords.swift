extension SpliceSection {
    package var words: [String] {
        var lines = ["splice_info_section of \(byteCount) bytes\(isEncrypted ? ", encrypted" : "")"]
        if adjustment > 0 { lines.append("  every time is later by \(Self.seconds(adjustment)) (pts_adjustment)") }
        if tier != 0xFFF { lines.append("  for receivers of tier \(tier)") }
        switch command {
        case .insert(let insert): lines += Self.words(of: insert)
        case .timeSignal(let time): lines.append("  time_signal: \(Self.words(of: time))")
        case .other(let type): lines.append("  \(SpliceTable.command(type)): neither begins nor ends a break")
        }
        for segmentation in segmentations { lines += Self.words(of: segmentation) }
        lines += otherDescriptors.map { "  \(SpliceTable.descriptor($0))" }
        return lines
    }

    private static func words(of insert: Insert) -> [String] {
        guard !insert.isCancelled else { return ["  splice_insert: event \(insert.eventID) is cancelled"] }
        let direction = insert.isOut ? "out of the network: a break begins" : "back into the network: the break ends"
        let time = insert.isImmediate ? "at once" : words(of: insert.time)
        var lines = ["  splice_insert: event \(insert.eventID), \(direction) \(time)"]
        if let duration = insert.duration {
            let end = insert.returnsByItself ? "returns by itself" : "waits for the section that ends it"
            lines.append("    it lasts \(seconds(duration)) and \(end)")
        }
        if let number = insert.availNumber, let expected = insert.availsExpected, expected > 0 {
            lines.append("    avail \(number) of \(expected)")
        }
        return lines
    }

    private static func words(of segmentation: Segmentation) -> [String] {
        let event = "segmentation_descriptor: event \(segmentation.eventID)"
        guard !segmentation.isCancelled else { return ["  \(event) is cancelled"] }
        let type = segmentation.type
        let name = SpliceTable.segmentation(type) ?? "reserved"
        var lines = ["  \(event), \(name) (0x\(type.hexadecimal(digits: 2)))"]
        if let duration = segmentation.duration { lines.append("    it lasts \(seconds(duration))") }
        if segmentation.expected > 0 { lines.append("    segment \(segmentation.number) of \(segmentation.expected)") }
        if segmentation.upidType > 0 {
            lines.append("    \(SpliceTable.upid(segmentation.upidType)): \(text(of: segmentation.upid))")
        }
        return lines
    }

    private static func text(of bytes: [UInt8]) -> String {
        let isText = !bytes.isEmpty && bytes.allSatisfy { (0x20..<0x7F).contains($0) }
        return isText
            ? String(decoding: bytes, as: UTF8.self) : "0x" + bytes.map { $0.hexadecimal(digits: 2) }.joined()
    }

    private static func words(of time: UInt64?) -> String {
        time.map { "at \(seconds($0)) of the stream's clock (\($0))" } ?? "at once"
    }

    private static func seconds(_ ticks: UInt64) -> String {
        SecondsText.shortest(duration(ticks: ticks).wholeMicroseconds) + " s"
    }
}

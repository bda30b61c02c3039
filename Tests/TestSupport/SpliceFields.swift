package import HLS

extension SpliceSection {
    /// The fields of the section as `Tests/ForeignReaders/sections.py` writes what threefive reads.
    package var fields: String {
        var parts = ["adjusted \(adjustment) tier \(tier)"]
        switch command {
        case .insert(let insert): parts.append(Self.fields(of: insert))
        case .timeSignal(let time): parts.append("time \(Self.text(time))")
        case .other(let type): parts.append("command \(type)")
        }
        parts += segmentations.map(Self.fields)
        return (parts + otherDescriptors.map { "descriptor \($0)" }).joined(separator: "; ")
    }

    private static func fields(of insert: Insert) -> String {
        guard !insert.isCancelled else { return "insert \(insert.eventID) cancelled" }
        let at = insert.isImmediate ? "once" : text(insert.time)
        return "insert \(insert.eventID) \(insert.isOut ? "out" : "in") at \(at) length \(text(insert.duration))"
            + " \(insert.returnsByItself ? "returns" : "waits") program \(text(insert.programID))"
            + " avail \(text(insert.availNumber))/\(text(insert.availsExpected))"
    }

    private static func fields(of segmentation: Segmentation) -> String {
        guard !segmentation.isCancelled else { return "segmentation \(segmentation.eventID) cancelled" }
        // threefive reads the type of an empty UPID as none.
        let type = segmentation.upid.isEmpty ? 0 : segmentation.upidType
        return "segmentation \(segmentation.eventID) type \(segmentation.type) length \(text(segmentation.duration))"
            + " upid \(type)/\(segmentation.upid.count) segment \(segmentation.number)/\(segmentation.expected)"
    }

    private static func text(_ number: (some BinaryInteger)?) -> String { number.map { "\($0)" } ?? "-" }
}

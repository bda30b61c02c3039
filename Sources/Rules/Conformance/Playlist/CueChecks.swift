import HLS

/// Checks cue tags of stitched breaks for contradictions.
///
/// No standard defines them, so only contradictions in every dialect count: a missing number, or two breaks that begin at once.
/// A position beyond the planned duration is allowed: a break lasts until a tag ends it.
struct CueChecks {
    /// The segment before which the open break began.
    private var outBefore: Int?

    mutating func read(_ line: TagLine, beforeSegment segment: Int, _ list: inout ViolationList) {
        let (rest, bytes) = (line.start + 7, list.bytes)
        guard bytes.matches("#EXT-X-CUE-", at: line.start, prefixBefore: line.end) else { return }
        func isNamed(_ name: StaticString) -> Bool {
            bytes.matches(name, at: rest, prefixBefore: line.end)
                && (line.end == rest + name.utf8CodeUnitCount
                    || bytes[rest + name.utf8CodeUnitCount] == UInt8(ascii: ":"))
        }
        if isNamed("CUE-IN") {
            outBefore = nil
        } else if isNamed("CUE-OUT") {
            checkDuration(line, &list)
            if outBefore == segment {
                list.note(.spliceInvalid, line, expected: "one EXT-X-CUE-OUT before a segment")
            }
            outBefore = segment
        }
    }

    private func checkDuration(_ line: TagLine, _ list: inout ViolationList) {
        let bytes = list.bytes
        guard let value = Self.value("duration", line, bytes), !Self.isReference(value, bytes),
            DecimalText.microseconds(bytes, value) == nil
        else { return }
        list.note(.spliceInvalid, line, expected: "DURATION as a number of seconds")
    }

    /// Matches the attribute's name without regard to case.
    private static func value(_ name: StaticString, _ line: TagLine, _ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var list = AttributeList(bytes, line.valueRange)
        while let attribute = list.next() {
            let found = attribute.name
            guard found.count == name.utf8CodeUnitCount else { continue }
            if found.indices.allSatisfy({ bytes[$0] | 0x20 == name.utf8Start[$0 - found.lowerBound] }) {
                return attribute.value
            }
        }
        return nil
    }

    private static func isReference(_ value: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.matches("{$", at: value.lowerBound, prefixBefore: value.upperBound)
    }
}

internal import HLS
internal import Measurement

/// Whether the cue tags of stitched breaks say what can be true.
///
/// No standard defines them. They are read as packagers write them, and only what is a contradiction in each of their
/// dialects counts: no number where one is promised, a position beyond the break, two breaks that begin at once.
struct CueChecks {
    /// Positions beyond the end of their break, as far as they are; kept until the target duration is known.
    private var overruns: [(line: PlaylistLines.Line, elapsed: Int64, duration: Int64)] = []
    /// The segment before which a break began that has not ended there.
    private var outBefore: Int?

    mutating func read(
        _ line: PlaylistLines.Line,
        _ bytes: UnsafeRawBufferPointer,
        beforeSegment segment: Int,
        _ list: inout ViolationList
    ) {
        let rest = line.start + 7
        guard bytes.matches("#EXT-X-CUE-", at: line.start, prefixBefore: line.end) else { return }
        func isNamed(_ name: StaticString) -> Bool {
            bytes.matches(name, at: rest, prefixBefore: line.end)
                && (line.end == rest + name.utf8CodeUnitCount
                    || bytes[rest + name.utf8CodeUnitCount] == UInt8(ascii: ":"))
        }
        if isNamed("CUE-IN") {
            outBefore = nil
        } else if isNamed("CUE-OUT") {
            checkDuration(line, bytes, &list)
            if outBefore == segment {
                list.note(.spliceInvalid, line, expected: "one EXT-X-CUE-OUT before a segment")
            }
            outBefore = segment
        } else if isNamed("CUE-OUT-CONT") {
            readPosition(line, bytes)
        }
    }

    func finish(target: Int64?, _ list: inout ViolationList) {
        guard let target else { return }
        // A break may run on for a while before it is told to end.
        for overrun in overruns where overrun.elapsed - overrun.duration > target {
            list.note(
                .spliceInvalid,
                overrun.line,
                expected: "no more time elapsed than the break has, \(MediaChecks.seconds(overrun.duration)) s"
            )
        }
    }

    private func checkDuration(
        _ line: PlaylistLines.Line,
        _ bytes: UnsafeRawBufferPointer,
        _ list: inout ViolationList
    ) {
        guard let value = Self.value("duration", line, bytes), !Self.isReference(value, bytes),
            DecimalText.microseconds(bytes, value) == nil
        else { return }
        list.note(.spliceInvalid, line, expected: "DURATION as a number of seconds")
    }

    /// `ElapsedTime=6,Duration=30` or `6/30`.
    private mutating func readPosition(_ line: PlaylistLines.Line, _ bytes: UnsafeRawBufferPointer) {
        var (elapsed, duration) = (Self.value("elapsedtime", line, bytes), Self.value("duration", line, bytes))
        if elapsed == nil, duration == nil,
            let slash = bytes[line.valueRange].firstIndex(of: UInt8(ascii: "/"))
        {
            (elapsed, duration) = (line.value..<slash, (slash + 1)..<line.end)
        }
        guard let elapsed = elapsed.flatMap({ DecimalText.microseconds(bytes, $0) }),
            let duration = duration.flatMap({ DecimalText.microseconds(bytes, $0) }),
            duration > 0, elapsed > duration, overruns.count < ViolationList.limitPerCode
        else { return }
        overruns.append((line, elapsed, duration))
    }

    /// An attribute's value, whatever the case of its name.
    private static func value(
        _ name: StaticString,
        _ line: PlaylistLines.Line,
        _ bytes: UnsafeRawBufferPointer
    ) -> Range<Int>? {
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

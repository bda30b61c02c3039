/// One of the tags that mark stitched breaks.
///
/// No specification has EXT-X-CUE-OUT, -CONT and -IN; AWS Elemental (MediaPackage, MediaLive, MediaTailor), Unified Origin,
/// Wowza and Google DAI document forms of them. EXT-X-CUE is Adobe's, EXT-X-SCTE35 was of SCTE 35 (2014).
package struct CueTag: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case out
        /// The break continues; stands before each segment in it.
        case more
        case `in`
        /// A splice_info_section alone, of the mark beside it.
        case section
    }

    /// The length of a break, as a tag spells it.
    package enum Length: Hashable, Sendable {
        case unstated
        case of(Duration)
        /// Readable, but in a form that readers of numbers do not know.
        case unusual(Duration, form: String)
        case unreadable(String)

        package var duration: Duration? {
            switch self {
            case .of(let duration), .unusual(let duration, _): duration
            case .unstated, .unreadable: nil
            }
        }
    }

    package let kind: Kind
    package let dialect: StitchedBreak.Dialect
    package fileprivate(set) var length = Length.unstated
    package fileprivate(set) var elapsed: Duration?
    /// ID or BREAKID.
    package fileprivate(set) var id: String?
    /// The splice_info_section, as the tag spells it.
    package fileprivate(set) var section: String?
    /// Whether the value is a list of attributes: another syntax than a number alone.
    package fileprivate(set) var hasAttributes = false

    private init(_ kind: Kind, _ dialect: StitchedBreak.Dialect) {
        self.kind = kind
        self.dialect = dialect
    }

    /// The tag in a line; nil for any other line.
    package static func read(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> CueTag? {
        // Few lines get further than this.
        guard bytes.matches("#EXT-", at: line.lowerBound, prefixBefore: line.upperBound) else { return nil }
        let colon = line.first { bytes[$0] == UInt8(ascii: ":") } ?? line.upperBound
        func isNamed(_ name: StaticString) -> Bool { bytes.matches(name, at: line.lowerBound + 5, end: colon) }
        let value = CueValue(bytes, min(colon + 1, line.upperBound)..<line.upperBound)
        if isNamed("X-CUE-OUT") { return CueTag(.out, .cueTags).reading(value) }
        if isNamed("X-CUE-OUT-CONT") { return CueTag(.more, .cueTags).reading(value) }
        if isNamed("X-CUE-IN") { return CueTag(.in, .cueTags).reading(value) }
        if isNamed("X-CUE") { return value.adobeKind.map { CueTag($0, .adobeCues).reading(value) } }
        if isNamed("X-CUE-CONT") { return CueTag(.more, .adobeCues).reading(value) }
        if isNamed("X-SCTE35") { return CueTag(value.scte35Kind, .scte35Tags).reading(value) }
        if isNamed("OATCLS-SCTE35") {
            var tag = CueTag(.section, .cueTags)
            tag.section = value.whole
            return tag
        }
        return isNamed("X-SPLICEPOINT-SCTE35") ? splicePoint(value.whole) : nil
    }

    private static func splicePoint(_ text: String) -> CueTag {
        var tag: CueTag
        switch SpliceSection(text: text)?.meaning {
        case .out(let duration):
            tag = CueTag(.out, .splicePoints)
            if let duration, duration > .zero { tag.length = .of(duration) }
        case .in: tag = CueTag(.in, .splicePoints)
        case nil: tag = CueTag(.section, .splicePoints)
        }
        tag.section = text
        return tag
    }

    private consuming func reading(_ value: CueValue) -> CueTag {
        hasAttributes = value.hasAttributes
        section = value.section
        id = value.text("ID") ?? value.text("BREAKID")
        switch kind {
        case .out: length = value.length
        case .more: (elapsed, length) = value.progress
        case .in, .section: break
        }
        return self
    }
}

/// The value of a cue tag: a number, a list of attributes, or both with a comma between them.
private struct CueValue {
    private let bytes: UnsafeRawBufferPointer
    private let range: Range<Int>
    /// The text before any attribute.
    private let bare: Range<Int>
    private let attributes: Range<Int>

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
        let end = range.first { bytes[$0] == UInt8(ascii: ",") || bytes[$0] == UInt8(ascii: "=") } ?? range.upperBound
        let isNamed = end < range.upperBound && bytes[end] == UInt8(ascii: "=")
        bare = range.lowerBound..<(isNamed ? range.lowerBound : end)
        attributes = (isNamed ? range.lowerBound : end)..<range.upperBound
    }

    var hasAttributes: Bool { !attributes.isEmpty }
    var whole: String { string(trimmed(range)) }

    /// CUE-OUT=YES, CONT or NO, or CUE-IN=YES; without them the section belongs to the mark beside it.
    var scte35Kind: CueTag.Kind {
        switch (text("CUE-OUT")?.uppercased(), text("CUE-IN")?.uppercased()) {
        case ("YES", _): .out
        case ("CONT", _): .more
        case ("NO", _), (_, "YES"): .in
        default: .section
        }
    }

    /// TYPE="SpliceOut" continues a break where it says how much of it has elapsed.
    var adobeKind: CueTag.Kind? {
        switch text("TYPE")?.lowercased() {
        case "spliceout": text("ELAPSED") == nil ? .out : .more
        case "splicein": .in
        default: nil
        }
    }

    var section: String? { text("SCTE35") ?? text("CUE") }

    /// `30`, `DURATION=30`, `30,ID=4`, `PT30S`, in quotation marks or behind a space, or nothing.
    var length: CueTag.Length {
        if let named = value("DURATION") { return length(named, isBare: false) }
        return length(bare, isBare: true)
    }

    /// `10/30`, `10`, or `ElapsedTime=10,Duration=30` among other attributes.
    var progress: (elapsed: Duration?, length: CueTag.Length) {
        let slash = bare.first { bytes[$0] == UInt8(ascii: "/") } ?? bare.upperBound
        let named = value("ELAPSEDTIME") ?? value("ELAPSED") ?? value("AVAIL-DUR-ELAPSED")
        let elapsed = length(named ?? bare.lowerBound..<slash, isBare: named == nil).duration
        if let named = value("DURATION") { return (elapsed, length(named, isBare: false)) }
        return (elapsed, length(min(slash + 1, bare.upperBound)..<bare.upperBound, isBare: true))
    }

    func text(_ name: StaticString) -> String? { value(name).map(string) }

    /// Compares names without regard to case; invalid syntax ends the list.
    private func value(_ name: StaticString) -> Range<Int>? {
        var list = AttributeList(bytes, attributes)
        while let attribute = list.next() {
            let found = attribute.name
            guard found.count == name.utf8CodeUnitCount else { continue }
            let isSame = found.indices.allSatisfy {
                let (own, wanted) = (bytes[$0], name.utf8Start[$0 - found.lowerBound])
                return own == wanted || own.isLetter && own & 0xDF == wanted
            }
            if isSame { return attribute.value }
        }
        return nil
    }

    private func length(_ range: Range<Int>, isBare: Bool) -> CueTag.Length {
        var inner = trimmed(range)
        let isTrimmed = inner != range
        let isQuoted =
            inner.count >= 2 && bytes[inner.lowerBound] == UInt8(ascii: "\"")
            && bytes[inner.upperBound - 1] == UInt8(ascii: "\"")
        if isQuoted { inner = inner.dropFirst().dropLast() }
        guard !inner.isEmpty, !bytes.matches("{$", at: inner.lowerBound, prefixBefore: inner.upperBound) else {
            return .unstated
        }
        guard let microseconds = DecimalText.microseconds(bytes, inner) else {
            let text = string(inner.prefix(Self.shownBytes))
            guard let duration = Self.iso8601(text.utf8) else { return .unreadable(text) }
            return .unusual(duration, form: "ISO 8601 (\(text))")
        }
        guard microseconds > 0 else { return .unstated }
        if isBare, isQuoted { return .unusual(.microseconds(microseconds), form: "a number in quotation marks") }
        if isTrimmed { return .unusual(.microseconds(microseconds), form: "a number beside a space") }
        return .of(.microseconds(microseconds))
    }

    private static let shownBytes = 64

    /// `PT1H2M3.5S`, any part of it.
    private static func iso8601(_ text: String.UTF8View) -> Duration? {
        guard text.starts(with: "PT".utf8), text.count > 2 else { return nil }
        var sum: Int64 = 0
        var number: [UInt8] = []
        for byte in text.dropFirst(2) {
            guard byte.isLetter else {
                number.append(byte)
                continue
            }
            let factor: Int64 = byte == UInt8(ascii: "H") ? 3_600 : byte == UInt8(ascii: "M") ? 60 : 1
            guard byte == UInt8(ascii: "S") || factor > 1,
                let value = number.withUnsafeBytes({ DecimalText.microseconds($0, 0..<$0.count) })
            else { return nil }
            sum = sum.addingClamped(value.multipliedClamped(by: factor))
            number = []
        }
        return number.isEmpty && sum > 0 ? .microseconds(sum) : nil
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        let start = range.first { bytes[$0] != UInt8(ascii: " ") } ?? range.upperBound
        let end = range.last { bytes[$0] != UInt8(ascii: " ") }.map { $0 + 1 } ?? start
        return start..<max(start, end)
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
    }
}

extension MediaPlaylist {
    /// The cue tags of the playlist with the index of the segment after each, in order.
    package var cues: [(tag: CueTag, segmentIndex: Int)] {
        guard !otherTags.isEmpty else { return [] }
        return text.withUnsafeBytes { bytes in
            otherTags.compactMap { other in
                CueTag.read(bytes, other.line.clamped(to: 0..<bytes.count)).map { ($0, other.segmentIndex) }
            }
        }
    }
}

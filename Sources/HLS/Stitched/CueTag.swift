/// One of the tags that mark stitched breaks.
///
/// No specification has EXT-X-CUE-OUT, -CONT and -IN; AWS Elemental (MediaPackage, MediaLive, MediaTailor), Unified Origin,
/// Wowza and Google DAI document forms of them. EXT-X-CUE-SPAN is Envivio's, EXT-X-SIGNAL-EXIT, -SPAN and -RETURN are of
/// CableLabs' manifest manipulators. EXT-X-CUE is of Adobe and Azure Media Services, EXT-X-SCTE35 of SCTE 35 (2017).
package struct CueTag: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case out
        /// Stands before each segment in the break.
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
    /// As the tag spells it.
    package fileprivate(set) var section: String?
    package fileprivate(set) var hasAttributes = false
    /// Level of the segmentation type: ads lie inside of placement opportunities, and those inside of breaks.
    package fileprivate(set) var level: Int?
    /// TYPE of EXT-X-CUE that marks no edge known to Adobe's readers.
    package fileprivate(set) var unknownType: String?

    /// Tags with a segmentation type or a section alone mark ads inside of breaks as well.
    package var isPaired: Bool {
        switch dialect {
        case .cueTags, .adobeCues: kind != .section
        case .scte35Tags: kind != .section && level == nil
        case .splicePoints, .dateRanges, .addresses: false
        }
    }

    /// More tags than these before one segment keep their order.
    package static let sortedCues = 8

    /// Tags before one segment may stand in any order.
    package static func putEndsFirst<Cue>(
        _ cues: inout [Cue],
        in group: Range<Int>,
        isOpen: (StitchedBreak.Dialect) -> Bool,
        tag: (Cue) -> CueTag
    ) {
        guard (2...sortedCues).contains(group.count) else { return }
        for index in group {
            let end = tag(cues[index])
            guard end.kind == .in, end.isPaired, isOpen(end.dialect),
                let first = group.first(where: { tag(cues[$0]).isPaired && tag(cues[$0]).dialect == end.dialect }),
                first < index, tag(cues[first]).kind == .out
            else { continue }
            for place in stride(from: index, to: first, by: -1) { cues.swapAt(place, place - 1) }
        }
    }

    private static let sectionEvents = 16

    /// The first of many tags count, and the outermost of many events in a section.
    package static func events(of tags: some Collection<CueTag>) -> (begun: [SpliceEvent], ended: [SpliceEvent]) {
        var events: (begun: [SpliceEvent], ended: [SpliceEvent]) = ([], [])
        for tag in tags.prefix(sortedCues) {
            let isAhead = tag.kind == .section && tag.dialect == .scte35Tags
            guard tag.kind != .more, !isAhead, let section = tag.section.flatMap({ SpliceSection(text: $0) })
            else { continue }
            if tag.kind != .in {
                let begun = section.events(.out).sorted { $0.level ?? 0 > $1.level ?? 0 }.prefix(sectionEvents)
                events.begun += begun.filter { !events.begun.contains($0) }
            }
            if tag.kind != .out { events.ended += section.events(.in) }
        }
        events.begun.sort { $0.level ?? 0 > $1.level ?? 0 }
        return events
    }

    package static func read(_ bytes: UnsafeRawBufferPointer, _ line: Range<Int>) -> CueTag? {
        guard bytes.matches("#EXT-", at: line.lowerBound, prefixBefore: line.upperBound) else { return nil }
        let colon = line.first { bytes[$0] == UInt8(ascii: ":") } ?? line.upperBound
        func isNamed(_ name: StaticString) -> Bool { bytes.matches(name, at: line.lowerBound + 5, end: colon) }
        let value = CueValue(bytes, min(colon + 1, line.upperBound)..<line.upperBound)
        guard let form = forms.first(where: { isNamed($0.name) })?.form else { return nil }
        switch form {
        case .mark(let kind, let dialect): return CueTag(kind: kind, dialect: dialect).reading(value)
        case .adobe:
            if let kind = value.adobeKind { return CueTag(kind: kind, dialect: .adobeCues).reading(value) }
            return value.text("TYPE").map { CueTag(kind: .section, dialect: .adobeCues, unknownType: $0) }
        case .scte35: return scte35(value).reading(value)
        case .splicePoint: return splicePoint(value.whole)
        case .section: return CueTag(kind: .section, dialect: .cueTags, section: value.whole)
        }
    }

    /// Without the number sign: the one list of names.
    package static let tagNames = forms.map { "EXT-\($0.name)" }

    private enum Form {
        case mark(Kind, StitchedBreak.Dialect)
        case adobe, scte35, section, splicePoint
    }

    private static let forms: [(name: StaticString, form: Form)] = [
        ("X-CUE-OUT", .mark(.out, .cueTags)), ("X-CUE-OUT-CONT", .mark(.more, .cueTags)),
        ("X-CUE-IN", .mark(.in, .cueTags)), ("X-CUE-SPAN", .mark(.more, .cueTags)),
        ("X-SIGNAL-EXIT", .mark(.out, .cueTags)), ("X-SIGNAL-SPAN", .mark(.more, .cueTags)),
        ("X-SIGNAL-RETURN", .mark(.in, .cueTags)), ("X-CUE", .adobe), ("X-CUE-CONT", .mark(.more, .adobeCues)),
        // Twitch marked stitched ads by the second and the third.
        ("X-SCTE35", .scte35), ("X-SCTE35-OUT", .mark(.out, .scte35Tags)), ("X-SCTE35-IN", .mark(.in, .scte35Tags)),
        ("OATCLS-SCTE35", .section), ("X-SPLICEPOINT-SCTE35", .splicePoint),
    ]

    private static func splicePoint(_ text: String) -> CueTag {
        let edge = SpliceSection(text: text)?.outermost
        var (kind, length) = (Kind.section, Length.unstated)
        switch edge?.meaning {
        case .out(let duration):
            kind = .out
            if let duration, duration > .zero { length = .of(duration) }
        case .in: kind = .in
        case nil: break
        }
        return CueTag(kind: kind, dialect: .splicePoints, length: length, section: text, level: edge?.level)
    }

    /// CUE-OUT and CUE-IN are NO unless they say otherwise (SCTE 35 2017).
    ///
    /// TYPE without them marks edges as a splice point does; a section without TYPE belongs to the mark beside it, which may be
    /// announced long before.
    private static func scte35(_ value: CueValue) -> CueTag {
        let edge = value.segmentationType.map { SpliceTable.edge(of: $0) }
        let kind: Kind
        switch (value.text("CUE-OUT")?.uppercased(), value.text("CUE-IN")?.uppercased()) {
        case ("YES", _): kind = .out
        case ("CONT", _): kind = .more
        case (_, "YES"): kind = .in
        case ("NO", _) where edge == nil:
            kind = value.section.map { SpliceSection(text: $0)?.meaning == .in } ?? true ? .in : .section
        default:
            guard let edge = edge.flatMap({ $0 }) else { return CueTag(kind: .section, dialect: .scte35Tags) }
            let kind: Kind = edge.side == .in ? .in : value.isUnderWay ? .more : .out
            return CueTag(kind: kind, dialect: .splicePoints, level: edge.level)
        }
        return CueTag(kind: kind, dialect: .scte35Tags, level: edge.flatMap { $0 }?.level)
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

/// A number, a list of attributes, or both with a comma between them.
private struct CueValue {
    private let bytes: UnsafeRawBufferPointer
    private let range: Range<Int>
    private let bare: Range<Int>
    private let attributes: Range<Int>

    init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
        (self.bytes, self.range) = (bytes, range)
        let end = range.first { bytes[$0] == UInt8(ascii: ",") || bytes[$0] == UInt8(ascii: "=") } ?? range.upperBound
        let isNamed = end < range.upperBound && bytes[end] == UInt8(ascii: "=")
        bare = range.lowerBound..<(isNamed ? range.lowerBound : end)
        attributes = (isNamed ? range.lowerBound : end)..<range.upperBound
    }

    var hasAttributes: Bool { !attributes.isEmpty }
    var whole: String { bytes.text(trimmed(range)) }

    /// A segmentation_type_id such as 0x34, or 52.
    var segmentationType: UInt8? {
        text("TYPE").flatMap { type in
            type.lowercased().hasPrefix("0x") ? UInt8(type.dropFirst(2), radix: 16) : UInt8(type)
        }
    }

    var isUnderWay: Bool { value("ELAPSED").flatMap { length($0, isBare: false).duration } ?? .zero > .zero }

    /// Adobe's TYPE is SpliceOut, SpliceIn, or missing beside DURATION (TVSDK); Azure's scte35 leaves it to the section.
    var adobeKind: CueTag.Kind? {
        let out: CueTag.Kind = isUnderWay ? .more : .out
        switch text("TYPE")?.lowercased() {
        case "spliceout": return out
        case "splicein": return .in
        case "scte35":
            guard let meaning = section.flatMap({ SpliceSection(text: $0)?.meaning }) else { return .section }
            return meaning == .in ? .in : out
        case nil: return text("DURATION") == nil ? nil : out
        default: return nil
        }
    }

    var section: String? { text("SCTE35") ?? text("CUE") }

    /// `30`, `DURATION=30`, `30,ID=4`, `PT30S`, in quotation marks or behind a space, or nothing.
    var length: CueTag.Length {
        if let named = value("DURATION") { return named.isEmpty ? .unreadable("") : length(named, isBare: false) }
        let length = length(bare, isBare: true)
        return length == .unstated ? misnamedLength ?? length : length
    }

    /// No known packager writes and no known reader reads such a name (assumption), and none begins with a digit.
    private var misnamedLength: CueTag.Length? {
        let attribute = attribute { name in
            let text = bytes.text(trimmed(name.prefix(Self.shownBytes))).uppercased()
            return text.hasPrefix("DUR") || text.hasSuffix("DURATION") || text == "LENGTH"
                || text.utf8.first.map(\.isDigit) ?? false
        }
        guard let attribute, DecimalText.microseconds(bytes, trimmed(attribute.value)) ?? 0 > 0 else { return nil }
        return .unreadable(bytes.text(attribute.name) + "=" + bytes.text(attribute.value.prefix(Self.shownBytes)))
    }

    /// `10/30`, `10`, `ElapsedTime=10,Duration=30` or `TIMEFROMSIGNAL=PT10S` among other attributes.
    var progress: (elapsed: Duration?, length: CueTag.Length) {
        let slash = bare.first { bytes[$0] == UInt8(ascii: "/") } ?? bare.upperBound
        let named =
            value("ELAPSEDTIME") ?? value("ELAPSED") ?? value("AVAIL-DUR-ELAPSED") ?? value("TIMEFROMSIGNAL")
        let elapsed = length(named ?? bare.lowerBound..<slash, isBare: named == nil).duration
        if let named = value("DURATION") { return (elapsed, length(named, isBare: false)) }
        let length = length(min(slash + 1, bare.upperBound)..<bare.upperBound, isBare: true)
        return (elapsed, length == .unstated ? misnamedLength ?? length : length)
    }

    func text(_ name: StaticString) -> String? { value(name).map(bytes.text) }

    private func value(_ name: StaticString) -> Range<Int>? {
        attribute { found in
            found.count == name.utf8CodeUnitCount
                && found.indices.allSatisfy {
                    let (own, wanted) = (bytes[$0], name.utf8Start[$0 - found.lowerBound])
                    return own == wanted || own.isLetter && own & 0xDF == wanted
                }
        }?.value
    }

    private func attribute(_ isWanted: (Range<Int>) -> Bool) -> AttributeList.Attribute? {
        var list = AttributeList(bytes, attributes)
        while let attribute = list.next() { if isWanted(attribute.name) { return attribute } }
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
            let text = bytes.text(inner.prefix(Self.shownBytes))
            guard let duration = Self.iso8601(text.utf8) else { return .unreadable(text) }
            return .unusual(duration, form: "ISO 8601 (\(text))")
        }
        guard microseconds > 0 else { return .unstated }
        if let end = fraction(after: inner)?.upperBound { return .unreadable(bytes.text(inner.lowerBound..<end)) }
        if isBare, isQuoted { return .unusual(.microseconds(microseconds), form: "a number in quotation marks") }
        if isTrimmed { return .unusual(.microseconds(microseconds), form: "a number beside a space") }
        return .of(.microseconds(microseconds))
    }

    private static let shownBytes = 64

    /// A comma begins the fraction of a number in some languages and ends the number here.
    private func fraction(after number: Range<Int>) -> Range<Int>? {
        guard number.upperBound < range.upperBound, bytes[number.upperBound] == UInt8(ascii: ",") else { return nil }
        let rest = (number.upperBound + 1)..<range.upperBound
        let digits = rest.prefix { bytes[$0].isDigit }
        let isWhole = digits.upperBound == range.upperBound || bytes[digits.upperBound] == UInt8(ascii: ",")
        return digits.isEmpty || digits.count > Self.shownBytes || !isWhole ? nil : digits
    }

    /// `PT1H2M3.5S`, any part of it, perhaps behind a date of zeros as in `P0Y0M0DT30S`.
    private static func iso8601(_ text: String.UTF8View) -> Duration? {
        guard text.first == UInt8(ascii: "P"), let time = text.firstIndex(of: UInt8(ascii: "T")),
            text[..<time].allSatisfy({ $0.isLetter || $0 == UInt8(ascii: "0") })
        else { return nil }
        var sum: Int64 = 0
        var number: [UInt8] = []
        for byte in text[time...].dropFirst() {
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
}

extension MediaPlaylist {
    /// Ends come first; `segmentIndex` is that of the segment after the tag.
    ///
    /// `pending`: dialects whose breaks are open before the segment `first`, although their begin is not listed.
    package func cues(
        open pending: Set<StitchedBreak.Dialect> = [],
        from first: Int = 0
    ) -> [(tag: CueTag, segmentIndex: Int)] {
        guard !otherTags.isEmpty else { return [] }
        var cues = text.withUnsafeBytes { bytes in
            otherTags.compactMap { other in
                CueTag.read(bytes, other.line.clamped(to: 0..<bytes.count))
                    .map { (tag: $0, segmentIndex: other.segmentIndex) }
            }
        }
        var open: Set<StitchedBreak.Dialect> = []
        var pending = pending
        var start = 0
        while start < cues.count {
            let index = cues[start].segmentIndex
            if index >= first {
                open.formUnion(pending)
                pending = []
            }
            let end = cues[start...].firstIndex { $0.segmentIndex != index } ?? cues.count
            CueTag.putEndsFirst(&cues, in: start..<end, isOpen: open.contains) { $0.tag }
            for cue in cues[start..<end] where cue.tag.isPaired {
                if cue.tag.kind == .in { open.remove(cue.tag.dialect) } else { open.insert(cue.tag.dialect) }
            }
            start = end
        }
        return cues
    }
}

import HLS

/// Checks EXT-X-DATERANGE: single tags, tags of one ID, and ranges of one class (bis-22 4.4.5.1).
struct DateRangeChecks {
    private let bytes: UnsafeRawBufferPointer
    private var ranges: [Known] = []
    /// Filled only once `ranges` is too long for a linear search.
    private var indices: [RawText: Int] = [:]
    /// Ends without a tag of the start before them.
    private var endings: [Ending] = []
    private var firstLine: TagLine?
    private var overlapping = false
    private var hasOddDate = false
    private var comparisons = 256

    private static let searchLimit = 8

    private struct Known {
        let id: Range<Int>
        let line: TagLine
        let start: WallTime
        var end: WallTime?
        var hasEnd = false
        var className: Range<Int>?
        var endsOnNext: Bool
        var spliceIn: (line: TagLine, value: Range<Int>)?
        var spliceOut: Range<Int>?
        var planned: Range<Int>?
        var assets = InterstitialCheck.Assets()
        let isInterstitial: Bool
        var target: PreloadTarget?
        /// All tags of the ID together; nil also after a reported problem.
        var consolidated: DateRange?
        var isRefused = false

        func shift(from date: WallTime) -> Int64 { start.duration(since: date).wholeMicroseconds }

        mutating func read(_ reader: TagReader) {
            className = className ?? reader["CLASS"]
            spliceIn = reader["SCTE35-IN"].map { (line: reader.line, value: $0) } ?? spliceIn
            spliceOut = reader["SCTE35-OUT"] ?? spliceOut
            planned = reader["PLANNED-DURATION"] ?? planned
            guard reader.has("DURATION") || reader.has("END-DATE") else { return }
            hasEnd = true
            end = reader.date("END-DATE") ?? reader.microseconds("DURATION").map { start + .microseconds($0) }
        }
    }

    private struct PreloadTarget {
        let id: Range<Int>
        let className: Range<Int>
        let uri: Range<Int>
    }

    private struct Ending {
        let id: Range<Int>
        let line: TagLine
        /// Derived from its end and duration.
        let start: WallTime?
    }

    private struct Extent {
        var start: WallTime?
        var end: WallTime?
        var duration: Int64?
        var endsOnNext = false

        var problem: String? {
            if endsOnNext, duration != nil || end != nil { return "no DURATION or END-DATE beside END-ON-NEXT" }
            guard let start, let end else { return nil }
            if end < start { return "END-DATE not before START-DATE" }
            guard let duration else { return nil }
            let apart = end.duration(since: start).wholeMicroseconds.subtractingReportingOverflow(duration)
            return apart.overflow || apart.partialValue.magnitude > 2_000
                ? "END-DATE that is START-DATE plus DURATION" : nil
        }
    }

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var hasAny: Bool { firstLine != nil }

    mutating func read(problem: String?, _ reader: inout TagReader) {
        let line = reader.line
        if firstLine == nil { firstLine = line }
        if let problem = problem.map({ (expected: $0, likely: reader.mistake) }) ?? self.problem(reader) {
            reader.note(.dateRangeInvalid, expected: problem.expected, likely: problem.likely)
            return
        }
        checkForm(&reader)
        SpliceChecks.check(&reader)
        checkNames(&reader)
        guard let id = reader["ID"] else { return }
        if let index = index(of: id) {
            consolidate(index, &reader)
        } else if let start = reader.date("START-DATE") {
            add(id, start, &reader)
        } else if reader["START-DATE"] == nil, reader.attributes.contains(where: { isMeant($0.name, reader) }) {
            let likely = "START-DATE is there, but misspelt."
            reader.note(.dateRangeInvalid, expected: Self.startExpected, likely: likely)
        } else if reader.has("END-DATE") || reader.has("DURATION"), reader["START-DATE"] == nil {
            let length = reader.microseconds("DURATION")
            let start = length.flatMap { length in reader.date("END-DATE").map { $0 - .microseconds(length) } }
            endings.append(Ending(id: id, line: line, start: start))
        } else if reader["START-DATE"] == nil {
            reader.note(.dateRangeInvalid, expected: Self.startExpected, likely: Self.cutOff)
        }
    }

    private func isMeant(_ name: Range<Int>, _ reader: TagReader) -> Bool {
        DateRangeNames.ofAll.name(meantBy: reader.text(name)) == "START-DATE"
    }

    private static let cutOff = "The tag was cut off, or the first one of its ID was lost."
    private static let countsTags = "The packager counts IDs by tags instead of by breaks."
    private static let unstarted = "A splice in was written without the splice out that it ends."

    private static let startExpected = "START-DATE in the first tag of an ID"

    func finish(hasDates: Bool, window: PlaylistWindow, _ reader: inout TagReader) {
        if !hasDates, let firstLine {
            let expected = "at least one EXT-X-PROGRAM-DATE-TIME in a playlist with date ranges"
            reader.note(.dateRangeWithoutProgramDate, firstLine, expected: expected)
        }
        checkEndings(window, &reader)
        checkSplicePairs(window, &reader)
        for range in ranges {
            if let line = range.spliceIn?.line, !range.hasEnd {
                let likely = "The end of the break was published without its duration."
                reader.note(.spliceInvalid, line, expected: "DURATION or END-DATE beside SCTE35-IN", likely: likely)
            }
            if range.isInterstitial, let problem = range.assets.problem {
                reader.note(.interstitialInvalid, range.line, expected: problem.expected, likely: problem.likely)
            }
            if range.className == nil, range.assets.hasAny {
                let likely = "CLASS was left out."
                reader.note(.dateRangeIneffective, range.line, expected: DateRangeNames.classExpected, likely: likely)
            }
            if let target = range.target { check(target, range.line, &reader) }
        }
        checkOverlaps(&reader)
    }

    /// The first date of a playlist that players read differently or refuse.
    private mutating func checkForm(_ reader: inout TagReader) {
        func read(_ value: Range<Int>?) -> DateOddity? {
            guard let value, !reader.isReference(value) else { return nil }
            let text = UnsafeRawBufferPointer(rebasing: bytes[value])
            return WallTime.parse(text) == nil ? nil : DateOddity(of: text)
        }
        guard !hasOddDate, let oddity = read(reader["START-DATE"]) ?? read(reader["END-DATE"]) else { return }
        hasOddDate = true
        reader.note(.playlistFormLoose, expected: oddity.expected, likely: oddity.likely)
    }

    private func problem(_ reader: TagReader) -> (expected: String, likely: String?)? {
        if reader["ID"]?.isEmpty ?? true { return ("ID that is not empty", nil) }
        let own = Extent(
            start: reader.date("START-DATE"),
            end: reader.date("END-DATE"),
            duration: reader.microseconds("DURATION")
        )
        if let problem = own.problem { return (problem, "The two times come from clocks that disagree.") }
        if let next = reader["END-ON-NEXT"], !reader.isReference(next) {
            guard reader.is("END-ON-NEXT", "YES") else { return ("END-ON-NEXT=YES", nil) }
            guard reader.has("CLASS") else { return ("CLASS beside END-ON-NEXT", nil) }
            if own.duration != nil || own.end != nil { return ("no DURATION or END-DATE beside END-ON-NEXT", nil) }
        }
        if let cue = reader.text("CUE"), reader["CUE"].map(reader.isReference) == false {
            let words = cue.split(separator: ",", omittingEmptySubsequences: false)
            if words.contains(where: { $0 != "PRE" && $0 != "POST" && $0 != "ONCE" }) {
                let isCase = words.allSatisfy { ["PRE", "POST", "ONCE"].contains($0.uppercased()) }
                let placed = "A break within the programme was given a CUE, which has no word for it."
                let other = cue.contains(" ") ? TypingMistake.spaced : placed
                return ("CUE of PRE, POST and ONCE", isCase ? TypingMistake.lowerCase : other)
            }
            if words.contains("PRE"), words.contains("POST") {
                return ("CUE with PRE or POST, not both", "One range is meant for two breaks.")
            }
        }
        for attribute in reader.attributes where !attribute.isQuoted && isClientDefined(attribute) {
            let value = attribute.value
            if !reader.isReference(value), !AttributeForm.hexadecimal.accepts(bytes, value),
                !DecimalText.isNumber(bytes, value)
            {
                let name = attribute.name
                let isNumber = InterstitialCheck.numbers.contains {
                    bytes.matches($0, at: name.lowerBound, end: name.upperBound)
                }
                guard isNumber else {
                    let expected = "a quoted string, a number or hexadecimal digits for \(reader.text(name))"
                    return (expected, TypingMistake.unquoted)
                }
                let likely = TypingMistake.inValue(reader.text(value), isQuoted: false, .signedDecimal)
                return ("\(reader.text(name)) as a number of seconds", likely)
            }
        }
        return nil
    }

    /// Each tag of the ID alone is valid.
    private static func problem(_ whole: DateRange) -> String? {
        Extent(
            start: whole.startDate,
            end: whole.endDate,
            duration: whole.duration?.wholeMicroseconds,
            endsOnNext: whole.endOnNext
        ).problem
    }

    private func isClientDefined(_ attribute: AttributeList.Attribute) -> Bool {
        bytes.matches("X-", at: attribute.name.lowerBound, prefixBefore: attribute.name.upperBound)
    }

    private mutating func add(_ id: Range<Int>, _ start: WallTime, _ reader: inout TagReader) {
        let line = reader.line
        let isInterstitial = reader.is("CLASS", "com.apple.hls.interstitial")
        let endsOnNext = reader.has("END-ON-NEXT")
        var known = Known(id: id, line: line, start: start, endsOnNext: endsOnNext, isInterstitial: isInterstitial)
        known.read(reader)
        if isInterstitial || known.className == nil { known.assets.read(reader) }
        if isInterstitial {
            known.assets.noteMisspelt(reader)
            InterstitialCheck.check(&reader)
        } else if reader.is("CLASS", "com.apple.hls.preload") {
            InterstitialCheck.checkPreload(&reader)
            if let id = reader["X-TARGET-ID"], let name = reader["X-TARGET-CLASS"], let uri = reader["X-URI"] {
                known.target = PreloadTarget(id: id, className: name, uri: uri)
            }
        }
        overlapping = overlapping || known.endsOnNext
        ranges.append(known)
        guard ranges.count > Self.searchLimit else { return }
        for index in indices.count..<ranges.count { indices[RawText(bytes, ranges[index].id)] = index }
    }

    private func index(of id: Range<Int>) -> Int? {
        if ranges.count > Self.searchLimit { return indices[RawText(bytes, id)] }
        return ranges.firstIndex { $0.id.count == id.count && bytes[$0.id].elementsEqual(bytes[id]) }
    }

    /// A range may end after the tag that began it has left the window.
    ///
    /// bis-22 section 4.4.5.1 requires the start in the same playlist; AWS Elemental Live gives it in the first tag alone
    /// (documentation of its EXT-X-DATERANGE ad marker).
    private func checkEndings(_ window: PlaylistWindow, _ reader: inout TagReader) {
        for ending in endings where reader.hasRoom(for: .dateRangeInvalid) {
            if index(of: ending.id) != nil {
                let likely = "The tags of the range stand in another order than they were written."
                reader.note(.dateRangeInvalid, ending.line, expected: Self.startExpected, likely: likely)
            } else if !window.hasMoved {
                let expected = "\(Self.startExpected), which cannot have left this playlist"
                reader.note(.dateRangeInvalid, ending.line, expected: expected, likely: Self.unstarted)
            } else if let start = ending.start, let first = window.start, start > first + Self.rounding {
                let expected = "\(Self.startExpected), while \(start.iso8601), where it begins, is listed"
                reader.note(.dateRangeInvalid, ending.line, expected: expected, likely: Self.unstarted)
            }
        }
    }

    /// Splices out that nothing ends, or that another event or ID ends (bis-22 section 4.4.5.1.1).
    ///
    /// Advice: an encoder may number each section anew, and events may overlap.
    private func checkSplicePairs(_ window: PlaylistWindow, _ reader: inout TagReader) {
        for range in ranges {
            guard let begin = range.spliceOut, let end = range.spliceIn, let begun = section(begin),
                let ended = section(end.value), let event = SpliceChecks.otherEvent(of: ended, than: begun)
            else { continue }
            let (known, found) = (event.expected, event.observed)
            let expected = "SCTE35-IN of event \(known), as SCTE35-OUT under this ID has it, not \(found)"
            reader.note(.dateRangeIneffective, end.line, expected: expected, likely: SpliceChecks.renumbered)
        }
        let open = ranges.filter { $0.spliceOut != nil && $0.spliceIn == nil && !$0.hasEnd }
        guard let first = open.min(by: { $0.start < $1.start }) else { return }
        // The splice out of an earlier range may have left the window with its start.
        let strange = ranges.filter { range in
            range.spliceOut == nil && range.spliceIn != nil && range.start > first.start
                && window.start.map { range.start >= $0 } ?? false
        }
        for range in strange {
            guard let line = range.spliceIn?.line, reader.hasRoom(for: .dateRangeIneffective) else { continue }
            let expected = "SCTE35-IN under ID=\"\(reader.shown(first.id))\", open since \(first.start.iso8601)"
            reader.note(.dateRangeIneffective, line, expected: expected, likely: Self.countsTags)
        }
        guard window.hasEnded, strange.isEmpty else { return }
        for range in open {
            guard let planned = range.planned.flatMap({ DecimalText.microseconds(bytes, $0) }) else {
                reader.note(.spliceOrphaned, range.line, expected: "SCTE35-IN under the same ID, DURATION or END-DATE")
                continue
            }
            let rest = window.end.map { $0.duration(since: range.start).wholeMicroseconds.subtractingClamped(planned) }
            guard let rest, rest > SpliceChecks.tolerance.wholeMicroseconds, !returnsByItself(range) else { continue }
            let seconds = (SecondsText.shortest(rest), SecondsText.shortest(planned))
            let expected = "SCTE35-IN under the same ID, or DURATION: \(seconds.0) s follow the \(seconds.1) s planned"
            reader.note(.dateRangeIneffective, range.line, expected: expected, likely: SpliceChecks.lostIn)
        }
    }

    /// A splice_insert may return without another one (SCTE 35 section 9.8).
    ///
    /// Assumption: a segmentation with a duration needs no end either.
    private func returnsByItself(_ range: Known) -> Bool {
        guard let section = range.spliceOut.flatMap(self.section) else { return true }
        if case .insert(let insert) = section.command { return insert.returnsByItself }
        return !section.lengths.isEmpty
    }

    /// One equal length is enough: a break and what lies in it may begin together.
    ///
    /// A cue tag may stand up to a segment from a splice; a range further away, of equal length, is the same break (assumption).
    func compare(with cues: [CueChecks.Start], target: Int64, _ reader: inout TagReader) {
        guard !cues.isEmpty else { return }
        let planned = ranges.compactMap { range -> (range: Known, length: Duration, isAd: Bool)? in
            guard let begin = range.spliceOut, let text = range.planned,
                let length = DecimalText.microseconds(bytes, text)
            else { return nil }
            return (range, .microseconds(length), section(begin)?.outermost?.level == 1)
        }
        func begins(_ range: Known, with cue: CueChecks.Start) -> Bool {
            cue.date.map { !SpliceChecks.differ(range.start.duration(since: $0), .zero) } ?? false
        }
        for cue in cues {
            // An ad begins with the break in which it lies.
            let own = planned.filter { range, length, isAd in
                begins(range, with: cue) && !(isAd && cue.lengths.contains { $0 > length })
            }
            if own.contains(where: { cue.isAsLong(as: $0.length) }) { continue }
            if let known = own.first {
                let (length, id) = (SpliceChecks.text(known.length), reader.shown(known.range.id))
                let words = "one length for one break: \(length) s, as ID=\"\(id)\" has it"
                reader.note(.cueUnclear, cue.line, expected: words, likely: SpliceChecks.twoLengths)
            } else if let date = cue.date, target > 0 {
                let near = target...target.multipliedClamped(by: 3)
                let strange = planned.first { range, length, isAd in
                    let apart = Int64(clamping: range.shift(from: date).magnitude)
                    return !isAd && cue.isAsLong(as: length) && near.contains(apart)
                        && !cues.contains { begins(range, with: $0) }
                }
                guard let range = strange?.range else { continue }
                let (start, shift) = (range.start.iso8601, range.shift(from: date).shiftText)
                let words = "the cue-out at \(start), where ID=\"\(reader.shown(range.id))\" splices out, \(shift)"
                reader.note(.cueUnclear, cue.line, expected: words, likely: SpliceChecks.twoPlaces)
            }
        }
    }

    private func section(_ value: Range<Int>) -> SpliceSection? { SpliceSection(text: bytes.text(value)) }

    /// Dates are rounded to milliseconds, lengths of segments to more.
    private static let rounding = Duration.milliseconds(100)

    private mutating func consolidate(_ index: Int, _ reader: inout TagReader) {
        let line = reader.line
        if ranges[index].isInterstitial {
            ranges[index].assets.read(reader)
            InterstitialCheck.check(&reader)
        }
        ranges[index].read(reader)
        guard !ranges[index].isRefused, reader.hasRoom(for: .dateRangeConflict),
            let later = DateRangeTag(bytes, line.valueRange).dateRange()
        else { return }
        var whole = ranges[index].consolidated
        ranges[index].consolidated = nil
        if whole == nil { whole = DateRangeTag(bytes, ranges[index].line.valueRange).dateRange() }
        whole?.consolidate(with: later)
        if let names = whole?.conflictingAttributes, !names.isEmpty {
            ranges[index].isRefused = true
            let (first, second) = (reader.shown(ranges[index].line), reader.shown(line))
            let expected = "the same \(names.joined(separator: ", ")) as in \(first)"
            reader.note(.dateRangeConflict, at: line.start, expected: expected, observed: second)
        } else if let whole, let problem = Self.problem(whole) {
            ranges[index].isRefused = true
            let likely = "Two signals of one break were converted separately."
            reader.note(.dateRangeInvalid, expected: "\(problem), all tags of the ID together", likely: likely)
        } else {
            ranges[index].consolidated = whole
        }
    }

    private func checkOverlaps(_ reader: inout TagReader) {
        guard overlapping else { return }
        var classes: [RawText: [Known]] = [:]
        for range in ranges {
            if let name = range.className { classes[RawText(bytes, name), default: []].append(range) }
        }
        for ranges in classes.values where ranges.contains(where: \.endsOnNext) {
            let sorted = ranges.sorted { ($0.start, $0.line.start) < ($1.start, $1.line.start) }
            for (earlier, later) in zip(sorted, sorted.dropFirst()) where reader.hasRoom(for: .dateRangeOverlap) {
                guard let end = earlier.end, end > later.start + .milliseconds(1) else { continue }
                let expected = "a start not before \(end.iso8601), where the range before it in its class ends"
                reader.note(.dateRangeOverlap, later.line, expected: expected)
            }
        }
    }

    /// Players ignore names and classes that are nearly defined ones.
    private mutating func checkNames(_ reader: inout TagReader) {
        var isInterstitial = reader.is("CLASS", "com.apple.hls.interstitial")
        if !isInterstitial, comparisons > 0, let name = reader["CLASS"], !DateRangeNames.isDefined(name, bytes) {
            comparisons -= 1
            if let meant = DateRangeNames.classes.name(meantBy: reader.text(name)) {
                isInterstitial = true
                let expected = "CLASS=\"\(meant)\", for players ignore other classes"
                reader.note(.dateRangeIneffective, expected: expected, likely: DateRangeNames.classSlip)
            }
        }
        for attribute in reader.attributes where comparisons > 0 {
            let isExtension = isClientDefined(attribute)
            guard isInterstitial || !isExtension, !DateRangeNames.isDefined(attribute.name, bytes) else { continue }
            comparisons -= 1
            let found = reader.text(attribute.name)
            let names = isInterstitial ? DateRangeNames.ofInterstitials : DateRangeNames.ofAll
            guard let meant = names.name(meantBy: found),
                !reader.attributes.contains(where: { reader.text($0.name) == meant })
            else { continue }
            reader.note(.dateRangeIneffective, expected: "\(meant) in place of \(found), which players ignore")
        }
    }

    /// Compares a preload range with the listed range that it names (bis-22 appendix F).
    private func check(_ target: PreloadTarget, _ line: TagLine, _ reader: inout TagReader) {
        let id = reader.shown(target.id)
        guard let range = index(of: target.id).map({ ranges[$0] }) else {
            guard let meant = DateRangeNames.classes.name(meantBy: reader.shown(target.className)) else { return }
            let expected = "X-TARGET-CLASS=\"\(meant)\""
            reader.note(.dateRangeIneffective, line, expected: expected, likely: DateRangeNames.classSlip)
            return
        }
        guard let name = range.className, isPlain(name), isPlain(target.className) else { return }
        if !bytes[name].elementsEqual(bytes[target.className]) {
            let expected =
                "X-TARGET-CLASS=\"\(reader.shown(name))\", the CLASS of ID=\"\(id)\": else nothing is preloaded"
            reader.note(.dateRangeIneffective, line, expected: expected, likely: DateRangeNames.classSlip)
        } else if range.isInterstitial, let uri = range.assets.only, isPlain(uri), isPlain(target.uri),
            areSurelyTwo(uri, target.uri)
        {
            let expected = "X-URI=\"\(reader.shown(uri))\", as in ID=\"\(id)\": players discard what another one gave"
            let likely = "The two addresses are signed, or written, in different ways."
            reader.note(.dateRangeIneffective, line, expected: expected, likely: likely)
        }
    }

    private func isPlain(_ value: Range<Int>) -> Bool {
        !value.dropLast().contains { bytes[$0] == UInt8(ascii: "{") && bytes[$0 + 1] == UInt8(ascii: "$") }
    }

    /// Whether the addresses differ wherever the playlist is.
    private func areSurelyTwo(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        let texts = [left, right].map(bytes.text)
        let kinds = texts.map { (URLReference.isAbsolute($0), $0.hasPrefix("/")) }
        guard kinds[0] == kinds[1], !texts.contains(where: { $0.contains("..") }) else { return false }
        let addresses = texts.map { URLReference.resolve($0, against: "https://a.example/b/c.m3u8") }
        return addresses[0] != addresses[1]
    }
}

/// Defined names: bis-22 section 4.4.5.1, appendices D.2, D.3 and F.
private enum DateRangeNames {
    static let classExpected =
        "CLASS=\"\(Interstitial.classAttribute)\" beside X-ASSET-URI or X-ASSET-LIST, for players ignore other ranges"

    static let classSlip = "A letter or a word of the class is missing, doubled or another one."
    static let classes = NearMiss([Interstitial.classAttribute, PreloadRange.classAttribute])
    static let ofAll = NearMiss(common)
    static let ofInterstitials = NearMiss(Interstitial.Attribute.allCases.map(\.rawValue) + timeline + common)

    private static let timeline = ["X-TIMELINE-OCCUPIES", "X-TIMELINE-STYLE"]
    private static let common = [
        "CLASS", "START-DATE", "END-DATE", "DURATION", "PLANNED-DURATION", "CUE", "END-ON-NEXT", "SCTE35-CMD",
        "SCTE35-OUT", "SCTE35-IN",
    ]
    private static let defined: [[UInt8]] =
        (common + timeline + ["ID", Interstitial.classAttribute, PreloadRange.classAttribute]
        + Interstitial.Attribute.allCases.map(\.rawValue) + PreloadRange.Attribute.allCases.map(\.rawValue))
        .map { Array($0.utf8) }

    static func isDefined(_ name: Range<Int>, _ bytes: UnsafeRawBufferPointer) -> Bool {
        defined.contains { $0.count == name.count && bytes[name].elementsEqual($0) }
    }
}

struct PlaylistWindow {
    /// Whether segments may have left the playlist, or are left out of it.
    var hasMoved: Bool
    var start: WallTime?
    var end: WallTime?
    var hasEnded = false
}

/// Bytes of a body as a key without a copy; valid as long as the body.
struct RawText: Hashable {
    private let bytes: UnsafeRawBufferPointer

    init(_ body: UnsafeRawBufferPointer, _ range: Range<Int>) { bytes = UnsafeRawBufferPointer(rebasing: body[range]) }

    static func == (left: RawText, right: RawText) -> Bool {
        left.bytes.count == right.bytes.count && left.bytes.elementsEqual(right.bytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
}

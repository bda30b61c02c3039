package struct DateRangeTag {
    private var list: AttributeList
    private var range = DateRange(id: "")

    package init(_ bytes: UnsafeRawBufferPointer, _ attributes: Range<Int>) {
        list = AttributeList(bytes, attributes)
    }

    /// Nil for illegal syntax.
    package consuming func dateRange() -> DateRange? {
        while let attribute = list.next() {
            guard read(attribute) else {
                return nil
            }
        }
        guard !list.isMalformed, !range.id.isEmpty else {
            return nil
        }
        if let start = range.startDate, let end = range.endDate, end < start {
            return nil
        }
        let hasEnd = range.duration != nil || range.endDate != nil
        guard !range.endOnNext || (range.classAttribute != nil && !hasEnd) else {
            return nil
        }
        return range
    }

    /// False when the value is not of the attribute's type.
    private mutating func read(_ attribute: AttributeList.Attribute) -> Bool {
        let firstByte = list.bytes[attribute.name.lowerBound]
        guard firstByte != UInt8(ascii: "X") else {
            return keep(attribute)
        }
        if list.isNamed(attribute, "ID") {
            range.id = list.string(attribute.value)
        } else if list.isNamed(attribute, "CLASS") {
            range.classAttribute = list.string(attribute.value)
        } else if list.isNamed(attribute, "START-DATE") {
            range.startDate = date(attribute)
            return range.startDate != nil
        } else if list.isNamed(attribute, "END-DATE") {
            range.endDate = date(attribute)
            return range.endDate != nil
        } else if list.isNamed(attribute, "DURATION") {
            range.duration = duration(attribute)
            return range.duration != nil
        } else if list.isNamed(attribute, "PLANNED-DURATION") {
            range.plannedDuration = duration(attribute)
            return range.plannedDuration != nil
        } else if list.isNamed(attribute, "CUE") {
            return readCue(attribute)
        } else if list.isNamed(attribute, "END-ON-NEXT") {
            range.endOnNext = list.isYes(attribute)
            return range.endOnNext
        } else if list.isNamed(attribute, "SCTE35-OUT") {
            range.scte35Out = list.string(attribute.value)
        } else if list.isNamed(attribute, "SCTE35-IN") {
            range.scte35In = list.string(attribute.value)
        } else if list.isNamed(attribute, "SCTE35-CMD") {
            range.scte35Command = list.string(attribute.value)
        } else {
            return keep(attribute)
        }
        return true
    }

    private mutating func keep(_ attribute: AttributeList.Attribute) -> Bool {
        range.attributes[list.string(attribute.name)] = list.value(attribute)
        return true
    }

    private func date(_ attribute: AttributeList.Attribute) -> WallTime? {
        WallTime.parse(UnsafeRawBufferPointer(rebasing: list.bytes[attribute.value]))
    }

    private func duration(_ attribute: AttributeList.Attribute) -> Duration? {
        DecimalText.microseconds(list.bytes, attribute.value).map { .microseconds($0) }
    }

    /// PRE and POST exclude each other; unknown cues are ignored.
    private mutating func readCue(_ attribute: AttributeList.Attribute) -> Bool {
        var cues: [DateRange.Cue] = []
        for word in list.string(attribute.value).split(separator: ",") {
            if let cue = DateRange.Cue(rawValue: String(word)), !cues.contains(cue) {
                cues.append(cue)
            }
        }
        range.cue = cues
        return !(cues.contains(.pre) && cues.contains(.post))
    }
}

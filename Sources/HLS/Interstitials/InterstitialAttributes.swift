extension Interstitial {
    /// Attribute names of the class (bis-22 appendices D.2 and D.3, SVTA 2053-2).
    package enum Attribute: String, Sendable, CaseIterable {
        case assetURI = "X-ASSET-URI"
        case assetList = "X-ASSET-LIST"
        case resumeOffset = "X-RESUME-OFFSET"
        case playoutLimit = "X-PLAYOUT-LIMIT"
        case snap = "X-SNAP"
        case restrict = "X-RESTRICT"
        case contentMayVary = "X-CONTENT-MAY-VARY"
        case timelineOccupies = "X-TIMELINE-OCCUPIES"
        case timelineStyle = "X-TIMELINE-STYLE"
        case skipOffset = "X-SKIP-CONTROL-OFFSET"
        case skipDuration = "X-SKIP-CONTROL-DURATION"
        case skipLabel = "X-SKIP-CONTROL-LABEL-ID"
        case creativeSignaling = "X-AD-CREATIVE-SIGNALING"
    }

    /// The interstitial that a date range schedules; nil when it schedules none.
    ///
    /// Requires the class, a start date, and exactly one of X-ASSET-URI and X-ASSET-LIST. Illegal or unknown values count as
    /// absent (bis-22 appendix D.2). Relative URIs are resolved against `base`, the playlist's URL.
    package init?(_ range: DateRange, base: String) {
        guard range.classAttribute == Self.classAttribute, let startDate = range.startDate else {
            return nil
        }
        let values = AttributeReader(attributes: range.attributes)
        let content: Content
        switch (values.quoted(.assetURI), values.quoted(.assetList)) {
        case (let uri?, nil): content = .asset(uri: URLReference.resolve(uri, against: base) ?? uri)
        case (nil, let uri?): content = .assetList(uri: URLReference.resolve(uri, against: base) ?? uri)
        default: return nil
        }
        self.init(id: range.id, startDate: startDate, content: content)
        duration = range.duration ?? range.endDate?.duration(since: startDate)
        plannedDuration = range.plannedDuration
        resumeOffset = values.seconds(.resumeOffset)
        playoutLimit = values.seconds(.playoutLimit).flatMap { $0 < .zero ? nil : $0 }
        for word in values.words(.restrict) {
            restrictions.formUnion(word == "SKIP" ? .skip : word == "JUMP" ? .jump : [])
        }
        for word in values.words(.snap) {
            snap.formUnion(word == "OUT" ? .out : word == "IN" ? .in : [])
        }
        cue = range.cue
        contentMayVary = values.quoted(.contentMayVary) != "NO"
        skipControl = SkipControl(
            offsetSeconds: values.wholeSeconds(.skipOffset),
            durationSeconds: values.wholeSeconds(.skipDuration),
            labelID: values.quoted(.skipLabel).flatMap { SkipControl.isLabelID($0) ? $0 : nil }
        )
        creativeSignaling = values.quoted(.creativeSignaling)
    }

    /// Reads the class's attributes, each in the one syntax that is legal for it.
    private struct AttributeReader {
        let attributes: [String: AttributeValue]

        /// A quoted string that is not empty.
        func quoted(_ attribute: Attribute) -> String? {
            guard case .quoted(let text) = attributes[attribute.rawValue], !text.isEmpty else {
                return nil
            }
            return text
        }

        /// The members of an enumerated-string-list.
        func words(_ attribute: Attribute) -> [Substring] {
            quoted(attribute)?.split(separator: ",").map { word in
                word.drop { $0 == " " }.prefix { $0 != " " }
            } ?? []
        }

        func seconds(_ attribute: Attribute) -> Duration? {
            guard case .number(let text) = attributes[attribute.rawValue] else {
                return nil
            }
            return DecimalText.signedMicroseconds(text).map { .microseconds($0) }
        }

        /// A decimal-integer.
        func wholeSeconds(_ attribute: Attribute) -> Int? {
            guard case .number(let text) = attributes[attribute.rawValue], let value = Int(text), value >= 0 else {
                return nil
            }
            return value
        }
    }
}

extension DecimalText {
    static func signedMicroseconds(_ text: String) -> Int64? {
        Array(text.utf8).withUnsafeBytes { signedMicroseconds($0, 0..<$0.count) }
    }
}

extension MediaPlaylist {
    /// The interstitials in the order of playback: by start date, and by tag order where dates are equal.
    package func interstitials(base: String) -> [Interstitial] {
        let found = dateRanges.compactMap { Interstitial($0, base: base) }
        guard found.count > 1 else {
            return found
        }
        // Sorted by date and place, because tags of one date must keep their order.
        return found.enumerated()
            .sorted { ($0.element.startDate, $0.offset) < ($1.element.startDate, $1.offset) }
            .map(\.element)
    }
}

import HLS

// Faults by which viewers receive different announcements of a break.
//
// A viewer's version stays constant only within the break's zone: the announcement must appear and leave the window within half
// a break interval of the start.
enum BreakAudienceFaults {
    static let breakAnnouncementDiffers = FaultKind(
        "break_announcement_differs",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        edit.changeRanges(of: occasion) { line in line.replacing("ID=\"", with: "ID=\"b-", maxReplacements: 1) }
    }

    static let breakAnnouncementMissing = FaultKind(
        "break_announcement_missing",
        kinds: RequestKind.liveMedia
    ) { edit, _, occasion in
        edit.changeRanges(of: occasion) { _ in nil }
    }

    /// A start that is `shift` later; by default half a second.
    static let breakStartDiffers = FaultKind(
        "break_start_differs",
        kinds: RequestKind.liveMedia,
        parameters: [.shift]
    ) { edit, fault, occasion in
        edit.changeRanges(of: occasion) { line in
            guard let start = AnswerEdit.startDate(in: line) else { return line }
            let shifted = start.date + (fault.shift ?? .milliseconds(500))
            return line.replacingCharacters(in: start.range, with: shifted.iso8601)
        }
    }

    /// No X-PLAYOUT-LIMIT, so that an early return of the channel plan is missed.
    static let earlyReturnMissed = FaultKind(
        "early_return_missed",
        kinds: RequestKind.liveMedia
    ) { edit, _, _ in
        for place in edit.lines.indices where edit.lines[place].hasPrefix(AnswerEdit.dateRangePrefix) {
            edit.lines[place] = AnswerEdit.withoutAttribute(InterstitialName.playoutLimit, edit.lines[place])
        }
    }
}

extension AnswerEdit {
    static let dateRangePrefix = "#EXT-X-DATERANGE:"

    /// Changes the date ranges that start within two target durations of the break; nil removes one.
    mutating func changeRanges(of occasion: FaultOccasion, _ change: (String) -> String?) {
        guard let start = occasion.breakStart else { return }
        lines = lines.compactMap { line in
            guard line.hasPrefix(Self.dateRangePrefix), let found = Self.startDate(in: line) else { return line }
            let distance = found.date.duration(since: start)
            let limit = occasion.targetDuration * 2
            return distance <= limit && distance >= .zero - limit ? change(line) : line
        }
    }

    static func startDate(in line: String) -> (date: WallTime, range: Range<String.Index>)? {
        guard let name = line.firstRange(of: "START-DATE=\"") else { return nil }
        guard let end = line[name.upperBound...].firstIndex(of: "\"") else { return nil }
        return WallTime(iso8601: String(line[name.upperBound..<end])).map { ($0, name.upperBound..<end) }
    }

    /// Removes an attribute, whose value must not contain a comma.
    static func withoutAttribute(_ name: String, _ line: String) -> String {
        guard let found = line.firstRange(of: ",\(name)=") else { return line }
        let end = line[found.upperBound...].firstIndex(of: ",") ?? line.endIndex
        return String(line[..<found.lowerBound] + line[end...])
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}

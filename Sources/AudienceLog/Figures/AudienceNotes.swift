/// What an audience from a log takes for granted, and what the log cannot say.
struct AudienceNotes {
    /// The most that a profile may have.
    private static let mostViewers = 1_000_000

    private let figures: AudienceFigures
    private let poll: Double
    var strangeMarks: [ViewerMark] = []
    var droppedAsks = 0
    /// Of the time that was asked for.
    var outside = 0
    var hasHurriedPolls = false
    /// Of requests that are too far from the first one.
    var tooFar: String?

    init(_ figures: AudienceFigures, pollMilliseconds: Double) {
        self.figures = figures
        poll = pollMilliseconds
    }

    func all() -> [String] { ofWhatIsLeftOut() + ofViewers() + ofTimes() + ofPlayers() + ofBreaks() }

    private func ofWhatIsLeftOut() -> [String] {
        var notes: [String] = []
        if let tooFar { notes.append(tooFar + ".") }
        if outside > 0 {
            notes.append("Left out as not between --from and --to: \(AudienceText.counted(outside, "request")).")
        }
        if figures.untold > 0 {
            notes.append(
                "Left out as nothing tells who made them: \(AudienceText.counted(figures.untold, "request")). --field names "
                    + "what does."
            )
        }
        return notes
    }

    private func ofViewers() -> [String] {
        var notes: [String] = []
        for mark in figures.marks {
            let share = PercentText.of(mark.share)
            switch (mark.mark, mark.isLeftOut) {
            case (.address, true):
                notes.append(
                    "\(share) of the requests for the programme name no session while others do: the first of each viewer, "
                        + "as a rule. They are left out."
                )
            case (.address, false):
                notes.append(
                    "\(share) of the requests for the programme tell their viewer only by address and User-Agent, an "
                        + "assumption: viewers with the same player behind one address (NAT) count as one, and one that "
                        + "changes its address counts twice."
                )
            case (let other, _):
                notes.append("\(share) of the requests for the programme tell their viewer by \(other.words).")
            }
        }
        for mark in strangeMarks {
            notes.append(
                "What was taken for a session (\(mark.words)) comes from many addresses at once: it may be the channel's. "
                    + "--not-session leaves a parameter out."
            )
        }
        if hasHurriedPolls {
            notes.append(
                "Playlists are asked for again sooner than a player does: many viewers count as one, and the audience is larger. "
                    + "A log with a session or with the sid of Common Media Client Data tells them apart."
            )
        }
        if figures.sampledOneIn > 1 {
            notes.append(
                "There are more viewers than are held in memory: one in \(figures.sampledOneIn) was looked at, chosen by "
                    + "its hash, and counts for all of them."
            )
        }
        if figures.peak > Self.mostViewers {
            notes.append("A profile may have 1,000,000 viewers: the audience is that large, in the same shape.")
        }
        if figures.joinedStays > 0 {
            notes.append("Some viewers came and went more than 64 times: later stays of theirs were joined.")
        }
        return notes
    }

    private func ofTimes() -> [String] {
        var notes: [String] = []
        let gap = figures.gap
        notes.append(
            "A viewer that asks for nothing for more than \(gap.components.seconds) s has left (--gap); it is counted until "
                + "half a poll after its last request, and at the log's end until then."
        )
        if poll > 0, Double(gap.components.seconds) * 1000 < 3 * poll {
            notes.append("That is less than three polls: a gap so short takes a viewer that waits for one that left.")
        }
        if figures.isUnderWayAtStart {
            notes.append(
                "The log begins in the midst of things: who asks within its first two polls is taken to have been there, and "
                    + "nobody knows since when."
            )
        }
        if figures.stays.cutOff > 0 {
            notes.append("Stays that go on at the end of the log count as ones of at least their length.")
        }
        if figures.hasWholeSeconds {
            notes.append(
                "The log's stamps are of whole seconds: how requests are spread within a second cannot be seen, so neither "
                    + "the shape of a burst nor the spread of polls, of which only the mean is told."
            )
        }
        return notes
    }

    private func ofPlayers() -> [String] {
        var notes: [String] = []
        if figures.players.contains(where: { $0.group == .browser }) {
            notes.append(
                "Players in pages (hls.js, Shaka, video.js) send the browser's User-Agent and cannot be told apart by it: "
                    + "--browser-player says which they are."
            )
        }
        if figures.players.contains(where: { $0.group == .other }) {
            notes.append("Players that podswarm does not know play as the specification says (strict).")
        }
        return notes
    }

    private func ofBreaks() -> [String] {
        var notes: [String] = []
        if figures.breaks.isEmpty {
            notes.append("Nobody was seen to ask for ads in a break; --ad-path says what ads are asked by.")
        }
        if figures.breaks.contains(where: { $0.asked - $0.present > max(2, $0.present / 20) }) {
            notes.append(
                "More ask for ads than are seen to watch: the log lacks playlists or segments of theirs, or many viewers "
                    + "share an address."
            )
        }
        if droppedAsks > 0 { notes.append("\(droppedAsks) further requests for ads were not looked at.") }
        return notes
    }
}

extension ViewerMark {
    /// What it is, in a sentence.
    package var words: String {
        switch self {
        case .mediaClientData: "the session of Common Media Client Data (sid)"
        case .parameter: "a session in the query"
        case .path: "a session in the path"
        case .cookie: "a session's cookie"
        case .address: "address and User-Agent"
        case .file: "the file, which is one viewer's"
        }
    }
}

/// Shares as profiles write them.
enum PercentText {
    /// Hundredths of a percent at most.
    static func of(_ share: Double) -> String {
        let hundredths = Int((share * 10_000).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)%" }
        let digits = rest < 10 ? "0\(rest)" : "\(rest)"
        return "\(whole).\(digits.hasSuffix("0") ? String(digits.dropLast()) : digits)%"
    }
}

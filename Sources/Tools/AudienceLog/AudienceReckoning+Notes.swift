import Report

extension AudienceReckoning {
    /// Maximum of a profile's `viewers`.
    private static let mostViewers = 1_000_000

    /// Assumptions behind the figures.
    @Texts var notes: [String] {
        if figures.read.outside > 0 {
            "Left out as not between --from and --to: \(TextLayout.counted(figures.read.outside, "request"))."
        }
        if figures.read.untold > 0 {
            "Left out as nothing tells who made them: \(TextLayout.counted(figures.read.untold, "request")). --field "
                + "names what does."
        }
        viewers
        times
        if figures.players.contains(where: { $0.group == .browser }) {
            "Players in pages (hls.js, Shaka, video.js) send the browser's User-Agent and cannot be told apart by it: "
                + "--browser-player says which they are."
        }
        if figures.players.contains(where: { $0.group == .other }) {
            "Players that podswarm does not know play as the specification says (strict)."
        }
        if figures.breaks.isEmpty {
            "No viewer was seen to ask for ads in a break; --ad-path names the paths of ads."
        }
        if figures.breaks.contains(where: { $0.asked - $0.present > max(2, $0.present / 20) }) {
            "More ask for ads than are seen to watch: the log lacks playlists or segments of theirs, or many viewers "
                + "share an address."
        }
    }

    @Texts private var viewers: [String] {
        figures.toldBy.map(\.note)
        for mark in strangeMarks {
            "The supposed session (\(mark.words)) comes from many addresses at once: it may be the channel's. "
                + "--not-session leaves a parameter out."
        }
        if hasHurriedPolls {
            "Playlists are asked for again sooner than a player does: many viewers count as one, and the audience is "
                + "larger. A log with a session or with the sid of Common Media Client Data tells them apart."
        }
        if figures.sampledOneIn > 1 {
            "There are more requests than are held in memory: one viewer in \(figures.sampledOneIn) was looked at, chosen by "
                + "its hash, and counts for all of them."
        }
        if figures.peak > Self.mostViewers {
            "A profile may have 1,000,000 viewers: the audience is that large, in the same shape."
        }
    }

    @Texts private var times: [String] {
        "A viewer that asks for nothing for more than \(figures.gapSeconds) s has left (--gap); it is counted until "
            + "half a poll after its last request, and at the log's end until then."
        if poll > 0, Double(figures.gapSeconds) * 1000 < 3 * poll {
            "That is less than three polls: a gap so short takes a viewer that waits for one that left."
        }
        if figures.underWayAtStart {
            "The log begins while viewers watch: those seen within its first two polls count as there before, for an "
                + "unknown time."
        }
        if figures.stays.cutOff > 0 {
            "Stays that go on at the end of the log count as ones of at least their length."
        }
        if figures.stamps == .second {
            "The log's stamps are of whole seconds: how requests are spread within a second cannot be seen, so neither "
                + "the shape of a burst nor the spread of polls, of which only the mean is told."
        }
    }
}

extension AudienceFigures.MarkShare {
    fileprivate var note: String {
        let programme = "\(FigureText.percent(share)) of the requests for the programme"
        guard mark == .address else { return "\(programme) tell their viewer by \(mark.words)." }
        guard !leftOut else {
            return
                "\(programme) name no session while others do: the first of each viewer, as a rule. They are left out."
        }
        return "\(programme) tell their viewer only by address and User-Agent, an assumption: viewers with the same "
            + "player behind one address (NAT) count as one, and one that changes its address counts twice."
    }
}

extension ViewerMark {
    fileprivate var words: String {
        switch self {
        case .mediaClientData: "the session of Common Media Client Data (sid)"
        case .parameter: "a session in the query"
        case .path: "a session in the path"
        case .cookie: "a session's cookie"
        case .address: "address and User-Agent"
        }
    }
}

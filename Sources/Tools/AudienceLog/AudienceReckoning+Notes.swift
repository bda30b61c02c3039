import CTexts
import Report

extension AudienceReckoning {
    /// Maximum of a profile's `viewers`.
    private static let mostViewers = 1_000_000

    /// Assumptions behind the figures.
    var notes: [String] {
        let (read, players) = (figures.read, figures.players)
        let address = figures.toldBy.first { $0.mark == .address }
        var values: TextTemplate.Values = [
            "toldBy": figures.toldBy.filter { $0.mark != .address }
                .map { "\($0.programme) tell their viewer by \($0.mark.words)" },
            "byAddress": address.map { [$0.programme] } ?? [],
            "strangeMarks": strangeMarks.map(\.words),
            "gap": ["\(figures.gapSeconds)"],
        ]
        values["outside"] = read.outside > 0 ? [TextLayout.counted(read.outside, "request")] : nil
        values["untold"] = read.untold > 0 ? [TextLayout.counted(read.untold, "request")] : nil
        values["sampledOneIn"] = figures.sampledOneIn > 1 ? ["\(figures.sampledOneIn)"] : nil
        values.set("leftOut", if: address?.leftOut == true)
        values.set("hurried", if: hasHurriedPolls)
        values.set("tooMany", if: figures.peak > Self.mostViewers)
        values.set("shortGap", if: poll > 0 && Double(figures.gapSeconds) * 1000 < 3 * poll)
        values.set("underWay", if: figures.underWayAtStart)
        values.set("cutOff", if: figures.stays.cutOff > 0)
        values.set("wholeSeconds", if: figures.stamps == .second)
        values.set("browsers", if: players.contains { $0.group == .browser })
        values.set("others", if: players.contains { $0.group == .other })
        values.set("breaks", if: !figures.breaks.isEmpty)
        values.set("overAsked", if: figures.breaks.contains { $0.asked - $0.present > max(2, $0.present / 20) })
        return TextTemplate.lines(podswarm_audience(), values)
    }
}

extension AudienceFigures.MarkShare {
    fileprivate var programme: String { "\(FigureText.percent(share)) of the requests for the programme" }
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

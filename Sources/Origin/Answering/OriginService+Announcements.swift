import HLS

// Faults of what live playlists say of interstitials.
extension OriginService {
    /// Changes the tags of the interstitials that a fault is planned for, and counts whom that touched.
    func announce(_ place: Int, _ edit: inout AnswerEdit, _ exchange: Exchange) {
        guard let change = plan.faults[place].kind.announcement, let kind = exchange.kind else { return }
        let mark = "#EXT-X-DATERANGE:ID=\""
        for line in edit.lines.indices where edit.lines[line].hasPrefix(mark) {
            let identifier = edit.lines[line].dropFirst(mark.count).prefix { $0 != "\"" }
            guard let number = interstitialPlace(String(identifier))?.number,
                plan.touches(place, exchange.viewerHash, ofBreak: number, kind)
            else { continue }
            let before = edit.lines[line]
            change(&edit.lines[line])
            guard edit.lines[line] != before else { continue }
            ledger.faulted(kind, by: [place], viewer: exchange.viewerHash, breakNumber: number)
        }
    }
}

import RunResult

/// Requests that were not sent because their host is not authorised.
struct LeftOutSection {
    struct Row {
        var kind: String
        var host: String
        var requests: String
        var allowedBy: String
    }

    var title: String
    var rows: [Row]
    var others: String

    /// Nil where each request was sent.
    init?(_ document: ResultDocument) {
        guard let leftOut = document.leftOut else { return nil }
        title = "\(TextLayout.counted(leftOut.requests, "request")) to hosts that the profile does not authorise"
        rows = leftOut.hosts.map {
            Row(
                kind: $0.kind,
                host: $0.host,
                requests: TextLayout.grouped($0.requests),
                allowedBy: $0.allowedBy ?? ""
            )
        }
        others = LeftOutText.others(leftOut) ?? ""
    }
}

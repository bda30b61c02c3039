import RunResult

extension MarkdownSummary {
    private static let outageLimit = 5

    /// When the channel could not be loaded, and how long things took to be as before.
    func outages() -> [String] {
        (document.outages ?? []).prefix(Self.outageLimit).flatMap { outage in
            let text = OutageText(outage)
            return ["**Outage.** \(text.course) **\(text.recovery)**", ""]
        }
    }
}

import RunResult

extension TextSummary {
    private static let outageLimit = 5

    /// When the channel could not be loaded, and how long things took to be as before; nothing where it always could.
    func outages() -> [String] {
        let outages = document.outages ?? []
        guard !outages.isEmpty else { return [] }
        let lines = outages.prefix(Self.outageLimit).flatMap { outage in
            let text = OutageText(outage)
            return TextLayout.wrapped(text.course, width: width, indent: "  ")
                + TextLayout.wrapped(text.recovery, width: width, indent: "  ")
        }
        let hidden = outages.count - Self.outageLimit
        let more = hidden > 0 ? ["  \(TextLayout.counted(hidden, "more outage")) in the result"] : []
        return [style.inked(outages.count == 1 ? "Outage" : "Outages", .bold)] + lines + more
    }
}

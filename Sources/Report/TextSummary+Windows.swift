import RunResult

extension TextSummary {
    /// How the run went over time: nothing where nothing can be said of that.
    func windows() -> [String] {
        let lines = warmUp() + drift() + clock()
        guard !lines.isEmpty else { return [] }
        let windows = document.windows ?? []
        let head = style.inked("Over time", .bold) + "  \(TextLayout.counted(windows.count, "window"))"
        return [head + (length(of: windows).map { " of \($0)" } ?? "")] + lines
    }

    /// The length that most windows have: the second one's, because the first may be of the warm-up.
    private func length(of windows: [WindowResult]) -> String? {
        let complete = windows.filter { $0.isComplete && !$0.isWarmUp }
        guard let window = complete.first else { return nil }
        let seconds = (window.endMilliseconds - window.startMilliseconds + 500) / 1_000
        return seconds % 60 == 0 && seconds > 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    private func warmUp() -> [String] {
        guard let warmUp = document.warmUp else { return [] }
        let requests = warmUp.requests.values.reduce(0) { $0 &+ $1.count }
        let text =
            "warm-up of \(time(warmUp.milliseconds &* 1_000)) apart:"
            + " \(TextLayout.counted(requests, "request")), \(TextLayout.counted(warmUp.breaks, "break")) not judged"
        return TextLayout.wrapped(text, width: width, indent: "  ", hanging: "  ")
    }

    private func drift() -> [String] {
        guard let drift = document.drift, !drift.isEmpty else { return [] }
        let moved = drift.filter { $0.verdict == .creeping } + drift.filter { $0.verdict == .improving }
        let told = moved.flatMap { result in
            let isBad = result.verdict == .creeping
            let lines = TextLayout.wrapped(
                "\(isBad ? "CREEPING" : "improving")  \(result.text)",
                width: width,
                indent: "  ",
                hanging: "  "
            )
            return isBad ? lines.map { style.inked($0, result.subject == .target ? .red : .yellow) } : lines
        }
        let steady = drift.count { $0.verdict == .steady }
        return told + (steady > 0 ? ["  \(steady) series steady"] : [])
    }

    private func clock() -> [String] {
        guard let clock = document.clock, clock.stepCount > 0 else { return [] }
        let steps = clock.steps.prefix(3).map { step in
            "by \(time(step.byMicroseconds)) after \(step.atMilliseconds / 1_000) s"
        }
        let more = clock.stepCount > steps.count ? ["…"] : []
        let text = "the wall clock jumped \(clock.stepCount == 1 ? "once" : "\(clock.stepCount) times"): "
        return TextLayout.wrapped(
            text + (steps + more).joined(separator: ", "),
            width: width,
            indent: "  ",
            hanging: "  "
        ).map { style.inked($0, .yellow) }
    }

    func notes() -> [String] {
        guard let notes = document.notes, !notes.isEmpty else { return [] }
        return [style.inked("Notes", .bold)]
            + notes.flatMap { TextLayout.wrapped("- \($0)", width: width, indent: "  ", hanging: "  ") }
    }
}

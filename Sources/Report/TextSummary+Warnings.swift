import RunResult

extension TextSummary {
    /// What the ad server warned of, where it did.
    func warnings() -> [String] {
        guard let warnings = document.adServerWarnings else { return [] }
        return [style.inked("Warnings of the ad server", .bold) + "  \(WarningText.header)"]
            + warnings.flatMap { entry in
                TextLayout.wrapped(WarningText.counted(entry), width: width, indent: "  ", hanging: "  ")
                    + entry.texts.flatMap { text in
                        TextLayout.wrapped(WarningText.line(text), width: width, indent: "    ", hanging: "  ")
                    }
            }
    }
}

/// Warnings of an ad server in words.
enum WarningText {
    /// Where they stand.
    static let header = "in X-Ad-Manager-Dai-Warning of its answers"

    /// How many answers of a kind carried one.
    static func counted(_ entry: ServerWarningResult) -> String {
        let listed = entry.texts.reduce(0) { $0 &+ $1.answers }
        let hidden = listed < entry.answers ? ", some with texts that are not listed" : ""
        return "\(entry.kind): \(TextLayout.counted(entry.answers, "answer"))\(hidden)"
    }

    /// A text with how often it came.
    static func line(_ text: ServerWarningResult.Text) -> String {
        "\(TextLayout.grouped(text.answers)) × \(text.text.isEmpty ? "(no text)" : text.text)"
    }
}

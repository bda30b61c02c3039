package enum RunLabels {
    /// On the runs of a search for a capacity, with the search's name: they are not runs of the unchanged profile.
    package static let capacity = "capacity"

    /// Parses labels of the form `name=value`; throws `CommandFailure` for invalid and repeated ones.
    package static func parse(_ labels: [String]) throws(CommandFailure) -> [String: String] {
        var parsed: [String: String] = [:]
        for label in labels {
            let parts = label.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw CommandFailure(.badInput, "--label \(label): a label is name=value, such as release=1.4.2")
            }
            guard parsed.updateValue(parts[1], forKey: parts[0]) == nil else {
                throw CommandFailure(.badInput, "--label \(parts[0]) is given twice")
            }
        }
        return parsed
    }
}

/// A threshold as a journal keeps it: its text, which another version may have written.
package enum WrittenThreshold: Equatable, Sendable {
    case rule(ThresholdRule)
    /// A text that this version cannot judge, with the reason: a run that has one cannot pass.
    case unreadable(text: String, reason: String)

    /// Reads a text; one that is no threshold is kept with the reason.
    ///
    /// - Parameter text: As a profile spells it.
    package init(_ text: String) {
        do throws(ThresholdError) {
            self = .rule(try ThresholdRule(parsing: text))
        } catch {
            self = .unreadable(text: text, reason: error.description)
        }
    }

    package var text: String {
        switch self {
        case .rule(let rule): rule.text
        case .unreadable(let text, _): text
        }
    }

    /// Nil for one that cannot be read.
    package var rule: ThresholdRule? {
        if case .rule(let rule) = self { rule } else { nil }
    }

    /// Why it cannot be judged, as a sentence; nil for one that can be read.
    package var complaint: String? {
        guard case .unreadable(let text, let reason) = self else { return nil }
        return "the threshold '\(text)' cannot be judged: \(reason)"
    }
}

extension WrittenThreshold: Codable {
    package init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

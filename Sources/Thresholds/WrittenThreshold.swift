/// A threshold as a journal keeps it: its text, which another version may have written.
package enum WrittenThreshold: Equatable, Sendable {
    case rule(ThresholdRule)
    /// A text that this version cannot judge, with the reason: a run that has one cannot pass.
    case unreadable(text: String, reason: String)

    /// Reads a text; one that is not a threshold is kept with the reason.
    ///
    /// - Parameters:
    ///   - text: As a profile spells it.
    ///   - isDefault: Whether the profile does not name it.
    package init(_ text: String, isDefault: Bool = false) {
        do throws(ThresholdError) {
            self = .rule(try ThresholdRule(parsing: text, isRecorded: true, isDefault: isDefault))
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
    /// A default, so that it can be told from what the profile names.
    private struct Default: Codable {
        var standard: String

        private enum CodingKeys: String, CodingKey {
            case standard = "default"
        }
    }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.init(text)
        } else {
            self.init(try value.decode(Default.self).standard, isDefault: true)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if rule?.isDefault == true {
            try value.encode(Default(standard: text))
        } else {
            try value.encode(text)
        }
    }
}

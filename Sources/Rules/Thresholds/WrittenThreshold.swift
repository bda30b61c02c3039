/// Threshold in a journal, whose text another version may have written.
package enum WrittenThreshold: Equatable, Sendable {
    case rule(ThresholdRule)
    /// Text that this version cannot judge; a run that has one cannot pass.
    case unreadable(text: String, reason: String)

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

    package var rule: ThresholdRule? {
        if case .rule(let rule) = self { rule } else { nil }
    }

    /// Reason why it cannot be judged, as a message; nil if readable.
    package var complaint: String? {
        guard case .unreadable(let text, let reason) = self else { return nil }
        return "the threshold '\(text)' cannot be judged: \(reason)"
    }
}

extension WrittenThreshold: Codable {
    /// Marks a default, to distinguish it from a rule of the profile.
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

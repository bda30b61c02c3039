import JSON

/// Why an answer of the ad server cannot be read.
///
/// Never quotes the answer, which can carry session tokens.
package enum AdServingError: String, Error, Hashable, Sendable {
    /// The body is no JSON text.
    case notJSON = "not_json"
    /// The body is JSON, but no object.
    case notAnObject = "not_an_object"
    /// The body is longer than ``JSONLimits/answer`` allows.
    case tooLarge = "too_large"
    /// The body nests deeper than they allow.
    case tooDeep = "too_deep"
    /// The body has more values than they allow.
    case tooManyValues = "too_many_values"
    /// A stream id, or an address of the session, is longer than ``StreamSession/longestText``.
    case textTooLong = "text_too_long"

    /// What was observed of the answer.
    package var observation: String { "a successful answer that cannot be read: \(rawValue)" }

    init(_ error: JSONError) {
        self =
            switch error {
            case .notJSON: .notJSON
            case .tooLarge: .tooLarge
            case .tooDeep: .tooDeep
            case .tooManyValues: .tooManyValues
            }
    }
}

/// Reason why an answer of the ad server cannot be parsed; never quotes it, since it can carry session tokens.
package enum AdServingError: String, Error, Hashable, Sendable {
    case notJSON = "not_json"
    case notAnObject = "not_an_object"
    /// Limits are those of ``JSONLimits/answer``.
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
    /// A stream id or an address of the session is longer than ``StreamSession/longestText``.
    case textTooLong = "text_too_long"

    package var observation: String { "a successful answer that cannot be read: \(rawValue)" }
}

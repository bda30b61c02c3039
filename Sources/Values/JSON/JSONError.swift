/// Reason why bytes are not read as JSON.
///
/// Never quotes them: they can carry session tokens.
package enum JSONError: String, Error, Hashable, Sendable, CaseIterable {
    case notJSON = "not_json"
    case tooLarge = "too_large"
    case tooDeep = "too_deep"
    case tooManyValues = "too_many_values"
}

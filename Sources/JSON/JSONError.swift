/// Why bytes are not read as JSON.
///
/// Never quotes them: they can carry session tokens.
package enum JSONError: String, Error, Hashable, Sendable, CaseIterable {
    /// No JSON text.
    case notJSON = "not_json"
    /// More bytes than the limits allow.
    case tooLarge = "too_large"
    /// Arrays and objects in one another, more of them than the limits allow.
    case tooDeep = "too_deep"
    /// More values than the limits allow.
    case tooManyValues = "too_many_values"
}

/// Why an answer of the ad server cannot be read.
///
/// Never quotes the answer, which can carry session tokens.
package enum AdServingError: String, Error, Hashable, Sendable {
    /// The body is no JSON text.
    case notJSON = "not_json"
    /// The body is JSON, but no object.
    case notAnObject = "not_an_object"
}

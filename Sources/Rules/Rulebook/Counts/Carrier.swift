/// Carrier of a request to the target.
///
/// Public, because the compiler inlines nothing of a `package` type into other targets, and each sample uses this one.
public enum Carrier: UInt8, NamedCase, Sendable {
    /// podswarm's own HTTP/1.1.
    case exchange
    /// A libcurl transfer.
    case curl

    /// Number of cases, as a constant for the recording of samples.
    @inlinable public static var count: Int { 2 }

    package static let names = CaseNames<Self>()
}

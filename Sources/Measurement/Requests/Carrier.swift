/// What carried a request to the target.
package enum Carrier: UInt8, CaseIterable, Sendable {
    /// podswarm's own HTTP/1.1.
    case exchange
    case curl

    /// The stable name used in results.
    package var name: String {
        switch self {
        case .exchange: "exchange"
        case .curl: "curl"
        }
    }
}

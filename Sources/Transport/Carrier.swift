/// What carries a request.
package enum Carrier: UInt8, CaseIterable, Sendable {
    /// podswarm's own HTTP/1.1 exchange.
    case exchange
    /// A libcurl transfer.
    case curl
}

/// Which carriers a transport may use.
package enum CarrierChoice: String, CaseIterable, Sendable {
    /// The own exchange for HTTP/1.1, libcurl for everything else.
    case auto
    /// libcurl for everything.
    case curl
}

/// Which carriers a transport may use.
package enum CarrierChoice: String, CaseIterable, Sendable {
    /// The own exchange for HTTP/1.1, libcurl for everything else.
    case auto
    /// libcurl for everything.
    case curl
}

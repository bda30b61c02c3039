package enum CarrierChoice: String, CaseIterable, Sendable {
    /// podswarm's own exchange for HTTP/1.1 and HTTP/2, libcurl for everything else.
    case auto
    case curl
}

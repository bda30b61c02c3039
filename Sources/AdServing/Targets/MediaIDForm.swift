/// Form of the media ids in a session's metadata.
package enum MediaIDForm: String, Codable, Sendable, CaseIterable {
    /// Whole ids; pods contain none.
    case whole
    /// Prefixes of ids; whole ids are in the pods' segments, and only those can be verified.
    case prefixes
}

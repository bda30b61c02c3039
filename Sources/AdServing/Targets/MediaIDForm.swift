/// What metadata lists of the media ids that verifications end in.
package enum MediaIDForm: String, Codable, Sendable, CaseIterable {
    /// The ids themselves; pods carry none.
    case whole
    /// What ids begin with; whole ids stand in the pods' segments, and nothing shorter is verified.
    case prefixes
}

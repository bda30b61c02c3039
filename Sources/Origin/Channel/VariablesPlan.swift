import Profile
import Values

/// The channel plan's `variables` section: EXT-X-DEFINE in the channel's playlists (bis-22 section 4.4.2.3).
struct VariablesPlan: Sendable, Equatable, ProfileFields {
    static let usual = VariablesPlan()

    var base: String?
    /// Token without which media is refused; defined by NAME in the multivariant playlist, by QUERYPARAM in media playlists.
    var token: String?

    static func fields(_ f: inout FieldTable<Self>) {
        f["base", \.base, .variableName] =
            "Name of a variable that the multivariant playlist defines, media playlists import and their URIs begin with."
        f["token", \.token, .variableName] = "Name of a query parameter that every URI passes on."
    }

    func settle(_ section: ProfileSection) {
        section.reading.rule(
            section.path,
            isBroken: base != nil && base == token,
            message: "base and token must be different names"
        )
    }

    /// Lowest EXT-X-VERSION of media playlists (bis-22 section 8).
    var mediaVersion: Int { token != nil ? 11 : base != nil ? 8 : 1 }
    var multivariantVersion: Int { token != nil || base != nil ? 8 : 1 }
}

extension ScalarRule<String> {
    /// bis-22 section 4.3; `_HLS_` is reserved.
    fileprivate static var variableName: ScalarRule {
        text("letters, digits, '-' and '_', not beginning with _HLS_").refusing { name in
            let isAllowed = name.utf8.allSatisfy {
                $0.isUnreserved && $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "~")
            }
            return isAllowed && !name.hasPrefix("_HLS_") ? nil : "cannot name a variable"
        }
    }
}

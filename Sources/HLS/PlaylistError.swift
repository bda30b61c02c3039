/// The reason why a body cannot be read as a playlist.
///
/// `detail` never quotes the body: its URIs can carry session tokens, and errors end up in reports.
package struct PlaylistError: Error, Equatable, Sendable {
    /// A code that stays the same between releases.
    package enum Code: String, Sendable, CaseIterable {
        /// The first line is not `#EXTM3U`.
        case notAPlaylist = "not_a_playlist"
        /// The body begins with a byte order mark, which RFC 8216 section 4.1 forbids.
        case byteOrderMark = "byte_order_mark"
        case tooLarge = "too_large"
        case missingTargetDuration = "missing_target_duration"
        case badExtinf = "bad_extinf"
        case badTag = "bad_tag"
        case badDate = "bad_date"
        case badAttributeList = "bad_attribute_list"
        case missingAttribute = "missing_attribute"
        /// A tag that is allowed once stands again (bis-22 section 4.4.3).
        case duplicateTag = "duplicate_tag"
        /// A tag that must precede the first segment comes after it.
        case misplacedTag = "misplaced_tag"
        /// A URI line without an introducing tag.
        case unexpectedURI = "unexpected_uri"
        /// EXTINF or EXT-X-STREAM-INF without its URI line.
        case missingURI = "missing_uri"
        /// Tags of a media and of a multivariant playlist in one body (RFC 8216 section 4.1).
        case mixedKinds = "mixed_kinds"
        /// A reference or an import of a variable that has no value (bis-22 sections 4.3 and 4.4.2.3).
        case undefinedVariable = "undefined_variable"
        /// A variable is defined twice (bis-22 section 4.4.2.3).
        case duplicateVariable = "duplicate_variable"
        /// The text exceeds the limit after the replacement of variables.
        case variablesTooLong = "variables_too_long"
    }

    package var code: Code
    /// Counted from 1.
    package var line: Int
    /// The expectation, in words.
    package var detail: String

    package init(code: Code, line: Int, detail: String) {
        self.code = code
        self.line = line
        self.detail = detail
    }
}

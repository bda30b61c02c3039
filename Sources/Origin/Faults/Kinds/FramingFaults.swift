/// What an answer says of its own body, wrong in one way each; of HTTP/1.1, for HTTP/2 frames bodies itself.
enum FramingFaults {
    private static let kinds =
        RequestKind.playlists + [.metadata, .registration, .assetList, .segment, .podSegment, .part, .steering]

    /// A gzip body that ends after two thirds, with the length of what is left.
    static let contentCodingInvalid = FaultKind("content_coding_invalid", kinds: kinds) { _, _, effects in
        effects.framing = .cutCoding
    }

    /// A Content-Length that is too great, before the true one.
    static let contentLengthInvalid = FaultKind("content_length_invalid", kinds: kinds) { _, _, effects in
        effects.framing = .twoLengths
    }

    /// A body in chunks whose head gives its length, too.
    static let contentLengthWithTransferCoding = FaultKind("content_length_with_transfer_coding", kinds: kinds) {
        _,
        _,
        effects in
        effects.framing = .lengthAndChunks
    }

    /// All of the body, sent as a part that was asked for.
    static let partialContentUnasked = FaultKind("partial_content_unasked", kinds: kinds) { _, _, effects in
        effects.framing = .part
    }
}

/// For HTTP/1.1 only: HTTP/2 frames bodies itself.
enum FramingFaults {
    private static let kinds =
        RequestKind.playlists + [.metadata, .registration, .assetList, .segment, .podSegment, .part, .steering]

    /// A gzip body that ends after two thirds, with the length of those.
    static let contentCodingInvalid = FaultKind("content_coding_invalid", kinds: kinds) { _, _, effects in
        effects.framing = .cutCoding
    }

    static let contentLengthInvalid = FaultKind("content_length_invalid", kinds: kinds) { _, _, effects in
        effects.framing = .twoLengths
    }

    static let contentLengthWithTransferCoding = FaultKind("content_length_with_transfer_coding", kinds: kinds) {
        _,
        _,
        effects in
        effects.framing = .lengthAndChunks
    }

    /// The whole body as a part that the client did not request.
    static let partialContentUnasked = FaultKind("partial_content_unasked", kinds: kinds) { _, _, effects in
        effects.framing = .part
    }
}

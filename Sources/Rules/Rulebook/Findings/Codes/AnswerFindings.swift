extension FindingCode {
    package static let contentCodingInvalid = FindingCode(
        ("content_coding_invalid", .answers, .broken),
        meaning: """
            A body cannot be decoded to its end: some players take what there is for all of it, others for no answer.
            """,
        rule: .rfc(9110, "8.4", "decoding a body as its Content-Encoding says gives back the whole content"),
        .rfc(1952, "2.2", "a gzip member ends with the checksum and the length of what it holds"),
        .rfc(1950, "2.2", "a zlib stream ends with the checksum of what it holds"),
        likelyCauses:
            "The compression of an origin or edge was cut off, and the remains were sent, or cached, with their own length.",
        "A cache keeps a body that it received in part.",
        "Something changed a body that was compressed already, or compressed it in a way that nobody asked for.",
        whereToLook: """
            The same URL with and without Accept-Encoding: gzip, at the origin and at the edge. `gzip -t` says whether a \
            body that was saved as it came is whole.
            """
    )

    package static let contentLengthInvalid = FindingCode(
        ("content_length_invalid", .answers, .wrong),
        meaning: """
            An answer gives its length more than once and not alike, or as no number, so players disagree where it ends, \
            and browsers refuse it.
            """,
        rule: .rfc(9112, "6.3", "a length that is invalid, or differs from another one, is an error without remedy"),
        .rfc(9110, "8.6", "the field is a decimal number; equal ones may be taken for one"),
        likelyCauses: "A proxy or a function changes the body, adds its own length, and leaves the one that was there.",
        "A script sets the length by hand beside the one that its server sets.",
        "Somebody splits answers on purpose: what follows the shorter length is taken for another answer.",
        whereToLook: "The head as each hop sends it, from the origin outwards: which of them adds the second length?"
    )

    package static let contentLengthWithTransferCoding = FindingCode(
        ("content_length_with_transfer_coding", .answers, .wrong),
        meaning: """
            An answer has a Content-Length beside Transfer-Encoding, so hops may disagree where it ends, and strict ones \
            refuse it.
            """,
        rule: .rfc(9112, "6.2", "no Content-Length is sent with Transfer-Encoding"),
        .rfc(9112, "6.3", "such an answer may be an attempt to split answers, and ought to be an error"),
        likelyCauses: "A proxy sends on in chunks what came with a length, and leaves that in.",
        "An application sets a length itself and then writes the body as a stream.",
        whereToLook:
            "The head as each hop sends it, from the origin outwards: which of them adds the second of the two?"
    )

    package static let partialContentUnasked = FindingCode(
        ("partial_content_unasked", .answers, .wrong),
        meaning: "A request for the whole was answered with a part (206), which players take for the whole.",
        rule: .rfc(9110, "15.3.7", "206 answers a range request"),
        .rfc(9110, "14.2", "a range request is one with a Range header"),
        likelyCauses:
            "A cache asked its origin for a part, or has only a part, and sends it to whoever asks for the whole.",
        "A cache's key leaves out that a request had a range.",
        whereToLook: "Content-Range of the answer, and how the edge cuts large objects into slices."
    )
}

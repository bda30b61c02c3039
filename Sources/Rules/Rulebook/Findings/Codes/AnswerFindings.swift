// Headers of answers of any kind.
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
        "Something changed a body that was compressed already, or compressed it in a way that was not asked for.",
        whereToLook: """
            The same URL with and without Accept-Encoding: gzip, at the origin and at the edge. `gzip -t` says whether a \
            body that was saved as it came is whole.
            """
    )

    package static let contentLengthInvalid = FindingCode(
        ("content_length_invalid", .answers, .wrong),
        meaning: """
            An answer gives its length more than once and not alike, or not as a number, so players disagree where it ends, \
            and browsers refuse it.
            """,
        rule: .rfc(9112, "6.3", "a length that is invalid, or differs from another one, is an error without remedy"),
        .rfc(9110, "8.6", "the field is a decimal number; equal ones may be taken for one"),
        likelyCauses: "A proxy or a function changes the body, adds its own length, and leaves the one that was there.",
        "A script sets the length by hand beside the one that its server sets.",
        "An attacker splits answers: the bytes after the shorter length are read as another answer.",
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
            "A cache asked its origin for a part, or has only a part, and sends it to clients that ask for the whole.",
        "A cache's key leaves out that a request had a range.",
        whereToLook: "Content-Range of the answer, and how the edge cuts large objects into slices."
    )

    package static let corsRefused = FindingCode(
        ("cors_refused", .answers, .broken),
        meaning: """
            An answer does not permit the page's origin, or its credentials, so a browser gives the player nothing: it sees \
            neither status nor body.
            """,
        rule: permittedOrigin,
        .page(
            .corsCheck,
            "credentials need a permission of their own, and the origin by its name",
            quotation: "If credentials is `true`, then return success."
        ),
        likelyCauses:
            "The host, or a path of it, sends no Access-Control-Allow-Origin: often that of ads, segments or asset lists.",
        "A cache keeps the answer to another page's request, because Vary does not name Origin.",
        "A list of permitted origins lacks the page's, or spells it with another scheme, port or a slash at its end.",
        "Both the origin and the CDN add the header, and browsers refuse two values.",
        whereToLook: """
            The URL with the page's Origin, as `curl -sD - -o /dev/null -H 'Origin: https://www.example.com' URL` sends it, \
            at the origin and at the edge.
            """
    )

    package static let corsHeaderMissing = FindingCode(
        ("cors_header_missing", .answers, .advice),
        meaning: """
            An answer to a player in a browser permits no origin, so a page elsewhere gets nothing, unless the server permits \
            only origins that ask.
            """,
        rule: permittedOrigin,
        .assumed("a player in a browser is on a page of another origin than the stream", .allowance),
        likelyCauses: "The server sends the header only where a request has Origin, and the profile sends none.",
        "The server sends no Access-Control-Allow-Origin at all.",
        whereToLook: """
            The profile: with the page's origin as Origin in connection.headers podswarm judges as browsers do, and reports \
            what they refuse as cors_refused.
            """
    )

    private static let permittedOrigin = FindingRule.page(
        .corsCheck,
        "a page of another origin gets only what permits it by its origin, or without credentials by an asterisk",
        quotation: "If the result of byte-serializing a request origin with request is not origin, then return failure."
    )
}

import Foundation

extension FaultKind {
    static let answers: [FaultKind] = [
        .status("error_status", 503, of: RequestKind.known),
        delay,
        reset,
        // Closes the connection (resets the stream, with HTTP/2) after half of the announced body.
        .setting(
            "truncate",
            \.delivery,
            to: .truncated,
            of: RequestKind.playlists + [.segment, .podSegment, .metadata, .registration, .assetList]
        ),
        // To another path with the true answer, or to an unauthorised host (`to`).
        .effect("redirect", of: RequestKind.known.filter { $0 != .registration }, parameters: [.to]) {
            $2.redirection = $0.redirection
        },
        .setting("content_coding_invalid", \.framing, to: .cutCoding, of: framed),
        .setting("content_length_invalid", \.framing, to: .twoLengths, of: framed),
        lengthAndChunks,
        .setting("partial_content_unasked", \.framing, to: .part, of: framed),
    ]

    static let reset = FaultKind.setting("reset", \.delivery, to: .reset, of: RequestKind.known)

    static let lengthAndChunks = FaultKind.setting(
        "content_length_with_transfer_coding",
        \.framing,
        to: .lengthAndChunks,
        of: framed
    )

    /// HTTP/2 frames bodies itself.
    private static let framed =
        RequestKind.playlists + [.metadata, .registration, .assetList, .segment, .podSegment, .part, .steering]

    /// `growth` adds that share per `per` since the origin started.
    private static let delay: FaultKind = {
        var kind = FaultKind("delay", of: RequestKind.known, parameters: [.delay, .growth, .per])
        kind.required = [.delay]
        kind.apply = { fault, occasion, effects in
            let delay = fault.delay ?? .zero
            guard fault.growth > 0 else {
                effects.delay += delay
                return
            }
            let steps = occasion.elapsed / fault.growthStep
            let grown = (delay / Duration.milliseconds(1)) * pow(1 + fault.growth, max(0, steps))
            // Limit of a plan's delays.
            effects.delay += .milliseconds(min(grown, 3_600_000))
        }
        return kind
    }()
}

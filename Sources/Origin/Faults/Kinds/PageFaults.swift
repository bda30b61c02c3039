/// Faults of what an answer permits pages of other origins.
enum PageFaults {
    static let all: [FaultKind] = [
        .setting("cors_refused", \.permission, to: .ofOthers, of: RequestKind.known),
        .setting("cors_header_missing", \.permission, to: .missing, of: RequestKind.known),
    ]
}

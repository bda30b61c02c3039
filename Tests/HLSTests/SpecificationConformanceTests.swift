import Conformance
import Rulebook
import Testing

/// The specifications' own examples are held to the rules: nothing false is found in them.
@Suite struct SpecificationConformanceTests {
    /// What is rightly found: examples of parts of a playlist lack the rest, the splice sections of RFC 8216 are a byte
    /// shorter than they say, and the low-latency ones are of a draft that asked for less than six target durations.
    private static let found: [String: Set<String>] = [
        "8.10 date ranges carrying SCTE-35 (with segments around them)": [
            "date_range_without_program_date", "splice_invalid",
        ],
        "low-latency playlist": ["server_control_invalid"],
        "playlist delta update": ["server_control_invalid"],
        "byte-range-addressed parts (with a header)": ["version_too_low", "partial_segment_invalid"],
    ]

    @Test func nothingFalseIsFoundInExamples() {
        for (name, text) in SpecificationExamples.media + SpecificationExamples.multivariant {
            let violations = Array(text.utf8).withUnsafeBytes { PlaylistChecks.violations(in: $0) }
            let codes = Set(violations.filter { $0.code.severity > .advice }.map(\.code.code))
            #expect(codes == Self.found[name] ?? [], "\(name): \(violations)")
        }
    }
}

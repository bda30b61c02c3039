import Results
import Testing

/// What makes two renditions of a pod one.
@Suite struct PodShapeTests {
    private static func shape(_ duration: Int, _ places: Int...) -> PodShape {
        PodShape(durationMilliseconds: duration, discontinuitiesAt: places)
    }

    @Test(
        arguments: [
            shape(0), shape(30_000), shape(30_000, 15_000), shape(120_000, 15_010, 30_030, 60_060), shape(.max, .max),
            shape(-1, -1), PodShape(durationMilliseconds: 200_000, discontinuitiesAt: Array(0..<200)),
        ]
    )
    func aFingerprintKeepsAllOfIt(_ shape: PodShape) {
        #expect(PodShape(fingerprint: shape.fingerprint) == shape)
    }

    /// Each place, and the whole, may be half a second off.
    @Test func whatLiesWithinTheToleranceMatches() {
        let shape = Self.shape(30_030, 10_010, 20_020)
        #expect(shape.matches(shape))
        #expect(shape.matches(Self.shape(30_530, 10_510, 20_520)))
        #expect(shape.matches(Self.shape(29_530, 10_510, 19_520)))
        #expect(!shape.matches(Self.shape(30_600, 10_010, 20_020)))
    }

    @Test func placesAndTheirNumberAreCompared() {
        let shape = Self.shape(30_030, 10_010, 20_020)
        #expect(!shape.matches(Self.shape(30_030)))
        #expect(!shape.matches(Self.shape(30_030, 10_010)))
        #expect(!shape.matches(Self.shape(30_030, 10_010, 25_000)))
        // Moved apart by as much: only their mean is the same.
        #expect(!shape.matches(Self.shape(30_030, 5_010, 25_020)))
    }
}

package import Curves

/// How many watch over time, where the profile says more of it than a ramp.
package struct CurvePlan: Sendable, Equatable {
    /// Regions that go by clocks of their own.
    package struct Regions: Sendable, Equatable {
        /// Name of the audience's trait whose values are the regions.
        package var trait: String
        /// How much later than the curve a region's viewers come and go; none for a region that is not named.
        package var offsets: [String: Duration]

        package init(trait: String, offsets: [String: Duration]) {
            self.trait = trait
            self.offsets = offsets
        }
    }

    /// What the profile calls it; nil for points of its own.
    package var shape: CurveShape?
    /// In the order of time, within the run; the highest is the whole audience.
    package var points: [CurvePoint]
    package var regions: Regions?
    /// Nil where nobody leaves for a break.
    package var breakLeaves: BreakLeaves?

    /// As profiles spell the shape; nil for points of its own.
    package var shapeName: String? { shape?.rawValue }

    package init(
        shape: CurveShape? = nil,
        points: [CurvePoint],
        regions: Regions? = nil,
        breakLeaves: BreakLeaves? = nil
    ) {
        self.shape = shape
        self.points = points
        self.regions = regions
        self.breakLeaves = breakLeaves
    }
}

/// Viewers that go away when the ads come, and those of them that come back.
package struct BreakLeaves: Sendable, Equatable {
    /// Of those who watch when the break starts, from 0 to 1: what television loses in a break (Danaher, "What Happens to
    /// Television Ratings During Commercial Breaks?", Journal of Advertising Research, 1995).
    static let usualShare = 0.05
    /// Nobody published it; that most leave at the start is what Google saw of television.
    static let usualWithin = Duration.seconds(10)
    /// As many as before after about two minutes (Google TV Ads, 2009).
    static let usualReturns = 1.0
    static let usualReturnsWithin = Duration.seconds(120)

    package var share: Double
    /// They leave at moments within so long after the break's start.
    package var within: Duration
    /// Of those who left, from 0 to 1.
    package var returns: Double
    /// They come back at moments within so long after the break's end.
    package var returnsWithin: Duration
    /// When the breaks start, from the start of the run; nil: as the profile's own schedule has it.
    package var instants: [Duration]?

    package init(
        share: Double,
        within: Duration = BreakLeaves.usualWithin,
        returns: Double = BreakLeaves.usualReturns,
        returnsWithin: Duration = BreakLeaves.usualReturnsWithin,
        instants: [Duration]? = nil
    ) {
        self.share = share
        self.within = within
        self.returns = returns
        self.returnsWithin = returnsWithin
        self.instants = instants
    }
}

extension AudiencePlan {
    /// How many watch over time: by the curve, or all after a ramp.
    package var points: [CurvePoint] {
        curve?.points ?? [CurvePoint(at: .zero, share: 0), CurvePoint(at: ramp, share: 1)]
    }
}

import Profile

extension LoadPlan {
    /// A note on impressions before the first request; nil where none cost money.
    package var impressionNote: String? {
        switch (impressions, target) {
        case (.allowed, .embedded): nil
        case (.allowed, _): "Impressions are allowed: pings, beacons and segments of ads go to the target."
        case (.withheld, _):
            "Impressions are withheld: no ping, beacon or segment of an ad is sent. The profile may say impressions: allowed."
        case (.sink(let server), _): "Pings and beacons go to \(server); segments of ads are withheld."
        }
    }
}

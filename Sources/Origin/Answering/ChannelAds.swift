import HLS
import Profile

struct ScheduledInterstitials: ChannelAdditions {
    let schedule: InterstitialSchedule
    let address: OriginAddress

    func dateRanges(in version: ListedWindow) -> [DateRange] {
        schedule.dateRanges(from: version.start, edge: version.edge, base: address.base)
    }
}

extension ChannelPlan {
    func additions(on configuration: OriginConfiguration, address: OriginAddress? = nil) -> [any ChannelAdditions] {
        let address = address ?? OriginAddress(configuration)
        let lead = configuration.standardLead
        var additions: [any ChannelAdditions] = []
        if !interstitials.isEmpty {
            let schedule = InterstitialSchedule(scripts: interstitials, standardLead: lead)
            additions.append(ScheduledInterstitials(schedule: schedule, address: address))
        }
        if let stitched {
            let timeline = ChannelTimeline(
                segmentSeconds: configuration.segmentSeconds,
                windowSegments: configuration.windowSegments
            )
            let schedule = StitchedSchedule(stitched, timeline: timeline)
            additions.append(StitchedMarkup(schedule, seed: configuration.seed, lead: lead))
        }
        return additions
    }
}

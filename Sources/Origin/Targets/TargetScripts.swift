import HLS

/// Interstitials in the forms of other services: the channel plan's own, or one for each break.
struct TargetScripts: Sendable {
    let tailor: [InterstitialScript]
    let proxy: [InterstitialScript]

    init(_ configuration: OriginConfiguration, plan: ChannelPlan) {
        let layout = PodLayout(
            podMicroseconds: configuration.breakDuration.wholeMicroseconds,
            adMicroseconds: configuration.adDuration.wholeMicroseconds,
            segmentSeconds: max(1, Int(configuration.segmentDuration.components.seconds))
        )
        let assets = layout.ads.map { Duration.microseconds($0.microseconds) }
        let schedule = configuration.breakSchedule
        let avails = IdentifierTemplate("avail-{start}").flatMap { id in
            schedule.map { InterstitialScript(id: id, schedule: $0, assets: assets) }
        }
        let own = plan.interstitials.filter { $0.delivery == .list && $0.schedule != nil }
        tailor = [Self.preRoll(configuration)].compactMap { $0 } + (own.isEmpty ? [avails].compactMap { $0 } : own)
        proxy =
            IdentifierTemplate("ad_slot{n}").flatMap { id in
                schedule.map { schedule in
                    var script = InterstitialScript(id: id, schedule: schedule, assets: assets)
                    script.writesLikeProxy()
                    return script
                }
            }.map { [$0] } ?? []
    }

    /// The pre-roll that MediaTailor puts at the top of every media playlist.
    private static func preRoll(_ configuration: OriginConfiguration) -> InterstitialScript? {
        IdentifierTemplate("aws-mediatailor-preroll-1").map { id in
            var script = InterstitialScript(id: id, schedule: nil, assets: [configuration.adDuration])
            script.cue = [.pre, .once]
            return script
        }
    }

    func all(besides plan: ChannelPlan) -> [InterstitialScript] {
        let known = Set(plan.interstitials.map(\.id.text))
        return plan.interstitials + tailor.filter { !known.contains($0.id.text) } + proxy
    }
}

extension InterstitialScript {
    /// Attributes that sgai-ad-proxy gives every live interstitial (its `insert_interstitials`).
    mutating func writesLikeProxy() {
        listReference = .absolute
        resumeOffset = length
        restrict = [.skip, .jump]
        snap = [.in]
        signalling = [.list]
        hasBareSignalling = true
    }
}

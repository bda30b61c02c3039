package import Foundation
package import Origin
package import Profile
import Viewer

extension OriginConfiguration {
    /// The settings of a plan's embedded origin, which listens on a free loopback port.
    ///
    /// Breaks, seed and protocol are those of `plan`.
    package init(_ origin: EmbeddedOriginPlan, of plan: LoadPlan, profileFolder: URL) {
        self.init()
        segmentDuration = origin.segmentDuration
        windowSegments = origin.windowSegments
        variantCount = origin.variantCount
        adDuration = origin.adDuration
        sessionValidity = origin.sessionValidity
        pollingFrequency = origin.metadataPollingFrequency
        networkCode = origin.session.networkCode
        customAssetKey = origin.session.customAssetKey
        requireAuthTokenKey = origin.session.authTokenKey
        aimingParameter = origin.aimingParameter
        addressSigning = origin.signing
        hasSessionPaths = origin.hasSessionPaths
        hasSessionPlaylists = origin.hasSessionPlaylists
        hasVerificationConflicts = origin.hasVerificationConflicts
        mediaIDs = origin.mediaIDs
        redirectsMultivariant = origin.redirectsMultivariant
        closesBreaks = origin.closesBreaks
        setsCookies = origin.setsCookies
        countedFields = PlannedFields(plan).counted
        announceBreaks = origin.announcesBreaks
        breakDuration = plan.breaks.podDuration
        seed = plan.seed
        useHTTP2 = plan.connection.version == .http2
        useTLS = origin.usesTLS
        if origin.usesTLS {
            certificateOutput = FileManager.default.temporaryDirectory.appending(path: "podswarm-\(getpid()).pem").path
        }
        faultPlanPath = origin.faultPlanPath.map { URL(fileURLWithPath: $0, relativeTo: profileFolder).path }
        channelPlanPath = origin.channelPlanPath.map { URL(fileURLWithPath: $0, relativeTo: profileFolder).path }
        take(plan.breaks.source)
    }

    /// The channel has the breaks of the viewers' rule, where they follow one, and a schedule of its own where viewers read it.
    private mutating func take(_ source: BreakPlan.Source) {
        guard source != .none, !source.readsDateRanges else { return }
        breakInterval = .zero
        for source in source.each {
            switch source {
            case .every(let interval, let offset):
                breakInterval = interval
                breakOffset = offset
            case .guideMinute: breakInterval = .seconds(60)
            case .list, .trigger, .dateRange, .several, .none: break
            }
        }
    }
}

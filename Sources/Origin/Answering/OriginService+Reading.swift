import Foundation
import HLS
import NIOCore
import Profile
package import Values

extension OriginService {
    /// Reads media, channel plan and fault plan; `started` defaults to now.
    ///
    /// Throws `OriginConfigurationError` or `PlanError` with every mistake at once.
    package convenience init(_ configuration: OriginConfiguration, started: WallTime? = nil) throws {
        try configuration.validate()
        var plan = FaultPlan.empty
        if let path = configuration.faultPlanPath {
            let text = try OriginFile(setting: .faultPlanPath, path: path).text()
            plan = try FaultPlan.read(text, seed: configuration.seed)
        }
        var channelPlan = ChannelPlan.plain
        if let text = configuration.channelPlanText {
            channelPlan = try ChannelPlan.read(text)
        } else if let path = configuration.channelPlanPath {
            channelPlan = try ChannelPlan.read(try OriginFile(setting: .channelPlanPath, path: path).text())
        }
        try channelPlan.validate(on: configuration)
        try self.init(
            configuration,
            plan: plan,
            channelPlan: channelPlan,
            clips: try ClipLibrary(),
            started: started ?? WallClock(aheadOfMonotonic: configuration.wallClockAhead).now()
        )
    }

    package func listens(on port: Int) { address.listens(on: port) }
}

struct WallClock: Sendable {
    /// Lead over the monotonic clock; nil for the system's wall clock, which may step.
    let aheadOfMonotonic: Duration?

    func now() -> WallTime {
        guard let aheadOfMonotonic else {
            return WallTime(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
        }
        let monotonic = Int64(clamping: NIODeadline.now().uptimeNanoseconds)
        return WallTime(microseconds: monotonic.addingClamped(aheadOfMonotonic.nanosecondsHeld) / 1_000)
    }
}

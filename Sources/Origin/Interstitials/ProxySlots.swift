import AdServing
import HLS
import Synchronization

/// Breaks that an operator commanded, as in sgai-ad-proxy's dynamic mode.
final class ProxySlots: Sendable {
    struct Slot: Sendable, Encodable {
        let index: Int
        let name: String
        let startTime: String
        /// Seconds.
        let duration: Int
        let podNum: Int

        enum CodingKeys: String, CodingKey {
            case index
            case name
            case startTime = "start_time"
            case duration
            case podNum = "pod_num"
        }
    }

    private struct State {
        var slots: [Slot] = []
        var scripts: [InterstitialScript] = []
        var next = 0
    }

    /// Limit; older breaks are dropped.
    private static let maximumSlots = 256

    private let state = Mutex(State())
    private let adMicroseconds: Int64
    private let segmentSeconds: Int

    init(_ configuration: OriginConfiguration) {
        adMicroseconds = configuration.adDuration.wholeMicroseconds
        segmentSeconds = max(1, Int(configuration.segmentDuration.components.seconds))
    }

    var scripts: [InterstitialScript] { state.withLock { $0.scripts } }

    var commands: Int { state.withLock { $0.next } }

    /// False if a parameter is missing or out of bounds.
    func command(_ query: FormFields, at now: WallTime) -> Bool {
        guard let wait = query["in"].flatMap({ Int($0) }), (0...86_400).contains(wait),
            let seconds = query["dur"].flatMap({ Int($0) }), (1...PodLimits.maximumSeconds).contains(seconds),
            let pod = query["pod"].flatMap({ Int($0) }), pod >= 0
        else { return false }
        let start = now + .seconds(wait)
        let duration = Duration.seconds(seconds)
        let layout = PodLayout(
            podMicroseconds: duration.wholeMicroseconds,
            adMicroseconds: adMicroseconds,
            segmentSeconds: segmentSeconds
        )
        return state.withLock { state in
            let name = "ad_slot\(state.next)"
            guard let id = IdentifierTemplate(name) else { return false }
            var script = InterstitialScript(
                id: id,
                schedule: .list([start], duration: duration),
                assets: layout.ads.map { .microseconds($0.microseconds) }
            )
            script.writesLikeProxy()
            // Listed at once: a break may be commanded at the last moment.
            script.announce = .seconds(86_400)
            let text = start.iso8601
            state.slots.append(
                Slot(index: state.next, name: name, startTime: text, duration: seconds, podNum: pod)
            )
            state.scripts.append(script)
            state.next += 1
            if state.slots.count > Self.maximumSlots {
                state.slots.removeFirst()
                state.scripts.removeFirst()
            }
            return true
        }
    }

    var status: [UInt8] {
        let slots = state.withLock { $0.slots }
        return SignallingBody.json(["slots": slots])
    }
}

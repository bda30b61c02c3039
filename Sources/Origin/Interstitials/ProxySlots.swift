import AdServing
import HLS
import Profile
import Synchronization

/// Commanded by an operator, as in sgai-ad-proxy's dynamic mode.
final class ProxySlots: Sendable {
    private struct State {
        var slots: [(listed: WrittenJSON, script: InterstitialScript)] = []
        var next = 0
    }

    /// Older breaks are dropped.
    private static let maximumSlots = 256

    private let state = Mutex(State())
    private let configuration: OriginConfiguration

    init(_ configuration: OriginConfiguration) { self.configuration = configuration }

    var scripts: [InterstitialScript] { state.withLock { $0.slots.map(\.script) } }

    var commands: Int { state.withLock { $0.next } }

    /// False for an invalid parameter.
    func command(_ query: FormFields, at now: WallTime) -> Bool {
        guard let wait = query["in"].flatMap({ Int($0) }), (0...86_400).contains(wait),
            let seconds = query["dur"].flatMap({ Int($0) }), (1...PodLayout.maximumSeconds).contains(seconds),
            let pod = query["pod"].flatMap({ Int($0) }), pod >= 0
        else { return false }
        let start = now + .seconds(wait)
        let duration = Duration.seconds(seconds)
        let layout = configuration.layout(of: duration)
        return state.withLock { state in
            let name = "ad_slot\(state.next)"
            var script = InterstitialScript(
                id: IdentifierTemplate(constant: name),
                schedule: .list([start], duration: duration),
                assets: layout.ads.map { .microseconds($0.microseconds) }
            )
            script.writesLikeProxy()
            // Commands may come at the last moment.
            script.announce = .seconds(86_400)
            let listed: WrittenJSON = [
                "index": .whole(state.next), "name": .text(name), "start_time": .text(start.iso8601),
                "duration": .whole(seconds), "pod_num": .whole(pod),
            ]
            state.slots.append((listed, script))
            state.next += 1
            if state.slots.count > Self.maximumSlots { state.slots.removeFirst() }
            return true
        }
    }

    var status: [UInt8] {
        let slots = WrittenJSON.list(state.withLock { $0.slots.map(\.listed) })
        return WrittenJSON.members(["slots": slots]).bytes
    }
}

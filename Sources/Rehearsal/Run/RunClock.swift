import Foundation
import Profile
package import Results
package import Swarm
package import Transport
package import Values

/// Clock of a run, and the machine's facts in its result.
package enum RunClock: Sendable {
    case machine
    /// Jumps from event to event, with the embedded origin in this process: equal plans with an equal clock give equal results.
    ///
    /// `calls` are starts of called breaks from the start of the run.
    case virtual(from: WallTime, over: VirtualNetwork, calls: [Duration] = [], on: VirtualClock = VirtualClock())

    package static let virtualHost = "virtual"

    private var virtual: (start: WallTime, network: VirtualNetwork, calls: [Duration])? {
        guard case .virtual(let start, let network, let calls, _) = self else { return nil }
        return (start, network, calls)
    }

    /// Nil where calls come from outside.
    var calls: [Duration]? { virtual?.calls }

    /// For the next run.
    package func going(on instant: WallTime) -> RunClock {
        virtual.map { .virtual(from: instant, over: $0.network, calls: $0.calls) } ?? .machine
    }

    /// In virtual time the next run begins later by itself.
    package func rest(for length: Duration, while goesOn: () -> Bool) async {
        guard virtual == nil else { return }
        let end = MonotonicClock.now().later(by: length)
        while goesOn(), MonotonicClock.now() < end { try? await Task.sleep(for: .milliseconds(100)) }
    }

    /// `run` is the duration in the result.
    package func time(of run: Duration, begunAt start: Instant) -> Duration {
        virtual == nil ? MonotonicClock.now().duration(since: start) : run
    }

    package var now: WallTime { virtual?.start ?? WallTime(microseconds: MonotonicClock.wallMicroseconds()) }

    var notes: [String] {
        guard let (_, network, calls) = virtual else { return [] }
        var notes = [
            "In virtual time: connections, TLS and versions of HTTP were not tried, and no figure says how fast the target, "
                + "the network or this machine is."
        ]
        if let fields = network.changedFields { notes.append("Virtual network: \(fields).") }
        if !calls.isEmpty { notes.append("Breaks were called for at \(calls.map(\.text).joined(separator: ", ")).") }
        return notes
    }

    package var limits: Preflight.Limits {
        guard virtual != nil else { return .ofThisMachine() }
        return Preflight.Limits(softDescriptors: 1 << 20, hardDescriptors: 1 << 20, ports: 1 << 15)
    }

    var cores: Int { virtual == nil ? ProcessInfo.processInfo.activeProcessorCount : 1 }

    /// Refuses a plan that is too much for this machine; returns warnings.
    func prepare(_ plan: LoadPlan, stripe: AudienceStripe) throws -> [String] {
        guard virtual == nil else { return [] }
        DescriptorLimit.raise()
        try limits.check(plan, stripe: stripe)
        return Preflight.warnings(of: plan, limits: limits, stripe: stripe)
    }

    func sources(of plan: LoadPlan, stripe: AudienceStripe) -> [String] {
        virtual == nil ? Preflight.loopbackSources(of: plan, limits: limits, stripe: stripe) : []
    }

    var disk: ResultDisk {
        var disk = ResultDisk.ofThisMachine
        // A virtual run that a power cut ends can be repeated.
        if virtual != nil { disk.sync = { _ in 0 } }
        return disk
    }

    /// Time stands still during a write.
    var waitsForWriting: Bool { virtual != nil }

    /// Virtual seconds are over before they are shown.
    var showsProgress: Bool { !waitsForWriting }

    package func host(sharedWithTarget: Bool) -> HostFacts {
        guard virtual != nil else { return .ofThisMachine(sharedWithTarget: sharedWithTarget) }
        var facts = HostFacts(name: Self.virtualHost)
        (facts.operatingSystem, facts.cpuCount) = ("virtual time", cores)
        (facts.descriptorLimit, facts.ephemeralPorts) = (limits.hardDescriptors, limits.ports)
        facts.sharedWithTarget = sharedWithTarget
        return facts
    }

    func usage() -> ProcessUsage {
        virtual == nil ? .now() : ProcessUsage(cpuMicroseconds: 0, residentBytes: 1 << 20, openDescriptors: 1)
    }

    func loadAverage() -> Double {
        var average = 0.0
        return virtual == nil && getloadavg(&average, 1) == 1 ? average : 0
    }

    func threads(of process: Int32? = nil) -> [Int32: ThreadSchedule]? {
        virtual == nil ? ThreadSchedule.ofThreads(of: process) : nil
    }

    func giveMemoryBack() { if virtual == nil { HeapMemory.giveBack() } }
}

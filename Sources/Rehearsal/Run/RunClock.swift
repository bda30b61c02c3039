package import EventLoop
import Foundation
import LoadProfile
import RunJournal
package import RunResult
package import Swarm
package import Time

/// Clock of a run, and the facts of the machine in its result.
package enum RunClock: Sendable {
    /// This machine's, with all that it has.
    case machine
    /// A clock that jumps from event to event, before the embedded origin in this process.
    ///
    /// Nothing of this machine shows in the result: equal plans with an equal clock come to equal results. Breaks
    /// are called for so long after the start, where the plan takes calls.
    case virtual(from: WallTime, over: VirtualNetwork, calls: [Duration] = [], on: VirtualClock = VirtualClock())

    /// The host that results of virtual time name.
    package static let virtualHost = "virtual"

    /// Starts of the breaks that are called for by themselves, from the start of the run; nil where others call.
    var calls: [Duration]? {
        guard case .virtual(_, _, let calls, _) = self else { return nil }
        return calls
    }

    /// The clock of a run that begins when another one is over.
    package func going(on instant: WallTime) -> RunClock {
        guard case .virtual(_, let network, let calls, _) = self else { return .machine }
        return .virtual(from: instant, over: network, calls: calls)
    }

    /// Waits between two runs; in virtual time the next one begins later by itself.
    package func rest(for length: Duration, while goesOn: () -> Bool) async {
        guard case .machine = self else { return }
        let end = MonotonicClock.now().later(by: length)
        while goesOn(), MonotonicClock.now() < end { try? await Task.sleep(for: .milliseconds(100)) }
    }

    /// Time that a run took, of which its result says how long it lasted and this machine's clock when it began.
    package func time(of run: Duration, begunAt start: Instant) -> Duration {
        switch self {
        case .machine: MonotonicClock.now().duration(since: start)
        case .virtual: run
        }
    }

    /// Now, before a run.
    package var now: WallTime {
        guard case .virtual(let start, _, _, _) = self else {
            return WallTime(microseconds: MonotonicClock.wallMicroseconds())
        }
        return start
    }

    /// Notes for the result.
    var notes: [String] {
        guard case .virtual(_, let network, let calls, _) = self else { return [] }
        var notes = [
            "In virtual time: connections, TLS and versions of HTTP were not tried, and no figure says how fast the target, "
                + "the network or this machine is."
        ]
        if let fields = network.changedFields { notes.append("Virtual network: \(fields).") }
        if !calls.isEmpty { notes.append("Breaks were called for at \(calls.map(\.text).joined(separator: ", ")).") }
        return notes
    }

    package var limits: Preflight.Limits {
        switch self {
        case .machine: .ofThisMachine()
        case .virtual: Preflight.Limits(softDescriptors: 1 << 20, hardDescriptors: 1 << 20, ports: 1 << 15)
        }
    }

    var cores: Int {
        switch self {
        case .machine: ProcessInfo.processInfo.activeProcessorCount
        case .virtual: 1
        }
    }

    /// Readies this machine for a run, and refuses a plan that is too much for it.
    ///
    /// - Returns: Warnings of what only just fits.
    func prepare(_ plan: LoadPlan, stripe: AudienceStripe) throws -> [String] {
        guard case .machine = self else { return [] }
        Preflight.raiseDescriptorLimit()
        try limits.check(plan, stripe: stripe)
        return Preflight.warnings(of: plan, limits: limits, stripe: stripe)
    }

    /// Addresses that viewers on loopback take by themselves.
    func sources(of plan: LoadPlan, stripe: AudienceStripe) -> [String] {
        switch self {
        case .machine: Preflight.loopbackSources(of: plan, limits: limits, stripe: stripe)
        case .virtual: []
        }
    }

    var disk: JournalDisk {
        var disk = JournalDisk.ofThisMachine
        // A virtual run that a power cut ends can be played again.
        if case .virtual = self { disk.sync = { _ in 0 } }
        return disk
    }

    /// Whether it stands still while something is written.
    var waitsForWriting: Bool {
        switch self {
        case .machine: false
        case .virtual: true
        }
    }

    /// Whether a run can be watched: virtual seconds are over before they are shown.
    var showsProgress: Bool { !waitsForWriting }

    package func host(sharedWithTarget: Bool) -> HostFacts {
        switch self {
        case .machine: .ofThisMachine(sharedWithTarget: sharedWithTarget)
        case .virtual:
            HostFacts(
                name: Self.virtualHost,
                operatingSystem: "virtual time",
                kernel: "none",
                architecture: "none",
                cpuModel: "none",
                cpuCount: cores,
                memoryBytes: 0,
                descriptorLimit: limits.hardDescriptors,
                ephemeralPorts: limits.ports,
                sharedWithTarget: sharedWithTarget
            )
        }
    }

    /// CPU time, memory and descriptors of the process.
    func usage() -> ProcessUsage {
        switch self {
        case .machine: .now()
        case .virtual: ProcessUsage(cpuMicroseconds: 0, residentBytes: 1 << 20, openDescriptors: 1)
        }
    }

    func loadAverage() -> Double {
        var average = 0.0
        guard case .machine = self, getloadavg(&average, 1) == 1 else { return 0 }
        return average
    }

    /// The threads of this process, or of another; nil where that is unknown.
    func threads(of process: Int32? = nil) -> [Int32: ThreadSchedule]? {
        switch self {
        case .machine: ThreadSchedule.ofThreads(of: process)
        case .virtual: nil
        }
    }

    func giveMemoryBack() {
        if case .machine = self { HeapMemory.giveBack() }
    }
}

import EventLoop
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
    case virtual(from: WallTime, over: VirtualNetwork, calls: [Duration] = [])

    /// The host that results of virtual time name.
    package static let virtualHost = "virtual"

    package var isVirtual: Bool {
        guard case .virtual = self else { return false }
        return true
    }

    /// Starts of the breaks that are called for, from the start of the run.
    var calls: [Duration] {
        guard case .virtual(_, _, let calls) = self else { return [] }
        return calls
    }

    /// The clock of a run that begins when another one is over.
    package func going(on instant: WallTime) -> RunClock {
        guard case .virtual(_, let network, let calls) = self else { return .machine }
        return .virtual(from: instant, over: network, calls: calls)
    }

    /// Now, before a run.
    package var now: WallTime {
        guard case .virtual(let start, _, _) = self else {
            return WallTime(microseconds: MonotonicClock.wallMicroseconds())
        }
        return start
    }

    /// Notes for the result.
    var notes: [String] {
        guard case .virtual(_, let network, let calls) = self else { return [] }
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

    var disk: JournalDisk {
        var disk = JournalDisk.ofThisMachine
        // A virtual run that a power cut ends can be played again.
        if isVirtual { disk.sync = { _ in 0 } }
        return disk
    }

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
        return !isVirtual && getloadavg(&average, 1) == 1 ? average : 0
    }

    /// The threads of this process, or of another; nil where that is unknown.
    func threads(of process: Int32? = nil) -> [Int32: ThreadSchedule]? {
        isVirtual ? nil : ThreadSchedule.ofThreads(of: process)
    }

    func giveMemoryBack() {
        if !isVirtual { HeapMemory.giveBack() }
    }
}

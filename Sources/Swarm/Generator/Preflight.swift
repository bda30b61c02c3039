import Glibc
package import Profile

/// Checks before the first connection that this machine can run the plan.
package struct Preflight: Sendable {
    /// Injected so that the rules can be tested anywhere.
    package struct Limits: Sendable, Equatable {
        package var softDescriptors: Int
        package var hardDescriptors: Int
        /// For one pair of source and destination.
        package var ports: Int
        /// nil without a limit.
        package var addressSpaceBytes: Int?

        package init(softDescriptors: Int, hardDescriptors: Int, ports: Int, addressSpaceBytes: Int? = nil) {
            self.softDescriptors = softDescriptors
            self.hardDescriptors = hardDescriptors
            self.ports = ports
            self.addressSpaceBytes = addressSpaceBytes
        }

        /// RLIMIT_NOFILE, RLIMIT_AS and net.ipv4.ip_local_port_range.
        package static func ofThisMachine() -> Limits {
            var limit = rlimit()
            let known = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            return Limits(
                softDescriptors: known ? Int(clamping: limit.rlim_cur) : 1024,
                hardDescriptors: known ? Int(clamping: limit.rlim_max) : 1024,
                ports: portRange(),
                addressSpaceBytes: addressSpace()
            )
        }

        private static func addressSpace() -> Int? {
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else { return nil }
            return limit.rlim_cur >= rlim_t(Int.max) ? nil : Int(limit.rlim_cur)
        }

        private static func portRange() -> Int {
            let fallback = 28_232
            guard let text = KernelFile.firstLine(of: "/proc/sys/net/ipv4/ip_local_port_range") else { return fallback }
            let bounds = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }.compactMap { Int($0) }
            return bounds.count == 2 && bounds[1] >= bounds[0] ? bounds[1] - bounds[0] + 1 : fallback
        }
    }

    /// Loops, files, standard streams.
    package static let ownDescriptors = 128

    /// Reasons, with remedies, why the plan does not fit with one connection of each viewer to each server.
    package static func problems(
        of plan: LoadPlan,
        limits: Limits,
        stripe: AudienceStripe = .whole
    ) -> [String] {
        let need = ConnectionNeed(plan, stripe)
        return [
            descriptorProblem(need, limits), portProblem(need, limits), addressSpaceProblem(plan, need.viewers, limits),
        ]
        .compactMap(\.self)
    }

    /// Limits that only second connections of viewers exceed, with remedies; the target decides whether they open.
    package static func warnings(
        of plan: LoadPlan,
        limits: Limits,
        stripe: AudienceStripe = .whole
    ) -> [String] {
        let need = ConnectionNeed(plan, stripe)
        let descriptors = descriptorProblem(need, limits) == nil ? descriptorWarning(need, limits) : nil
        return [descriptors, portWarning(need, limits)].compactMap(\.self)
    }

    /// For the ports of several shards on one machine.
    package static func sharedPorts(_ need: ConnectionNeed, _ limits: Limits) -> (problem: String?, warning: String?) {
        (portProblem(need, limits), portWarning(need, limits))
    }

    /// For one shard.
    package static let mostLoopbackSources = 254

    /// On loopback, where the profile names none and one would be too few; empty where the kernel chooses.
    ///
    /// Each shard has its own.
    package static func loopbackSources(
        of plan: LoadPlan,
        limits: Limits,
        stripe: AudienceStripe = .whole
    ) -> [String] {
        let need = ConnectionNeed(plan, stripe)
        let count = need.sources(of: limits.ports)
        guard plan.connection.sourceAddresses.isEmpty, need.isOnLoopback, count > 1 || stripe != .whole else {
            return []
        }
        let (high, low) = (64 + stripe.index / 256 % 64, stripe.index % 256)
        return (1...min(max(count, 1), mostLoopbackSources)).map { "127.\(high).\(low).\($0)" }
    }

    /// A reason why requests may leave late although the ports suffice; nil where no address is used past half.
    package static func portSearch(_ need: ConnectionNeed, _ limits: Limits) -> String? {
        let addresses = need.sources(of: limits.ports)
        guard addresses > need.sources else { return nil }
        return
            "up to \(need.mostToOneServer * need.sharing) connections to one server from \(need.sourcesText) are more than "
            + "half of the \(limits.ports) ephemeral ports, past which the kernel searches long for a free one: "
            + addressRemedy(addresses)
    }

    private static func descriptorProblem(_ need: ConnectionNeed, _ limits: Limits) -> String? {
        let least = need.least + ownDescriptors
        guard least > limits.hardDescriptors else { return nil }
        let usual = need.usual + ownDescriptors
        let fitting = max(limits.hardDescriptors - ownDescriptors, 0) / need.servers.count
        return "\(need.viewersText) need at least \(least) file descriptors, for a connection each to "
            + "\(need.serverNames), and the hard limit is \(limits.hardDescriptors): raise it (ulimit -Hn \(usual), or "
            + "LimitNOFILE=\(usual) in systemd), or \(need.remedy(fitting: fitting))"
    }

    /// Needed by a process with Swift, Dispatch and OpenSSL before its first viewer.
    private static let leastAddressSpace = 768 << 20
    /// The loop's stack, and its malloc arena.
    private static let addressSpaceOfLoop = 64 << 20
    private static let addressSpaceOfViewer = 64 << 10

    /// Neither Swift nor Dispatch survives refused memory.
    private static func addressSpaceProblem(_ plan: LoadPlan, _ viewers: Int, _ limits: Limits) -> String? {
        guard let bytes = limits.addressSpaceBytes else { return nil }
        let loops = plan.generator.loops ?? sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let least = leastAddressSpace + addressSpaceOfLoop * loops + addressSpaceOfViewer * viewers
        guard bytes < least else { return nil }
        return "this run needs about \(least >> 20) MiB of address space and \(bytes >> 20) MiB are allowed: raise the "
            + "limit (ulimit -v \(least >> 10), or LimitAS=\(least >> 20)M in systemd), or bound memory by MemoryMax "
            + "instead, which counts only what is used"
    }

    private static func descriptorWarning(_ need: ConnectionNeed, _ limits: Limits) -> String? {
        let usual = need.usual + ownDescriptors
        guard usual > limits.hardDescriptors else { return nil }
        return
            "\(need.viewersText) fit into \(limits.hardDescriptors) file descriptors with one connection each to "
            + "\(need.serverNames), and not with a second where requests coincide (to \(need.crowdedNames)): raise the "
            + "hard limit (ulimit -Hn \(usual), or LimitNOFILE=\(usual) in systemd), or use protocol http2; requests that "
            + "find no descriptor are dropped starts"
    }

    private static func portProblem(_ need: ConnectionNeed, _ limits: Limits) -> String? {
        guard need.viewers * need.sharing > limits.ports * need.sources else { return nil }
        let others = need.sharing == 1 ? "" : " and of the \(need.sharing - 1) other shards on this machine"
        let connections =
            need.stripe == .whole ? "\(need.viewers) connections" : "the connections of \(need.viewersText)\(others)"
        return "\(connections) to one server need more than the \(limits.ports) ephemeral ports of "
            + "\(need.sourcesText): \(portRemedy(need, limits))"
    }

    private static func portWarning(_ need: ConnectionNeed, _ limits: Limits) -> String? {
        guard portProblem(need, limits) == nil else { return nil }
        let most = need.mostToOneServer * need.sharing
        guard most > limits.ports * need.sources, need.mostToOneServer > need.viewers else {
            return portSearch(need, limits)
        }
        return "\(need.viewersText) fit into the \(limits.ports) ephemeral ports of \(need.sourcesText) with one "
            + "connection each, and not with a second where requests coincide (to \(need.crowdedNames)): "
            + "\(portRemedy(need, limits))"
    }

    private static func addressRemedy(_ addresses: Int) -> String {
        "give connection.sourceAddresses at least \(addresses) addresses of this machine (on loopback 127.0.0.2 and on "
            + "are there already)"
    }

    private static func portRemedy(_ need: ConnectionNeed, _ limits: Limits) -> String {
        let text = "\(addressRemedy(need.sources(of: limits.ports))), or widen net.ipv4.ip_local_port_range"
        guard need.stripe != .whole else { return text }
        return "\(text), or \(need.remedy(fitting: limits.ports * need.sources / need.sharing))"
    }
}

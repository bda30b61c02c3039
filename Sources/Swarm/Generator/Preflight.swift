import Glibc
package import LoadProfile

/// Checks before the first connection that this machine can carry the plan, and says what to do where it cannot.
package struct Preflight: Sendable {
    /// What the machine allows; injected so that the rules can be tested anywhere.
    package struct Limits: Sendable, Equatable {
        package var softDescriptors: Int
        package var hardDescriptors: Int
        /// Ephemeral ports for one pair of source and destination.
        package var ports: Int

        package init(softDescriptors: Int, hardDescriptors: Int, ports: Int) {
            self.softDescriptors = softDescriptors
            self.hardDescriptors = hardDescriptors
            self.ports = ports
        }

        /// Reads RLIMIT_NOFILE and net.ipv4.ip_local_port_range.
        package static func ofThisMachine() -> Limits {
            var limit = rlimit()
            let known = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
            return Limits(
                softDescriptors: known ? Int(clamping: limit.rlim_cur) : 1024,
                hardDescriptors: known ? Int(clamping: limit.rlim_max) : 1024,
                ports: self.portRange()
            )
        }

        private static func portRange() -> Int {
            let fallback = 28_232
            guard let text = KernelFile.firstLine(of: "/proc/sys/net/ipv4/ip_local_port_range") else { return fallback }
            let bounds = text.split { $0 == " " || $0 == "\t" || $0 == "\n" }.compactMap { Int($0) }
            return bounds.count == 2 && bounds[1] >= bounds[0] ? bounds[1] - bounds[0] + 1 : fallback
        }
    }

    /// Connections a viewer holds at most moments: over HTTP/1.1 a second one opens when two requests coincide.
    private static func connections(perViewer version: ConnectionPlan.Version) -> Int {
        version == .http1 ? 2 : 1
    }

    /// Descriptors of the process itself: loops, files, standard streams.
    private static let ownDescriptors = 128

    /// What stands in the way of this plan, each with its remedy; empty when nothing does.
    package static func problems(of plan: LoadPlan, limits: Limits) -> [String] {
        let connections = plan.audience.viewers * self.connections(perViewer: plan.connection.version)
        var problems: [String] = []
        let wanted = connections + self.ownDescriptors
        if wanted > limits.hardDescriptors {
            let fitting = max(
                (limits.hardDescriptors - self.ownDescriptors) / max(connections / plan.audience.viewers, 1),
                0
            )
            problems.append(
                "\(plan.audience.viewers) viewers need about \(wanted) file descriptors and the hard limit is "
                    + "\(limits.hardDescriptors): raise it (ulimit -Hn \(wanted), or LimitNOFILE=\(wanted) in systemd), "
                    + "use protocol http2, or run with --viewers \(fitting)"
            )
        }
        let sources = max(plan.connection.sourceAddresses.count, 1)
        if connections > limits.ports * sources {
            let needed = (connections + limits.ports - 1) / max(limits.ports, 1)
            problems.append(
                "\(connections) connections need more than the \(limits.ports) ephemeral ports of \(sources) source "
                    + "address\(sources == 1 ? "" : "es"): give connection.sourceAddresses at least \(needed) addresses "
                    + "of this machine (on loopback 127.0.0.2 and on are there already), or widen "
                    + "net.ipv4.ip_local_port_range"
            )
        }
        return problems
    }

    /// Raises the soft descriptor limit to the hard one; true when it now allows this many.
    @discardableResult
    package static func raiseDescriptorLimit() -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return false }
        limit.rlim_cur = limit.rlim_max
        return setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    }
}

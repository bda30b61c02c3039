import Glibc

/// The process's limit of open descriptors.
enum DescriptorLimit {
    /// Raises the soft limit to the hard one, so that the number of viewers is not bounded by a shell's default.
    static func raise() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

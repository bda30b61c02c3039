package import Rulebook

/// What a lint is asked to do.
package struct LintOptions: Sendable {
    package var source: LintSource
    /// Nil reads each playlist once.
    package var follow: Duration?
    package var failsFrom: Severity
    /// Codes of findings that do not fail.
    package var allowed: Set<String>
    /// Sent to the host of the source only.
    package var headers: [(name: String, value: String)]
    /// Others that may be asked, beside the source's.
    package var hosts: [String]
    /// PEM file of authorities to trust; nil for the system's.
    package var caFile: String?
    /// For an answer's first byte; a whole answer may take three times as long.
    package var timeout: Duration

    /// Makes options of what was given on the command line.
    package init(
        source: LintSource,
        follow: Duration?,
        failsFrom: Severity,
        allowed: Set<String>,
        headers: [(name: String, value: String)],
        hosts: [String],
        caFile: String?,
        timeout: Duration
    ) {
        self.source = source
        self.follow = follow
        self.failsFrom = failsFrom
        self.allowed = allowed
        self.headers = headers
        self.hosts = hosts
        self.caFile = caFile
        self.timeout = timeout
    }
}

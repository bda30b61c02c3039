package import Rules

package struct LintOptions: Sendable {
    package var source: LintSource
    /// Nil: each playlist is read once.
    package var follow: Duration?
    package var failsFrom = Severity.wrong
    /// Codes of findings that do not make the lint fail.
    package var allowed: Set<String> = []
    /// Sent to the host of the source only.
    package var headers: [(name: String, value: String)] = []
    /// Hosts that may be asked besides the source's; `headers` go to the source's host only.
    package var hosts: [String] = []
    /// PEM file of trusted authorities; nil: the system's.
    package var caFile: String?
    /// Limit for the first byte of an answer; a whole answer may take three times as long.
    package var timeout = Duration.seconds(10)

    package init(_ source: LintSource) { self.source = source }
}

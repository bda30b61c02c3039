/// Digests of a run's sessions, by which runs with one key find common sessions.
///
/// A digest reveals nothing about an id that guessing the id would not.
package struct SessionDigests: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var digest: UInt64
        package var viewer: Int32

        package init(digest: UInt64, viewer: Int32) {
            self.digest = digest
            self.viewer = viewer
        }
    }

    package var given: Int
    /// Smallest digests in order, so that several runs keep the same part of all sessions.
    package var kept: [Entry]
    /// Digests that counted as unknown before they were given.
    package var met: Set<UInt64> = []
}

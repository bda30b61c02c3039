/// Sessions that a run was given, as digests that say of two runs with one key whether they were given the same.
///
/// Of an id nobody learns anything by its digest that he could not learn by guessing the id.
package struct SessionDigests: Equatable, Sendable {
    /// One session, and the viewer that it was given to first.
    package struct Entry: Equatable, Sendable {
        package var digest: UInt64
        package var viewer: Int32

        package init(digest: UInt64, viewer: Int32) {
            self.digest = digest
            self.viewer = viewer
        }
    }

    /// How many sessions the run was given.
    package var given: Int
    /// Those with the smallest digests, in their order: what several runs keep is then the same part of all sessions.
    package var kept: [Entry]
    /// Those that were taken for strange before they were given.
    package var met: Set<UInt64> = []
}

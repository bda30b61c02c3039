package import Foundation

/// Where the shards of a run find each other: things are put there under a name, once, and seen by all.
///
/// Two verbs suffice, so that a shared folder, a small HTTP server and an object store with conditional puts can all be one.
package protocol RendezvousPlace {
    /// Puts something under a name that is free.
    ///
    /// - Returns: False where the name is taken: what lies there stays.
    /// - Throws: `RendezvousError` where the place does not answer.
    func put(_ content: Data, as name: String) throws(RendezvousError) -> Bool

    /// Everything that is there, by name.
    ///
    /// - Throws: `RendezvousError` where the place does not answer.
    func contents() throws(RendezvousError) -> [String: Data]
}

/// Why a place did not answer.
package struct RendezvousError: Error, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

package import Foundation
import Glibc

/// A folder that all shards see, such as one of a cluster's file system.
package struct RendezvousFolder: RendezvousPlace {
    private let path: String

    /// More is none of ours.
    private static let longestContent = 64 << 10
    /// What a shard is still writing begins with it.
    private static let hidden = "."

    /// Makes the folder where it is not there yet.
    ///
    /// - Throws: `RendezvousError` where it cannot be made or written to.
    package init(path: String) throws(RendezvousError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw RendezvousError("\(path): the folder cannot be made")
        }
        guard access(path, W_OK | X_OK) == 0 else { throw RendezvousError("\(path): \(Self.reason())") }
    }

    /// Writes beside the name and links, because `link` refuses a name that is taken, on network file systems too, and
    /// nobody sees half of it.
    package func put(_ content: Data, as name: String) throws(RendezvousError) -> Bool {
        let unique = "\(path)/\(Self.hidden)\(name).\(UUID().uuidString)"
        defer { unlink(unique) }
        do {
            try content.write(to: URL(fileURLWithPath: unique))
        } catch {
            throw RendezvousError("\(path): nothing can be written there")
        }
        guard link(unique, "\(path)/\(name)") != 0 else { return true }
        guard errno == EEXIST else { throw RendezvousError("\(path)/\(name): \(Self.reason())") }
        return false
    }

    package func contents() throws(RendezvousError) -> [String: Data] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw RendezvousError("\(path): the folder cannot be read")
        }
        var contents: [String: Data] = [:]
        for name in names where !name.hasPrefix(Self.hidden) {
            guard let file = FileHandle(forReadingAtPath: "\(path)/\(name)") else { continue }
            defer { try? file.close() }
            contents[name] = (try? file.read(upToCount: Self.longestContent)) ?? Data()
        }
        return contents
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

import CLinux
package import Foundation
import Glibc
import Values

/// Shared folder with a subfolder for each group.
package struct RendezvousFolder: RendezvousPlace {
    private let path: String
    private let onlyLooksOn: Bool

    private static let hidden = "."

    /// Creates the folder if it is missing.
    package init(path: String) throws(RendezvousError) {
        (self.path, onlyLooksOn) = (path, false)
        try Self.make(path)
        guard access(path, W_OK | X_OK) == 0 else { throw RendezvousError("\(path): \(Self.reason())") }
    }

    /// A missing folder counts as empty if its parent exists.
    package init(lookingAt path: String) { (self.path, onlyLooksOn) = (path, true) }

    /// `link` refuses a taken name, on network file systems too, and readers never see a partial file.
    package func put(_ content: Data, in group: String, as name: String) throws(RendezvousError) -> Bool {
        let folder = try folder(of: group)
        guard RendezvousName.isOne(name) else { throw RendezvousError("'\(name)' is not a valid name") }
        try RendezvousListing.check(content)
        guard !onlyLooksOn else { throw RendezvousError("\(path): it is only looked at") }
        if access(folder, F_OK) != 0 { try Self.make(folder) }
        let unique = "\(folder)/\(Self.hidden)\(name).\(UUID().uuidString)"
        defer { unlink(unique) }
        do {
            try content.write(to: URL(fileURLWithPath: unique))
        } catch {
            throw RendezvousError("\(folder): \(error.fileCause)")
        }
        guard link(unique, "\(folder)/\(name)") != 0 else { return true }
        guard errno != EEXIST, access("\(folder)/\(name)", F_OK) != 0 else {
            return Self.content(of: "\(folder)/\(name)") == content
        }
        return try Self.claim(unique, in: folder, as: name)
    }

    /// For file systems without hard links; a process that dies between its two steps lets no shard begin.
    static func claim(_ file: String, in folder: String, as name: String) throws(RendezvousError) -> Bool {
        let descriptor = open("\(folder)/\(hidden)claim-\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw RendezvousError("\(folder)/\(name): \(reason())") }
            return false
        }
        close(descriptor)
        guard rename(file, "\(folder)/\(name)") == 0 else { throw RendezvousError("\(folder)/\(name): \(reason())") }
        return true
    }

    package func content(of name: String, in group: String) throws(RendezvousError) -> Data? {
        let folder = try folder(of: group)
        guard RendezvousName.isOne(name) else { throw RendezvousError("'\(name)' is not a valid name") }
        return Self.content(of: "\(folder)/\(name)")
    }

    private static func content(of path: String) -> Data? {
        guard let file = try? UntrustedFile.opened(path, followsLinks: false) else { return nil }
        return (try? file.read(upToCount: RendezvousListing.longestContent)) ?? Data()
    }

    package func list(_ group: String, after name: String?) throws(RendezvousError) -> RendezvousListing {
        let folder = try folder(of: group)
        guard let found = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            let isThere = access(path, F_OK) == 0
            let first = onlyLooksOn && !isThere ? URL(fileURLWithPath: path).deletingLastPathComponent().path : path
            guard access(first, R_OK | X_OK) == 0 else { throw RendezvousError("\(first): \(Self.reason())") }
            return RendezvousListing(entries: [], isWhole: true)
        }
        let names = found.filter { RendezvousName.isOne($0) && $0 > name ?? "" }.sorted()
        var listing = RendezvousListing(entries: [], isWhole: true)
        var bytes = 0
        for name in names {
            guard bytes < RendezvousListing.enoughContent else {
                listing.isWhole = false
                break
            }
            guard let content = Self.content(of: "\(folder)/\(name)") else { continue }
            bytes += content.count
            listing.entries.append(.init(name: name, content: content))
        }
        return listing
    }

    /// The file server's clock, read from a file's time stamp.
    ///
    /// A stamp without an instant asks the server for its own (utimensat(2); `SET_TO_SERVER_TIME`, RFC 1813 section 2.6,
    /// `SET_TO_SERVER_TIME4`, RFC 8881 section 3.3.10). Linux stamps by timer ticks, and since 6.13 exactly if the previous
    /// stamp was read (Documentation/filesystems/multigrain-ts.rst). A stamp later than the previous one by much less than a
    /// tick is exact. Ticks are assumed as long as this machine's; a whole second counts as a file system without finer stamps.
    ///
    /// A folder opened for reading cannot stamp files, so its time is this machine's own.
    package func time() throws(RendezvousError) -> PlaceTime {
        guard !onlyLooksOn else {
            let wall = WallTime(microseconds: podswarm_nanoseconds(CLOCK_REALTIME) / 1_000)
            return PlaceTime(wall: wall, granularity: .zero)
        }
        let unique = "\(path)/\(Self.hidden)time.\(UUID().uuidString)"
        let descriptor = open(unique, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw RendezvousError("\(path): \(Self.reason())") }
        defer {
            close(descriptor)
            unlink(unique)
        }
        // The first stamp may be a tick old, and the second one may already be exact.
        _ = try stamp(descriptor)
        let before = try stamp(descriptor)
        let stamp = try stamp(descriptor)
        var tick = timespec()
        clock_getres(CLOCK_REALTIME_COARSE, &tick)
        let step = Duration.seconds(tick.tv_sec) + .nanoseconds(tick.tv_nsec)
        let isExact = stamp > before && stamp - before < step / 4
        let isWhole = stamp.components.attoseconds == 0
        let granularity: Duration = isExact ? .zero : isWhole ? .seconds(1) : step
        return PlaceTime(wall: WallTime(microseconds: stamp.wholeMicroseconds), granularity: granularity)
    }

    private func stamp(_ descriptor: Int32) throws(RendezvousError) -> Duration {
        var facts = stat()
        guard futimens(descriptor, nil) == 0, fstat(descriptor, &facts) == 0 else {
            throw RendezvousError("\(path): \(Self.reason())")
        }
        return .seconds(facts.st_mtim.tv_sec) + .nanoseconds(facts.st_mtim.tv_nsec)
    }

    private func folder(of group: String) throws(RendezvousError) -> String {
        guard RendezvousName.isOne(group) else { throw RendezvousError("'\(group)' is not a valid group name") }
        return "\(path)/\(group)"
    }

    private static func make(_ folder: String) throws(RendezvousError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw RendezvousError("\(folder): \(error.fileCause)")
        }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

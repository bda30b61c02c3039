package import Foundation

/// File that another program or user may have made: opening never waits for a writer, and its kind and size are examined
/// before it is read.
package enum UntrustedFile {
    package enum Refusal: Error, Equatable, CustomStringConvertible, Sendable {
        case missing, folder
        /// A named pipe, a device, a socket, or a link where links are not followed.
        case special
        /// Mebibytes that are allowed.
        case larger(than: Int)
        case system(Int32)

        package var description: String {
            switch self {
            case .missing: "no such file"
            case .folder: "is a folder"
            case .special: "is not a regular file"
            case .larger(let most): "is larger than \(most) MiB"
            case .system(let number): String(cString: strerror(number))
            }
        }
    }

    /// `followsLinks` suits names that the user gave, not those found in a folder.
    package static func opened(_ path: String, followsLinks: Bool = true) throws(Refusal) -> FileHandle {
        let links = followsLinks ? 0 : O_NOFOLLOW
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | links)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw .missing
            // Sockets and links give these two.
            case ENXIO: throw .special
            case ELOOP where !followsLinks: throw .special
            case let number: throw .system(number)
            }
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return handle
        case S_IFDIR: throw .folder
        default: throw .special
        }
    }

    package static func contents(of path: String, mebibytes: Int, followsLinks: Bool = true) throws(Refusal) -> Data {
        let handle = try opened(path, followsLinks: followsLinks)
        let most = mebibytes << 20
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0 else { throw .system(errno) }
        guard status.st_size <= most else { throw .larger(than: mebibytes) }
        // One byte more than the file has, so that its end is found at once; a file may have grown since, or have no size.
        let step = status.st_size > 0 ? min(Int(status.st_size), (1 << 20) - 1) + 1 : 1 << 16
        var contents = Data()
        do {
            while contents.count <= most, let more = try handle.read(upToCount: step), !more.isEmpty {
                if contents.isEmpty { contents = more } else { contents.append(more) }
            }
        } catch {
            throw .system(EIO)
        }
        guard contents.count <= most else { throw .larger(than: mebibytes) }
        return contents
    }
}

extension Error {
    /// For a full disk, Foundation says only that the operation could not be completed.
    package var fileCause: String {
        let cause = (self as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? localizedDescription
    }
}

/// Symbolic links are followed.
package enum PathKind: Sendable {
    case missing
    /// Anything but a folder.
    case file
    case folder

    package init(of path: String) {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        self = !exists ? .missing : isFolder.boolValue ? .folder : .file
    }
}

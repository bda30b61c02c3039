import Foundation

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

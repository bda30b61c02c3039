import Foundation

/// What a profile may refer to outside itself: environment variables and files.
package struct ProfileSurroundings: Sendable {
    /// Value of an environment variable, nil if it is not set.
    package var environmentVariable: @Sendable (String) -> String?
    /// Whether a readable regular file stands at this path.
    package var hasFile: @Sendable (String) -> Bool

    package init(
        environmentVariable: @escaping @Sendable (String) -> String?,
        hasFile: @escaping @Sendable (String) -> Bool
    ) {
        self.environmentVariable = environmentVariable
        self.hasFile = hasFile
    }

    /// This process's environment and this machine's files.
    package static let process = ProfileSurroundings(
        environmentVariable: { ProcessInfo.processInfo.environment[$0] },
        hasFile: { path in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                && !isDirectory.boolValue && FileManager.default.isReadableFile(atPath: path)
        }
    )
}

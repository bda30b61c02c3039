import Foundation

/// What a profile may refer to outside itself: environment variables and files.
package struct ProfileSurroundings: Sendable {
    /// Value of an environment variable, nil if it is not set.
    package var environmentVariable: @Sendable (String) -> String?
    /// Whether a readable regular file stands at this path.
    package var hasFile: @Sendable (String) -> Bool
    /// The first bytes of a file, so many at most; nil where it cannot be read.
    package var contents: @Sendable (String, Int) -> [UInt8]?

    package init(
        environmentVariable: @escaping @Sendable (String) -> String?,
        hasFile: @escaping @Sendable (String) -> Bool,
        contents: @escaping @Sendable (String, Int) -> [UInt8]? = { _, _ in nil }
    ) {
        self.environmentVariable = environmentVariable
        self.hasFile = hasFile
        self.contents = contents
    }

    /// This process's environment and this machine's files.
    package static let process = ProfileSurroundings(
        environmentVariable: { ProcessInfo.processInfo.environment[$0] },
        hasFile: { path in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
                && !isDirectory.boolValue && FileManager.default.isReadableFile(atPath: path)
        },
        contents: { path, most in
            guard let file = FileHandle(forReadingAtPath: path) else { return nil }
            defer { try? file.close() }
            return [UInt8]((try? file.read(upToCount: most)) ?? Data())
        }
    )
}

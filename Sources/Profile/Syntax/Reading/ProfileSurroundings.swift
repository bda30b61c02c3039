import Foundation

/// Access to environment variables and files that a profile refers to.
package struct ProfileSurroundings: Sendable {
    package var environmentVariable: @Sendable (String) -> String?
    /// Whether a readable regular file exists at this path.
    package var hasFile: @Sendable (String) -> Bool
    /// The first bytes of a file, at most this number; nil where it cannot be read.
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

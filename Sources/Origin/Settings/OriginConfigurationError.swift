import Foundation
import Values

package struct OriginConfigurationError: Error, Equatable, CustomStringConvertible {
    /// A setting that a caller may know by another name, such as an option's; the raw value is its member's.
    package enum Setting: String, Sendable {
        case port
        case eventLoopThreads
        case channel
        case variantCount
        case segmentDuration
        case windowSegments
        case breakInterval
        case breakOffset
        case breakDuration
        case announceBreaks
        case announceLead
        case networkCode
        case customAssetKey
        case authTokenKey
        case adDuration
        case sessionValidity
        case pollingFrequency
        case deferredVerificationShare
        case faultPlanPath
        case channelPlanPath
        case certificateOutput
    }

    package struct Mistake: Equatable, Sendable {
        package let setting: Setting
        /// File that contains the mistake, or nil.
        package let file: String?
        /// Follows the setting's name, and states what is allowed.
        package let message: String

        init(_ setting: Setting, file: String? = nil, _ message: String) {
            self.setting = setting
            self.file = file
            self.message = message
        }

        /// Nil for a value in range.
        init?<Value: Comparable>(_ setting: Setting, _ value: Value, _ range: ClosedRange<Value>, _ allowed: String) {
            guard !range.contains(value) else { return nil }
            self.init(setting, "\(value) is not \(allowed)")
        }

        /// Nil for a name that a path can contain.
        init?(_ setting: Setting, name: String) {
            guard name.isEmpty || !name.utf8.allSatisfy(\.isUnreserved) else { return nil }
            self.init(setting, "\"\(name)\" is not made of letters, digits, '-', '_', '.' and '~'")
        }

        /// One sentence without a full stop, with the caller's name of the setting.
        package func told(of name: String) -> String {
            "\(name)\(file.map { " \($0)" } ?? ""): \(message)"
        }
    }

    package let mistakes: [Mistake]

    package var description: String {
        mistakes.map { $0.told(of: $0.setting.rawValue) }.joined(separator: "\n")
    }
}

struct OriginFile {
    let setting: OriginConfigurationError.Setting
    let path: String

    func text() throws(OriginConfigurationError) -> String {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw mistake("no such file")
        }
        guard !isFolder.boolValue else { throw mistake("is a folder") }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw mistake("cannot be read: \(Self.words(for: error))")
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw mistake("the text is not UTF-8") }
        return text
    }

    func write(_ text: String) throws(OriginConfigurationError) {
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw mistake("cannot be written: \(Self.words(for: error))")
        }
    }

    private func mistake(_ message: String) -> OriginConfigurationError {
        OriginConfigurationError(mistakes: [.init(setting, file: path, message)])
    }

    /// The system's error message; Foundation's does not state the cause.
    private static func words(for error: any Error) -> String {
        let error = error as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        guard let cause, cause.domain == NSPOSIXErrorDomain, let number = Int32(exactly: cause.code) else {
            return error.localizedDescription
        }
        return String(cString: strerror(number))
    }
}

package import HLS

/// Checks one body of one URL without regard to earlier ones.
package enum PlaylistChecks {
    package static let limit = 64

    /// Checks a decoded body in linear time, continuing where `Playlist.parse` stops; at most 64 violations, by line.
    ///
    /// A delta update must be merged. `url`, after redirects, is for QUERYPARAM, empty if unknown; `imported` are the
    /// multivariant playlist's variables, nil if unknown.
    package static func violations(
        in body: UnsafeRawBufferPointer,
        url: String = "",
        importing imported: [String: String]? = nil
    ) -> [Violation] {
        if let violation = refusal(of: body) { return [violation] }
        let source = VariableSource(url: url, imported: imported)
        guard VariableExpansion.hasReferences(body) else { return check(body, source, hasReferences: false) }
        return violations(replacingReferencesIn: body, source)
    }

    package static func violation(of error: PlaylistError) -> Violation {
        let isUndefined = error.code == .undefinedVariable
        return Violation(
            code(of: error.code),
            line: error.line,
            expected: error.detail,
            observed: isUndefined ? "a reference to a variable that has none" : error.code.name,
            likely: isUndefined ? "A definition was left out, or the name of the variable is misspelt." : nil
        )
    }

    /// Never empty; the parser's own error is left out if another is equivalent or more severe than suspect.
    package static func violations(
        in body: UnsafeRawBufferPointer,
        refusedWith error: PlaylistError,
        url: String = "",
        importing imported: [String: String]? = nil
    ) -> [Violation] {
        let found = violations(in: body, url: url, importing: imported)
        let refusal = violation(of: error)
        return found.contains { $0.code == refusal.code || $0.code.severity > .suspect } ? found : found + [refusal]
    }

    private static func code(of error: PlaylistError.Code) -> FindingCode {
        switch error {
        case .notAPlaylist, .tooLarge: .notAPlaylist
        case .byteOrderMark, .variablesTooLong, .badExtinf, .badTag, .badDate, .badAttributeList, .missingAttribute:
            .tagMalformed
        case .missingTargetDuration, .unexpectedURI: .tagMissing
        case .missingURI, .misplacedTag, .mixedKinds: .tagMisplaced
        case .duplicateTag: .tagRepeated
        case .undefinedVariable, .duplicateVariable: .variableUndefined
        }
    }

    private static func refusal(of body: UnsafeRawBufferPointer) -> Violation? {
        do {
            _ = try PlaylistLines(opening: body)
            return nil
        } catch {
            return Violation(
                code(of: error.code),
                line: 1,
                expected: error.detail,
                observed: BodyKind.words(for: body),
                likely: error.code == .tooLarge ? nil : BodyKind.likely(for: body)
            )
        }
    }

    private static func violations(
        replacingReferencesIn body: UnsafeRawBufferPointer,
        _ source: VariableSource
    ) -> [Violation] {
        guard source.knowsAll(of: body) else { return check(body, source, hasReferences: true) }
        do {
            let lines = try PlaylistLines(opening: body)
            let text = try VariableExpansion(lines, url: source.url, imported: source.imported ?? [:]).expanded()
            return text.withUnsafeBytes { check($0, source, hasReferences: false, wasReplaced: true) }
        } catch {
            let found = check(body, source, hasReferences: true)
            let own = violation(of: error)
            return found.contains { $0.code == own.code && $0.line == own.line } ? found : [own] + found
        }
    }

    private static func check(
        _ body: UnsafeRawBufferPointer,
        _ source: VariableSource,
        hasReferences: Bool,
        wasReplaced: Bool = false
    ) -> [Violation] {
        let lines = PlaylistLines(rereading: body, 0..<body.count)
        var ahead = lines
        guard let first = ahead.next() else { return [] }
        var pass = CheckingPass(lines, at: first, source, hasReferences: hasReferences)
        if hasReferences || wasReplaced { pass.header.needsVariables() }
        return pass.violations()
    }
}

struct VariableSource {
    let url: String
    let imported: [String: String]?

    /// Whether all variables' values are known.
    func knowsAll(of body: UnsafeRawBufferPointer) -> Bool {
        guard imported == nil || url.isEmpty else { return true }
        var lines = PlaylistLines(rereading: body, 0..<body.count)
        while let line = lines.next() {
            guard case .tag(.define) = line.kind else { continue }
            var list = AttributeList(body, line.valueRange)
            while let attribute = list.next() {
                if imported == nil, list.isNamed(attribute, "IMPORT") { return false }
                if url.isEmpty, list.isNamed(attribute, "QUERYPARAM") { return false }
            }
        }
        return true
    }
}

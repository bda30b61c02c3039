extension ProfileSection {
    package func scalar<Value>(_ node: ProfileNode, field: String, _ rule: ScalarRule<Value>) -> Value? {
        func report(_ message: String, value: String? = nil, suggestion: String? = nil) {
            reading.report(
                ProfileProblem(
                    location: node.location,
                    field: field,
                    value: value,
                    message: message,
                    allowed: rule.allowed,
                    suggestion: suggestion
                )
            )
        }
        guard case .scalar(let written) = node.content else {
            report("\(node.kind) where a single value is needed")
            return nil
        }
        let text: String
        switch rule.expandsEnvironment ? expandEnvironment(written) : .value(written) {
        case .value(let expanded): text = expanded
        case .refused(let reason, _):
            report(reason)
            return nil
        }
        switch rule.read(text) {
        case .value(let value):
            return value
        case .refused(let reason, let suggestion):
            if rule.isSecret {
                report("the value \(reason)", suggestion: suggestion)
            } else {
                let shown = ShownValue.of(written)
                report("\"\(shown)\" \(reason)", value: shown, suggestion: suggestion)
            }
            return nil
        }
    }

    private func expandEnvironment(_ written: String) -> ScalarRule<String>.Reading {
        do throws(EnvironmentText.Refusal) {
            let expanded = try EnvironmentText(written, reading.surroundings.environmentVariable)
            for value in expanded.values.values { reading.note(secret: value) }
            return .value(expanded.text)
        } catch {
            return .refused(error.reason)
        }
    }

    /// Reads a key and records it as a secret.
    package func secret(_ key: String) -> String? {
        let secret = value(key, ScalarRule.hiddenKey)
        if let secret { reading.note(secret: secret) }
        return secret
    }

    /// Reads a path relative to the profile's folder, and reports a missing file.
    package func file(_ key: String) -> (written: String, resolved: String)? {
        guard let written = value(key, .text("the path of a file, from the profile's folder")) else { return nil }
        let isAbsolute = written.hasPrefix("/") || reading.folder.isEmpty
        let resolved = isAbsolute ? written : "\(reading.folder)/\(written)"
        reading.rule(fieldPath(key), isBroken: !reading.surroundings.hasFile(resolved)) {
            "no readable file at \"\(ShownValue.of(written))\", counted from the profile's folder"
        }
        return (written, resolved)
    }
}

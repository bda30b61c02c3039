package import Rules

/// Gets findings as they are made, with redacted texts, for the explanations of `check`.
package protocol FindingObserver: AnyObject {
    func viewer(_ number: Int, found code: FindingCode, expected: String, observed: String)

    func viewer(_ number: Int, wasWarnedBy kind: RequestKind, _ text: String)
}

extension FindingCode {
    /// The rows of their group, in the order of the codes.
    static let renditionsTable: [FindingCode] = []
}

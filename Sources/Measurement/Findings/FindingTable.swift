extension FindingCode {
    /// Every finding podswarm knows, in the order of the codes; a new one is a row in its group's file under `Codes`.
    package static let table: [FindingCode] =
        (playlistTable + versionsTable + renditionsTable + podsTable + sessionsTable + audienceTable)
        .sorted { $0.code < $1.code }
}

import AdServing
import Testing

@Suite struct RegistrationFailurePolicyTests {
    @Test(arguments: [400, 401, 403, 404, 408, 410, 422, 499, 302, 204])
    func mistakesOfTheClientAreNotTriedAgain(_ status: Int) {
        for hasBackup in [true, false] {
            #expect(RegistrationFailurePolicy.decide(status: status, attempt: 1, hasBackupHost: hasBackup) == .giveUp)
        }
    }

    @Test(arguments: [429, 500, 502, 503, 504, 599, nil]) func otherFailuresMoveToTheSecondHostOnce(_ status: Int?) {
        let first = RegistrationFailurePolicy.decide(status: status, attempt: 1, hasBackupHost: true)
        #expect(first == .retry(host: .backup, after: .zero))
        #expect(RegistrationFailurePolicy.decide(status: status, attempt: 2, hasBackupHost: true) == .giveUp)
    }

    @Test(arguments: [429, 500, 503, nil]) func withoutASecondHostTheFirstIsAskedThreeTimes(_ status: Int?) {
        let decisions = (1...4).map {
            RegistrationFailurePolicy.decide(status: status, attempt: $0, hasBackupHost: false)
        }
        #expect(
            decisions == [
                .retry(host: .primary, after: .seconds(1)), .retry(host: .primary, after: .seconds(2)), .giveUp,
                .giveUp,
            ]
        )
    }
}

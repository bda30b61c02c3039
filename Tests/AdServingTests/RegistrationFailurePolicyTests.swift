import AdServing
import Testing

@Suite struct RegistrationFailurePolicyTests {
    @Test(arguments: [400, 401, 403, 404, 408, 410, 422, 499, 302, 204])
    func mistakesOfTheClientAreNotTriedAgain(_ status: Int) {
        for hasBackup in [true, false] {
            #expect(RegistrationFailurePolicy.retry(status: status, attempt: 1, hasBackupHost: hasBackup) == nil)
        }
    }

    @Test(arguments: [429, 500, 502, 503, 504, 599, nil]) func otherFailuresMoveToTheSecondHostOnce(_ status: Int?) {
        let first = RegistrationFailurePolicy.retry(status: status, attempt: 1, hasBackupHost: true)
        #expect(first?.atBackup == true && first?.wait == .zero)
        #expect(RegistrationFailurePolicy.retry(status: status, attempt: 2, hasBackupHost: true) == nil)
    }

    @Test(arguments: [429, 500, 503, nil]) func withoutASecondHostTheFirstIsAskedThreeTimes(_ status: Int?) {
        let retries = (1...4).map {
            RegistrationFailurePolicy.retry(status: status, attempt: $0, hasBackupHost: false)
        }
        #expect(retries.map { $0?.wait } == [.seconds(1), .seconds(2), nil, nil])
        #expect(retries.allSatisfy { $0?.atBackup != true })
    }
}

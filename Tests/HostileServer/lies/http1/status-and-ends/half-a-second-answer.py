# playlist: Half a head behind the answer.
# expected: success
act = behind(0, SECOND[:20])

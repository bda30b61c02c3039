# playlist: Nobody asked for the second answer behind the first.
# expected: success
act = behind(0, SECOND)

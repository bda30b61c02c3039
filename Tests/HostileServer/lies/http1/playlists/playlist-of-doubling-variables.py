# playlist: Each variable is the one before it, twice.
# expected: anything
act = moving(lambda: live("{$v60}\n", '#EXT-X-DEFINE:NAME="v0",VALUE="aaaaaaaaaaaaaaaa"\n' + numbered(
    '#EXT-X-DEFINE:NAME="v{0}",VALUE="' + "{{$v{0}}}{{$v{0}}}" + '"\n', 60)))

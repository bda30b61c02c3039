#!/usr/bin/env bash
# Serves the target of Profiles/scale.yaml until it is interrupted: nginx, and a live playlist that is rewritten every
# two seconds.
#
#   Profiles/scale-target/serve.sh [port [log]]  8088 if no port is given; time, status and path of each request go to the log
#
# Needs bash 5 and nginx.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
port=${1:-8088}
log=${2:+$2 times buffer=1m flush=1s}
readonly target_duration=2 window=18
export PATH=$PATH:/usr/sbin TZ=UTC

folder=$(mktemp -d)
# Where this runs as root, the worker of nginx is somebody else.
chmod 755 "$folder"
mkdir -p "$folder/www/live"

# A window of segments up to this moment; the number of a segment is its start since the epoch over its length, so
# that the playlist goes on where it was when this starts again.
write_playlist() {
    # The clock that `await_next_segment` reads: that of EPOCHSECONDS lags by milliseconds, and would miss a segment.
    local now=${EPOCHREALTIME/[.,]/} number
    local next=$((now / (target_duration * 1000000)))
    {
        printf '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-INDEPENDENT-SEGMENTS\n'
        printf '#EXT-X-TARGETDURATION:%d\n#EXT-X-MEDIA-SEQUENCE:%d\n' "$target_duration" $((next - window))
        for ((number = next - window; number < next; number++)); do
            printf '#EXT-X-PROGRAM-DATE-TIME:%(%Y-%m-%dT%H:%M:%S)T.000Z\n' $((number * target_duration))
            printf '#EXTINF:%d.00000,\nsegment-%d.ts?variant=main\n' "$target_duration" "$number"
        done
    } >"$folder/playlist.new"
    mv "$folder/playlist.new" "$folder/www/live/media.m3u8"
}

# Sleeps up to the next whole multiple of the target duration.
await_next_segment() {
    local now=${EPOCHREALTIME/[.,]/} length=$((target_duration * 1000000)) rest
    rest=$((length - now % length))
    sleep "$((rest / 1000000)).$(printf '%06d' $((rest % 1000000)))"
}

cat >"$folder/www/live/multivariant.m3u8" <<'PLAYLIST'
#EXTM3U
#EXT-X-VERSION:6
#EXT-X-STREAM-INF:BANDWIDTH=1400000,AVERAGE-BANDWIDTH=1200000,RESOLUTION=640x360,FRAME-RATE=25.000,CODECS="avc1.4d401e,mp4a.40.2"
media.m3u8
PLAYLIST
mkdir "$folder/www/pod"
sed 's|^media|/pod/media|' "$folder/www/live/multivariant.m3u8" >"$folder/www/pod/multivariant.m3u8"
cat >"$folder/www/pod/media.m3u8" <<'PLAYLIST'
#EXTM3U
#EXT-X-VERSION:6
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-TARGETDURATION:2
#EXT-X-MEDIA-SEQUENCE:0
#EXTINF:2.00000,
ad-0.ts
#EXTINF:2.00000,
ad-1.ts
#EXT-X-ENDLIST
PLAYLIST
write_playlist
sed -e "s|@folder@|$folder|g" -e "s|@port@|$port|g" -e "s|@log@|${log:-off}|" "$here/nginx.conf" >"$folder/nginx.conf"
ulimit -n "$(ulimit -Hn)"

# This process becomes nginx, and the playlist is rewritten as long as it lives.
{
    while await_next_segment && kill -0 $$ 2>/dev/null; do
        write_playlist
    done
    rm -rf "$folder"
} &
echo "http://127.0.0.1:$port/live/multivariant.m3u8" >&2
exec nginx -p "$folder" -c "$folder/nginx.conf" -e stderr

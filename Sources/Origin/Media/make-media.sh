#!/bin/sh
# Makes the clips the origin serves: eight seconds each, in one-second fragments, that loop without a seam.
#
# An AAC frame holds 1024 samples, so at 48 kHz 375 frames are exactly 8 s: the shortest whole number of seconds
# that audio and video can share. Three times eight seconds of tone are encoded and the middle eight kept, so that the
# encoder's start (priming) is in none of them. No B-frames: every fragment then starts at its own decode time.
#
# Needs ffmpeg with libx264. Run in this folder; writes live-360p.mp4 live-180p.mp4 ad-360p.mp4 ad-180p.mp4.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# tone NAME HERTZ: 24 s of sine, a whole number of periods in 8 s.
tone() {
    ffmpeg -v error -y -f lavfi -i "sine=frequency=$2:sample_rate=48000:duration=24" -af volume=0.25 \
        -c:a aac -profile:a aac_low -b:a 32k -ac 1 "$work/$1.m4a"
}

# clip NAME TONE PICTURE WIDTHxHEIGHT KILOBITS
clip() {
    ffmpeg -v error -y -f lavfi -i "$3=size=$4:rate=24:duration=8" -ignore_editlist 1 -i "$work/$2.m4a" \
        -map 0:v -map 1:a -map_metadata -1 -fflags +bitexact -flags:v +bitexact \
        -c:v libx264 -preset veryslow -profile:v main -level:v 3.0 -pix_fmt yuv420p -bf 0 -g 24 -keyint_min 24 \
        -sc_threshold 0 -b:v "$5k" -maxrate "$5k" -bufsize "$5k" -video_track_timescale 90000 \
        -c:a copy -bsf:a "noise=drop='lt(n,375)+gte(n,750)',setts=ts=N*1024" \
        -movflags +frag_keyframe+empty_moov+default_base_moof+omit_tfhd_offset "$1.mp4"
}

tone live 440
tone ad 660
clip live-360p live testsrc2 640x360 100
clip live-180p live testsrc2 320x180 50
clip ad-360p ad testsrc 640x360 80
clip ad-180p ad testsrc 320x180 35

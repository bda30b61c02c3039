// The work of podswarm.yaml for k6, with the settings of its authors' advice, "Running large tests"
// (https://grafana.com/docs/k6/latest/testing-guides/running-large-tests/): bodies that are not read are discarded, addresses are
// grouped, and there are no checks, groups, thresholds or metrics of the script's own. A viewer is one iteration of one VU.
import http from 'k6/http';
import { sleep } from 'k6';

const origin = __ENV.ORIGIN;
const viewers = Number(__ENV.VIEWERS);
const [length, ramp, poll, interval] = [Number(__ENV.SECONDS) * 1000, 4000, 2000, 20000];
const event = 'network/1/custom_asset/equal';

export const options = {
    discardResponseBodies: true,
    scenarios: {
        viewers: { executor: 'per-vu-iterations', vus: viewers, iterations: 1, maxDuration: `${length + 60000}ms` },
    },
};

export function setup() {
    return Date.now();
}

const until = (instant) => sleep(Math.max(instant - Date.now(), 0) / 1000);
const read = (name) => ({ responseType: 'text', tags: { name } });
const discard = (name) => ({ tags: { name } });
/** The address that a playlist lists first. */
const address = (answer) => answer.body.split('\n').find((line) => line && !line.startsWith('#'));

export default function (start) {
    until(start + (ramp * (__VU - 1)) / viewers);
    const session = http.post(`${origin}/ssai/pods/api/v1/${event}/stream`, null, read('registration')).json('stream_id');
    const playlist = `${origin}/live/${address(http.get(`${origin}/live/multivariant.m3u8`, read('multivariant')))}`;
    const end = start + length;
    let next = Date.now();
    let due = Math.ceil(next / interval) * interval;
    while (Math.min(next, due) < end) {
        if (due <= next) {
            until(due);
            const pod = `${origin}/linear/pods/v1/hls/${event}/ad_break_id/break-${due / 1000}.m3u8?stream_id=${session}&pd=4000`;
            http.get(origin + address(http.get(pod, read('pod'))), discard('pod_playlist'));
            due += interval;
        } else {
            until(next);
            http.get(playlist, discard('playlist'));
            next += poll;
        }
    }
}

"""The work of podswarm.yaml for Locust, with the settings of its authors' advice: FastHttpUser ("Increase performance with a more
efficient HTTP client", https://docs.locust.io/en/stable/increase-performance.html) and a process for each core, which is one
here ("Distributed load generation", https://docs.locust.io/en/stable/running-distributed.html); addresses are grouped by name.
"""
import math
import time

import gevent
from locust import FastHttpUser, task

POLL, INTERVAL = 2, 20
EVENT = "network/1/custom_asset/equal"


def until(instant):
    gevent.sleep(max(instant - time.time(), 0))


def address(answer):
    """The address that a playlist lists first."""
    return next(line for line in answer.text.splitlines() if line and not line.startswith("#"))


class Viewer(FastHttpUser):
    @task
    def watch(self):
        """A whole life: the end of the run ends it."""
        session = self.client.post(f"/ssai/pods/api/v1/{EVENT}/stream", name="registration").json()["stream_id"]
        playlist = "/live/" + address(self.client.get("/live/multivariant.m3u8", name="multivariant"))
        next_poll = time.time()
        due = math.ceil(next_poll / INTERVAL) * INTERVAL
        while True:
            if due <= next_poll:
                until(due)
                pod = f"/linear/pods/v1/hls/{EVENT}/ad_break_id/break-{due}.m3u8?stream_id={session}&pd=4000"
                self.client.get(address(self.client.get(pod, name="pod")), name="pod_playlist")
                due += INTERVAL
            else:
                until(next_poll)
                self.client.get(playlist, name="playlist")
                next_poll += POLL

"""Lies about where an answer is to be had."""

from table import lie

POD = "pod_manifest"
HELD = ["unauthorised_host"]


def redirect(name, does, where, outcomes=HELD, *, status="302 Found", kind=POD, loose=False):
    async def act(exchange):
        location = where(exchange) if callable(where) else where
        return await exchange.whole("", f"Location: {location}", status=status)
    lie("redirects", kind, outcomes, name=name, does=does, loose=loose)(act)


def own(exchange):
    return f"http://127.0.0.1:{exchange.port}"


redirect("redirect-to-itself", "The same address again.", lambda exchange: exchange.path, ["redirect_limit"])
redirect("redirect-that-grows", "An address that is longer each time.",
         lambda exchange: f"{exchange.path.split('?')[0]}?{'a' * (2 * len(exchange.path))}",
         ["redirect_limit", "protocol_error"])
redirect("redirect-307-of-a-registration", "A registration is sent on for ever.", lambda exchange: exchange.path,
         ["redirect_limit"], status="307 Temporary Redirect", kind="registration")
redirect("redirect-to-a-file", "A file of the machine.", "file:///etc/passwd", HELD + ["protocol_error", "other_failure"])
redirect("redirect-to-gopher", "Another scheme.", "gopher://127.0.0.1:70/_x", HELD + ["protocol_error", "other_failure"])
redirect("redirect-to-data", "An address that is the answer.", "data:text/plain,EXTM3U",
         HELD + ["protocol_error", "other_failure"])
redirect("redirect-to-javascript", "A script.", "javascript:alert(1)", HELD + ["protocol_error", "other_failure"])
redirect("redirect-to-metadata-of-a-cloud", "The metadata of a cloud's machine.", "http://169.254.169.254/latest/meta-data/")
redirect("redirect-to-a-private-address", "A private address.", "http://10.0.0.1/")
redirect("redirect-to-a-mapped-address", "Loopback as an address of IPv6.", "http://[::ffff:127.0.0.1]:9/")
redirect("redirect-to-a-decimal-address", "Loopback as one number.", "http://2130706433:9/")
redirect("redirect-to-another-port", "Another port of loopback.", "http://127.0.0.1:9/")
redirect("redirect-to-nowhere", "A name that is not authorised.", "http://unauthorised.invalid/")
redirect("redirect-with-user-information", "The own address as user information of another.",
         lambda exchange: f"http://127.0.0.1:{exchange.port}@unauthorised.invalid/")
redirect("redirect-with-a-backslash", "A backslash where a slash should be.",
         lambda exchange: f"http://unauthorised.invalid\\@127.0.0.1:{exchange.port}/",
         HELD + ["protocol_error", "other_failure", "http_404"])
redirect("redirect-with-line-ends", "Encoded line ends in the path.",
         lambda exchange: f"{own(exchange)}/{exchange.channel.name}x/pod.m3u8?%0d%0aX-A:%20b", [])
redirect("redirect-with-a-nul", "An encoded NUL in the host.", "http://127.0.0.1%00.unauthorised.invalid/",
         HELD + ["protocol_error", "other_failure"])
redirect("redirect-with-a-port-past-all", "A port that there is not.", "http://127.0.0.1:99999/",
         HELD + ["protocol_error", "other_failure"])
redirect("redirect-of-a-megabyte", "An address of a megabyte.", "/" + "a" * 1_000_000, ["protocol_error"])
redirect("redirect-of-sixty-kilobytes", "An address as long as a head may be.", "/" + "a" * 60_000,
         ["http_404", "protocol_error", "connection_reset", "truncated"], loose=True)
redirect("redirect-to-nothing", "An empty address.", "", ["redirect_limit", "http_302", "protocol_error"])
redirect("redirect-of-choices", "Several choices, and none named.", "", ["http_300", "redirect_limit"],
         status="300 Multiple Choices", loose=True)


@lie("redirects", POD, ["http_302", "protocol_error"])
async def redirect_without_an_address(exchange):
    """A redirect that names no address."""
    return await exchange.whole("", status="302 Found")


@lie("redirects", POD, loose=True)
async def redirect_to_two_addresses(exchange):
    """Two addresses in two fields."""
    return await exchange.whole("", "Location: http://unauthorised.invalid/", f"Location: {exchange.path}",
                                status="302 Found")


@lie("redirects", POD, ["total_timeout", "body_too_large", "unauthorised_host", "redirect_limit"])
async def redirect_with_a_body_without_end(exchange):
    """A redirect whose body never ends."""
    await exchange.send(exchange.head(f"Location: {exchange.path}", "Content-Length: 10000000000", status="302 Found"))
    await exchange.forever(b"x" * 65_536)

import base64
import hashlib
import hmac
import time


def verify_webhook(body, headers, secret):
    """Returns True if the shop has signed this body, as bytes, within the last five minutes."""
    headers = {name.lower(): value for name, value in headers.items()}
    id, sent_at, signatures = (headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{id}.{sent_at}.".encode() + body, hashlib.sha256)
    expected = b"v1," + base64.b64encode(digest)
    # There are several signatures while one secret replaces another.
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))

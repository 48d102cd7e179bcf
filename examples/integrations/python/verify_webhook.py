import base64
import hashlib
import hmac
import time


def verify_webhook(body, headers, secret):
    """Returns True if the shop has signed this body, as bytes, within the last five minutes."""
    headers = {name.lower(): value for name, value in headers.items()}
    if abs(time.time() - int(headers.get("webhook-timestamp", 0))) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    # There are several signatures while one secret replaces another.
    return any(hmac.compare_digest(expected, one) for one in headers["webhook-signature"].split(" "))

import base64
import hashlib
import hmac
import re
import time

TOLERANCE_SECONDS = 5 * 60


def verify(payload: bytes, headers: dict, secret: str) -> bool:
    """Returns True if a request is Posthorn's and fresh.

    payload: the body as it arrived, not parsed and written again.
    headers: by name in lower case.
    secret: the webhook's whole signing secret.
    """
    timestamp = headers.get("webhook-timestamp", "")
    given = headers.get("webhook-signature", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = timestamp.encode() + b"." + payload
    digest = hmac.new(secret.encode(), signed, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    return hmac.compare_digest(given.encode(), expected.encode())

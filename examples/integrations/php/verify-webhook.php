<?php

/** Returns true if the shop has signed this body within the last five minutes. */
function verify_webhook(string $body, array $headers, string $secret): bool
{
    $unset = ['webhook-id' => '', 'webhook-timestamp' => '', 'webhook-signature' => ''];
    $headers = array_change_key_case($headers) + $unset;
    if (abs(time() - (int) $headers['webhook-timestamp']) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $signed = "{$headers['webhook-id']}.{$headers['webhook-timestamp']}.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    // There are several signatures while one secret replaces another.
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) {
            return true;
        }
    }
    return false;
}

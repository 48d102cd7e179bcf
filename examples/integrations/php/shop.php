<?php

/** Returns the body and the Link header of a response. Repeats a request that failed for a reason that passes. */
function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $url = str_starts_with($path, 'http') ? $path : getenv('SHOP') . $path;
    $headers = ['Authorization: Bearer ' . getenv('KEY'), 'Content-Type: application/json'];
    if ($method === 'POST') {
        // All attempts share the key, so that none acts twice.
        $headers[] = 'Idempotency-Key: ' . ($idempotencyKey ?? bin2hex(random_bytes(16)));
    }
    $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 60];
    if ($body !== null) {
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    foreach ([1, 2, 4, 8, 16, 32, null] as $wait) {
        [$status, $lines, $text] = send($url, $http);
        $answer = json_decode($text, true);
        // An answer that is cut off is no JSON.
        if ($status >= 200 && $status < 300 && $answer !== null) {
            return [$answer, header_of($lines, 'Link')];
        }
        if ($wait === null || !passes($status, $answer)) {
            throw new RuntimeException("$method $path: $status $text");
        }
        sleep((int) (header_of($lines, 'Retry-After') ?: $wait));
    }
}

/** Returns status, header lines and text of a response. The status of a lost connection is 0. */
function send(string $url, array $http): array
{
    $stream = @fopen($url, 'r', false, stream_context_create(['http' => $http]));
    if ($stream === false) {
        return [0, [], error_get_last()['message'] ?? ''];
    }
    $lines = stream_get_meta_data($stream)['wrapper_data'];
    return [(int) explode(' ', $lines[0])[1], $lines, stream_get_contents($stream)];
}

/** Returns true if the same request may succeed later. */
function passes(int $status, ?array $answer): bool
{
    if ($status === 409) {
        return in_array($answer['code'] ?? '', ['idempotency_key_in_use', 'changed_meanwhile'], true);
    }
    return $status < 300 || $status === 429 || $status >= 500;
}

function header_of(array $lines, string $name): string
{
    foreach ($lines as $line) {
        if (stripos($line, "$name:") === 0) {
            return trim(substr($line, strlen($name) + 1));
        }
    }
    return '';
}

/** Yields every row of a list, page by page. */
function each_row(string $path): Generator
{
    do {
        [$page, $link] = call('GET', $path);
        yield from array_values($page['data']);
        $path = preg_match('/<([^>]+)>; rel="next"/', $link, $next) ? $next[1] : null;
    } while ($path !== null);
}

<?php

/** Returns the body and the Link header of a response. Waits as long as the shop asks for. */
function call(string $method, string $path, ?array $body = null, ?string $idempotencyKey = null): array
{
    $url = str_starts_with($path, 'http') ? $path : getenv('SHOP') . $path;
    $headers = ['Authorization: Bearer ' . getenv('KEY'), 'Content-Type: application/json'];
    if ($idempotencyKey !== null) {
        $headers[] = "Idempotency-Key: $idempotencyKey";
    }
    $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true];
    if ($body !== null) {
        $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    }
    while (true) {
        $stream = fopen($url, 'r', false, stream_context_create(['http' => $http]));
        $text = stream_get_contents($stream);
        $lines = stream_get_meta_data($stream)['wrapper_data'];
        $status = (int) explode(' ', $lines[0])[1];
        if ($status < 300) {
            return [json_decode($text, true), header_of($lines, 'Link')];
        }
        if ($status !== 429 && $status !== 503) {
            throw new RuntimeException("$method $path: $status $text");
        }
        sleep((int) header_of($lines, 'Retry-After'));
    }
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

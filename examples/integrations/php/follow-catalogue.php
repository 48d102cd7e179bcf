<?php

require __DIR__ . '/shop.php';

// A copy of the catalogue with its stock: rows by id, and the time of the newest change in it.
$copy = file_exists('catalogue.json')
    ? json_decode(file_get_contents('catalogue.json'), true)
    : ['since' => '1970-01-01T00:00:00Z', 'rows' => []];

foreach (each_row("/api/v1/admin/products?variants=true&per_page=100&updated_since={$copy['since']}") as $row) {
    $kept = array_flip(['sku', 'price', 'stock_quantity', 'updated_at']);
    $copy['rows'][$row['id']] = array_intersect_key($row, $kept);
    // A change becomes visible up to a minute after its time.
    $copy['since'] = max($copy['since'], gmdate('Y-m-d\TH:i:s\Z', strtotime($row['updated_at']) - 60));
}

file_put_contents('catalogue.json', json_encode($copy));

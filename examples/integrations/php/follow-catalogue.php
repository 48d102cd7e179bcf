<?php

require __DIR__ . '/shop.php';

// A copy of the catalogue with its stock: rows by id, and the time from which to read changes next. The first time all rows are read.
$copy = file_exists('catalogue.json') ? json_decode(file_get_contents('catalogue.json'), true) : ['rows' => []];
$cursor = isset($copy['since']) ? "updated_since={$copy['since']}" : 'after_id=0';

// A change may become visible a minute after its time, and clocks differ.
$next = gmdate('Y-m-d\TH:i:s\Z', time() - 300);
foreach (each_row("/api/v1/admin/products?variants=true&per_page=100&$cursor") as $row) {
    $kept = array_flip(['sku', 'price', 'stock_quantity', 'updated_at']);
    $copy['rows'][$row['id']] = array_intersect_key($row, $kept);
}

$copy['since'] = $next;
file_put_contents('catalogue.json', json_encode($copy));

<?php

require __DIR__ . '/shop.php';

// The warehouse's list: sku, name, price and stock of each product, counted on the shelf.
$rows = json_decode(file_get_contents('products.json'), true);

// Part of each Idempotency-Key: a program that starts again with the same list repeats its requests, another list makes new ones.
$listedAt = filemtime('products.json');

foreach (array_chunk($rows, 100) as $n => $chunk) {
    $items = array_map(fn (array $row) => [
        'sku' => $row['sku'],
        'name' => $row['name'],
        'type' => 'physical',
        'status' => 'active',
        'price' => $row['price'],
        'stock' => ['quantity' => $row['stock'], 'reason' => 'Warehouse'],
    ], $chunk);
    while (true) {
        [$answer] = call('POST', '/api/v1/admin/products/batch', ['items' => $items], "$listedAt-$n");
        $results = $answer['data']['items'];
        if (!in_array('pending', array_column($results, 'status'), true)) {
            break;
        }
        sleep(10);
    }
    foreach ($results as $item) {
        foreach ($item['errors'] as $error) {
            echo "{$item['sku']} {$error['field']} {$error['message']}\n";
        }
    }
}

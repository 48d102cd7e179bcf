<?php

require __DIR__ . '/shop.php';

// The warehouse's list: sku, name, price and stock of each product, counted on the shelf.
$rows = json_decode(file_get_contents('products.json'), true);

foreach (array_chunk($rows, 100) as $chunk) {
    $items = array_map(fn (array $row) => [
        'sku' => $row['sku'],
        'name' => $row['name'],
        'type' => 'physical',
        'status' => 'active',
        'price' => $row['price'],
        'stock' => ['quantity' => $row['stock'], 'reason' => 'Warehouse'],
    ], $chunk);
    [$answer] = call('POST', '/api/v1/admin/products/batch', ['items' => $items], bin2hex(random_bytes(16)));
    foreach ($answer['data']['items'] as $item) {
        foreach ($item['errors'] as $error) {
            echo "{$item['sku']} {$error['field']} {$error['message']}\n";
        }
    }
}

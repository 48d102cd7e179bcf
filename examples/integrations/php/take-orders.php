<?php

require __DIR__ . '/shop.php';

// The cursor of the last event, and the orders that this system has taken, by their id in the shop.
$taken = file_exists('orders.json')
    ? json_decode(file_get_contents('orders.json'), true)
    : ['after_id' => 0, 'orders' => []];

$numbered = [];
foreach (each_row("/api/v1/admin/events?type=order.created,order.paid&per_page=100&after_id={$taken['after_id']}") as $event) {
    $id = $event['data']['order_id'];
    // A pending order waits for its payment. Others were perhaps taken by an earlier event.
    if ($event['data']['status'] !== 'pending' && !isset($numbered[$id])) {
        if (!isset($taken['orders'][$id])) {
            [['data' => $order]] = call('GET', "/api/v1/admin/orders/$id");
            $lines = array_map(fn (array $item) => ['sku' => $item['sku'], 'quantity' => $item['quantity']], $order['items']);
            $taken['orders'][$id] = ['number' => "SO-$id", 'total' => $order['total'], 'lines' => $lines];
            // Stored before the number is sent, so that after a crash the order is not taken again under another number.
            file_put_contents('orders.json', json_encode($taken));
        }
        call('PUT', "/api/v1/admin/orders/$id", ['external_id' => $taken['orders'][$id]['number']]);
        $numbered[$id] = true;
    }
    $taken['after_id'] = $event['id'];
}
file_put_contents('orders.json', json_encode($taken));

<?php

require __DIR__ . '/shop.php';

// The cursor of the last event, and the orders that this system has taken, by their id in the shop.
$taken = file_exists('orders.json')
    ? json_decode(file_get_contents('orders.json'), true)
    : ['after_id' => 0, 'orders' => []];

foreach (each_row("/api/v1/admin/events?type=order.created,order.paid&per_page=100&after_id={$taken['after_id']}") as $event) {
    $id = $event['data']['order_id'];
    $taken['after_id'] = $event['id'];
    // A pending order waits for its payment. Others were perhaps taken by an earlier event.
    if ($event['data']['status'] === 'pending' || isset($taken['orders'][$id])) {
        continue;
    }
    [['data' => $order]] = call('GET', "/api/v1/admin/orders/$id");
    $number = "SO-$id";
    $lines = array_map(fn (array $item) => ['sku' => $item['sku'], 'quantity' => $item['quantity']], $order['items']);
    $taken['orders'][$id] = ['number' => $number, 'total' => $order['total'], 'lines' => $lines];
    call('PUT', "/api/v1/admin/orders/$id", ['external_id' => $number]);
    // Stored after each order, so that a crash takes no order twice.
    file_put_contents('orders.json', json_encode($taken));
}

<?php

require __DIR__ . '/shop.php';

// What the warehouse has sent: id of the parcel, number of the order in the ERP, carrier, tracking number and lines.
$parcels = json_decode(file_get_contents('parcels.json'), true);

foreach ($parcels as $parcel) {
    [['data' => [$order]]] = call('GET', "/api/v1/admin/orders?external_id={$parcel['order']}");
    $ids = array_column($order['items'], 'id', 'sku');
    $shipment = [
        'carrier' => $parcel['carrier'],
        'tracking_number' => $parcel['tracking_number'],
        'items' => array_map(
            fn (array $line) => ['id' => $ids[$line['sku']], 'quantity' => $line['quantity']],
            $parcel['lines'],
        ),
    ];
    // The parcel's own id as Idempotency-Key, so that a program that runs twice announces it once.
    [$answer] = call('POST', "/api/v1/admin/orders/{$order['id']}/shipments", $shipment, $parcel['id']);
    echo "{$order['number']} {$answer['data']['fulfillment_status']}\n";
}

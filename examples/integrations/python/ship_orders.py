import json

from shop import call

# What the warehouse has sent: id of the parcel, number of the order in the ERP, carrier, tracking number and lines.
with open("parcels.json") as file:
    parcels = json.load(file)

for parcel in parcels:
    [order] = call("GET", f"/api/v1/admin/orders?external_id={parcel['order']}")[0]["data"]
    ids = {item["sku"]: item["id"] for item in order["items"]}
    shipment = {
        "carrier": parcel["carrier"],
        "tracking_number": parcel["tracking_number"],
        "items": [{"id": ids[line["sku"]], "quantity": line["quantity"]} for line in parcel["lines"]],
    }
    # The parcel's own id as Idempotency-Key, so that a program that runs twice announces it once.
    answer, _ = call("POST", f"/api/v1/admin/orders/{order['id']}/shipments", shipment, parcel["id"])
    print(order["number"], answer["data"]["fulfillment_status"])

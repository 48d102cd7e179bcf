import json
import os

from shop import call, each

# The cursor of the last event, and the orders that this system has taken, by their id in the shop.
taken = {"after_id": 0, "orders": {}}
if os.path.exists("orders.json"):
    with open("orders.json") as file:
        taken = json.load(file)

for event in each(f"/api/v1/admin/events?type=order.created,order.paid&per_page=100&after_id={taken['after_id']}"):
    order_id = event["data"]["order_id"]
    taken["after_id"] = event["id"]
    # A pending order waits for its payment. Others were perhaps taken by an earlier event.
    if event["data"]["status"] == "pending" or str(order_id) in taken["orders"]:
        continue
    order = call("GET", f"/api/v1/admin/orders/{order_id}")[0]["data"]
    number = f"SO-{order_id}"
    lines = [{"sku": item["sku"], "quantity": item["quantity"]} for item in order["items"]]
    taken["orders"][str(order_id)] = {"number": number, "total": order["total"], "lines": lines}
    call("PUT", f"/api/v1/admin/orders/{order_id}", {"external_id": number})
    # Stored after each order, so that a crash takes no order twice.
    with open("orders.json", "w") as file:
        json.dump(taken, file)

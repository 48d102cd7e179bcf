import json
import os

from shop import call, each

# The cursor of the last event, and the orders that this system has taken, by their id in the shop.
taken = {"after_id": 0, "orders": {}}
if os.path.exists("orders.json"):
    with open("orders.json") as file:
        taken = json.load(file)


def store():
    with open("orders.json", "w") as file:
        json.dump(taken, file)


numbered = set()
for event in each(f"/api/v1/admin/events?type=order.created,order.paid&per_page=100&after_id={taken['after_id']}"):
    order_id = str(event["data"]["order_id"])
    # A pending order waits for its payment. Others were perhaps taken by an earlier event.
    if event["data"]["status"] != "pending" and order_id not in numbered:
        if order_id not in taken["orders"]:
            order = call("GET", f"/api/v1/admin/orders/{order_id}")[0]["data"]
            lines = [{"sku": item["sku"], "quantity": item["quantity"]} for item in order["items"]]
            taken["orders"][order_id] = {"number": f"SO-{order_id}", "total": order["total"], "lines": lines}
            # Stored before the number is sent, so that after a crash the order is not taken again under another number.
            store()
        call("PUT", f"/api/v1/admin/orders/{order_id}", {"external_id": taken["orders"][order_id]["number"]})
        numbered.add(order_id)
    taken["after_id"] = event["id"]
store()

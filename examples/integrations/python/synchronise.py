import json
import uuid

from shop import call

# The warehouse's list: sku, name, price and stock of each product, counted on the shelf.
with open("products.json") as file:
    rows = json.load(file)

for start in range(0, len(rows), 100):
    items = [
        {
            "sku": row["sku"],
            "name": row["name"],
            "type": "physical",
            "status": "active",
            "price": row["price"],
            "stock": {"quantity": row["stock"], "reason": "Warehouse"},
        }
        for row in rows[start : start + 100]
    ]
    answer, _ = call("POST", "/api/v1/admin/products/batch", {"items": items}, str(uuid.uuid4()))
    for item in answer["data"]["items"]:
        for error in item["errors"]:
            print(item["sku"], error["field"], error["message"])

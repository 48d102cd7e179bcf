import json
import os
import time

from shop import call

# The warehouse's list: sku, name, price and stock of each product, counted on the shelf.
with open("products.json") as file:
    rows = json.load(file)

# Part of each Idempotency-Key: a program that starts again with the same list repeats its requests, another list makes new ones.
listed_at = os.stat("products.json").st_mtime_ns

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
    while True:
        answer, _ = call("POST", "/api/v1/admin/products/batch", {"items": items}, f"{listed_at}-{start}")
        results = answer["data"]["items"]
        if all(item["status"] != "pending" for item in results):
            break
        time.sleep(10)
    for item in results:
        for error in item["errors"]:
            print(item["sku"], error["field"], error["message"])

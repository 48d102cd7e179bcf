import json
import os
from datetime import datetime, timedelta

from shop import each

# A copy of the catalogue with its stock: rows by id, and the time of the newest change in it.
copy = {"since": "1970-01-01T00:00:00Z", "rows": {}}
if os.path.exists("catalogue.json"):
    with open("catalogue.json") as file:
        copy = json.load(file)

since = copy["since"]
for row in each(f"/api/v1/admin/products?variants=true&per_page=100&updated_since={since}"):
    copy["rows"][str(row["id"])] = {name: row[name] for name in ("sku", "price", "stock_quantity", "updated_at")}
    newest = datetime.fromisoformat(row["updated_at"].replace("Z", "+00:00"))
    # A change becomes visible up to a minute after its time.
    copy["since"] = max(copy["since"], f"{newest - timedelta(minutes=1):%Y-%m-%dT%H:%M:%SZ}")

with open("catalogue.json", "w") as file:
    json.dump(copy, file)

import json
import os
from datetime import datetime, timedelta, timezone

from shop import each

# A copy of the catalogue with its stock: rows by id, and the time from which to read changes next. The first time all rows are read.
copy = {"rows": {}}
if os.path.exists("catalogue.json"):
    with open("catalogue.json") as file:
        copy = json.load(file)

# A change may become visible a minute after its time, and clocks differ.
cursor = f"updated_since={copy['since']}" if "since" in copy else "after_id=0"
copy["since"] = f"{datetime.now(timezone.utc) - timedelta(minutes=5):%Y-%m-%dT%H:%M:%SZ}"
for row in each(f"/api/v1/admin/products?variants=true&per_page=100&{cursor}"):
    copy["rows"][str(row["id"])] = {name: row[name] for name in ("sku", "price", "stock_quantity", "updated_at")}

with open("catalogue.json", "w") as file:
    json.dump(copy, file)

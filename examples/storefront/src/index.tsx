import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { addresses } from "./account/addresses.tsx";
import { account } from "./account/routes.tsx";
import { twoFactor } from "./account/two-factor.tsx";
import { cart } from "./cart/routes.tsx";
import { catalogue } from "./catalogue/routes.tsx";
import { checkout } from "./checkout/routes.tsx";
import { crawlers } from "./crawlers/routes.ts";
import { downloads } from "./downloads/routes.tsx";
import type { AppEnv } from "./env.ts";
import { headers } from "./headers.ts";
import { links } from "./links/routes.tsx";
import { orders } from "./orders/routes.tsx";
import { withdrawal } from "./orders/withdrawal.tsx";
import { shopPages } from "./pages/routes.tsx";
import { notFound, problem } from "./problem.tsx";
import { identify } from "./session/identify.ts";
import { session } from "./session/routes.tsx";
import { webhooks } from "./webhooks/routes.ts";

const app = new Hono<AppEnv>();

app.onError(problem);
app.notFound(notFound);
// Not sent by browsers: webhooks are authenticated by their signature.
app.route("/", webhooks);
app.use(headers, csrf(), identify);

app.route("/", catalogue);
app.route("/", crawlers);
app.route("/", cart);
app.route("/", session);
app.route("/", links);
app.route("/", account);
app.route("/", addresses);
app.route("/", twoFactor);
app.route("/", checkout);
app.route("/", orders);
app.route("/", withdrawal);
app.route("/", downloads);
app.route("/", shopPages);

export default app;

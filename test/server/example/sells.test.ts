import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect } from "vitest";
import { createStorefront } from "../../../src/client/index.ts";
import { LONG } from "../../support/long.ts";
import { look } from "../browser/look.ts";
import { aShopper, asAdmin, fillWallet, findProduct } from "../shopper.ts";
import { cartCount, fillAddress, it, pay, sendCheckout, shopperAt, signIn, told } from "./example.ts";

describe("in a browser", () => {
  it(
    "sells a download from the catalogue to the finished file, once however often the button is pressed",
    LONG,
    async ({ shop, example, aPage }) => {
      const shopper = await aShopper(shop);
      const page = await aPage({ ...shopperAt(example) });
      await page.goto("/");
      await look(page, "example-catalogue");
      await page.getByLabel("Search").fill("rain on a tin");
      await page.getByRole("button", { name: "Search" }).click();
      await page.getByRole("link", { name: "Rain on a Tin Roof", exact: true }).click();
      await look(page, "example-product");
      await page.getByRole("button", { name: "Add to cart" }).click();
      await page.getByRole("heading", { name: "Cart" }).waitFor();
      await look(page, "example-cart");

      await page.getByRole("link", { name: "Check out" }).click();
      await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
      await signIn(page, { ...shopper, password: "not the password" });
      await page.getByRole("alert").waitFor();
      await look(page, "example-sign-in-refused");
      await signIn(page, shopper);
      await told(page, "Welcome, Lou Lossy.");
      await look(page, "example-checkout");
      const orders = await Promise.all([sendCheckout(page), sendCheckout(page)]);
      await pay(page).click();
      await told(page, "Your order is placed.");
      expect(new Set([...orders, new URL(page.url()).pathname]).size).toBe(1);
      await look(page, "example-order");
      const { data: moves } = await shopper.api.GET("/api/v1/user/account/transactions");
      expect(moves.map(({ kind }) => kind)).toEqual(["charge", "credit"]);

      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download Rain on a Tin Roof" }).click(),
      ]);
      const { data: files } = await shopper.api.GET("/api/v1/user/files", { params: { query: { per_page: 100 } } });
      const file = files.find(({ name }) => name === "Rain on a Tin Roof");
      const bytes = await readFile(await download.path());
      expect(download.suggestedFilename()).toBe("rain-on-a-tin-roof.wav");
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(file?.sha256);

      await page.goto("/downloads");
      await look(page, "example-downloads");
      const [licence] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download Personal Licence" }).first().click(),
      ]);
      expect(await readFile(await licence.path(), "utf8")).toMatch(/licence/i);
      await page.goto("/orders");
      await look(page, "example-orders");
      await page.getByRole("button", { name: "Sign out" }).click();
      await told(page, "You are signed out.");
    },
  );

  it("says what keeps an order from being placed, and sells to who has just made an account", async ({
    shop,
    example,
    aPage,
  }) => {
    const page = await aPage({ ...shopperAt(example) });
    await page.goto("/?category=paper-notebooks&sort=price");
    await page.locator(".card a").first().click();
    await page.getByRole("button", { name: "Add to cart" }).click();
    await page.getByRole("button", { name: "One more of" }).click();
    await told(page, "Your cart was updated.");
    await page.getByRole("link", { name: "Check out" }).click();
    await page.getByRole("link", { name: "Create an account" }).click();
    const email = `new-${crypto.randomUUID()}@shop.example`;
    await page.getByLabel("Name").fill("Nora New");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("a password that is long");
    await look(page, "example-sign-up");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("radio", { name: "Bank transfer" }).waitFor();
    await look(page, "example-checkout-without-money");

    const search = { search: email };
    const backend = createStorefront({ baseUrl: shop.base_url, credential: shop.api_keys.premium });
    const { data: users } = await backend.GET("/api/v1/admin/users", { params: { query: search } });
    for (const { id } of users) await fillWallet(shop, id, 100);
    await page.reload();
    await fillAddress(page, "Nora New");
    const seen = "document.querySelector('[name=seen]')";
    await page.evaluate(`${seen}.value = ${seen}.value.replace(/"price":[\\d.]+/, '"price":0.01')`);
    await pay(page).click();
    await page.getByRole("alert").getByText("is now").waitFor();
    await look(page, "example-checkout-refused");
    await pay(page).click();
    await told(page, "Your order is placed.");
    const id = Number(/\d+$/.exec(page.url()));
    const shipment = { carrier: "Post", tracking_number: "T1", tracking_url: "https://post.example/T1" };
    await (await asAdmin(shop)).PUT("/api/v1/admin/orders/{id}", {
      params: { path: { id } },
      body: { status: "shipped", shipment },
    });
    await page.reload();
    await page.locator("a[href='https://post.example/T1']", { hasText: "Track parcel" }).waitFor();
    await look(page, "example-order-sent");
  });
});

describe.each([
  ["with script", true],
  ["without script", false],
])("the cart %s", (_, javaScriptEnabled) => {
  it("changes a quantity by its buttons and by what is typed", async ({ shop, example, aPage }) => {
    const page = await aPage({ ...shopperAt(example), javaScriptEnabled });
    const { id, price } = await findProduct(await asAdmin(shop), "wrist strap");
    await page.goto(`/products/${id}`);
    await page.getByRole("button", { name: "Add to cart" }).click();
    const quantity = page.getByRole("spinbutton", { name: "Quantity of" });
    const expectUnits = async (units: number) => {
      await page
        .locator(".total")
        .getByText(`$${(units * price).toFixed(2)}`)
        .waitFor();
      await expect.poll(() => cartCount(page)).toBe(`Cart ${units}`);
      await expect.poll(() => quantity.inputValue()).toBe(String(units));
    };
    const [less, more] = [/^One less/, /^One more/].map((name) => page.getByRole("button", { name }));
    await more?.click();
    await expectUnits(2);
    if (javaScriptEnabled) {
      // Clicks that are faster than the answers count each.
      for (let clicks = 0; clicks < 3; clicks++) await more?.click();
      await expectUnits(5);
      // An answer that arrives while a link is held down does not take its click away.
      await page.getByRole("link", { name: "Check out" }).hover();
      await page.mouse.down();
      await more?.dispatchEvent("click");
      await expectUnits(6);
      await page.mouse.up();
      await page.waitForURL("**/checkout");
      await page.goto("/cart");
      // Nor does a message push the button away.
      const place = await more?.boundingBox();
      await more?.click();
      await expectUnits(7);
      expect(await more?.boundingBox()).toEqual(place);
    }
    await quantity.fill("3");
    await quantity.press("Enter");
    await expectUnits(3);
    await less?.click();
    await expectUnits(2);
    await quantity.fill("1");
    if (javaScriptEnabled) await quantity.blur();
    else await page.getByRole("button", { name: "Update the quantity" }).click();
    await expectUnits(1);
    await less?.click();
    await expectUnits(1);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "Your cart is empty" }).waitFor();
  });
});

describe("the catalogue on a phone", () => {
  const phone = (baseURL: string) => ({ ...shopperAt(baseURL), viewport: { width: 390, height: 844 } });

  it("is searched, narrowed and sorted without script, each keeping the others", async ({ example, aPage }) => {
    const page = await aPage({ ...phone(example), javaScriptEnabled: false });
    await page.goto("/");
    await page.getByRole("link", { name: "Sound", exact: true }).click();
    await page.getByRole("link", { name: "Synth Kits" }).click();
    await page.getByText("Filter").click();
    await page.getByLabel("Price from").fill("60");
    await page.getByLabel("to", { exact: true }).fill("50");
    await page.getByRole("button", { name: "Show products" }).click();
    await page.getByRole("heading", { name: "Synth Kits" }).waitFor();
    await page.getByText("Sort: Newest").click();
    await page.getByRole("link", { name: "Price: high to low" }).click();
    await page.waitForURL(/sort=-price/);
    const prices = await page.locator(".price .money:first-child").allTextContents();
    const amounts = prices.map((price) => Number(price.slice(1)));
    expect(amounts.length).toBeGreaterThan(0);
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
    expect(amounts.every((amount) => amount >= 50 && amount <= 60)).toBe(true);
    await page.getByRole("link", { name: "Remove the filter" }).click();
    await expect.poll(() => page.locator(".price").count()).toBeGreaterThan(amounts.length);
    await page.goto("/?search=zzqqq&in_stock=true&min_price=ten&page=-1");
    await page.getByRole("heading", { name: "No products match" }).waitFor();
    await page.getByRole("link", { name: "See all products" }).click();
    await page.getByRole("heading", { name: "All products" }).waitFor();
  });

  it(
    "shows the formatting of a description, and tells search engines about the product",
    LONG,
    async ({ shop, example, aPage }) => {
      const api = await asAdmin(shop);
      const body = {
        name: "Lamp </script><b>",
        sku: crypto.randomUUID(),
        type: "service",
        status: "active",
        price: 40,
        description: "A **warm** light.\n\n- <i>bright</i>\n- [quiet](javascript:alert(1))",
        brand: "Luna",
        barcode: "4006381333931",
        cost: 17,
        seo_title: "Lamps & light",
      } as const;
      const { data: product } = await api.POST("/api/v1/admin/products", { body });
      const page = await aPage(shopperAt(example));
      await page.goto(`/products/${product.id}`);
      expect(await page.locator(".text strong").textContent()).toBe("warm");
      expect(await page.locator(".text li").allInnerTexts()).toEqual(["<i>bright</i>", "[quiet](javascript:alert(1))"]);
      expect(await page.title()).toMatch(/^Lamps & light · /);
      const [description, facts] = await Promise.all([
        page.locator('meta[name="description"]').getAttribute("content"),
        page.locator('script[type="application/ld+json"]').textContent(),
      ]);
      expect(description).toBe("A warm light. <i>bright</i> [quiet](javascript:alert(1))");
      expect(JSON.parse(facts ?? "")).toMatchObject({
        ...{ name: body.name, gtin: body.barcode, brand: { name: "Luna" }, description },
        offers: { price: 40, availability: "https://schema.org/InStock" },
      });
      expect(await page.content()).not.toMatch(/cost/i);
      await look(page, "example-formatted");
      const path = { params: { path: { id: product.id } } };
      await api.PUT("/api/v1/admin/products/{id}", { ...path, body: { status: "draft" } });
    },
  );

  it(
    "shows names of every script and length within the window, paragraphs, and initials for a missing picture",
    LONG,
    async ({ shop, example, aPage }) => {
      const api = await asAdmin(shop);
      const create = async (name: string, more: object = {}) => {
        const body = { name, sku: crypto.randomUUID(), type: "service", status: "active", price: 1, ...more } as const;
        return (await api.POST("/api/v1/admin/products", { body })).data;
      };
      const names = {
        W: "W".repeat(200),
        DM: "Donaudampfschifffahrtsgesellschaftskapitänsmützenhalterung mit Überlänge",
        كف: "كاميرا فيلم قديمة من القاهرة",
        和: "和紙の手帳セット百枚入り桜模様",
      };
      const description = `${"x".repeat(300)}\n\nSecond paragraph.\nIts second line.`;
      const products = await Promise.all(Object.values(names).map((name) => create(name, { description })));
      const buyer = await aShopper(shop);
      const items = products.map(({ id, price }) => ({ product_id: id, quantity: 1, price }));
      const { data: order } = await buyer.api.POST("/api/v1/user/orders", {
        body: { items, payment_method: "wallet" },
      });

      const page = await aPage(phone(example));
      await page.goto("/");
      for (const initials of Object.keys(names)) await page.locator(".blank", { hasText: initials }).first().waitFor();
      await look(page, "example-long-names");
      for (const { id } of products) {
        await page.goto(`/products/${id}`);
        expect(await page.locator(".text p").last().innerHTML()).toBe("Second paragraph.<br>\nIts second line.");
        await look(page, `example-long-name-${id}`);
        await page.getByRole("button", { name: "Add to cart" }).click();
      }
      await page.locator(".line .blank").first().waitFor();
      await look(page, "example-long-names-in-cart");
      await page.goto("/sign-in?next=/checkout");
      await signIn(page, buyer);
      for (const path of ["/checkout", `/orders/${order.id}`, "/orders", "/account"]) {
        await page.goto(path);
        await look(page, `example-long-names${path.replaceAll("/", "-")}`);
      }
      const archived = { status: "draft" } as const;
      for (const { id } of products)
        await api.PUT("/api/v1/admin/products/{id}", { params: { path: { id } }, body: archived });
    },
  );

  it.for([
    ["with script", true],
    ["without script", false],
  ] as const)(
    "sells the blue variant in M and none that is sold out, %s",
    LONG,
    async ([, javaScriptEnabled], { example, aPage }) => {
      const page = await aPage({ ...phone(example), javaScriptEnabled });
      const loaded: string[] = [];
      page.on("request", (request) => request.isNavigationRequest() && loaded.push(request.url()));
      await page.goto("/?search=block-printed");
      await page.locator(".card", { hasText: "From $19.00" }).getByRole("link").click();
      await page.getByText("PRT-608-Blue-S").waitFor();
      const [id] = /\d+$/.exec(page.url()) ?? [];
      const choose = async (name: RegExp, words: string) => {
        await page.getByRole("radio", { name }).check();
        if (!javaScriptEnabled) await page.getByRole("button", { name: "Show this choice" }).click();
        await page.locator(".stock", { hasText: words }).waitFor();
      };
      const shown = async () => ({
        price: (await page.locator(".price.large .money").allTextContents()).join(" "),
        picture: /[a-z]+(?=\.svg)/.exec((await page.locator(".pictures img").first().getAttribute("src")) ?? "")?.[0],
        canBuy: (await page.getByRole("button", { name: "Add to cart" }).count()) === 1,
        isNamed: /\?variant=\d+$/.test(page.url()),
      });
      const pages = loaded.length;
      await choose(/^M/, "In stock");
      await choose(/^Ochre/, "Sold out");
      await expect.poll(shown).toEqual({ price: "$19.00 $28.00", picture: "ochre", canBuy: false, isNamed: true });
      await page.getByText("PRT-608-Ochre-M").waitFor();
      if (javaScriptEnabled) await look(page, "example-variant-sold-out");
      await choose(/^XL \(not available/, "Not available in this combination");
      await expect.poll(shown).toMatchObject({ price: "$19.00", canBuy: false, isNamed: false });
      await choose(/^Blue/, "Only 4 left");
      if (javaScriptEnabled) await page.getByLabel("Quantity").fill("2");
      await choose(/^M$/, "In stock");
      await expect.poll(shown).toEqual({ price: "$28.00", picture: "blue", canBuy: true, isNamed: true });
      if (javaScriptEnabled) {
        expect(loaded).toHaveLength(pages);
        await expect.poll(() => page.getByLabel("Quantity").inputValue()).toBe("2");
        await expect.poll(() => page.evaluate("document.activeElement.value")).toBe("M");
      }
      const address = page.url();
      await page.goto(address);
      await page.getByText("PRT-608-Blue-M").waitFor();
      await page.getByRole("button", { name: "Add to cart" }).click();
      await page.locator(".line", { hasText: "Colour: Blue, Size: M" }).waitFor();
      await page.getByRole("link", { name: "Block-Printed T-Shirt" }).click();
      await page.waitForURL(address);

      const headers = { Origin: example };
      for (const [size, words] of [
        ["M", "This product is out of stock."],
        ["XL", "This combination is not available."],
      ] as const) {
        const form = { product_id: id ?? "", quantity: "1", "option-0": "Ochre", "option-1": size };
        const refused = await page.request.post("/cart", { form, headers, maxRedirects: 0 });
        await page.goto(refused.headers().location ?? "");
        await page.getByRole("alert").getByText(words).waitFor();
        await page.getByRole("radio", { name: size, checked: true }).waitFor();
      }
      expect(await cartCount(page)).toBe("Cart 1");
    },
  );

  it("leads from a cart to the variants of a product that got some since, and shows which variant was returned", async ({
    shop,
    example,
    aPage,
  }) => {
    const api = await asAdmin(shop);
    const body = {
      name: "Old Cap",
      sku: crypto.randomUUID().slice(0, 8),
      type: "physical",
      status: "active",
      price: 15,
    } as const;
    const { data: cap } = await api.POST("/api/v1/admin/products", { body });
    const params = { path: { id: cap.id } };
    const shopper = await aShopper(shop);
    await shopper.api.POST("/api/v1/user/cart", { body: { product_id: cap.id, quantity: 1 } });
    const long = ["W".repeat(50), "كبير جدًا", "Donaudampfschifffahrtskapitänsmützenhalterung"];
    const options = [{ name: "Size", values: ["S", "M", ...long] }];
    await api.PUT("/api/v1/admin/products/{id}", { params, body: { options } });
    await api.POST("/api/v1/admin/products/{id}/variants", { params, body: { generate: true, price: 15 } });
    const page = await aPage(phone(example));
    await page.goto("/sign-in?next=/cart");
    await signIn(page, shopper);
    await look(page, "example-cart-variants");
    await page.getByRole("link", { name: "Choose a variant" }).click();
    await page.getByRole("radio", { name: "M", exact: true }).check();
    await page.locator(".choice legend", { hasText: /M$/ }).waitFor();
    await look(page, "example-variants-of-every-length");
    await page.getByRole("button", { name: "Add to cart" }).click();
    await page.getByRole("button", { name: "Remove Old Cap" }).first().click();
    await page.getByRole("link", { name: "Check out" }).click();
    await page.locator("#order .summary", { hasText: "Size: M" }).waitFor();

    const { data: bought } = await api.GET("/api/v1/user/products/{id}", { params });
    const items = bought.variants.slice(0, 2).map(({ id, price }) => ({ product_id: id, quantity: 1, price }));
    const shipping_address = { name: "Lou", address: "1 Quay Street", city: "Bristol", zip: "BS1 1AA" };
    const { data: order } = await shopper.api.POST("/api/v1/user/orders", {
      body: { items, shipping_address, payment_method: "wallet" },
    });
    const [returned] = order.items.filter(({ option_values }) => option_values[0]?.value === "S");
    await api.POST("/api/v1/admin/orders/{id}/refunds", {
      params: { path: { id: order.id } },
      body: { items: [{ id: returned?.id ?? 0, quantity: 1 }] },
    });
    await page.goto(`/orders/${order.id}`);
    const line = (value: string) => page.locator(".summary li", { hasText: `Size: ${value}` });
    await line("S").getByText("Refunded").waitFor();
    expect(await line("M").textContent()).not.toContain("Refunded");
    await look(page, "example-order-of-variants");
    await page.goto("/orders");
    await page.getByText("Old Cap (S), Old Cap (M)").waitFor();
    await api.PUT("/api/v1/admin/products/{id}", { params, body: { status: "draft" } });
  });

  it("shows several pictures, other products, and a product that is sold out", async ({ shop, example, aPage }) => {
    const api = await asAdmin(shop);
    const { images, category } = await findProduct(api, "contact microphone");
    const name = "Sold Out Recorder";
    const stock = { manage_stock: true, stock_quantity: 0, price: 20, compare_at_price: 30 };
    const shown = { category_id: category?.id ?? null, images: [...images, ...images] };
    const kind = { type: "physical", status: "active" } as const;
    const { data: product } = await api.POST("/api/v1/admin/products", {
      body: { name, sku: crypto.randomUUID(), ...kind, ...stock, ...shown },
    });
    const page = await aPage(phone(example));
    await page.goto(`/?category=${category?.slug}`);
    await page.locator(".sold-out", { hasText: name }).getByText("Sold out", { exact: true }).waitFor();
    await page.getByRole("link", { name }).click();
    await page.getByRole("link", { name: "Picture 2", exact: true }).click();
    expect(await page.getByRole("button", { name: "Add to cart" }).count()).toBe(0);
    await look(page, "example-sold-out");
    await page
      .getByRole("navigation", { name: "Breadcrumb" })
      .getByRole("link", { name: category?.name ?? "" })
      .click();
    await page.getByRole("heading", { name: category?.name ?? "", exact: true }).waitFor();
    await api.DELETE("/api/v1/admin/products/{id}", { params: { path: { id: product.id } } });
  });
});

it("says in llms.txt what is sold and how agents buy, in links that lead somewhere", async ({ shop, example }) => {
  const response = await fetch(`${example}/llms.txt`);
  expect(response.headers.get("Content-Type")).toMatch(/^text\/plain/);
  const [title, , summary, ...lines] = (await response.text()).split("\n");
  expect([title, summary]).toEqual(["# Halftone & Hum", expect.stringMatching(/^> An online shop for .+ and .+\.$/)]);
  const links = lines.filter((line) => line.startsWith("- "));
  const linked = links.map((line) => /^- \[[^\]]+\]\((http[^ )]+)\): ./.exec(line)?.[1] ?? line);
  expect(linked).toEqual(expect.arrayContaining([`${shop.base_url}/.well-known/ucp`, `${shop.base_url}/mcp`]));
  const pages = linked.filter((url) => !url.endsWith("/mcp"));
  const statuses = await Promise.all(pages.map(async (url) => [url, (await fetch(url)).status]));
  expect(statuses).toEqual(pages.map((url) => [url, 200]));
});

describe("to a browser that others make use of", () => {
  const cookie = (cookies: Record<string, string>) =>
    Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  const get = (url: string, cookies: Record<string, string>) =>
    fetch(url, { headers: { Cookie: cookie(cookies) }, redirect: "manual" });

  it("takes no form of another site", async ({ example }) => {
    const headers = { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" };
    const body = new URLSearchParams({ product_id: "1", quantity: "1" });
    const response = await fetch(`${example}/cart`, { method: "POST", headers, body });
    expect([response.status, response.headers.get("Set-Cookie")]).toEqual([403, null]);
  });

  it("takes a token that the API did not sign for none", async ({ example }) => {
    const response = await get(`${example}/orders`, { "shop-token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0." });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/sign-in?next=%2Forders"]);
  });

  it("gets the next token unasked, and asks who was signed out elsewhere to sign in", async ({ shop, example }) => {
    const api = createStorefront({ baseUrl: shop.base_url, credential: shop.api_keys.premium });
    const { data: session } = await api.POST("/api/v1/user/auth/login", { body: shop.customer });
    if (!("token" in session)) throw new Error("The demo's customer has a second factor");
    const renewed = await get(`${example}/orders`, { "shop-refresh": session.refresh_token });
    const cookies = renewed.headers.getSetCookie();
    expect(renewed.status).toBe(200);
    expect(cookies).toEqual([
      expect.stringMatching(/^shop-token=.+; Max-Age=3[56]\d\d; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^shop-refresh=.+; HttpOnly; SameSite=Lax$/),
    ]);

    await api.as(session.token).POST("/api/v1/user/auth/logout", { body: {} });
    const ended = await get(`${example}/orders`, { "shop-token": session.token });
    expect([ended.status, ended.headers.get("Location")]).toEqual([303, "/sign-in"]);
    expect(ended.headers.getSetCookie().join("\n")).toMatch(/shop-token=; Max-Age=0/);
  });

  it("says on the form that a password was tried too often", async ({ example, aPage }) => {
    const page = await aPage({ ...shopperAt(example) });
    const email = `${crypto.randomUUID()}@shop.example`;
    const said: (string | null)[] = [];
    await page.goto("/sign-in");
    for (let attempt = 0; attempt < 6; attempt++) {
      await signIn(page, { email, password: "not the password" });
      said.push(await page.getByRole("alert").textContent());
    }
    expect(said[4]).toBe("The e-mail address or the password is not correct.");
    expect(said[5]).toMatch(/^Too many attempts/);
    expect(await page.getByLabel("E-mail").inputValue()).toBe(email);
  });

  it("says what to do where there is nothing, and shows its key to nobody", async ({ shop, example }) => {
    for (const path of ["/nothing", "/products/999999", "/products/x", "/?category=nothing"]) {
      const response = await fetch(`${example}${path}`);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 404]);
      expect(text).toContain("Back to the shop");
      expect(text).not.toContain(shop.api_keys.storefront.slice(0, 12));
    }
  });
});

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect } from "vitest";
import { createStorefront } from "../../../src/client/index.ts";
import { LONG } from "../../support/long.ts";
import { LENGTH_VIEWS, look } from "../browser/look.ts";
import { select, textOf } from "../no-script/html.ts";
import { aVisitor } from "../no-script/visitor.ts";
import { aShopper, asAdmin, fillWallet, findProduct } from "../shopper.ts";
import {
  aVisitOf,
  cartCount,
  cartCountOf,
  fillInAddress,
  goingOn,
  it,
  orderOnce,
  paying,
  shopperAt,
  signIn,
} from "./example.ts";

it(
  "sells a download from the catalogue to the finished file, once however often the button is pressed",
  LONG,
  async ({ shop, example, see, aPage }) => {
    const shopper = await aShopper(shop);
    const visitor = aVisitor(example);
    await visitor.open("/");
    await see(visitor, "catalogue");
    visitor.fill("Search", "rain on a tin");
    await visitor.press("Search");
    await visitor.follow("Rain on a Tin Roof");
    await see(visitor, "product");
    await visitor.press("Add to cart");
    expect(visitor.texts("h1")).toEqual(["Cart"]);
    await see(visitor, "cart");

    await visitor.follow("Check out");
    await visitor.follow("Sign in");
    await signIn(visitor, { ...shopper, password: "not the password" });
    visitor.alerted(/./);
    await see(visitor, "sign-in-refused");
    await signIn(visitor, shopper);
    visitor.told("Welcome, Lou Lossy.");
    await see(visitor, "checkout");
    await orderOnce(visitor);
    await see(visitor, "order");
    const { data: moves } = await shopper.api.GET("/api/v1/user/account/transactions");
    expect(moves.map(({ kind }) => kind)).toEqual(["charge", "credit"]);

    // The form leads to the file at another URL, which the page's Content-Security-Policy has to allow.
    const page = await aPage(goingOn(visitor, example));
    await page.goto(visitor.path());
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download Rain on a Tin Roof" }).click(),
    ]);
    const { data: files } = await shopper.api.GET("/api/v1/user/files", { params: { query: { per_page: 100 } } });
    const file = files.find(({ name }) => name === "Rain on a Tin Roof");
    const bytes = await readFile(await download.path());
    expect(download.suggestedFilename()).toBe("rain-on-a-tin-roof.wav");
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(file?.sha256);

    await visitor.open("/downloads");
    await see(visitor, "downloads");
    const licence = await visitor.press("Download Personal Licence", 0);
    expect(licence.bytes.toString()).toMatch(/licence/i);
    await visitor.open("/orders");
    await see(visitor, "orders");
    await visitor.press("Sign out");
    visitor.told("You are signed out.");
  },
);

it(
  "explains what prevents an order, and sells to a shopper who has just created an account",
  LONG,
  async ({ shop, example, see }) => {
    const visitor = aVisitor(example);
    await visitor.open("/?category=paper-notebooks&sort=price");
    await visitor.open(visitor.all(".card a")[0]?.attributes.href ?? "");
    await visitor.press("Add to cart");
    await visitor.press(/^One more of/);
    visitor.told("Your cart was updated.");
    await visitor.follow("Check out");
    await visitor.follow(/^create an account$/i);
    const email = `new-${crypto.randomUUID()}@shop.example`;
    visitor.fill("Name", "Nora New");
    visitor.fill("E-mail", email);
    visitor.fill("Password", "a password that is long");
    await see(visitor, "sign-up");
    await visitor.press("Create account");
    visitor.check("Bank transfer");

    const search = { search: email };
    const backend = createStorefront({ baseUrl: shop.base_url, credential: shop.api_keys.premium });
    const { data: users } = await backend.GET("/api/v1/admin/users", { params: { query: search } });
    for (const { id } of users) await fillWallet(shop, id, 100);
    await visitor.open("/checkout");
    await fillInAddress(visitor, "Nora New");
    const [seen] = visitor.all("[name=seen]");
    if (seen) seen.attributes.value = seen.attributes.value?.replace(/"price":[\d.]+/, '"price":0.01') ?? "";
    await visitor.press(paying());
    visitor.alerted("is now");
    await see(visitor, "checkout-refused");
    await visitor.press(paying());
    visitor.told("Your order is placed.");
    const path = visitor.path();
    const shipment = { carrier: "Post", tracking_number: "T1", tracking_url: "https://post.example/T1" };
    await (await asAdmin(shop)).PUT("/api/v1/admin/orders/{id}", {
      params: { path: { id: Number(/\d+$/.exec(path)) } },
      body: { status: "shipped", shipment },
    });
    await visitor.open(path);
    expect(visitor.texts("a[href=https://post.example/T1]").join()).toContain("Track parcel");
    await see(visitor, "order-sent");
  },
);

describe("the cart", () => {
  it("changes a quantity by its buttons and by typing, with script", async ({ shop, example, aPage }) => {
    const { id, price } = await findProduct(await asAdmin(shop), "wrist strap");
    const page = await aPage(shopperAt(example));
    await page.request.post("/cart", { form: { product_id: id, quantity: 1 }, headers: { Origin: example } });
    await page.goto("/cart");
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
    // Clicks that are faster than the responses all count.
    for (let clicks = 0; clicks < 3; clicks++) await more?.click();
    await expectUnits(5);
    // A response that arrives while a link is held down must not cancel the click.
    await page.getByRole("link", { name: "Check out" }).hover();
    await page.mouse.down();
    await more?.dispatchEvent("click");
    await expectUnits(6);
    await page.mouse.up();
    await page.waitForURL("**/checkout");
    await page.goto("/cart");
    // A message must not move the button away either.
    const place = await more?.boundingBox();
    await more?.click();
    await expectUnits(7);
    expect(await more?.boundingBox()).toEqual(place);
    await quantity.fill("3");
    await quantity.press("Enter");
    await expectUnits(3);
    await less?.click();
    await expectUnits(2);
    await quantity.fill("1");
    await quantity.blur();
    await expectUnits(1);
    await less?.click();
    await expectUnits(1);
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("heading", { name: "Your cart is empty" }).waitFor();
  });

  it("changes a quantity by its buttons and by typing, without script", async ({ shop, example }) => {
    const { id, price } = await findProduct(await asAdmin(shop), "wrist strap");
    const visitor = aVisitor(example);
    await visitor.open(`/products/${id}`);
    await visitor.press("Add to cart");
    const expectUnits = (units: number) => {
      expect(visitor.texts(".total").join()).toContain(`$${(units * price).toFixed(2)}`);
      expect(cartCountOf(visitor)).toBe(`Cart ${units}`);
      expect(visitor.value(/^Quantity of/)).toBe(String(units));
    };
    await visitor.press(/^One more/);
    expectUnits(2);
    visitor.fill(/^Quantity of/, "3");
    await visitor.enter(/^Quantity of/);
    expectUnits(3);
    await visitor.press(/^One less/);
    expectUnits(2);
    visitor.fill(/^Quantity of/, "1");
    await visitor.press(/^Update the quantity/);
    expectUnits(1);
    await visitor.press(/^One less/);
    expectUnits(1);
    await visitor.press(/^Remove/);
    expect(visitor.text()).toContain("Your cart is empty");
  });
});

describe("the catalogue", () => {
  it("is searched, filtered and sorted without script, each keeping the others", async ({ example }) => {
    const visitor = aVisitor(example);
    await visitor.open("/");
    await visitor.follow("Sound");
    await visitor.follow("Synth Kits");
    visitor.fill("Price from", "60");
    visitor.fill("to", "50");
    await visitor.press("Show products");
    expect(visitor.texts("h1")).toEqual(["Synth Kits"]);
    expect(visitor.text()).toContain("Sort: Newest");
    await visitor.follow("Price: high to low");
    expect(visitor.path()).toMatch(/sort=-price/);
    const amounts = visitor.all(".price").map((price) => {
      const [first] = select(price, ".money");
      return Number(first && textOf(first).slice(1));
    });
    expect(amounts.length).toBeGreaterThan(0);
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));
    expect(amounts.every((amount) => amount >= 50 && amount <= 60)).toBe(true);
    await visitor.follow("Remove the filter");
    expect(visitor.all(".price").length).toBeGreaterThan(amounts.length);
    await visitor.open("/?search=zzqqq&in_stock=true&min_price=ten&page=-1");
    expect(visitor.texts("h1, h2").join()).toContain("No products match");
    await visitor.follow("See all products");
    expect(visitor.texts("h1")).toEqual(["All products"]);
  });

  it(
    "shows the formatting of a description, and structured data for search engines",
    LONG,
    async ({ shop, example, see }) => {
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
      const visitor = aVisitor(example);
      await visitor.open(`/products/${product.id}`);
      expect(visitor.texts(".text strong")).toEqual(["warm"]);
      expect(visitor.texts(".text li")).toEqual(["<i>bright</i>", "[quiet](javascript:alert(1))"]);
      expect(visitor.texts("title").join()).toMatch(/^Lamps & light · /);
      const description = visitor.all('meta[name="description"]')[0]?.attributes.content;
      const [facts] = visitor.all('script[type="application/ld+json"]');
      expect(description).toBe("A warm light. <i>bright</i> [quiet](javascript:alert(1))");
      expect(JSON.parse(facts?.children.join("") ?? "")).toMatchObject({
        ...{ name: body.name, gtin: body.barcode, brand: { name: "Luna" }, description },
        offers: { price: 40, availability: "https://schema.org/InStock" },
      });
      expect(visitor.answer().bytes.toString()).not.toMatch(/cost/i);
      await see(visitor, "formatted");
      const path = { params: { path: { id: product.id } } };
      await api.PUT("/api/v1/admin/products/{id}", { ...path, body: { status: "draft" } });
    },
  );

  it(
    "shows names of every script and length within the window, paragraphs, and initials for a missing picture",
    LONG,
    async ({ shop, example, see }) => {
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

      const visitor = aVisitOf(buyer, example);
      await visitor.open("/");
      expect(visitor.texts(".blank")).toEqual(expect.arrayContaining(Object.keys(names)));
      await see(visitor, "long-names", { views: LENGTH_VIEWS });
      for (const { id } of products) {
        await visitor.open(`/products/${id}`);
        const [paragraph] = visitor.all(".text p").slice(-1);
        expect(paragraph?.children).toMatchObject(["Second paragraph.", { tag: "br" }, "\nIts second line."]);
        await see(visitor, `long-name-${id}`, { views: LENGTH_VIEWS });
        await visitor.press("Add to cart");
      }
      expect(visitor.all(".line .blank")).toHaveLength(products.length);
      await see(visitor, "long-names-in-cart", { views: LENGTH_VIEWS });
      for (const path of ["/checkout", `/orders/${order.id}`, "/orders", "/account"]) {
        await visitor.open(path);
        await see(visitor, `long-names${path.replaceAll("/", "-")}`, { views: LENGTH_VIEWS });
      }
      const archived = { status: "draft" } as const;
      for (const { id } of products)
        await api.PUT("/api/v1/admin/products/{id}", { params: { path: { id } }, body: archived });
    },
  );

  it("sells the blue variant in M and no sold-out one, with script", LONG, async ({ example, aPage }) => {
    const page = await aPage({ ...shopperAt(example), viewport: { width: 390, height: 844 } });
    const loaded: string[] = [];
    page.on("request", (request) => request.isNavigationRequest() && loaded.push(request.url()));
    await page.goto("/?search=block-printed");
    await page.locator(".card", { hasText: "From $19.00" }).getByRole("link").click();
    await page.getByText("PRT-608-Ochre-S").waitFor();
    const choose = async (name: RegExp, words: string) => {
      await page.getByRole("radio", { name }).check();
      await page.locator(".stock", { hasText: words }).waitFor();
    };
    const shown = async () => ({
      price: (await page.locator(".price.large .money").allTextContents()).join(" "),
      picture: /[a-z]+(?=\.webp)/.exec((await page.locator(".pictures img").first().getAttribute("src")) ?? "")?.[0],
      canBuy: (await page.getByRole("button", { name: "Add to cart" }).count()) === 1,
      isNamed: /\?variant=\d+$/.test(page.url()),
    });
    const pages = loaded.length;
    await choose(/^Blue/, "In stock");
    await choose(/^M/, "In stock");
    await choose(/^Ochre/, "Sold out");
    await expect.poll(shown).toEqual({ price: "$19.00 $28.00", picture: "ochre", canBuy: false, isNamed: true });
    await page.getByText("PRT-608-Ochre-M").waitFor();
    await look(page, "example-variant-sold-out");
    await choose(/^XL \(not available/, "Not available in this combination");
    await expect.poll(shown).toMatchObject({ price: "$19.00", canBuy: false, isNamed: false });
    await choose(/^Blue/, "Only 4 left");
    await page.getByLabel("Quantity").fill("2");
    await choose(/^M$/, "In stock");
    await expect.poll(shown).toEqual({ price: "$28.00", picture: "blue", canBuy: true, isNamed: true });
    expect(loaded).toHaveLength(pages);
    await expect.poll(() => page.getByLabel("Quantity").inputValue()).toBe("2");
    await expect.poll(() => page.evaluate("document.activeElement.value")).toBe("M");
    await page.getByRole("button", { name: "Add to cart" }).click();
    await page.locator(".line", { hasText: "Colour: Blue, Size: M" }).waitFor();
    expect(await cartCount(page)).toBe("Cart 2");
  });

  it("sells the blue variant in M and no sold-out one, without script", async ({ example }) => {
    const visitor = aVisitor(example);
    await visitor.open("/?search=block-printed");
    const [card] = visitor.all(".card").filter((card) => textOf(card).includes("From $19.00"));
    await visitor.open((card && select(card, "a")[0]?.attributes.href) ?? "");
    expect(visitor.text()).toContain("PRT-608-Ochre-S");
    const [id = ""] = /\d+$/.exec(visitor.path()) ?? [];
    const choose = async (name: RegExp, words: string) => {
      visitor.check(name);
      await visitor.press("Show this choice");
      expect(visitor.texts(".stock").join()).toContain(words);
    };
    const shown = () => ({
      price: visitor.texts(".price.large .money").join(" "),
      picture: /[a-z]+(?=\.webp)/.exec(visitor.all(".pictures img")[0]?.attributes.src ?? "")?.[0],
      canBuy: visitor.hasButton("Add to cart"),
      isNamed: /\?variant=\d+$/.test(visitor.path()),
    });
    await choose(/^Blue/, "In stock");
    await choose(/^M/, "In stock");
    await choose(/^Ochre/, "Sold out");
    expect(shown()).toEqual({ price: "$19.00 $28.00", picture: "ochre", canBuy: false, isNamed: true });
    expect(visitor.text()).toContain("PRT-608-Ochre-M");
    await choose(/^XL \(not available/, "Not available in this combination");
    expect(shown()).toMatchObject({ price: "$19.00", canBuy: false, isNamed: false });
    await choose(/^Blue/, "Only 4 left");
    await choose(/^M$/, "In stock");
    expect(shown()).toEqual({ price: "$28.00", picture: "blue", canBuy: true, isNamed: true });
    const address = visitor.path();
    await visitor.open(address);
    expect(visitor.text()).toContain("PRT-608-Blue-M");
    await visitor.press("Add to cart");
    expect(visitor.texts(".line").join()).toContain("Colour: Blue, Size: M");
    await visitor.follow("Block-Printed T-Shirt");
    expect(visitor.path()).toBe(address);

    for (const [size, words] of [
      ["M", "This product is out of stock."],
      ["XL", "This combination is not available."],
    ] as const) {
      const form = { product_id: id, quantity: "1", "option-0": "Ochre", "option-1": size };
      const { headers } = await visitor.send("/cart", form);
      await visitor.open(headers.get("Location") ?? "");
      visitor.alerted(words);
      expect(visitor.isChecked(new RegExp(`^${size}( |$)`))).toBe(true);
    }
    expect(cartCountOf(visitor)).toBe("Cart 1");
  });

  it("links from a cart to the variants that a product got since, and shows which variant was returned", async ({
    shop,
    example,
    see,
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
    const visitor = aVisitOf(shopper, example);
    await visitor.open("/cart");
    await see(visitor, "cart-variants");
    await visitor.follow("Choose a variant");
    visitor.check("M");
    await visitor.press("Show this choice");
    expect(visitor.texts(".choice legend")).toEqual(["Size: M"]);
    await see(visitor, "variants-of-every-length");
    await visitor.press("Add to cart");
    await visitor.press("Remove Old Cap", 0);
    await visitor.follow("Check out");
    expect(visitor.texts("#order .summary").join()).toContain("Size: M");

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
    await visitor.open(`/orders/${order.id}`);
    const line = (value: string) =>
      visitor
        .texts(".summary li")
        .filter((line) => line.includes(`Size: ${value}`))
        .join();
    expect(line("S")).toContain("Refunded");
    expect(line("M")).not.toContain("Refunded");
    expect(line("M")).not.toBe("");
    await see(visitor, "order-of-variants");
    await visitor.open("/orders");
    expect(visitor.text()).toContain("Old Cap (S), Old Cap (M)");
    await api.PUT("/api/v1/admin/products/{id}", { params, body: { status: "draft" } });
  });

  it("shows several pictures, other products, and a product that is sold out", async ({ shop, example, see }) => {
    const api = await asAdmin(shop);
    const { images, category } = await findProduct(api, "contact microphone");
    const name = "Sold Out Recorder";
    const stock = { manage_stock: true, stock_quantity: 0, price: 20, compare_at_price: 30 };
    const shown = { category_id: category?.id ?? null, images: [...images, ...images] };
    const kind = { type: "physical", status: "active" } as const;
    const { data: product } = await api.POST("/api/v1/admin/products", {
      body: { name, sku: crypto.randomUUID(), ...kind, ...stock, ...shown },
    });
    const visitor = aVisitor(example);
    await visitor.open(`/?category=${category?.slug}`);
    const [card] = visitor.all(".sold-out").filter((card) => textOf(card).includes(name));
    expect(card && textOf(card)).toContain("Sold out");
    await visitor.follow(new RegExp(`^${name}`));
    const [picture] = visitor.all("a[href=#picture-2]");
    expect(picture && select(picture, "img")[0]?.attributes.alt).toBe("Picture 2");
    expect(visitor.all("#picture-2 img")).toHaveLength(1);
    expect(visitor.hasButton("Add to cart")).toBe(false);
    await see(visitor, "sold-out");
    await visitor.follow(category?.name ?? "", "nav[aria-label=Breadcrumb]");
    expect(visitor.texts("h1")).toEqual([category?.name]);
    await api.DELETE("/api/v1/admin/products/{id}", { params: { path: { id: product.id } } });
  });
});

it("describes in llms.txt the products and how agents buy, with working links", async ({ shop, example }) => {
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

describe("an attack through a shopper's browser", () => {
  const cookie = (cookies: Record<string, string>) =>
    Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join("; ");
  const get = (url: string, cookies: Record<string, string>) =>
    fetch(url, { headers: { Cookie: cookie(cookies) }, redirect: "manual" });

  it("cannot send a form from another site", async ({ example }) => {
    const headers = { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" };
    const body = new URLSearchParams({ product_id: "1", quantity: "1" });
    const response = await fetch(`${example}/cart`, { method: "POST", headers, body });
    expect([response.status, response.headers.get("Set-Cookie")]).toEqual([403, null]);
  });

  it("cannot use a token that the API did not sign", async ({ example }) => {
    const response = await get(`${example}/orders`, { "shop-token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0." });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/sign-in?next=%2Forders"]);
  });

  it("renews its token automatically, and asks a shopper who was signed out elsewhere to sign in", async ({
    shop,
    example,
  }) => {
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

  it("says on the form that a password was tried too often", async ({ example }) => {
    const visitor = aVisitor(example);
    const email = `${crypto.randomUUID()}@shop.example`;
    await visitor.open("/sign-in");
    for (let attempt = 0; attempt < 5; attempt++) {
      await signIn(visitor, { email, password: "not the password" });
      visitor.alerted("The e-mail address or the password is not correct.");
    }
    await signIn(visitor, { email, password: "not the password" });
    visitor.alerted(/^Too many attempts/);
    expect(visitor.value("E-mail")).toBe(email);
  });

  it("explains missing pages, and shows its key to nobody", async ({ shop, example }) => {
    for (const path of ["/nothing", "/products/999999", "/products/x", "/?category=nothing"]) {
      const response = await fetch(`${example}${path}`);
      const text = await response.text();
      expect([path, response.status]).toEqual([path, 404]);
      expect(text).toContain("Back to the shop");
      expect(text).not.toContain(shop.api_keys.storefront.slice(0, 12));
    }
  });
});

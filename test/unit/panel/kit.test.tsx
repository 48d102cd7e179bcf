import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type FormInputs, type FormState, formFor } from "../../../src/panel/forms/inputs.ts";
import { flagKind, listKind, moment, number, numbers, optional, orNull, text } from "../../../src/panel/forms/kinds.ts";
import { toJson } from "../../../src/panel/forms/read-form.ts";
import { BarChart, LineChart, scaleOf } from "../../../src/panel/kit/charts.tsx";
import { When } from "../../../src/panel/kit/dates.tsx";
import { Field, Group } from "../../../src/panel/kit/fields.tsx";
import { choiceFilter, FilterBar } from "../../../src/panel/kit/filters.tsx";
import { ConfirmButton, Form, LinkButton } from "../../../src/panel/kit/form.tsx";
import { Pagination } from "../../../src/panel/kit/listing.tsx";
import { Live, PageHeader } from "../../../src/panel/kit/page-parts.tsx";
import { Table } from "../../../src/panel/kit/table.tsx";
import { CopyField, DescriptionList, MoneyAmount, Thumbnail } from "../../../src/panel/kit/values.tsx";
import { fieldsByName } from "../../../src/platform/http/body-parsing.ts";

const render = async (element: { toString(): string | Promise<string> }) => String(await element.toString());

const SCRIPT = `<script>alert("1")</script>`;

const inputs = {
  name: { as: "text", label: "Full name", hint: "One line" },
  story: { as: "lines", label: "Story", rows: 5 },
  colours: {
    as: "choices",
    label: "Its colours",
    hint: "At least one.",
    options: [
      ["red", "Red"],
      ["green", "Green"],
    ],
    required: true,
  },
  kind: {
    as: "choice",
    label: "Kind",
    options: [
      ["a", "A"],
      ["b", "B"],
    ],
  },
  password: { as: "password", label: "Password" },
  address: { as: "group", label: "Address" },
  "address.name": { as: "text", label: "Name" },
} satisfies FormInputs;

const refused = (): FormState<keyof typeof inputs> => ({
  action: "/admin/things/1",
  values: {
    name: [SCRIPT],
    story: [SCRIPT],
    colours: ["red", "blue"],
    kind: ["b"],
    shown: ["true"],
    password: ["hunter22"],
  },
  errors: {
    name: ["is too long", "has the wrong format"],
    "colours.1": ["is not known"],
    "address.name": ["is short"],
    body: ["is odd"],
  },
  message: "The request is not valid",
  tone: "error",
  edit: null,
  inputs,
  picks: new Map(),
});

describe("users' texts", () => {
  it("are text wherever they are shown", async () => {
    const form = formFor(null, "/admin/things/1", {
      inputs: { name: { as: "text", label: SCRIPT, hint: SCRIPT } },
      values: { name: SCRIPT },
    });
    const pages = await Promise.all([
      render(<Field form={form} name="name" />),
      render(<Field form={refused()} name="story" />),
      render(<DescriptionList facts={{ [SCRIPT]: SCRIPT }} />),
      render(<PageHeader title={SCRIPT} />),
      render(<Table label={SCRIPT} rows={[SCRIPT]} columns={[{ title: SCRIPT, cell: (row) => row }]} />),
      render(<CopyField id="key" label={SCRIPT} value={SCRIPT} />),
      render(<BarChart title={SCRIPT} series={[SCRIPT]} points={[{ label: SCRIPT, name: SCRIPT, values: [1] }]} />),
    ]);
    for (const page of pages) {
      expect(page).toContain("&lt;script&gt;");
      expect(page).not.toContain("<script");
    }
  });
});

it.each([
  ["Field Recording Pack", "FR"],
  ["“übergröße” tasse", "ÜT"],
  ["7-inch record", "7I"],
  ["don't", "D"],
  ["和紙", "和"],
  ["كوب شاي", "كش"],
  ["🍵", ""],
])("a product without a picture is shown by its initials: %s as %s", async (name, initials) => {
  expect(await render(<Thumbnail images={[]} name={name} />)).toContain(`aria-hidden="true">${initials}</span>`);
});

describe("a form that was refused", () => {
  it("gives the reason, as a whole and field by field, by the labels of the fields and with links to them", async () => {
    const form = refused();
    const page = await render(
      <Form form={form}>
        <Field form={form} name="name" />
        <Field form={form} name="colours" />
        <Group form={form} name="address">
          <Field form={form} name="address.name" />
        </Group>
      </Form>,
    );
    expect(page).toMatch(/<div class="notice error" role="alert" tabindex="-1" autofocus[^>]*>/);
    for (const words of [
      "The request is not valid",
      '<a href="#admin-things-1-name">Full name</a>: is too long',
      '<a href="#admin-things-1-colours">Its colours 2</a>: is not known',
      '<a href="#admin-things-1-address-name">Address, Name</a>: is short',
      "Your input: is odd",
    ]) {
      expect(page).toContain(words);
    }
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(` id="${id}"`);
  });

  it("shows each field's messages beside it, and announces them to screen readers", async () => {
    const form = refused();
    const page = await render(<Field form={form} name="name" />);
    expect(page).toContain('aria-describedby="admin-things-1-name-hint admin-things-1-name-errors"');
    expect(page).toContain('aria-invalid="true"');
    expect(page).toContain('id="admin-things-1-name-errors">is too long, has the wrong format<');
    expect(page).toContain('for="admin-things-1-name"');
  });

  it("reports errors of a group of boxes once, and does not mark each box", async () => {
    const page = await render(<Field form={refused()} name="colours" />);
    expect(page).toMatch(
      /<fieldset[^>]* aria-describedby="admin-things-1-colours-hint admin-things-1-colours-errors">/,
    );
    expect(page).toContain('<legend>Its colours<span aria-hidden="true"> *</span></legend>');
    expect(page.indexOf("is not known")).toBeLessThan(page.indexOf("<input"));
    expect(page).not.toContain("aria-invalid");
  });

  it("keeps typed and selected values, but never a password", async () => {
    const form = refused();
    const fieldset = await render(<Field form={form} name="colours" />);
    expect(fieldset).toMatch(/<input[^>]*value="red"[^>]*checked/);
    expect(fieldset).not.toMatch(/<input[^>]*value="green"[^>]*checked/);
    expect(fieldset).toContain("is not known");
    const select = await render(<Field form={form} name="kind" />);
    expect(select).toContain('<option value="b" selected="">B</option>');
    const password = await render(<Field form={form} name="password" />);
    expect(password).not.toContain("hunter22");
  });

  it("has its declared fields, and the compiler refuses any other", () => {
    // @ts-expect-error No input of the form has this name.
    expect(() => <Field form={refused()} name="sizes" />).not.toThrow();
    // @ts-expect-error A value needs an input.
    expect(formFor(null, "/admin/things", { inputs, values: { sizes: 1 } }).inputs).toBe(inputs);
  });

  it("is ignored by every other form of the page", () => {
    const { edit: _, inputs, picks: __, message, ...failed } = refused();
    const form = formFor({ ...failed, message: String(message) }, "/admin/things/1", { inputs });
    expect(form).toEqual(refused());
    const other = formFor<string>({ ...failed, message: String(message) }, "/admin/things/1/close", {
      values: { reason: "", many: [1, 2], on: true, off: false, no: null },
    });
    expect(other).toMatchObject({
      action: "/admin/things/1/close",
      values: { reason: [""], many: ["1", "2"], on: ["true"], off: [], no: [] },
      errors: {},
      message: null,
    });
  });
});

describe("a form's strings", () => {
  const kinds = {
    name: text,
    note: orNull(optional),
    price: number,
    stock: orNull(number),
    on: flagKind,
    off: flagKind,
    tags: listKind,
    ids: numbers,
    until: moment,
    "address.city": text,
    "address.zip": text,
    absent: optional,
  };

  it("become the JSON that the API takes", () => {
    const sent =
      "name=A&note=+&price=12.50&stock=&on=true&tags=a&tags=b&ids=1&ids=&ids=2&until=2030-01-31T12:00&address.city=X&address.zip=Y";
    expect(toJson(fieldsByName(new URLSearchParams(sent)), kinds)).toEqual({
      name: "A",
      note: null,
      price: 12.5,
      stock: null,
      on: true,
      off: false,
      tags: ["a", "b"],
      ids: [1, 2],
      until: "2030-01-31T12:00:00.000Z",
      address: { city: "X", zip: "Y" },
    });
  });

  it.each(["0x10", "1e3", "abc", "--1"])("stay as typed if they are not numbers: %s", (typed) => {
    const { price } = toJson({ price: [typed] }, kinds);
    expect(price).toBe(typed);
    expect(z.number().safeParse(price).success).toBe(false);
  });

  it("may have any name", () => {
    const values = fieldsByName(new URLSearchParams("constructor=1&__proto__=2&constructor=3"));
    expect(Object.entries(values)).toEqual([
      ["constructor", ["1", "3"]],
      ["__proto__", ["2"]],
    ]);
  });
});

describe("a list", () => {
  const page = (page: number, totalItems: number) => ({ page, perPage: 20, totalItems, totalIsExact: true });
  const url = "https://shop.test/admin/things?search=a%26b&page=2";

  it("shows its position, and links on with its filters kept", async () => {
    const html = await render(<Pagination page={page(2, 45)} url={url} />);
    expect(html).toContain("21–40 of 45");
    expect(html).toContain('href="/admin/things?search=a%26b&amp;page=1"');
    expect(html).toContain('href="/admin/things?search=a%26b&amp;page=3"');
  });

  it("says that there are more if counting stopped", async () => {
    const html = await render(<Pagination page={{ ...page(2, 10_000), totalIsExact: false }} url={url} />);
    expect(html).toContain("21–40 of more than 10000");
  });

  it("has no links from its only page, and one back from past its end", async () => {
    expect(await render(<Pagination page={page(1, 3)} url={url} />)).not.toContain("href");
    const past = await render(<Pagination page={page(9, 45)} url={url} />);
    expect(past).toContain("None of 45");
    expect(past).toContain("page=3");
    expect(past).not.toContain("page=10");
  });

  it("states no position without rows", async () => {
    expect(await render(<Pagination page={page(1, 0)} url={url} />)).toBe("");
  });

  it("is filtered by a GET form, and can be cleared", async () => {
    const inputs = {
      search: { as: "search", label: "Search" },
      status: choiceFilter("Status", [["a", "A"]]),
    } satisfies FormInputs;
    const bar = (status: string) =>
      render(<FilterBar form={formFor(null, "/admin/things", { inputs, values: { status } })} />);
    expect(await bar("a")).toContain("Clear");
    expect(await bar("a")).toContain('<option value="a" selected="">');
    expect(await bar("")).not.toContain("Clear");
    expect(await bar("")).not.toContain("post");
  });

  it("labels each cell for screens too narrow for the table's head", async () => {
    const html = await render(
      <Table label="Things" rows={[1]} columns={[{ title: "Size", numeric: true, cell: String }]} />,
    );
    expect(html).toContain('<td data-label="Size" class="numeric">1</td>');
  });
});

it("asks before it destroys, in a dialog that needs no script and posts", async () => {
  const form = formFor(null, "/admin/things/1/delete", { etag: '"1"' });
  const html = await render(<ConfirmButton form={form} label="Delete" title="Delete it?" text="It is gone then." />);
  const [, target] = /popovertarget="([^"]+)"/.exec(html) ?? [];
  expect(html).toContain(`<dialog id="${target}" popover="auto"`);
  expect(html).toContain('<form method="post" action="/admin/things/1/delete"');
  expect(html).toContain('name="if_match" value="&quot;1&quot;"');
});

it("formats money and times for people, and times for programs too", async () => {
  expect(await render(<MoneyAmount minor={-50} currency="EUR" />)).toContain("-€0.50");
  const at = Date.UTC(2030, 0, 31, 12);
  expect(await render(<When at={at} />)).toBe(
    '<time datetime="2030-01-31T12:00:00.000Z" title="31 Jan 2030, 12:00 UTC">31 Jan 2030<span>, 12:00</span></time>',
  );
  expect(await render(<When at={null} none="never" />)).toContain("never");
});

describe("a chart", () => {
  const points = [
    { label: "1 Jan", name: "1 January", values: [3, 1] },
    { label: "2 Jan", name: "2 January", values: [0, 0] },
  ];
  const chart = { title: "Requests", series: ["Admitted", "Refused"], points };

  it.each([BarChart, LineChart])("has its figures in a table, and draws without inline styles", async (Chart) => {
    const html = await render(<Chart {...chart} format={(value) => `${value} req`} />);
    expect(html).toContain('<th scope="row">1 January</th><td class="numeric">3 req</td>');
    expect(html).toContain("<title>1 January: 3 req admitted, 1 req refused</title>");
    expect(html).not.toContain("style=");
    expect(html).not.toMatch(/NaN|Infinity/);
  });

  it.each([BarChart, LineChart])("draws nothing without values", async (Chart) => {
    expect(await render(<Chart title="None" series={["Orders"]} points={[]} />)).not.toMatch(/NaN|Infinity/);
  });

  it.each([
    [1, [0, 1]],
    [4, [0, 1, 2, 3, 4]],
    [99, [0, 50, 100]],
    [101, [0, 50, 100, 150]],
    [1000, [0, 500, 1000]],
  ])("of at most %i has round grid lines", (most, lines) =>
    expect(scaleOf([most])).toEqual({ bottom: 0, top: lines.at(-1), lines }),
  );
  it("labels only 0 without values", () => expect(scaleOf([0, 0])).toEqual({ bottom: 0, top: 1, lines: [0] }));
  it("supports negative values", () =>
    expect(scaleOf([-120, 900])).toEqual({ bottom: -500, top: 1000, lines: [-500, 0, 500, 1000] }));
});

it("links elsewhere and refreshes itself by plain attributes", async () => {
  expect(await render(<LinkButton href="/admin/things/new">New</LinkButton>)).toContain('href="/admin/things/new"');
  const live = await render(
    <Live id="usage" src="/admin/api-keys/1/usage" seconds={5}>
      now
    </Live>,
  );
  expect(live).toBe('<div id="usage" data-src="/admin/api-keys/1/usage" data-refresh="5">now</div>');
});

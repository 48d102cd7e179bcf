import { expect } from "vitest";
import { fromAnAddress } from "../an-address.ts";
import { closest, type Element, elementsIn, parseHtml, select, textOf } from "./html.ts";

/** A response with a page or a file. */
export type Answer = { url: string; status: number; headers: Headers; bytes: Buffer };

type Words = string | RegExp;

const CONTROLS = ["input", "select", "textarea"];
const CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36";

/**
 * Simulates a browser without script or rendering. It keeps cookies, follows redirects, and finds links by name, fields
 * by label and buttons by text. Throws if there is no match or more than one, or if the response is an error.
 */
export function aVisitor(baseURL: string) {
  const cookies = new Map<string, string>();
  const from = { "User-Agent": CHROME, ...fromAnAddress() };
  let answer: Answer = { url: baseURL, status: 0, headers: new Headers(), bytes: Buffer.alloc(0) };
  let page: Element | undefined;

  async function send(url: string, init: RequestInit = {}, redirects = 10): Promise<Answer> {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, headers: { ...from, Cookie, ...init.headers }, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) keep(cookie);
    const location = response.headers.get("Location");
    const bytes = Buffer.from(await response.arrayBuffer());
    if (location === null || redirects === 0) return { url, status: response.status, headers: response.headers, bytes };
    return send(new URL(location, url).href, {}, redirects - 1);
  }

  function keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (/Max-Age=0(;|$)/i.test(cookie)) cookies.delete(name);
    else cookies.set(name, value);
  }

  /** Opens a page. A file is saved, and the current page stays. */
  async function open(url: string, init?: RequestInit): Promise<Answer> {
    const opened = await send(url, init);
    if (opened.status >= 400) throw new Error(`${init?.method ?? "GET"} ${url}: ${opened.status}`);
    if (opened.headers.has("Content-Disposition")) return opened;
    answer = opened;
    page = parseHtml(opened.bytes.toString());
    return opened;
  }

  const document = (): Element => {
    if (page === undefined) throw new Error("No page is open");
    return page;
  };

  const all = (selector: string): Element[] => select(document(), selector);

  /**
   * Returns the element with this exact name, or else the one whose name contains the words. `nth` chooses among
   * several.
   */
  function one(
    kind: string,
    elements: Element[],
    nameOf: (of: Element) => string,
    words: Words,
    nth?: number,
  ): Element {
    const named = elements.map((element) => ({ element, name: nameOf(element) }));
    const isExact = ({ name }: { name: string }) => name === words;
    const contains = ({ name }: { name: string }) =>
      words instanceof RegExp ? words.test(name) : name.toLowerCase().includes(words.toLowerCase());
    const found = named.some(isExact) ? named.filter(isExact) : named.filter(contains);
    const chosen = found[nth ?? 0];
    if (chosen && (nth !== undefined || found.length === 1)) return chosen.element;
    const others = named.map(({ name }) => name).join(" | ");
    throw new Error(`${answer.url} has ${found.length} times the ${kind} ${words} among: ${others}\n${text()}`);
  }

  const nameOf = (of: Element): string =>
    of.attributes["aria-label"] ??
    `${textOf(of)} ${elementsIn(of).map(({ attributes }) => attributes.alt ?? "")}`.replaceAll(/[\s,]+$/g, "");

  function labelOf(control: Element): string {
    const { id } = control.attributes;
    const label = elementsIn(document()).find((each) => id !== undefined && each.attributes.for === id);
    const around = label ?? closest(control, "label");
    return control.attributes["aria-label"] ?? (around ? textOf(around) : "");
  }

  const isShown = ({ attributes }: Element): boolean => attributes.type !== "hidden";

  const controls = (tags = CONTROLS): Element[] =>
    elementsIn(document()).filter((each) => tags.includes(each.tag) && isShown(each));

  const field = (label: Words, nth?: number): Element => one("field", controls(), labelOf, label, nth);

  const option = (label: Words): Element => {
    const ticked = controls(["input"]).filter(({ attributes: { type = "" } }) => ["radio", "checkbox"].includes(type));
    return one("option", ticked, labelOf, label);
  };

  function set({ tag, attributes, children }: Element, value: string): void {
    if (attributes.disabled !== undefined) throw new Error(`${attributes.name} is disabled`);
    if (tag === "textarea") children.splice(0, children.length, value);
    else attributes.value = value;
  }

  const optionsOf = (of: Element): Element[] => elementsIn(of).filter(({ tag }) => tag === "option");

  const chosenIn = (of: Element): Element | undefined =>
    optionsOf(of).find(({ attributes }) => attributes.selected !== undefined) ?? optionsOf(of)[0];

  const valueIn = (of: Element): string => {
    if (of.tag === "select") return valueIn(chosenIn(of) ?? of);
    if (of.tag === "option") return of.attributes.value ?? textOf(of);
    if (of.tag === "textarea") return of.children.join("");
    return of.attributes.value ?? (["radio", "checkbox"].includes(of.attributes.type ?? "") ? "on" : "");
  };

  const isSent = ({ tag, attributes }: Element): boolean =>
    CONTROLS.includes(tag) &&
    attributes.name !== undefined &&
    attributes.disabled === undefined &&
    (!["radio", "checkbox"].includes(attributes.type ?? "") || attributes.checked !== undefined);

  /** Names and values that the form would submit when this button is pressed. */
  function entriesOf(form: Element, button?: Element): [string, string][] {
    return elementsIn(form)
      .filter((each) => isSent(each) || (each === button && each.attributes.name !== undefined))
      .map((each) => [each.attributes.name ?? "", valueIn(each)]);
  }

  /** Required fields without a value, for which a browser would not submit the form. */
  function missing(form: Element, button: Element): string[] {
    if (form.attributes.novalidate !== undefined || button.attributes.formnovalidate !== undefined) return [];
    return elementsIn(form)
      .filter((each) => CONTROLS.includes(each.tag) && each.attributes.required !== undefined)
      .filter((each) => each.attributes.type !== "radio" && (!isSent(each) || valueIn(each) === ""))
      .map(labelOf);
  }

  async function press(name: Words, nth?: number): Promise<Answer> {
    const buttons = elementsIn(document()).filter(({ tag }) => tag === "button");
    return submit(one("button", buttons, nameOf, name, nth));
  }

  const isSubmit = ({ tag, attributes: { type = "submit" } }: Element) => tag === "button" && type === "submit";

  async function submit(button: Element): Promise<Answer> {
    const form = closest(button, "form");
    if (!form || !isSubmit(button)) throw new Error(`${nameOf(button)} sends no form`);
    expect(missing(form, button), "fields that the browser asks for").toEqual([]);
    const entries = new URLSearchParams(entriesOf(form, button));
    const { formaction = form.attributes.action ?? answer.url, formmethod = form.attributes.method } =
      button.attributes;
    const action = new URL(formaction, answer.url);
    if (formmethod?.toLowerCase() !== "post") {
      action.search = entries.toString();
      return open(action.href);
    }
    const headers = { Origin: new URL(answer.url).origin, "Sec-Fetch-Site": "same-origin" };
    return open(action.href, { method: "POST", headers, body: entries });
  }

  const text = (): string => all("main").map(textOf).join(" ");

  const shown = (role: string, words: Words): void => {
    const said = all(`main [role=${role}]`).map(textOf);
    expect(said.join("\n"), `${role} of ${answer.url}: ${text()}`).toMatch(
      words instanceof RegExp ? words : literal(words),
    );
  };

  return {
    cookies,
    open: (path: string) => open(new URL(path, baseURL).href),
    /**
     * Follows the link with this name. A link in the page's main content is preferred to one in the header or footer.
     */
    follow: async (name: Words, within = "main") => {
      const link = one("link", all(`${within} a[href]`), nameOf, name);
      return open(new URL(link.attributes.href ?? "", answer.url).href);
    },
    fill: (label: Words, value: string, nth?: number) => set(field(label, nth), value),
    choose: (label: Words, name: Words | number, nth?: number) => {
      const list = one("list", controls(["select"]), labelOf, label, nth);
      const options = optionsOf(list);
      const chosen = typeof name === "number" ? options[name] : one("option", options, textOf, name);
      if (!chosen) throw new Error(`${label} has ${options.length} options`);
      for (const { attributes } of options) delete attributes.selected;
      chosen.attributes.selected = "";
    },
    check: (label: Words) => {
      const ticked = option(label);
      if (ticked.attributes.disabled !== undefined) throw new Error(`${label} is disabled`);
      const { type, name } = ticked.attributes;
      for (const { attributes } of controls(["input"]))
        if (type === "radio" && attributes.type === "radio" && attributes.name === name) delete attributes.checked;
      ticked.attributes.checked = "";
    },
    press,
    /** Presses Enter in a field, which submits the form by its first button. */
    enter: async (label: Words) => {
      const form = closest(field(label), "form");
      const button = form && elementsIn(form).find(isSubmit);
      if (!button) throw new Error(`Enter in ${label} sends nothing`);
      return submit(button);
    },
    all,
    text,
    texts: (selector: string) => all(selector).map(textOf),
    value: (label: Words) => valueIn(field(label)),
    isChecked: (label: Words) => option(label).attributes.checked !== undefined,
    hasField: (label: string) => controls().some((each) => labelOf(each).includes(label)),
    hasButton: (name: Words) =>
      elementsIn(document()).some((each) => each.tag === "button" && nameOf(each).search(name) >= 0),
    told: (words: Words) => shown("status", words),
    alerted: (words: Words) => shown("alert", words),
    /** The values that the form with this selector would submit without a button. */
    form: (selector: string) => entriesOf(all(selector)[0] ?? document()),
    /** The page's response, for a browser to draw. */
    answer: () => answer,
    path: () => answer.url.slice(new URL(answer.url).origin.length),
    /** Submits a form without leaving the page, and returns the response, which may be a redirect. */
    send: (path: string, form: Record<string, string> | [string, string][]): Promise<Answer> => {
      const url = new URL(path, baseURL);
      const headers = { Origin: url.origin };
      return send(url.href, { method: "POST", headers, body: new URLSearchParams(form) }, 0);
    },
  };
}

export type Visitor = ReturnType<typeof aVisitor>;

const literal = (words: string): RegExp => new RegExp(words.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));

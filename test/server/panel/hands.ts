import type { Locator, Page } from "playwright-core";

/** Counts a merchant's clicks and typed fields. */
export class Hands {
  clicks = 0;
  fields = 0;
  readonly page: Page;
  readonly #isNarrow: boolean;
  readonly #ways = new Map<string, { clicks: number; fields: number; url: string }>();

  constructor(page: Page, width: number) {
    this.page = page;
    this.#isNarrow = width < 1024;
  }

  startOver(): void {
    this.clicks = 0;
    this.fields = 0;
  }

  /** Opens the home page, where jobs begin, without counting it. */
  async home(): Promise<void> {
    await this.page.goto("/admin");
  }

  /**
   * Runs the first steps that several jobs share. For later jobs, only counts their clicks and opens the final page.
   */
  async way(name: string, walk: () => Promise<void>): Promise<void> {
    const known = this.#ways.get(name);
    if (known) {
      this.clicks += known.clicks;
      this.fields += known.fields;
      await this.page.goto(known.url);
      return;
    }
    await walk();
    this.#ways.set(name, { clicks: this.clicks, fields: this.fields, url: this.page.url() });
  }

  async click(what: Locator): Promise<void> {
    this.clicks++;
    await what.first().click();
  }

  button = (name: string) => this.click(this.page.getByRole("button", { name, exact: true }));
  link = (name: string | RegExp) => this.#go(this.page.locator("main").getByRole("link", { name }));

  /** Waits for the next page, so that nothing is typed into the previous one. */
  async #go(link: Locator): Promise<void> {
    const before = this.page.url();
    await this.click(link);
    await this.page.waitForURL(({ href }) => href !== before);
  }

  /** Opens a section of the menu, or a page below it. A narrow window opens the menu first, a wide one the section. */
  async section(name: string, below = name): Promise<void> {
    if (this.#isNarrow) await this.button("Menu");
    else if (below !== name) await this.section(name);
    await this.#go(this.page.locator("#menu").getByRole("link", { name: below, exact: true }));
  }

  async type(label: string | RegExp, text: string): Promise<void> {
    await this.fill(this.page.locator("main").getByLabel(label).first(), text);
  }

  async fill(field: Locator, text: string): Promise<void> {
    this.fields++;
    await field.fill(text);
  }

  async search(label: string, words: string): Promise<void> {
    await this.type(label, words);
    await this.page.keyboard.press("Enter");
    await this.page.waitForURL(/search=/);
  }

  async check(label: string | RegExp): Promise<void> {
    this.clicks++;
    await this.page.locator("main").getByLabel(label).first().check();
  }

  /** Opens a list and selects an option, which counts as two clicks. */
  async choose(label: string, option: string): Promise<void> {
    this.clicks += 2;
    await this.page
      .locator("main")
      .getByLabel(new RegExp(`^${label}( \\*)?$`))
      .first()
      .selectOption(option);
  }

  /** Uses a filter other than the first. A narrow window shows more filters first. */
  async filter(label: string, option: string): Promise<void> {
    if (this.#isNarrow) await this.click(this.page.getByText("More filters", { exact: true }));
    await this.choose(label, option);
  }

  /** Types part of a name and selects the first suggestion. */
  async pick(label: string, words: string): Promise<void> {
    await this.type(label, words);
    await this.click(this.page.getByRole("listbox").getByRole("option"));
  }

  /** Clicks the button and the file in the system's dialog. */
  async upload(field: Locator, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
    this.clicks += 2;
    await field.setInputFiles(file);
  }
}

/** Records that exist before the work begins. Their names are unique to one run. */
export type Facts = {
  run: string;
  /** Word in the names of 120 products, for bulk actions. */
  many: string;
  /** An unpaid order of three products, and a paid order. */
  unpaid: { number: string };
  paid: { number: string };
  surname: string;
  /** An order status whose list has no saved view. */
  status: string;
};

export type Jobs = Record<string, (hands: Hands, facts: Facts) => Promise<void>>;

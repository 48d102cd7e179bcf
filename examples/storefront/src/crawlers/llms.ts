import { categoriesOf, kept } from "../catalogue/kept.ts";
import type { ShopContext } from "../env.ts";
import { send } from "../parts/failure.ts";

/** The shop as described by https://llmstxt.org, for assistants used by shoppers. */
export async function llmsText(c: ShopContext): Promise<string> {
  const { SHOP_NAME, CONTACT, API_URL } = c.env;
  const [{ data }, isOpen] = await Promise.all([categoriesOf(c), sellsToAgents(c)]);
  const categories = data.filter(({ parent_id, product_count }) => parent_id === null && product_count > 0);
  const names = new Intl.ListFormat("en").format(categories.map(({ name }) => plain(name)));
  const here = (path: string) => new URL(path, c.req.url).href;
  const there = (path: string) => new URL(path, API_URL).href;
  const catalogue = [
    link("All products", here("/"), "`?search=` finds products by words"),
    ...categories.map(({ name, slug, product_count }) =>
      link(name, here(`/?${new URLSearchParams({ category: slug })}`), `Products: ${product_count}`),
    ),
    link("Sitemap", here("/sitemap.xml"), "The address of every product, with the time of its last change"),
  ];
  const buying = [
    link("UCP profile", there("/.well-known/ucp"), "Universal Commerce Protocol: what agents can do here, and where"),
    link("MCP endpoint", there("/mcp"), "The tools of the protocol: catalogue, cart, checkout and orders"),
  ];
  const paragraphs = [
    `# ${plain(SHOP_NAME)}`,
    `> ${names ? `An online shop for ${names}.` : "An online shop."}`,
    `Guests can order with an e-mail address. The checkout shows delivery costs, taxes and payment methods before an order is placed.`,
    `Questions: ${plain(CONTACT)}`,
    ...section("Catalogue", catalogue),
    ...(isOpen ? section("How agents buy", buying) : []),
    ...section("Optional", [link("API reference", there("/docs"), "For programs that are given a key")]),
  ];
  return `${paragraphs.join("\n\n")}\n`;
}

const section = (title: string, links: string[]): string[] => [`## ${title}`, links.join("\n")];

const link = (name: string, url: string, about: string): string => `- [${plain(name)}](${url}): ${about}`;

/** One line of text that closes no Markdown link. */
const plain = (text: string): string => text.replaceAll(/\s+/g, " ").replaceAll(/[\\[\]]/g, "\\$&");

/** The profile of a shop that does not sell to agents is not found. */
async function sellsToAgents(c: ShopContext): Promise<boolean> {
  const { isOpen } = await kept(c, "agents", async () => {
    const response = await send(new Request(new URL("/.well-known/ucp", c.env.API_URL)));
    await response.body?.cancel();
    return { isOpen: response.status !== 404, response };
  });
  return isOpen;
}

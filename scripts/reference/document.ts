import { document } from "../openapi/published.ts";
import { type Operation, operationsOf } from "../openapi/shape.ts";

// The parts of public/openapi.json that the pages use.

export type Route = Operation;

/** A page of operations. */
export type Group = { slug: string; area: string; title: string; description: string; routes: Route[] };

const ADMIN = "Admin: ";
const routes = [...operationsOf(document).values()];

/** Deletions come last, of parts before the whole, so that a reader can send one example after another. */
const deletionPlace = ({ method, path }: Route): number => (method === "delete" ? 1 / path.split("/").length : 0);

/** Operations by page, in the document's order. */
export const groups: Group[] = document.tags.map(({ name, description }) => {
  const isAdmin = name.startsWith(ADMIN);
  const noun = isAdmin ? name.slice(ADMIN.length) : name;
  return {
    slug: name.toLowerCase().replaceAll(/\W+/g, "-"),
    area: isAdmin ? "Administration" : "Storefront",
    title: noun.charAt(0).toUpperCase() + noun.slice(1),
    description,
    routes: routes
      .filter(({ tags }) => tags[0] === name)
      .toSorted((one, other) => deletionPlace(one) - deletionPlace(other)),
  };
});

/** Webhook events by type. */
export const events = Object.entries(document.webhooks).map(([type, { post }]): [string, typeof post] => [type, post]);

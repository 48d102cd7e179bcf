import * as z from "zod";

export const sorts = { newest: "Newest", price: "Cheapest", "-price": "Dearest", name: "Name" } as const;

const fallback = { search: "", category: "", sort: "newest", page: 1 } as const;

/** Filters in the URL of a catalogue page. Invalid ones are ignored. */
export const Filters = z.object({
  search: z.string().trim().max(200).catch(fallback.search),
  category: z.string().max(100).catch(fallback.category),
  sort: z.enum(["newest", "price", "-price", "name"]).catch(fallback.sort),
  page: z.coerce.number().int().min(1).max(1e9).catch(fallback.page),
});
export type Filters = z.output<typeof Filters>;

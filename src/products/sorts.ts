export const sorts = ["newest", "price", "-price", "name"] as const;
export type Sort = (typeof sorts)[number];

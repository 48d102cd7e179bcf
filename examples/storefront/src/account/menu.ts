/** Pages of the account. */
export const entries = [
  { path: "/account", name: "Overview" },
  { path: "/orders", name: "Orders" },
  { path: "/downloads", name: "Downloads" },
  { path: "/account/addresses", name: "Addresses" },
  { path: "/account/profile", name: "Profile" },
  { path: "/account/password", name: "Password" },
  { path: "/account/two-factor", name: "Two-step sign-in" },
  { path: "/account/sessions", name: "Devices" },
  { path: "/account/apps", name: "Connected apps" },
  { path: "/account/delete", name: "Delete account" },
];

/** True for a page with the account's menu. */
export const isInAccount = (path: string): boolean => entries.some((entry) => isAt(entry.path, path));

export const isAt = (entry: string, path: string): boolean =>
  path === entry || (entry !== "/account" && path.startsWith(`${entry}/`));

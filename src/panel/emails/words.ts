const spelled: Record<string, string> = { api: "API", email: "e-mail", two_factor: "two-factor", sign_in: "sign-in" };

/** A template's name for people: "Order confirmation". */
export function templateLabel(template: string): string {
  const words = template.replace(/api|email|two_factor|sign_in/, (part) => spelled[part] ?? part).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

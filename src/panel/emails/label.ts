/** A template as people call it. */
export const label = (template: string): string => template.replaceAll("_", " ");

/** Returns a stored address if a page may link to it: with HTTPS, or on the developer's own machine. */
export const webAddress = (url: string | null): string | null =>
  url !== null && /^https:\/\/|^http:\/\/localhost[:/]/.test(url) ? url : null;

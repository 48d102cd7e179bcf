import { hashInPath } from "../images/public.ts";

type Images = { url: string; alt: string }[] | undefined;

/** Names uploaded images by their paths, so that they are found when the deployment moves to another host. */
export function withPaths<Sent extends { images?: Images }>(sent: Sent, origin: string): Sent {
  const pathOf = (url: string) => (url.startsWith(origin) ? url.slice(origin.length) : url);
  const images = sent.images?.map(({ url, alt }) => ({ url: hashInPath(pathOf(url)) ? pathOf(url) : url, alt }));
  return images ? { ...sent, images } : sent;
}

/** The hashes of the uploaded images among these, each with its place in the list. */
export const uploadedIn = (images: Images = []): [index: number, sha256: string][] =>
  images.flatMap(({ url }, index) => {
    const sha256 = hashInPath(url);
    return sha256 === null ? [] : [[index, sha256]];
  });

import { hashInPath } from "../images/public.ts";

type Images = { url: string; alt: string }[] | undefined;

/** Names the deployment's own images by their paths, so that they are found when it moves to another host. */
export function withPaths<Sent extends { images?: Images }>(sent: Sent, origin: string): Sent {
  const pathOf = (url: string) => {
    const path = url.slice(origin.length);
    return url.startsWith(`${origin}/`) && new URL(path, origin).href === url ? path : url;
  };
  const images = sent.images?.map(({ url, alt }) => ({ url: pathOf(url), alt }));
  return images ? { ...sent, images } : sent;
}

/** The hashes of the uploaded images among these, each with its place in the list. */
export const uploadedIn = (images: Images = []): [index: number, sha256: string][] =>
  images.flatMap(({ url }, index) => {
    const sha256 = hashInPath(url);
    return sha256 === null ? [] : [[index, sha256]];
  });

import { type Handler, ok } from "../../payments/stand-in/http.ts";
import { aPng } from "../../support/image-bytes.ts";

// A server of pictures: a PNG in a different shade for each number, and faulty responses of every kind.

const redirect = (Location: string) => ({ status: 302, body: "", headers: { Location } });

const LARGE = new Uint8Array(10_000_001);

export const pictureHandlers: Record<string, Handler> = {
  "GET /pictures/(.+)/(\\d+)\\.png": (_, [, shade]) => ok(aPng({ shade: Number(shade) })),
  "GET /pictures/(.+)/moved-(\\d+)\\.png": (_, [name, shade]) => redirect(`/pictures/${name}/${shade}.png`),
  "GET /pictures/(.+)/inward\\.png": () => redirect("https://a.to-10-0-0-1.example/1.png"),
  "GET /pictures/(.+)/round\\.png": (_, [name]) => redirect(`/pictures/${name}/round.png`),
  "GET /pictures/(.+)/text\\.png": () => ok("<svg onload='alert(1)'>"),
  "GET /pictures/(.+)/large\\.png": () => ok(LARGE),
};

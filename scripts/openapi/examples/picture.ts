/** A PNG of one pixel. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGPQiKoAAAGoAPuznd66AAAAAElFTkSuQmCC",
  "base64",
);

/** Collects the kept parts of an image into one run of bytes. A file may have millions of parts. */
export class ByteBuffer {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** `length` is the expected total of all parts, in bytes. */
  constructor(length: number) {
    this.#bytes = new Uint8Array(length);
  }

  add(...parts: Uint8Array[]): this {
    for (const part of parts) {
      const length = this.#length + part.length;
      if (length > this.#bytes.length) this.#grow(2 * length);
      this.#bytes.set(part, this.#length);
      this.#length = length;
    }
    return this;
  }

  whole(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const bytes = new Uint8Array(length);
    bytes.set(this.whole());
    this.#bytes = bytes;
  }
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

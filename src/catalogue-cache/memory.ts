import type { KeptAnswer } from "./kept.ts";

/** No answer is given that was built longer ago. */
const MAX_AGE_MS = 30_000;

/** How much of the isolate's 128 MB answers may take, counted in UTF-16 units. */
const MAX_UNITS = 4_000_000;

export const isFresh = ({ builtAt }: KeptAnswer, now: number): boolean => now - builtAt < MAX_AGE_MS;

/** The answers that this isolate knows, the least lately used forgotten first. */
export class AnswerMemory {
  #answers = new Map<string, KeptAnswer>();
  #units = 0;
  #purgedAt = Number.NEGATIVE_INFINITY;

  get(key: string, now: number): KeptAnswer | undefined {
    const answer = this.#answers.get(key);
    if (!answer) return undefined;
    this.#drop(key, answer);
    if (!isFresh(answer, now)) return undefined;
    this.#keep(key, answer);
    return answer;
  }

  set(key: string, answer: KeptAnswer): void {
    const before = this.#answers.get(key);
    if (before) this.#drop(key, before);
    if (answer.body.length > MAX_UNITS / 4 || answer.builtAt <= this.#purgedAt) return;
    this.#keep(key, answer);
    for (const [oldest, dropped] of this.#answers) {
      if (this.#units <= MAX_UNITS) return;
      this.#drop(oldest, dropped);
    }
  }

  /** Forgets everything, and takes nothing any more that was built up to `now`. */
  purge(now: number): void {
    this.#answers.clear();
    this.#units = 0;
    this.#purgedAt = now;
  }

  #keep(key: string, answer: KeptAnswer): void {
    this.#answers.set(key, answer);
    this.#units += key.length + answer.body.length;
  }

  #drop(key: string, answer: KeptAnswer): void {
    this.#answers.delete(key);
    this.#units -= key.length + answer.body.length;
  }
}

// The progress of an upload, with buttons to continue it after a broken connection and to cancel it.

import { announce, button, make } from "./panel.js";

/** Delays before automatic retries. After them the user decides when to retry. */
const PAUSES_MS = [1000, 3000];

/** A permanent refusal: retrying would not help. */
export class Refused extends Error {}
/** The user cancelled, or left the page. */
export class Ended extends Error {}

/** Inserted after the form, which keeps its values and cannot be changed meanwhile. */
export class Progress {
  #form;
  #size;
  #done = 0;
  #begun = null;
  #ended = false;
  #told = 0;
  #bar = make("progress", { max: 1, value: 0, ariaLabel: "Upload" });
  #words = document.createElement("p");
  #again = button("Continue");
  #cancel = button("Cancel upload", () => this.#giveUp());
  #box = make(
    "div",
    { className: "upload" },
    this.#bar,
    this.#words,
    make("div", { className: "actions" }, this.#again, this.#cancel),
  );
  #stay = (event) => event.preventDefault();
  aborts = () => undefined;

  constructor(form, file) {
    this.#form = form;
    this.#size = file.size;
    this.#again.hidden = true;
    this.say("Begins.");
    form.querySelector(".notice.error")?.remove();
    form.inert = true;
    form.after(this.#box);
    this.#cancel.focus();
    addEventListener("beforeunload", this.#stay);
  }

  begins(begun) {
    this.#begun = begun;
    if (this.#ended) this.#giveUp();
    else this.sent(0);
  }

  say(words) {
    this.#words.textContent = words;
  }

  /** Bytes sent of the current part. */
  sent(bytes) {
    const share = (this.#done + bytes) / this.#size;
    const percent = Math.floor(share * 100);
    this.#bar.value = share;
    this.say(`${percent} % of ${inUnits(this.#size)}`);
    if (percent < this.#told + 25) return;
    this.#told = percent - (percent % 25);
    announce(`${this.#told} % uploaded`);
  }

  arrived(bytes) {
    this.#done += bytes;
    this.sent(0);
  }

  /** Throws if the upload was cancelled. */
  goesOn() {
    if (!this.#ended && this.#form.isConnected) return;
    this.aborts();
    throw new Ended();
  }

  /** Sends until there is a response. After a few attempts, the user decides when to retry. */
  async persist(send) {
    for (let tries = 0; ; tries++) {
      this.goesOn();
      const { status, responseText } = await send().catch(this.#faultOf);
      if (status >= 200 && status < 300) return { responseText };
      if (status !== 0 && status !== 401 && status !== 429 && status < 500)
        throw new Refused(toldIn(status, responseText));
      const pause = status === 401 ? undefined : PAUSES_MS[tries];
      if (pause) await new Promise((done) => setTimeout(done, pause));
      else await this.#asked(status === 401 ? toldIn(status, responseText) : "The line is broken");
    }
  }

  #faultOf = (error) => {
    if (error instanceof Ended) throw error;
    return { status: 0 };
  };

  /** Waits for the user. */
  #asked(why) {
    this.say(`${why}. ${Math.floor((this.#done / this.#size) * 100)} % has been received, and is kept for a day.`);
    announce(this.#words.textContent);
    this.#again.hidden = false;
    this.#again.focus();
    return new Promise((resolve, reject) => {
      this.#again.onclick = () => {
        this.#again.hidden = true;
        this.#cancel.focus();
        this.sent(0);
        resolve();
      };
      this.aborts = () => reject(new Ended());
    });
  }

  #giveUp() {
    this.#ended = true;
    this.aborts();
    if (this.#begun) fetch(`/admin/uploads/${this.#begun.id}/cancel`, { method: "POST" }).catch(() => undefined);
  }

  end() {
    removeEventListener("beforeunload", this.#stay);
    this.#box.remove();
    this.#form.inert = false;
  }
}

const CHANGED =
  "Somebody else changed the file while yours was sent, so it was not replaced. What was sent is kept: " +
  "reload this page to see the file as it is, and continue the upload if it is still to be replaced";

/** The API's error as text: its sentences by field, or its message. */
function toldIn(status, json) {
  if (status === 412) return CHANGED;
  try {
    const { message, errors } = JSON.parse(json);
    const sentences = Object.entries(errors ?? {}).flatMap(([field, words]) => words.map((word) => `${field} ${word}`));
    return sentences.length > 0 ? sentences.join(", ") : message;
  } catch {
    return "The server refused it";
  }
}

/** Formats bytes as src/panel/kit/units.ts does. */
export function inUnits(bytes) {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

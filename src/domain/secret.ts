/** The text shown in place of a secret. */
export const SHOWN_SECRET = '[secret]';

/**
 * A value that cannot be printed, logged, inspected, cloned or serialised by accident: every conversion to text gives
 * `[secret]`. Only `reveal` returns the value, for the code that puts it on the wire.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN_SECRET;
  }

  toJSON(): string {
    return SHOWN_SECRET;
  }

  [Symbol.toPrimitive](): string {
    return SHOWN_SECRET;
  }

  /** Node's inspector and console show this. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SHOWN_SECRET;
  }
}

/** A shorter key could be part of any word. */
const SHORTEST_KEY = 8;

/** Removes the key from text that came from outside and may repeat it: bodies of refusals, reasons, names. */
export type Redact = (text: string) => string;

export function redactor(secret: Secret | KeyInForce): Redact {
  if (secret instanceof KeyInForce) return secret.redact;
  const key = secret.reveal();
  if (key.length < SHORTEST_KEY) return (text) => text;
  const encoded = encodeURIComponent(key);
  return (text) => text.replaceAll(key, SHOWN_SECRET).replaceAll(encoded, SHOWN_SECRET);
}

/** The API key in force. It may be replaced; texts are then cleaned of every key that was in force. */
export class KeyInForce {
  readonly redact: Redact = (text) => this.#redactors.reduce((cleaned, redact) => redact(cleaned), text);
  readonly #redactors: Redact[] = [];
  #key: Secret;

  constructor(key: Secret) {
    this.#key = key;
    this.#redactors.push(redactor(key));
  }

  get key(): Secret {
    return this.#key;
  }

  replace(next: Secret): void {
    this.#key = next;
    this.#redactors.push(redactor(next));
  }
}

export const inForce = (key: Secret | KeyInForce): KeyInForce =>
  key instanceof KeyInForce ? key : new KeyInForce(key);

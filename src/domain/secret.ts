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

/** The forms in which a text may repeat the key. */
function formsOf(secret: Secret): readonly string[] {
  const key = secret.reveal();
  return key.length < SHORTEST_KEY ? [] : [key, encodeURIComponent(key)];
}

/** The API key in force. It may be replaced; texts are then cleaned of every key that was in force. */
export class KeyInForce {
  readonly redact: Redact = (text) =>
    this.#forms.reduce((cleaned, form) => cleaned.replaceAll(form, SHOWN_SECRET), text);
  readonly #forms: string[] = [];
  /** The same, in UTF-8. */
  readonly #encoded: Buffer[] = [];
  #key: Secret;

  constructor(key: Secret) {
    this.#key = key;
    this.#note(key);
  }

  get key(): Secret {
    return this.#key;
  }

  replace(next: Secret): void {
    this.#key = next;
    this.#note(next);
  }

  /** Text in UTF-8 without the key. Returns the same bytes unless they hold it: to search bytes is cheaper than to decode them. */
  redactBytes(bytes: Uint8Array): Uint8Array {
    const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const holdsKey = this.#encoded.some((form) => searched.includes(form));
    return holdsKey ? Buffer.from(this.redact(searched.toString('utf8')), 'utf8') : bytes;
  }

  #note(key: Secret): void {
    const forms = formsOf(key);
    this.#forms.push(...forms);
    this.#encoded.push(...forms.map((form) => Buffer.from(form, 'utf8')));
  }
}

export const inForce = (key: Secret | KeyInForce): KeyInForce =>
  key instanceof KeyInForce ? key : new KeyInForce(key);

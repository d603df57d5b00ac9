const SHOWN = '[secret]';

/**
 * A value that cannot be printed, logged, inspected, cloned or serialised by accident: every road to text gives
 * `[secret]`. Only `reveal` gives the value, for the edge that puts it on the wire.
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
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.toPrimitive](): string {
    return SHOWN;
  }

  /** What Node's inspector and console show. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SHOWN;
  }
}

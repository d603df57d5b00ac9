import { ConfigError } from '../../domain/errors.ts';

/** A mistake in a configuration: its message has key, value and origin. */
export interface Fault {
  /** Null if the mistake hides others, as in a file that cannot be read. */
  readonly key: string | null;
  readonly message: string;
  /** The setting that was probably meant. */
  readonly meant?: string | null;
}

/** Whether a key is another one, or stands below it. */
const isWithin = (key: string | null, table: string): boolean =>
  key === table || key?.startsWith(`${table}.`) === true || key?.startsWith(`${table}[`) === true;

/** Collects the mistakes of a configuration, so that a person learns of all at once. */
export class Faults {
  readonly #all: Fault[] = [];

  constructor(earlier: readonly Fault[] = []) {
    this.#all.push(...earlier);
  }

  get all(): readonly Fault[] {
    return this.#all;
  }

  add(fault: Fault): void {
    this.#all.push(fault);
  }

  /** The result of a step; undefined if it threw a ConfigError, which is collected. */
  attempt<T>(key: string | null, step: () => T): T | undefined {
    try {
      return step();
    } catch (error) {
      this.#collect(key, error);
      return undefined;
    }
  }

  /** The same for a step that takes time. */
  async attemptLater<T>(key: string, step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step();
    } catch (error) {
      this.#collect(key, error);
      return undefined;
    }
  }

  /** Whether nothing at or below the keys is known to be wrong. What depends on a mistake is not judged. */
  isSound(...keys: readonly string[]): boolean {
    return this.#all.every(
      ({ key: wrong, meant = null }) =>
        wrong !== null && keys.every((key) => [wrong, meant].every((each) => !isWithin(each, key))),
    );
  }

  /** Throws a ConfigError with every mistake, one a line. */
  throwIfAny(): void {
    if (this.#all.length === 0) return;
    const key = this.#all.length === 1 ? (this.#all[0]?.key ?? null) : null;
    const lines = this.#all.map(({ message }) => message);
    throw new ConfigError(lines.join('\n'), key === null ? {} : { key });
  }

  #collect(key: string | null, error: unknown): void {
    if (!(error instanceof ConfigError)) throw error;
    const named = error.details['key'];
    this.add({ key: typeof named === 'string' ? named : key, message: error.message });
  }
}

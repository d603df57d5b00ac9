/** The report: one line a check, with its time. */

/** Thrown by a check without which the rest of its part cannot be tried. */
class PartEnded extends Error {}

export class Checks {
  readonly #isInterrupted: () => boolean;
  #passed = 0;
  #failed = 0;

  /** Once `isInterrupted` says so, no check begins or ends: the process is about to end. */
  constructor(isInterrupted: () => boolean) {
    this.#isInterrupted = isInterrupted;
  }

  get failed(): number {
    return this.#failed;
  }

  get summary(): string {
    return `${this.#passed} checks passed, ${this.#failed} failed`;
  }

  /** Tries something and prints the result. The text that it returns is a detail for the line. Resolves to whether it passed. */
  async check(name: string, attempt: () => Promise<string | void>): Promise<boolean> {
    await this.#orNever();
    const started = performance.now();
    const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(8);
    try {
      const detail = await attempt();
      await this.#orNever();
      this.#passed++;
      console.log(`ok   ${seconds()}  ${name}${detail === undefined ? '' : `: ${detail}`}`);
      return true;
    } catch (error) {
      await this.#orNever();
      this.#failed++;
      console.log(`FAIL ${seconds()}  ${name}\n${indented((error as Error).message)}`);
      return false;
    }
  }

  /** Never resolves after an interruption. */
  async #orNever(): Promise<void> {
    if (this.#isInterrupted()) await new Promise<never>(() => {});
  }

  /** A check without which the part ends. */
  async need(name: string, attempt: () => Promise<string | void>): Promise<void> {
    if (!(await this.check(name, attempt))) throw new PartEnded(name);
  }

  /** Runs the checks of a part, to the first that it needs and that fails. */
  async part(name: string, attempt: () => Promise<void>): Promise<void> {
    console.log(`\n${name}`);
    try {
      await attempt();
    } catch (error) {
      if (!(error instanceof PartEnded)) throw error;
      console.log(`     the rest of this part was not tried, because this failed: ${error.message}`);
    }
  }
}

const indented = (text: string): string => text.replaceAll(/^/gm, '       ');

/** Throws an Error with the message unless the condition holds. */
export function expect(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** What must be undone at the end, however it comes: containers, mounts, processes, folders. */
import process from 'node:process';
import { endCommands } from './processes.ts';

type Undo = () => void | Promise<unknown>;

const SIGNALS: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

export class Cleanup {
  readonly #undos: Undo[] = [];
  #running: Promise<void> | null = null;
  #isInterrupted = false;

  /** Whether a signal has asked the process to end. */
  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Undoes everything and ends the process when a signal asks it to end. */
  onSignals(): void {
    for (const [signal, code] of Object.entries(SIGNALS))
      process.on(signal, () => {
        console.log(`\n${signal}: removing containers, mounts and files`);
        this.#isInterrupted = true;
        void endCommands()
          .then(() => this.run())
          .then(() => process.exit(code));
      });
  }

  /** Adds what to undo. The latest is undone first. */
  defer(undo: Undo): void {
    this.#undos.push(undo);
  }

  /** Undoes everything so far, each thing once. A step that fails is reported and does not stop the others. */
  run(): Promise<void> {
    this.#running ??= this.#undoAll().finally(() => (this.#running = null));
    return this.#running;
  }

  async #undoAll(): Promise<void> {
    for (let undo = this.#undos.pop(); undo !== undefined; undo = this.#undos.pop())
      try {
        await undo();
      } catch (error) {
        console.error(`cleaning up: ${(error as Error).message}`);
      }
  }
}

import type { Closing } from '../outcomes/closing.ts';
import { closesAll, type OrderContext } from '../state/context.ts';
import type { SweepTask } from '../state/sweeps.ts';
import { adopt, type RestoredState } from './recovery.ts';
import type { StreamWatch } from './stream-watch.ts';

export interface AdoptionParts {
  readonly closing: Closing;
  /** The tasks that close orders until the exchange shows them closed. */
  readonly closers: readonly Pick<SweepTask, 'sweep'>[];
  readonly stream: StreamWatch;
  readonly onAdopted: () => void;
}

/**
 * Takes over what earlier runs left, once. Orders that must not stay open are closed at once, before recovery
 * is done.
 */
export class Adoption {
  readonly #context: OrderContext;
  readonly #parts: AdoptionParts;
  #inheritance: RestoredState | null = null;

  constructor(context: OrderContext, parts: AdoptionParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Adopts on the first call; runs as work of the queue. */
  once(): RestoredState {
    this.#inheritance ??= this.#adopt();
    return this.#inheritance;
  }

  /**
   * Runs until recovery is done. Closes orders that are to be closed, even if quoting was resumed since; leaves
   * all others to recovery.
   */
  sweep(): void {
    if (closesAll(this.#context) === null && !this.#isClosing) return;
    for (const closer of this.#parts.closers) closer.sweep();
  }

  get #isClosing(): boolean {
    return [...this.#context.book.active()].some(({ closeWanted }) => closeWanted);
  }

  #adopt(): RestoredState {
    const { closing, stream, onAdopted } = this.#parts;
    const inheritance = adopt(this.#context);
    // Own orders are recognised from now on.
    stream.accept();
    const why = closesAll(this.#context);
    if (why !== null) closing.wantAll(why);
    onAdopted();
    return inheritance;
  }
}

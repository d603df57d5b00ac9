import type { Closing } from '../outcomes/closing.ts';
import { closesAll, type OrderContext } from '../state/context.ts';
import type { SweepTask } from '../state/sweeps.ts';
import { adopt, type RestoredState } from './recovery.ts';
import type { StreamWatch } from './stream-watch.ts';

export interface AdoptionParts {
  readonly closing: Closing;
  /** What sees to it that closed orders are closed. */
  readonly closers: readonly Pick<SweepTask, 'sweep'>[];
  readonly stream: StreamWatch;
  readonly onAdopted: () => void;
}

/** Takes over what earlier runs left, once. What may not stand is closed at once, and does not wait for recovery. */
export class Adoption {
  readonly #context: OrderContext;
  readonly #parts: AdoptionParts;
  #inheritance: RestoredState | null = null;

  constructor(context: OrderContext, parts: AdoptionParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** As work of the queue. */
  once(): RestoredState {
    this.#inheritance ??= this.#adopt();
    return this.#inheritance;
  }

  /** Until recovery is done: what may stand is left to that. What was told to close is closed, whatever was said since. */
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
    // Own orders are recognised from here on.
    stream.accept();
    const why = closesAll(this.#context);
    if (why !== null) closing.wantAll(why);
    onAdopted();
    return inheritance;
  }
}

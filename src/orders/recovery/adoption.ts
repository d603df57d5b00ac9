import type { Closing } from '../outcomes/closing.ts';
import { closesAll, type Desk } from '../state/context.ts';
import { adopt, type Inheritance } from './recovery.ts';
import type { StreamWatch } from './stream-watch.ts';
import type { Swept } from '../state/sweeps.ts';

export interface AdoptionParts {
  readonly closing: Closing;
  /** What sees to it that closed orders are closed. */
  readonly closers: readonly Pick<Swept, 'sweep'>[];
  readonly stream: StreamWatch;
  readonly onAdopted: () => void;
}

/** Takes over what earlier runs left, once. What may not stand is closed at once, and does not wait for recovery. */
export class Adoption {
  readonly #desk: Desk;
  readonly #parts: AdoptionParts;
  #inheritance: Inheritance | null = null;

  constructor(desk: Desk, parts: AdoptionParts) {
    this.#desk = desk;
    this.#parts = parts;
  }

  /** As work of the queue. */
  once(): Inheritance {
    this.#inheritance ??= this.#adopt();
    return this.#inheritance;
  }

  /** Until recovery is done: what may stand is left to that. What was told to close is closed, whatever was said since. */
  sweep(): void {
    if (closesAll(this.#desk) === null && !this.#isClosing) return;
    for (const closer of this.#parts.closers) closer.sweep();
  }

  get #isClosing(): boolean {
    return [...this.#desk.book.active()].some(({ closeWanted }) => closeWanted);
  }

  #adopt(): Inheritance {
    const { closing, stream, onAdopted } = this.#parts;
    const inheritance = adopt(this.#desk);
    // Own orders are recognised from here on.
    stream.accept();
    const why = closesAll(this.#desk);
    if (why !== null) closing.wantAll(why);
    onAdopted();
    return inheritance;
  }
}

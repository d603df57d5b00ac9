import { merge } from 'rxjs';
import { JournalError } from '../../domain/errors.ts';
import { writtenEvent } from '../../domain/events.ts';
import type { AdjustmentChange, AdjustmentRecord } from '../../engine/by-hand/adjustments.ts';
import type { HandQuote } from '../../engine/by-hand/hand-quotes.ts';
import type { Core } from '../../engine/core.ts';
import type { EngineMemory } from '../../engine/engine.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';

/** Journal record of what persons want of events, and of their quotes; only the last one counts. */
export const BY_HAND = 'by_hand';

interface ByHand {
  readonly adjustments: readonly AdjustmentRecord[];
  readonly quotes: readonly HandQuote[];
}

type KeptCore = Pick<Core, 'adjustments' | 'handQuotes' | 'apply'>;

/** Keeps what persons want in the journal, at each change. */
export class ByHandMemory implements EngineMemory {
  readonly #core: KeptCore;
  readonly #orders: Pick<OrderManager, 'journalFailed'>;
  readonly #journal: Journal;
  readonly #logger: Logger;

  constructor(core: KeptCore, orders: Pick<OrderManager, 'journalFailed'>, journal: Journal, logger: Logger) {
    [this.#core, this.#orders, this.#journal, this.#logger] = [core, orders, journal, logger];
  }

  /** A journal that cannot be read places nothing, so that a lost wish harms nobody. */
  restore(): void {
    this.#unlessFailed(() => {
      const last = this.#journal.last(BY_HAND);
      if (last !== null) this.#core.apply({ kind: 'restored_by_hand', ...(last.data as object as ByHand) });
    });
    const { adjustments, handQuotes } = this.#core;
    adjustments.change$.subscribe({ next: (change) => this.#log(change), error: rethrown });
    merge(adjustments.change$, handQuotes.change$).subscribe({ next: () => this.#save(), error: rethrown });
  }

  /** Each change is written when it is made. */
  housekeeping(): void {}

  end(): void {}

  #log({ kind, record: { event, what, by, why } }: AdjustmentChange): void {
    if (kind !== 'over') return;
    this.#logger.info('an adjustment of an event is over', { event: writtenEvent(event), what, by, why });
  }

  #save(): void {
    const { adjustments, handQuotes } = this.#core;
    const kept: ByHand = { adjustments: adjustments.records(), quotes: handQuotes.records() };
    const data = JSON.parse(JSON.stringify(kept)) as Json;
    this.#unlessFailed(() => void this.#journal.append([{ kind: BY_HAND, uuid: null, data }]));
  }

  #unlessFailed(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#orders.journalFailed(error);
    }
  }
}

/** What persons want never fails: an error here is one of the program, and nothing may go on after it. */
function rethrown(error: unknown): never {
  throw error;
}

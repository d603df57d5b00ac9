import { JournalError } from '../../domain/errors.ts';
import { writtenEvent } from '../../domain/events.ts';
import type { AdjustmentRecord } from '../../engine/adjustments.ts';
import type { Core } from '../../engine/core.ts';
import type { EngineMemory } from '../../engine/engine.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Journal, Json } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';

/** Journal record of what persons want of events; only the last one counts. */
export const ADJUSTMENTS = 'adjustments';

/** Keeps what persons want of events in the journal, at each change. */
export class AdjustmentMemory implements EngineMemory {
  readonly #core: Pick<Core, 'adjustments' | 'apply'>;
  readonly #orders: Pick<OrderManager, 'journalFailed'>;
  readonly #journal: Journal;
  readonly #logger: Logger;

  constructor(
    core: Pick<Core, 'adjustments' | 'apply'>,
    orders: Pick<OrderManager, 'journalFailed'>,
    journal: Journal,
    logger: Logger,
  ) {
    [this.#core, this.#orders, this.#journal, this.#logger] = [core, orders, journal, logger];
  }

  /** A journal that cannot be read places nothing, so that a lost wish harms nobody. */
  restore(): void {
    this.#failing(() => {
      const last = this.#journal.last(ADJUSTMENTS);
      if (last === null) return;
      const { adjustments } = last.data as object as { readonly adjustments: readonly AdjustmentRecord[] };
      this.#core.apply({ kind: 'restored_adjustments', adjustments });
    });
    this.#core.adjustments.change$.subscribe(({ kind, record }) => {
      if (kind === 'over') {
        const { event, by, why, ...adjustment } = record;
        this.#logger.info('an adjustment of an event is over', {
          event: writtenEvent(event),
          what: adjustment.what,
          by,
          why,
        });
      }
      this.#save();
    });
  }

  /** Each change is written when it is made. */
  housekeeping(): void {}

  end(): void {}

  #save(): void {
    const adjustments = this.#core.adjustments.records();
    const data = JSON.parse(JSON.stringify({ adjustments })) as Json;
    this.#failing(() => void this.#journal.append([{ kind: ADJUSTMENTS, uuid: null, data }]));
  }

  #failing(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      this.#orders.journalFailed(error);
    }
  }
}

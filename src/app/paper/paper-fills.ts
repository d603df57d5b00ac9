/**
 * The fills of a paper account under every fill model, since its journal began. Each is a record of the journal before the daemon hears
 * of it, so a restart loses none.
 */
import { JournalError } from '../../domain/errors.ts';
import type { BetId, BetType, EventId, OrderId, SelectionId, Sport } from '../../domain/ids.ts';
import type { Fill } from '../../domain/live-order.ts';
import type { Micros } from '../../domain/money.ts';
import { directionOfKind } from '../../domain/odds.ts';
import { selectionIdOf } from '../../domain/selection.ts';
import { createLedger, type Ledger } from '../../ledger/index.ts';
import { type PaperFill, type Scenario, SCENARIOS } from '../../paper/paper-fill.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { FillRange } from '../../read-model/fill-range.ts';
import { usdt } from '../../read-model/usdt.ts';

/** Journal record of a fill, of the account or under another fill model. */
export const PAPER_FILL = 'paper_fill';

export interface PaperFillsParts {
  /** The model of the account's own fills. */
  readonly account: Scenario;
  readonly journal: Pick<Journal, 'append' | 'ofKind'>;
  readonly logger: Logger;
}

/** The sums of a model. */
class Sums {
  readonly ledger: Ledger = createLedger();
  fills = 0;
  stakeMicros: Micros = 0;
}

export class PaperFills {
  readonly #parts: PaperFillsParts;
  readonly #sums: ReadonlyMap<Scenario, Sums> = new Map(SCENARIOS.map((name) => [name, new Sums()]));

  /** Continues from what the journal holds. */
  constructor(parts: PaperFillsParts) {
    this.#parts = parts;
    for (const fill of paperFillsIn(parts.journal, parts.logger)) this.#add(fill);
  }

  /** Writes a fill down. A journal that fails stops the daemon's orders; what it no longer takes is counted all the same. */
  take(fill: PaperFill): void {
    const { journal, logger } = this.#parts;
    try {
      journal.append([{ kind: PAPER_FILL, uuid: null, data: { ...fill } }]);
    } catch (error) {
      if (!(error instanceof JournalError)) throw error;
      logger.error('a paper fill is not in the journal: a restart will not know it', { error });
    }
    this.#add(fill);
  }

  /** Open bets are worth what the fair probabilities say; 0 without one. */
  range(fairOf: (id: SelectionId) => number | null): FillRange {
    return {
      account: this.#parts.account,
      models: Array.from(this.#sums, ([model, { fills, stakeMicros, ledger }]) => ({
        model,
        fills,
        stakeMatched: usdt(stakeMicros),
        profitLoss: usdt(ledger.profitLoss(fairOf).totalMicros),
      })),
    };
  }

  #add(fill: PaperFill): void {
    const sums = this.#sums.get(fill.model);
    if (sums === undefined) return;
    sums.fills++;
    sums.stakeMicros += fill.stakeMicros;
    const booked = { kind: 'booked', fill: bookedOf(fill), state: 'matched', isRecorded: false } as const;
    sums.ledger.onChange(booked, fill.atMs);
  }
}

/** The records of a journal. None of one that is damaged: nothing is placed with it. */
function paperFillsIn(journal: Pick<Journal, 'ofKind'>, logger: Logger): readonly PaperFill[] {
  try {
    // Safe because the journal verifies its checksums, and only `PaperFills` writes this kind.
    return Array.from(journal.ofKind(PAPER_FILL), ({ data }) => data as object as PaperFill);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    logger.error('the paper fills of earlier runs cannot be read', { error });
    return [];
  }
}

function bookedOf(fill: PaperFill): Fill {
  const { priceKind, price, stakeMicros, role, atMs } = fill;
  const market = {
    sport: fill.sport as Sport,
    eventId: fill.eventId as EventId,
    betType: fill.betType as BetType,
  };
  return {
    ...market,
    betId: fill.betId as BetId,
    orderId: fill.orderId as OrderId,
    requestUuid: null,
    selectionId: selectionIdOf(market),
    direction: directionOfKind(priceKind),
    priceKind,
    price,
    stakeMicros,
    role,
    atMs,
  };
}

import type { AccountChange, ResultChange } from '../../account/changes.ts';
import { JournalError } from '../../domain/errors.ts';
import { type EventName, eventNameOf, writtenEvent } from '../../domain/events.ts';
import type { Fill } from '../../domain/live-order.ts';
import { fromMicros, type Micros } from '../../domain/money.ts';
import {
  isLay,
  liabilityMicros,
  type PriceConvention,
  type PriceKind,
  winMicros,
} from '../../domain/odds.ts';
import { kindOfIntent, type QuoteIntent } from '../../domain/quote-intent.ts';
import { type Direction, directionOf } from '../../domain/selection.ts';
import type { Inputs } from '../input.ts';
import type { OrderManager } from '../../orders/api.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Venue } from '../../ports/venue.ts';
import type { PayoffCell, RiskRead } from '../../risk/index.ts';
import { directionEntry, type ProvenDirection } from './journalled.ts';

export interface FirstFillsParts {
  /** Whether first fills are checked in this run. */
  readonly isOn: boolean;
  readonly proven: readonly ProvenDirection[];
  /** Smallest stake of an order. */
  readonly minStakeMicros: Micros;
  readonly convention: () => PriceConvention;
  /** Whether final scores decide bets on an event, as far as is known. */
  readonly hasScores: (event: EventName) => boolean;
  readonly orders: Pick<OrderManager, 'holdKind' | 'orders'>;
  readonly risk: Pick<RiskRead, 'comparePayoffs'>;
  readonly core: Inputs;
  readonly venue: Pick<Venue, 'position'>;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Check {
  readonly priceKind: PriceKind;
  readonly direction: Direction;
  readonly event: EventName;
  readonly fill: Fill;
  readonly sinceMs: number;
  askedMs: number;
  isAsking: boolean;
  /** No final score decides it. */
  isOffGrid: boolean;
}

/** Fills and positions arrive by different paths, so a difference may last this long. */
const AGREES_WITHIN_MS = 10_000;
const ASK_EVERY_MS = 2_000;
/** Results are compared to a cent. */
const CENT: Micros = 10_000;

/**
 * Compares the first bet at each kind of price with what the exchange says that it pays, and begins no other order at such a price
 * before. Once per account and convention: the journal keeps what was confirmed.
 */
export class FirstFills {
  readonly #parts: FirstFillsParts;
  readonly #checks = new Map<PriceKind, Check>();
  /** Bets of the smallest stake whose results are awaited, because no final score decides them. */
  readonly #awaited = new Map<PriceKind, Fill>();
  /** Confirmed now or by an earlier run, as convention and kind. */
  readonly #proven: Set<string>;

  constructor(parts: FirstFillsParts) {
    this.#parts = parts;
    this.#proven = new Set(parts.proven.map(({ convention, priceKind }) => `${convention} ${priceKind}`));
  }

  onChange(change: AccountChange): void {
    if (change.kind === 'booked') this.#onFill(change.fill);
    else if (change.kind === 'result' && change.isNews) this.#onResult(change);
  }

  /** The comparison follows with the next tick: bets of earlier runs are known before anything may be asked. */
  #onFill(fill: Fill): void {
    const { priceKind, direction, requestUuid } = fill;
    if (requestUuid === null || this.#isProven(priceKind) || this.#checks.has(priceKind)) return;
    if (this.#awaited.has(priceKind) && !this.#parts.hasScores(fill)) return;
    const sinceMs = this.#parts.clock.monotonicMs();
    const check: Check = {
      priceKind,
      direction,
      fill,
      event: eventNameOf(fill),
      sinceMs,
      askedMs: -Infinity,
      isAsking: false,
      isOffGrid: false,
    };
    this.#checks.set(priceKind, check);
    this.#hold(priceKind);
  }

  /** Call it about once a second. */
  tick(): void {
    const nowMs = this.#parts.clock.monotonicMs();
    for (const check of this.#checks.values())
      if (!check.isOffGrid && nowMs - check.askedMs >= ASK_EVERY_MS) this.#ask(check);
  }

  #onResult({ result: { profitLossMicros }, bets }: ResultChange): void {
    const [first] = bets;
    if (!first?.requestUuid || this.#isProven(first.priceKind)) return;
    const reading = readingOfResult(bets, profitLossMicros);
    if (reading === 'ours') return this.#prove(first.priceKind, first.direction, 'settled');
    if (reading === null) return this.#awaitNoLonger(first);
    const paid = fromMicros(profitLossMicros).toFixed(2);
    const [win, loss] = [winOf(bets, (fill) => fill.priceKind), lossOf(bets, (fill) => fill.priceKind)];
    const expected = `${fromMicros(win).toFixed(2)} or ${fromMicros(loss).toFixed(2)}`;
    const why = `the first bet ${first.direction}, on ${writtenEvent(first)}, paid ${paid}: expected ${expected}`;
    this.#parts.core.apply({ kind: 'kill', why, by: BY });
  }

  /**
   * The quotes of an event, those at an unconfirmed kind of price cut down where no final score decides a bet: one order of the
   * smallest stake at a time.
   */
  capped(event: EventName, intents: readonly QuoteIntent[]): readonly QuoteIntent[] {
    if (!this.#parts.isOn || this.#parts.hasScores(event)) return intents;
    const taken = new Set<PriceKind>();
    return intents.flatMap((intent) => {
      const kind = kindOfIntent(intent);
      if (this.#isProven(kind)) return [intent];
      if (taken.has(kind) || this.#isTaken(kind, intent)) return [];
      taken.add(kind);
      return [{ ...intent, stakeMicros: Math.min(intent.stakeMicros, this.#parts.minStakeMicros) }];
    });
  }

  /** Whether another order without scores is open at this kind of price. */
  #isTaken(kind: PriceKind, { selectionId }: QuoteIntent): boolean {
    const { orders, hasScores } = this.#parts;
    return [...orders.orders()].some(
      (order) => order.priceKind === kind && order.selectionId !== selectionId && !hasScores(order),
    );
  }

  #isProven(kind: PriceKind): boolean {
    const { isOn, convention } = this.#parts;
    return !isOn || this.#proven.has(`${convention()} ${kind}`);
  }

  #ask(check: Check): void {
    if (check.isAsking) return;
    check.isAsking = true;
    check.askedMs = this.#parts.clock.monotonicMs();
    void this.#compare(check)
      .catch((error: unknown) => this.#parts.logger.warn('the position could not be read', { error }))
      .finally(() => (check.isAsking = false));
  }

  async #compare(check: Check): Promise<void> {
    const { venue, risk, core, clock } = this.#parts;
    const { event, priceKind, direction, sinceMs } = check;
    const reported = await venue.position(event);
    if (this.#checks.get(priceKind) !== check) return;
    const compared = risk.comparePayoffs({ ...reported, ...event });
    if (compared.kind !== 'compared') return this.#undecided(check, compared.kind);
    if (compared.agrees)
      return isTelling(check.fill) ? this.#prove(priceKind, direction, 'position') : this.#end(check);
    if (clock.monotonicMs() - sinceMs < AGREES_WITHIN_MS) return;
    const why = `the first bet ${direction}, on ${writtenEvent(event)}, pays otherwise than expected: ${gridsOf(compared.cells)}`;
    core.apply({ kind: 'kill', why, by: BY });
  }

  #undecided(check: Check, why: 'none' | 'off grid' | 'not yet'): void {
    if (why === 'none') return this.#end(check);
    if (why === 'not yet') return;
    check.isOffGrid = true;
    const { event, priceKind, fill } = check;
    if (this.#parts.hasScores(event)) return this.#hold(priceKind);
    this.#awaited.set(priceKind, fill);
    this.#end(check);
  }

  /** Nothing is shown by this bet: the next one is compared. */
  #end({ priceKind }: Check): void {
    this.#checks.delete(priceKind);
    this.#hold(priceKind);
  }

  /** The result of this bet, as that of a void one, shows nothing. */
  #awaitNoLonger({ priceKind, requestUuid }: Fill): void {
    if (this.#awaited.get(priceKind)?.requestUuid !== requestUuid) return;
    this.#awaited.delete(priceKind);
    this.#hold(priceKind);
  }

  /**
   * Holds what has to wait. An awaited bet has the smallest stake, and a bet that scores decide gives the proof sooner: only events
   * without scores wait for its result.
   */
  #hold(priceKind: PriceKind): void {
    const { orders, hasScores } = this.#parts;
    const check = this.#checks.get(priceKind);
    if (check !== undefined)
      return orders.holdKind(priceKind, { detail: detailOf(check), holds: () => true });
    const awaited = this.#awaited.get(priceKind);
    if (awaited === undefined) return orders.holdKind(priceKind, null);
    const detail = `the result of the first bet, on ${writtenEvent(awaited)}, is awaited`;
    orders.holdKind(priceKind, { detail, holds: (event) => !hasScores(event) });
  }

  #prove(priceKind: PriceKind, direction: Direction, how: ProvenDirection['how']): void {
    const { convention, journal, logger } = this.#parts;
    const proven = { direction, priceKind, convention: convention(), how };
    this.#proven.add(`${proven.convention} ${priceKind}`);
    this.#checks.delete(priceKind);
    this.#awaited.delete(priceKind);
    logger.info('the exchange confirms what a bet pays', { priceKind, how });
    this.#hold(priceKind);
    try {
      journal.append([directionEntry(proven)]);
    } catch (error) {
      // The journal has failed for every writer and reports it itself.
      if (!(error instanceof JournalError)) throw error;
    }
  }
}

const BY = 'first fill';

/** Why orders wait for the comparison. */
const detailOf = ({ event, isOffGrid }: Check): string =>
  isOffGrid
    ? `the first bet, on ${writtenEvent(event)}, has no payoffs by score: its result is awaited`
    : `the first bet, on ${writtenEvent(event)}, is compared`;

/** The other reading of a price on the same bet type; null if there is none. */
const otherKind = ({ betType, priceKind }: Fill): PriceKind | null => {
  if (directionOf(betType) !== 'against') return null;
  return isLay(priceKind) ? 'odds-against' : 'lay-for';
};

type KindOf = (fill: Fill) => PriceKind;

const winOf = (bets: readonly Fill[], kindOf: KindOf): Micros =>
  bets.reduce((sum, fill) => sum + winMicros(kindOf(fill), fill.stakeMicros, fill.price), 0);

const lossOf = (bets: readonly Fill[], kindOf: KindOf): Micros =>
  bets.reduce((sum, fill) => sum - liabilityMicros(kindOf(fill), fill.stakeMicros, fill.price), 0);

/** Whether the other reading of the bet would pay otherwise by more than a cent. At evens it would not. */
function isTelling(fill: Fill): boolean {
  const other = otherKind(fill);
  if (other === null) return true;
  return Math.abs(winOf([fill], ({ priceKind }) => priceKind) - winOf([fill], () => other)) > CENT;
}

/** Which reading of the bets of an order its result agrees with; null if with neither, or with both. */
function readingOfResult(bets: readonly Fill[], result: Micros): 'ours' | 'other' | null {
  const fits = (kindOf: KindOf): boolean =>
    [winOf(bets, kindOf), lossOf(bets, kindOf)].some((micros) => Math.abs(micros - result) <= CENT);
  const isOurs = fits(({ priceKind }) => priceKind);
  const isOther =
    bets.every((fill) => otherKind(fill) !== null) && fits((fill) => otherKind(fill) as PriceKind);
  if (isOurs === isOther) return null;
  return isOurs ? 'ours' : 'other';
}

/** Scores up to this many goals a side stand in a reason; beyond, the largest difference does. */
const SHOWN_GOALS = 3;

/** Both grids in USDT, row by row of home goals, and where they differ most. */
function gridsOf(cells: readonly PayoffCell[]): string {
  const shown = cells.filter(({ home, away }) => home <= SHOWN_GOALS && away <= SHOWN_GOALS);
  const text = (of: 'ours' | 'theirs'): string =>
    [...new Set(shown.map(({ home }) => home))]
      .map((row) =>
        shown
          .filter(({ home }) => home === row)
          .map((cell) => usdt(cell[of]))
          .join(' '),
      )
      .join(' / ');
  const worst = cells.reduce((a, b) => (Math.abs(b.ours - b.theirs) > Math.abs(a.ours - a.theirs) ? b : a));
  const at = `${worst.home}:${worst.away} ${usdt(worst.ours)} and ${usdt(worst.theirs)}`;
  return `ours ${text('ours')}; the exchange's ${text('theirs')} (home goals by row, 0 to ${SHOWN_GOALS}); most at ${at}`;
}

const usdt = (micros: Micros): string => fromMicros(micros).toFixed(2);

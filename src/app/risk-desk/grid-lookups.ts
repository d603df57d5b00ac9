import type { BetType, Sport } from '../../domain/ids.ts';
import { VenueRejection } from '../../domain/errors.ts';
import type { Market } from '../../market/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Venue } from '../../ports/venue.ts';
import type { Risk } from '../../risk/index.ts';

export interface GridLookupDeps {
  readonly venue: Pick<Venue, 'betTypeInfo'>;
  readonly risk: Pick<Risk, 'setGrid' | 'setNoGrid' | 'wantsGrid'>;
  /** Hands the same grids to strategies. */
  readonly market: Pick<Market, 'setGrid'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const AT_ONCE = 2;
const RETRY_AFTER_MS = 30_000;
/**
 * Look-ups that fail for so long count as if there was no grid. While a grid is awaited, what reduces an event's risk by its
 * other selections is not let through: an outage of minutes is waited out, and of a match's two hours most are left.
 */
const NONE_AFTER_MS = 600_000;

interface Lookup {
  readonly sport: Sport;
  readonly betType: BetType;
}

/** A look-up that has failed, every time since. */
interface Failing extends Lookup {
  readonly sinceMs: number;
  /** Risk has heard that there is none, but nobody knows. */
  readonly isOverdue: boolean;
}

/**
 * Asks the exchange what bet types pay at each final score, once each: of what may be quoted, and of what is held, which an
 * earlier run may have quoted. A bet type that the exchange cannot put on its grid is not asked for again, and risk hears
 * that it has none; after any other failure it is, later, and when these go on for long, risk hears so until it is told.
 */
export class GridLookups {
  readonly #deps: GridLookupDeps;
  readonly #waiting: Lookup[] = [];
  /** To be asked for again, by name, until it is told or not wanted any more. */
  readonly #failing = new Map<string, Failing>();
  /** Monotonic instant from which a bet type may be asked for (again). */
  readonly #notBeforeMs = new Map<string, number>();
  #underWay = 0;

  constructor(deps: GridLookupDeps) {
    this.#deps = deps;
  }

  /** Asks unless it is known, under way, or known to be without a grid. */
  want(sport: Sport, betType: BetType): void {
    const lookup = { sport, betType };
    if (this.#isTooEarly(lookup)) return;
    if (!this.#isWanted(lookup)) return void this.#failing.delete(keyOf(lookup));
    this.#notBeforeMs.set(keyOf(lookup), Infinity);
    this.#waiting.push(lookup);
    this.#pump();
  }

  /** Asks again for what could not be told before. */
  retry(): void {
    for (const { sport, betType } of [...this.#failing.values()]) this.want(sport, betType);
  }

  #isWanted(lookup: Lookup): boolean {
    const isOverdue = this.#failing.get(keyOf(lookup))?.isOverdue ?? false;
    return isOverdue || this.#deps.risk.wantsGrid(lookup.sport, lookup.betType);
  }

  #isTooEarly(lookup: Lookup): boolean {
    return this.#deps.clock.monotonicMs() < (this.#notBeforeMs.get(keyOf(lookup)) ?? -Infinity);
  }

  #pump(): void {
    while (this.#underWay < AT_ONCE) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#underWay++;
      void this.#look(next).finally(() => {
        this.#underWay--;
        this.#pump();
      });
    }
  }

  async #look(lookup: Lookup): Promise<void> {
    const { sport, betType } = lookup;
    const { venue, risk, market, logger } = this.#deps;
    try {
      const { grid } = await venue.betTypeInfo(sport, betType);
      risk.setGrid(betType, grid, sport);
      market.setGrid(sport, betType, grid);
      // What cannot be used now will not be better for asking again, and nothing may wait for it.
      if (risk.wantsGrid(sport, betType)) risk.setNoGrid(betType, sport);
      this.#failing.delete(keyOf(lookup));
    } catch (error) {
      const hopeless = error instanceof VenueRejection && isFinal(error);
      logger.info('no payoff grid for a bet type', { sport, betType, hopeless, error });
      if (hopeless) this.#hasNone(lookup);
      else this.#later(lookup);
    }
  }

  #hasNone({ sport, betType }: Lookup): void {
    this.#deps.risk.setNoGrid(betType, sport);
    this.#failing.delete(keyOf({ sport, betType }));
  }

  #later(lookup: Lookup): void {
    const key = keyOf(lookup);
    const nowMs = this.#deps.clock.monotonicMs();
    const { sinceMs, isOverdue: wasOverdue } = this.#failing.get(key) ?? { sinceMs: nowMs, isOverdue: false };
    const isOverdue = nowMs - sinceMs >= NONE_AFTER_MS;
    this.#notBeforeMs.set(key, nowMs + RETRY_AFTER_MS);
    this.#failing.set(key, { ...lookup, sinceMs, isOverdue });
    if (isOverdue && !wasOverdue) this.#overdue(lookup);
  }

  #overdue({ sport, betType }: Lookup): void {
    this.#deps.logger.warn('the exchange does not tell a payoff grid: taken for none', { sport, betType });
    this.#deps.risk.setNoGrid(betType, sport);
  }
}

/** The exchange's word on the bet type itself: not on our key or our haste, and no failure of its own. */
const isFinal = ({ status }: VenueRejection): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status);

const keyOf = ({ sport, betType }: Lookup): string => `${sport}|${betType}`;

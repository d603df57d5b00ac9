import { VenueRejection } from '../../domain/errors.ts';
import type { BetType, Sport } from '../../domain/ids.ts';
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
/** What is said of the bet type itself: by its code, since a proxy refuses with the same status. */
const NO_GRID: readonly string[] = ['invalid_bet_type', 'not_found'];
/** Whatever else a lookup is refused for may pass; so often in a row it counts as said of the bet type. */
const REFUSED_FOR_GOOD = 3;

interface Lookup {
  readonly sport: Sport;
  readonly betType: BetType;
}

/**
 * Asks the exchange what bet types pay at each final score, once each: of what may be quoted, and of what is held, which an
 * earlier run may have quoted. A bet type that the exchange cannot put on its grid is not asked for again, and risk hears
 * that it has none: from then on what makes the sum of its bets better is let past the limits. After any other failure it is, later.
 */
export class GridLookups {
  readonly #deps: GridLookupDeps;
  readonly #waiting: Lookup[] = [];
  /** To be asked for again, by name: also whoever wants one anew takes it out. */
  readonly #failed = new Map<string, Lookup>();
  /** Monotonic instant from which a bet type may be asked for (again). */
  readonly #notBeforeMs = new Map<string, number>();
  /** How often in a row a lookup was refused. */
  readonly #refused = new Map<string, number>();
  #underWay = 0;

  constructor(deps: GridLookupDeps) {
    this.#deps = deps;
  }

  /** Asks unless it is known, under way, or known to be without a grid. */
  want(sport: Sport, betType: BetType): void {
    const lookup = { sport, betType };
    if (this.#isTooEarly(lookup)) return;
    this.#failed.delete(keyOf(lookup));
    if (!this.#deps.risk.wantsGrid(sport, betType)) return;
    this.#notBeforeMs.set(keyOf(lookup), Infinity);
    this.#waiting.push(lookup);
    this.#pump();
  }

  /** Asks again for what could not be told before. */
  retry(): void {
    for (const { sport, betType } of [...this.#failed.values()]) this.want(sport, betType);
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
    const { venue, risk, market, clock, logger } = this.#deps;
    try {
      const { grid } = await venue.betTypeInfo(sport, betType);
      risk.setGrid(betType, grid, sport);
      market.setGrid(sport, betType, grid);
      // What cannot be used now will not be better for asking again, and nothing may wait for it.
      if (risk.wantsGrid(sport, betType)) risk.setNoGrid(betType, sport);
    } catch (error) {
      const hopeless = this.#isHopeless(lookup, error);
      if (hopeless) risk.setNoGrid(betType, sport);
      else this.#later(lookup, clock.monotonicMs() + RETRY_AFTER_MS);
      logger.info('no payoff grid for a bet type', { sport, betType, hopeless, error });
    }
  }

  #isHopeless(lookup: Lookup, error: unknown): boolean {
    const isRefused = error instanceof VenueRejection && isRefusal(error);
    const times = isRefused ? (this.#refused.get(keyOf(lookup)) ?? 0) + 1 : 0;
    this.#refused.set(keyOf(lookup), times);
    return isRefused && (NO_GRID.includes(error.code) || times >= REFUSED_FOR_GOOD);
  }

  #later(lookup: Lookup, notBeforeMs: number): void {
    this.#notBeforeMs.set(keyOf(lookup), notBeforeMs);
    this.#failed.set(keyOf(lookup), lookup);
  }
}

/** Not a word on our key or our haste, and no failure of its own. */
const isRefusal = ({ status }: VenueRejection): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status);

const keyOf = ({ sport, betType }: Lookup): string => `${sport}|${betType}`;

import { VenueRejection } from '../../domain/errors.ts';
import type { BetType, Sport } from '../../domain/ids.ts';
import type { Core } from '../core.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Logger } from '../../ports/logger.ts';
import type { Venue } from '../../ports/venue.ts';

const AT_ONCE = 2;
const RETRY_AFTER_MS = 30_000;
/** Codes that concern the bet type itself. The status is no help: a proxy refuses with the same one. */
const NO_GRID: readonly string[] = ['invalid_bet_type', 'not_found'];
/** Any other refusal may pass. This many in a row count as final for the bet type. */
const REFUSED_FOR_GOOD = 3;

interface Lookup {
  readonly sport: Sport;
  readonly betType: BetType;
}

/**
 * Asks the exchange once what each bet type pays at each final score: bet types that may be quoted, and those that are held,
 * which an earlier run may have quoted.
 *
 * If the exchange has no grid for a bet type, it is not asked again and risk is informed. From then on, risk lets through orders
 * that improve the sum of that bet type's bets, even beyond the limits. After any other failure the lookup is retried later.
 */
export class GridLookups {
  readonly #venue: Pick<Venue, 'betTypeInfo'>;
  readonly #core: Pick<Core, 'risk' | 'apply'>;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #waiting: Lookup[] = [];
  /** Failed lookups to retry, by name. A new request for a bet type removes it from here. */
  readonly #failed = new Map<string, Lookup>();
  /** Monotonic instant before which a bet type is not asked for (again). */
  readonly #notBeforeMs = new Map<string, number>();
  /** Refusals in a row, by lookup. */
  readonly #refused = new Map<string, number>();
  #underWay = 0;

  constructor(
    venue: Pick<Venue, 'betTypeInfo'>,
    core: Pick<Core, 'risk' | 'apply'>,
    clock: Clock,
    logger: Logger,
  ) {
    [this.#venue, this.#core] = [venue, core];
    [this.#clock, this.#logger] = [clock, logger];
  }

  /** Asks unless the grid is known, in flight, or known not to exist. */
  want(sport: Sport, betType: BetType): void {
    const lookup = { sport, betType };
    if (this.#isTooEarly(lookup)) return;
    this.#failed.delete(keyOf(lookup));
    if (!this.#core.risk.wantsGrid(sport, betType)) return;
    this.#notBeforeMs.set(keyOf(lookup), Infinity);
    this.#waiting.push(lookup);
    this.#pump();
  }

  /** Retries the lookups that failed. */
  retry(): void {
    for (const { sport, betType } of Array.from(this.#failed.values())) this.want(sport, betType);
  }

  #isTooEarly(lookup: Lookup): boolean {
    return this.#clock.monotonicMs() < (this.#notBeforeMs.get(keyOf(lookup)) ?? -Infinity);
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
    try {
      const { grid } = await this.#venue.betTypeInfo(sport, betType);
      this.#core.apply({ kind: 'grid', sport, betType, grid });
    } catch (error) {
      const hopeless = this.#isHopeless(lookup, error);
      if (hopeless) this.#core.apply({ kind: 'grid', sport, betType, grid: null });
      else this.#later(lookup, this.#clock.monotonicMs() + RETRY_AFTER_MS);
      this.#logger.info('no payoff grid for a bet type', { sport, betType, hopeless, error });
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

/** A refusal of the request itself: not of our key (401), nor for timeout (408) or rate (429), and not a server failure. */
const isRefusal = ({ status }: VenueRejection): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status);

const keyOf = ({ sport, betType }: Lookup): string => `${sport}|${betType}`;

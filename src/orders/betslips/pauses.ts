import { outcomeOf, VenueRejection } from '../../domain/errors.ts';
import { Backoffs } from '../state/backoff.ts';

/** At one try a minute the day's pace gives back what an outage costs, however long it lasts. */
const [FIRST_OUTAGE_PAUSE_MS, LONGEST_OUTAGE_PAUSE_MS] = [1_000, 60_000] as const;
/** Whoever wants to try has done so by then: the pause is over, and that of its own market, and what a try takes. */
const LEFT_ALONE_MS = 3 * LONGEST_OUTAGE_PAUSE_MS;

/**
 * Whether betslips can be created at all. While creates fail for reasons that no market has, one is tried at a time, after
 * pauses that double: each may count against the day, and all markets go on as soon as one has come through.
 */
export class BetslipOutage {
  readonly #now: () => number;
  /** 0 when the last create was answered as it should be. */
  #pauseMs = 0;
  #untilMs = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Failures of creates that were out together count once. */
  failed(): void {
    if (this.#now() < this.#untilMs) return;
    this.#pauseMs = Math.min(LONGEST_OUTAGE_PAUSE_MS, Math.max(FIRST_OUTAGE_PAUSE_MS, 2 * this.#pauseMs));
    this.#untilMs = this.#now() + this.#pauseMs;
  }

  over(): void {
    this.#pauseMs = 0;
    this.#untilMs = -Infinity;
  }

  get isOn(): boolean {
    return this.#pauseMs > 0;
  }

  /** Nobody has tried for long: who had reason to is not there any more. */
  get isLeftAlone(): boolean {
    return this.isOn && this.#now() - this.#untilMs > LEFT_ALONE_MS;
  }

  /** Whether none may be created now, while so many creates are not answered. */
  forbids(unanswered: number): boolean {
    return this.#now() < this.#untilMs || (this.isOn && unanswered > 0);
  }
}

/** A market that goes on being refused is asked for about once an hour. */
const LONGEST_MARKET_PAUSE_MS = 3_600_000;
/** A market is left alone for no longer because of what is no fault of its own. */
const LONGEST_PAUSE_MS = 60_000;
/** Another market may have the next place under the cap. */
const CAP_PAUSE_MS = 1_000;

/**
 * When the next betslip may be asked for after some that were of no use: each counts against the day. A fault of one market
 * pauses that market; what looks like a fault of all pauses all, until one has come through.
 */
export class BetslipPauses {
  readonly #now: () => number;
  readonly #firstPauseMs: () => number;
  readonly #markets: Backoffs<string>;
  readonly #creates: BetslipOutage;
  /** Likewise, of betslips that no quote comes for. */
  readonly #quotes: BetslipOutage;
  #quotedMs = -Infinity;

  constructor(now: () => number, firstPauseMs: () => number) {
    this.#now = now;
    this.#firstPauseMs = firstPauseMs;
    this.#markets = new Backoffs(now, LONGEST_MARKET_PAUSE_MS);
    [this.#creates, this.#quotes] = [new BetslipOutage(now), new BetslipOutage(now)];
  }

  /** Whether none may be asked for now, while so many are being created, and so many have no quote. */
  forbids(market: string, creating: number, quoteless: number): boolean {
    return this.#creates.forbids(creating) || this.#quotes.forbids(quoteless) || this.#markets.active(market);
  }

  created(): void {
    this.#creates.over();
  }

  createFailed(market: string, error: unknown): void {
    if (isCapRefusal(error)) return this.#markets.pause(market, CAP_PAUSE_MS);
    if (isRefusedMarket(error)) return this.#markets.grow(market, this.#firstPauseMs());
    this.#creates.failed();
    if (!isTooSoon(error)) this.#markets.grow(market, this.#firstPauseMs(), LONGEST_PAUSE_MS);
  }

  quoted(): void {
    this.#quotes.over();
    this.#quotedMs = this.#now();
  }

  /** Whether one that no quote has come for since then may be replaced: not while that is so of all and another tries. */
  isReplaceable(sinceMs: number): boolean {
    return this.#quotedMs > sinceMs || !this.#quotes.isOn || this.#quotes.isLeftAlone;
  }

  /** No quote came for a betslip since then. When no other had one meanwhile, it may not be the market. */
  unquoted(market: string, sinceMs: number): void {
    const isOwnFault = this.#quotedMs > sinceMs;
    if (!isOwnFault) this.#quotes.failed();
    this.#markets.grow(market, this.#firstPauseMs(), isOwnFault ? LONGEST_MARKET_PAUSE_MS : LONGEST_PAUSE_MS);
  }

  /** A betslip was kept from others, and no order could be sent on it. */
  unused(market: string): void {
    this.#markets.grow(market, this.#firstPauseMs(), LONGEST_PAUSE_MS);
  }

  /** Forgets what is long over. */
  sweep(): void {
    this.#markets.sweep();
  }
}

/** Whether a create was refused because too many betslips are open. */
export const isCapRefusal = (error: unknown): boolean =>
  error instanceof VenueRejection && error.code === 'too_many_open_betslips';

/** Whether a create did nothing for any market, and may do it in a moment: it came too soon, or did not get out. */
const isTooSoon = (error: unknown): boolean =>
  error instanceof VenueRejection ? error.status === 429 : outcomeOf(error) === 'not-sent';

/** Whether a create failed for what it asked for: it will again. */
const isRefusedMarket = (error: unknown): boolean =>
  error instanceof VenueRejection && [400, 404].includes(error.status);

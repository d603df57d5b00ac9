import { outcomeOf, VenueRejection } from '../../domain/errors.ts';
import { Backoffs } from '../state/backoff.ts';

/** At one try a minute, the day's pace restores what an outage costs, however long it lasts. */
const [FIRST_OUTAGE_PAUSE_MS, LONGEST_OUTAGE_PAUSE_MS] = [1_000, 60_000] as const;
/**
 * By then, any market that wants a betslip has tried again: the outage's pause and its own are over, and its
 * request has its answer.
 */
const LEFT_ALONE_MS = 3 * LONGEST_OUTAGE_PAUSE_MS;

/**
 * Tracks whether betslips can be created at all. Each failed create may count against the day. While creates
 * fail for reasons that concern no single market, only one at a time is tried, after pauses that double. All
 * markets continue as soon as one create succeeds.
 */
export class BetslipOutage {
  readonly #now: () => number;
  /** 0 when the last create succeeded. */
  #pauseMs = 0;
  #untilMs = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Failures of creates that were in flight together count once. */
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

  /** No market has tried for long, so none needs a betslip any more. */
  get isLeftAlone(): boolean {
    return this.isOn && this.#now() - this.#untilMs > LEFT_ALONE_MS;
  }

  /** Returns whether no betslip may be created now, with `unanswered` creates in flight. */
  forbids(unanswered: number): boolean {
    return this.isOn && (unanswered > 0 || this.#now() < this.#untilMs);
  }
}

/** A market that keeps being refused is retried about once an hour. */
const LONGEST_MARKET_PAUSE_MS = 3_600_000;
/** Longest pause of a market for a failure that is not its own fault. */
const LONGEST_PAUSE_MS = 60_000;
/** Pause of a market that the cap refused; another market may get the next place. */
const CAP_PAUSE_MS = 1_000;

/**
 * Decides when the next betslip may be requested after useless ones, each of which counts against the day. A
 * fault of one market pauses that market. A fault that seems to concern all markets pauses all, until a create
 * succeeds.
 */
export class BetslipPauses {
  readonly #now: () => number;
  readonly #firstPauseMs: () => number;
  readonly #markets: Backoffs<string>;
  readonly #creates: BetslipOutage;
  /** The same for betslips that receive no quote. */
  readonly #quotes: BetslipOutage;
  #quotedMs = -Infinity;

  constructor(now: () => number, firstPauseMs: () => number) {
    this.#now = now;
    this.#firstPauseMs = firstPauseMs;
    this.#markets = new Backoffs(now, LONGEST_MARKET_PAUSE_MS);
    [this.#creates, this.#quotes] = [new BetslipOutage(now), new BetslipOutage(now)];
  }

  /** Returns whether no betslip may be requested now, with `creating` in flight and `quoteless` without a quote. */
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

  /**
   * Returns whether a betslip without a quote since `sinceMs` may be replaced: not while no betslip receives
   * quotes and another one is already trying.
   */
  isReplaceable(sinceMs: number): boolean {
    return this.#quotedMs > sinceMs || !this.#quotes.isOn || this.#quotes.isLeftAlone;
  }

  /**
   * Notes a betslip without a quote since `sinceMs`. If no other betslip had a quote meanwhile, the market may
   * not be at fault.
   */
  unquoted(market: string, sinceMs: number): void {
    const isOwnFault = this.#quotedMs > sinceMs;
    if (!isOwnFault) this.#quotes.failed();
    this.#markets.grow(market, this.#firstPauseMs(), isOwnFault ? LONGEST_MARKET_PAUSE_MS : LONGEST_PAUSE_MS);
  }

  /** Notes a betslip that took a place without any order that could be sent. */
  unused(market: string): void {
    this.#markets.grow(market, this.#firstPauseMs(), LONGEST_PAUSE_MS);
  }

  sweep(): void {
    this.#markets.sweep();
  }
}

/** Returns whether a create was refused because too many betslips are open. */
export const isCapRefusal = (error: unknown): boolean =>
  error instanceof VenueRejection && error.code === 'too_many_open_betslips';

/**
 * Returns whether a create failed for its timing alone and may succeed in a moment: it came too soon, or was
 * not sent.
 */
const isTooSoon = (error: unknown): boolean =>
  error instanceof VenueRejection ? error.status === 429 : outcomeOf(error) === 'not-sent';

/** Returns whether a create failed because of its market, and would fail again. */
const isRefusedMarket = (error: unknown): boolean =>
  error instanceof VenueRejection && [400, 404].includes(error.status);

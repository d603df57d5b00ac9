import { pauseOf, type Repetition } from './backoff.ts';

/**
 * What this process makes on the exchange, and makes again once it has ended. `report` is an order whose end must be reported, `bet` what
 * was matched of an order and has to stand.
 */
export const ATTEMPT_KINDS = ['order', 'bet', 'report', 'betslip', 'heartbeat', 'close'] as const;

export type AttemptKind = (typeof ATTEMPT_KINDS)[number];

/** Something that the exchange has accepted. */
export interface Attempt {
  /** Names its market; empty for what concerns the whole account. */
  readonly market: string;
  /** Monotonic instant at which it was begun. */
  readonly beganMs: number;
}

/** A betslip that ends sooner than this, without use and without our asking, came to nothing. Orders have half of their life. */
export const SOON_MS = 5_000;
/** The pauses of a market and of the account. The first round has none: an exchange closes an order now and then. */
const MARKET: Repetition = { firstMs: 2_000, longestMs: 60_000 };
const ACCOUNT: Repetition = { firstMs: 1_000, longestMs: 60_000 };
/**
 * Kinds after which only a person lets the account go on. A close must go on, and betslips without use cost no money: the longest pause
 * spreads them over the day.
 */
const LATCHING: ReadonlySet<AttemptKind> = new Set<AttemptKind>(['order', 'bet', 'report', 'heartbeat']);
/** Rounds after which a person is told, and after which only a person lets the account go on. */
const ALARM_ROUNDS = 3;
const LATCH_ROUNDS = 8;
/** A run without a failure for this long is over. It exceeds the longest pause; what fails more seldom than that needs none. */
const FORGOTTEN_MS = 300_000;

/**
 * Rounds of attempts in a row that came to nothing. Attempts that began before the last failure was known belong to its round: only
 * an attempt that knows of the failure and fails again shows that it lasts.
 */
class Run {
  rounds = 0;
  #failedMs = -Infinity;

  /** Counts a failure. Returns whether it begins a new round. */
  failed(beganMs: number, nowMs: number): boolean {
    this.forget(nowMs);
    if (beganMs <= this.#failedMs) return false;
    this.rounds++;
    this.#failedMs = nowMs;
    return true;
  }

  /** An attempt bore fruit. One that is older than the last failure proves nothing. */
  lasted(beganMs: number): void {
    if (beganMs > this.#failedMs) this.rounds = 0;
  }

  forget(nowMs: number): void {
    if (nowMs - this.#failedMs > FORGOTTEN_MS) this.rounds = 0;
  }

  /** Monotonic instant of the next attempt; -Infinity when it need not wait. */
  untilMs(pauses: Repetition): number {
    return this.rounds < 2 ? -Infinity : this.#failedMs + pauseOf(pauses, this.rounds - 2);
  }
}

export interface FruitlessHooks {
  now(): number;
  /** A round of a market came to nothing. `pauseMs` is the pause of the market, or of the account if that is longer. */
  onFruitless(kind: AttemptKind, attempt: Attempt, reason: string, pauseMs: number): void;
  /** So many rounds came to nothing, of a market or of the account. Called once a run. */
  onAlarm(kind: AttemptKind, market: string, rounds: number): void;
  /** Only a person may let the account try again. */
  onLatch(kind: AttemptKind, rounds: number): void;
}

/**
 * Slows down attempts that the exchange accepts and that come to nothing: an order or a betslip that ends at once, bets that are voided, a
 * heartbeat that is gone while it is proven to hold, a close after which the order is still open. Each answer looks like a success, so the next attempt
 * would follow at once, without end.
 *
 * From the second round on, the market and the account pause after each; pauses double. Then the account makes one attempt at a time,
 * until one bears fruit. Enough rounds in a row are an alarm; more of them latch the account.
 */
export class FruitlessAttempts {
  readonly #hooks: FruitlessHooks;
  readonly #accounts = Object.fromEntries(ATTEMPT_KINDS.map((kind) => [kind, new Run()])) as Readonly<
    Record<AttemptKind, Run>
  >;
  readonly #markets = new Map<string, Run>();

  constructor(hooks: FruitlessHooks) {
    this.#hooks = hooks;
  }

  /** Notes an attempt that came to nothing. `isOfAccount`: it tells something of the account, and not only of its market. */
  failed(kind: AttemptKind, attempt: Attempt, reason: string, isOfAccount = true): void {
    const { market, beganMs } = attempt;
    const nowMs = this.#hooks.now();
    const [run, account] = [this.#runOf(kind, market), this.#accounts[kind]];
    const isMarketsRound = run.failed(beganMs, nowMs);
    const isAccountsRound = isOfAccount && account.failed(beganMs, nowMs);
    const pauseMs = Math.max(0, this.untilMs(kind, market) - nowMs);
    if (isMarketsRound) this.#hooks.onFruitless(kind, attempt, reason, pauseMs);
    const isAlarm =
      (isMarketsRound && run.rounds === ALARM_ROUNDS) || (isAccountsRound && account.rounds === ALARM_ROUNDS);
    if (isAlarm) this.#hooks.onAlarm(kind, market, ALARM_ROUNDS);
    if (isAccountsRound && account.rounds === LATCH_ROUNDS && LATCHING.has(kind))
      this.#hooks.onLatch(kind, LATCH_ROUNDS);
  }

  /** Notes an attempt that bore fruit: it lasted, was used or filled, or did what was asked. */
  lasted(kind: AttemptKind, { market, beganMs }: Attempt): void {
    this.#markets.get(keyOf(kind, market))?.lasted(beganMs);
    this.#accounts[kind].lasted(beganMs);
  }

  /** Whether attempts of this kind come to nothing, on any market. */
  isOn(kind: AttemptKind): boolean {
    return this.#accounts[kind].rounds > 0;
  }

  /** Whether attempts of this kind came to nothing on the market more than once in a row. */
  persists(kind: AttemptKind, market: string): boolean {
    return (this.#markets.get(keyOf(kind, market))?.rounds ?? 0) > 1;
  }

  /**
   * Monotonic instant until which no attempt of this kind may begin on the market; Infinity while the account waits for the outcome of
   * `pending` attempts, and -Infinity when nothing is in the way.
   */
  untilMs(kind: AttemptKind, market: string, pending: () => number = () => 0): number {
    const account = this.#accounts[kind];
    if (account.rounds > 1 && pending() > 0) return Infinity;
    // What concerns the whole account has no market's pause.
    const marketMs =
      market === '' ? -Infinity : (this.#markets.get(keyOf(kind, market))?.untilMs(MARKET) ?? -Infinity);
    return Math.max(marketMs, account.untilMs(ACCOUNT));
  }

  /** A person lets the account try again. */
  reset(): void {
    this.#markets.clear();
    for (const run of Object.values(this.#accounts)) run.rounds = 0;
  }

  /** Forgets runs that are over. */
  sweep(): void {
    const nowMs = this.#hooks.now();
    for (const run of Object.values(this.#accounts)) run.forget(nowMs);
    for (const [key, run] of this.#markets) {
      run.forget(nowMs);
      if (run.rounds === 0) this.#markets.delete(key);
    }
  }

  #runOf(kind: AttemptKind, market: string): Run {
    const key = keyOf(kind, market);
    const known = this.#markets.get(key) ?? new Run();
    this.#markets.set(key, known);
    return known;
  }
}

const keyOf = (kind: AttemptKind, market: string): string => `${kind} ${market}`;

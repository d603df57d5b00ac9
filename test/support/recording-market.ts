import type { Micros } from '../../src/domain/money.ts';
import { isBetter, SELECTION_KINDS } from '../../src/domain/odds.ts';
import { type Direction, opposite } from '../../src/domain/selection.ts';
import { TradedFalls } from '../../src/fills/traded-falls.ts';
import type {
  BetDelay,
  Market,
  RunnerRemoval,
  SimEvent,
  SimEventName,
  SimOutcome,
} from '../../src/simulator/core/api.ts';
import type { EventResult } from '../../src/domain/bet-types/result.ts';
import { eventKey } from '../../src/simulator/core/catalogue.ts';

/** A stake in a queue; `account` is null for the background. */
interface Entry {
  readonly participant: string;
  stakeMicros: Micros;
}

/** The place and the terms of an account's fill. */
interface Occasion {
  readonly at: SimOutcome;
  readonly resting: Direction;
  readonly price: number;
  readonly atMs: number;
  readonly by: 'trade' | 'take' | 'cross';
}

export interface AccountFill extends Occasion {
  readonly stakeMicros: Micros;
}

const ACCOUNT = 'account';

/**
 * A small stand-in for the exchange's market: price-time queues, one account, every call kept as one line of text.
 * Events are kept and named by their keys. It suffices to test feeds without the exchange.
 */
export class RecordingMarket implements Market {
  readonly calls: string[] = [];
  readonly events = new Map<string, SimEvent>();
  readonly results = new Map<string, EventResult>();
  readonly minimums = new Map<string, Micros>();
  readonly fills: AccountFill[] = [];
  readonly removed = new Set<string>();
  readonly removals: RunnerRemoval[] = [];
  readonly inRunning = new Set<string>();
  readonly suspended = new Set<string>();
  readonly #queues = new Map<string, Map<number, Entry[]>>();
  readonly #falls = new Map<string, TradedFalls>();
  #accountTrades = false;
  /** Switch off to save memory in long runs. */
  logging = true;

  putEvent(event: SimEvent, nowMs: number): void {
    this.events.set(eventKey(event), event);
    this.#log(nowMs, 'putEvent', eventKey(event), event.startTimeMs, event.eventName);
  }

  removeEvent(event: SimEventName, nowMs: number): void {
    this.removed.add(eventKey(event));
    this.#log(nowMs, 'removeEvent', eventKey(event));
  }

  goInRunning(event: SimEventName, nowMs: number): void {
    this.inRunning.add(eventKey(event));
    this.#log(nowMs, 'goInRunning', eventKey(event));
  }

  setSuspended(event: SimEventName, suspended: boolean, nowMs: number): void {
    if (suspended) this.suspended.add(eventKey(event));
    else this.suspended.delete(eventKey(event));
    this.#log(nowMs, 'setSuspended', eventKey(event), suspended);
  }

  setPaused(event: SimEventName, outcomes: readonly string[], isPaused: boolean, nowMs: number): void {
    this.#log(nowMs, 'setPaused', eventKey(event), outcomes, isPaused);
  }

  setBetDelay(event: SimEventName, outcomes: readonly string[], { delayMs }: BetDelay, nowMs: number): void {
    this.#log(nowMs, 'setBetDelay', eventKey(event), outcomes, delayMs);
  }

  setScore(event: SimEventName, home: number, away: number, nowMs: number): void {
    this.#log(nowMs, 'setScore', eventKey(event), home, away);
  }

  setRedCards(event: SimEventName, home: number, away: number, nowMs: number): void {
    this.#log(nowMs, 'setRedCards', eventKey(event), home, away);
  }

  setTime(event: SimEventName, period: string, minutes: number | null, nowMs: number): void {
    this.#log(nowMs, 'setTime', eventKey(event), period, minutes);
  }

  removeRunner(event: SimEventName, removal: RunnerRemoval, nowMs: number): void {
    const { removed, factor } = removal;
    this.removals.push(removal);
    this.#log(nowMs, 'removeRunner', eventKey(event), removed, factor);
  }

  settle(event: SimEventName, result: EventResult, nowMs: number): void {
    this.results.set(eventKey(event), result);
    const shown =
      result.kind === 'score' ? result : [...(result.kind === 'places' ? result.places : result.settlements)];
    this.#log(nowMs, 'settle', eventKey(event), JSON.stringify(shown));
  }

  voidEvent(event: SimEventName, nowMs: number): void {
    this.#log(nowMs, 'voidEvent', eventKey(event));
  }

  clear(nowMs: number): void {
    this.#log(nowMs, 'clear');
  }

  recover(nowMs: number): void {
    this.#log(nowMs, 'recover');
  }

  setLevel(
    participant: string,
    at: SimOutcome,
    resting: Direction,
    price: number,
    stakeMicros: Micros,
    nowMs: number,
  ): void {
    this.#log(nowMs, 'setLevel', participant, eventKey(at), at.outcome, resting, price, stakeMicros);
    const grown = stakeMicros - this.#stakeOf(participant, at, resting, price);
    if (grown > 0) this.#add(participant, at, resting, price, grown, nowMs);
    if (grown < 0) this.#fall(participant, { at, resting, price, atMs: nowMs, by: 'trade' }, -grown);
  }

  /** No feed that is recorded here speaks of offers. */
  setOffer(): void {
    throw new Error('this market knows levels only');
  }

  tradeOffer(): number {
    return 0;
  }

  takeOffer(): number {
    return 0;
  }

  offered(): null {
    return null;
  }

  /** This market has no recorded levels: what accounts took can come back. */
  followRecording(): void {}

  /** This market matches bets of any size. */
  hide(): void {}

  setMinimum(participant: string, leastMicros: Micros): void {
    this.minimums.set(participant, leastMicros);
  }

  clearLevels(participant: string, at: SimOutcome, nowMs: number): void {
    this.#log(nowMs, 'clearLevels', participant, eventKey(at), at.outcome);
    for (const direction of ['for', 'against'] as const) {
      for (const [price, queue] of this.#side(at, direction)) {
        this.#keep(at, direction, price, queue, participant);
      }
    }
  }

  take(at: SimOutcome, direction: Direction, limitPrice: number, stakeMicros: Micros, nowMs: number): Micros {
    this.#log(nowMs, 'take', eventKey(at), at.outcome, direction, limitPrice, stakeMicros);
    if (this.suspended.has(eventKey(at))) return 0;
    const resting = opposite(direction);
    const prices = this.levels(at, resting).map((level) => level.price);
    let left = stakeMicros;
    for (const price of prices) {
      if (!isBetter(SELECTION_KINDS[direction], limitPrice, price)) {
        left -= this.#consume({ at, resting, price, atMs: nowMs, by: 'take' }, left);
      }
    }
    return stakeMicros - left;
  }

  trade(at: SimOutcome, resting: Direction, price: number, stakeMicros: Micros, nowMs: number): Micros {
    this.#log(nowMs, 'trade', eventKey(at), at.outcome, resting, price, stakeMicros);
    if (this.suspended.has(eventKey(at))) return 0;
    const taker = SELECTION_KINDS[opposite(resting)];
    let left = stakeMicros;
    for (const level of this.levels(at, resting)) {
      if (!isBetter(taker, level.price, price)) break;
      const where = { at, resting, price: level.price, atMs: nowMs, by: 'trade' } as const;
      for (const entry of this.#queue(at, resting, level.price))
        if (entry.participant === ACCOUNT) left -= this.#fill(entry, where, left);
    }
    this.#fallsOf(at, resting).trade(price, left, nowMs);
    return stakeMicros - left;
  }

  levels(at: SimOutcome, resting: Direction): { price: number; stakeMicros: Micros }[] {
    const all = [...this.#side(at, resting)].map(([price, queue]) => ({ price, stakeMicros: sum(queue) }));
    const taker = opposite(resting);
    return all
      .filter((level) => level.stakeMicros > 0)
      .sort((a, b) => (isBetter(SELECTION_KINDS[taker], a.price, b.price) ? -1 : 1));
  }

  isSuspended(event: SimEventName): boolean {
    return this.suspended.has(eventKey(event));
  }

  isInRunning(event: SimEventName): boolean {
    return this.inRunning.has(eventKey(event));
  }

  /** Rests an account's stake at the back of a queue. */
  rest(at: SimOutcome, resting: Direction, price: number, stakeMicros: Micros): void {
    this.#accountTrades = true;
    this.#queue(at, resting, price).push({ participant: ACCOUNT, stakeMicros });
  }

  /** Withdraws the account's stake from one side of an outcome. */
  withdraw(at: SimOutcome, resting: Direction): void {
    for (const [price, queue] of this.#side(at, resting)) this.#keep(at, resting, price, queue, ACCOUNT);
  }

  accountStake(at: SimOutcome, resting: Direction): Micros {
    const queues = [...this.#side(at, resting).values()];
    return sum(queues.flat().filter(({ participant }) => participant === ACCOUNT));
  }

  /** Outcomes that ever had a level. */
  outcomes(): SimOutcome[] {
    const keys = new Set([...this.#queues.keys()].map((key) => key.split('|').slice(0, 3).join('|')));
    return [...keys].map((key) => {
      const [sport = '', eventId = '', outcome = ''] = key.split('|');
      return { sport, eventId, outcome };
    });
  }

  /** What trades of the instant took leaves from the front. */
  #fall(participant: string, where: Occasion, micros: Micros): void {
    const { at, resting, price, atMs } = where;
    const leftMicros = this.#stakeOf(participant, at, resting, price) - micros;
    this.#consume(where, this.#fallsOf(at, resting).fall(price, micros, atMs));
    const cancelledMicros = this.#stakeOf(participant, at, resting, price) - leftMicros;
    this.#shrink(participant, at, resting, price, cancelledMicros);
  }

  #fallsOf(at: SimOutcome, resting: Direction): TradedFalls {
    const key = `${at.sport}|${at.eventId}|${at.outcome}|${resting}`;
    const falls = this.#falls.get(key) ?? new TradedFalls();
    this.#falls.set(key, falls);
    return falls;
  }

  #add(
    participant: string,
    at: SimOutcome,
    resting: Direction,
    price: number,
    micros: Micros,
    nowMs: number,
  ): void {
    const left = micros - this.#crossAccounts(at, resting, price, micros, nowMs);
    if (left > 0) this.#queue(at, resting, price).push({ participant, stakeMicros: left });
  }

  #crossAccounts(at: SimOutcome, resting: Direction, price: number, micros: Micros, nowMs: number): Micros {
    if (!this.#accountTrades || this.suspended.has(eventKey(at))) return 0;
    const other = opposite(resting);
    let left = micros;
    for (const level of this.levels(at, other)) {
      if (isBetter(SELECTION_KINDS[resting], price, level.price)) break;
      const where = { at, resting: other, price: level.price, atMs: nowMs, by: 'cross' } as const;
      for (const entry of this.#queue(at, other, level.price)) {
        if (entry.participant === ACCOUNT) left -= this.#fill(entry, where, left);
      }
    }
    return micros - left;
  }

  #consume(where: Occasion, micros: Micros): Micros {
    let left = micros;
    for (const entry of this.#queue(where.at, where.resting, where.price))
      left -= this.#fill(entry, where, left);
    return micros - left;
  }

  #fill(entry: Entry, where: Occasion, wanted: Micros): Micros {
    const stakeMicros = Math.min(entry.stakeMicros, wanted);
    entry.stakeMicros -= stakeMicros;
    if (entry.participant === ACCOUNT && stakeMicros > 0) this.fills.push({ ...where, stakeMicros });
    return stakeMicros;
  }

  #shrink(participant: string, at: SimOutcome, resting: Direction, price: number, micros: Micros): void {
    let left = micros;
    for (const entry of this.#queue(at, resting, price).toReversed()) {
      if (entry.participant !== participant) continue;
      const gone = Math.min(left, entry.stakeMicros);
      entry.stakeMicros -= gone;
      left -= gone;
    }
    this.#keep(at, resting, price, this.#queue(at, resting, price), null);
  }

  /** Drops empty entries, and those of a participant when one is named. */
  #keep(at: SimOutcome, resting: Direction, price: number, queue: Entry[], without: string | null): void {
    const kept = queue.filter((entry) => entry.stakeMicros > 0 && entry.participant !== without);
    if (kept.length === 0) this.#side(at, resting).delete(price);
    else this.#side(at, resting).set(price, kept);
  }

  #stakeOf(participant: string, at: SimOutcome, resting: Direction, price: number): Micros {
    const queue = this.#side(at, resting).get(price) ?? [];
    return sum(queue.filter((entry) => entry.participant === participant));
  }

  #queue(at: SimOutcome, resting: Direction, price: number): Entry[] {
    const side = this.#side(at, resting);
    const queue = side.get(price) ?? [];
    side.set(price, queue);
    return queue;
  }

  #side(at: SimOutcome, resting: Direction): Map<number, Entry[]> {
    const key = `${at.sport}|${at.eventId}|${at.outcome}|${resting}`;
    const side = this.#queues.get(key) ?? new Map<number, Entry[]>();
    this.#queues.set(key, side);
    return side;
  }

  #log(nowMs: number, ...parts: readonly unknown[]): void {
    if (this.logging) this.calls.push(`${nowMs} ${parts.join(' ')}`);
  }
}

const sum = (queue: readonly Entry[]): Micros => queue.reduce((total, entry) => total + entry.stakeMicros, 0);

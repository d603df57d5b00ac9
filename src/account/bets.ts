import { type BetEvent, type BetState, betVerdictOf } from '../domain/bet-lifecycle.ts';
import type { BetId, OrderId, RequestUuid } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { Micros } from '../domain/money.ts';
import type { VenueBet } from '../domain/orders.ts';
import type { OrderResult } from '../domain/settlement.ts';
import { invariant } from '../lib/assert.ts';
import type { AccountChange, BetNews, ResultChange, ResultEvent } from './changes.ts';

/** A bet of an order of ours. */
export interface OwnFill extends Fill {
  readonly requestUuid: RequestUuid;
}

/** A bet of which anything was shown. */
interface Held {
  /** Its terms; null until it is reported. */
  readonly fill: Fill | null;
  readonly state: BetState;
  /** The latest report shows it unmatched or void, also of a settled bet, whose state tells no more of that. */
  readonly isShownUnmatched: boolean;
}

interface SettledOrder {
  readonly result: OrderResult;
  readonly isTakenBack: boolean;
  /** The journal holds the result. */
  readonly isWritten: boolean;
  readonly reportedMs: number;
}

/** Most orders whose bets are parked. When more are, the bets of the order that waits longest are dropped. */
const MOST_PARKED = 1_000;

const UNSEEN: Held = { fill: null, state: 'unseen', isShownUnmatched: false };

/**
 * The bets of the account by id, and the results of its orders, under the table of `domain/bet-lifecycle.ts`. Journal and exchange go
 * the same way: the same events give the same bets. Pure: no clock, no effect.
 *
 * A bet of a settled order is settled, whenever it is reported.
 */
export class BetBook {
  readonly #bets = new Map<BetId, Held>();
  /** Booked bets by order, in the order of their first reports. */
  readonly #ofOrder = new Map<OrderId, BetId[]>();
  /** Matched stake by order. */
  readonly #filled = new Map<OrderId, Micros>();
  readonly #settled = new Map<OrderId, SettledOrder>();
  /** The reports of parked bets, by order, in the order of arrival. The order that waits longest comes first. */
  readonly #parked = new Map<OrderId, VenueBet[]>();
  readonly #mostParked: number;
  #booked = 0;

  constructor(mostParked = MOST_PARKED) {
    this.#mostParked = mostParked;
  }

  /** Applies an event and returns what changes, in the order in which projections have to apply it. */
  apply(event: BetNews): readonly AccountChange[] {
    switch (event.kind) {
      case 'parked':
        return this.#onParked(event.bet);
      case 'unparked':
        return this.#unpark(event.orderId);
      case 'bet':
        return this.#onBet(event.fill, event.isRecorded ?? false);
      case 'doubt':
        this.#show(event.betId, event.isUnmatched);
        return this.#move(event.betId, event.isUnmatched ? 'doubted' : 'affirmed');
      case 'standing':
        this.#show(event.betId, !event.stands);
        return this.#move(event.betId, event.stands ? 'reinstated' : 'voided');
      case 'result':
        return this.#onResult(event);
      case 'reopened':
        return this.#onReopened(event);
    }
  }

  stateOf(betId: BetId): BetState {
    return this.#held(betId).state;
  }

  /** A booked bet; null for any other. Its stake is that of the first report. */
  fillOf(betId: BetId): Fill | null {
    return this.#held(betId).fill;
  }

  /** Returns the reports of an order's bets that arrived before the order is known, in the order of arrival. */
  parkedOf(orderId: OrderId): readonly VenueBet[] {
    return this.#parked.get(orderId) ?? [];
  }

  /** Matched stake of the booked bets of an order. */
  filledOf(orderId: OrderId): Micros {
    return this.#filled.get(orderId) ?? 0;
  }

  /** Matched stake of those bets of an order that count, or that its settlement pays. What the exchange voids by the settlement is none. */
  standingOf(orderId: OrderId): Micros {
    if (this.isTakenBack(orderId)) return 0;
    const stands = (betId: BetId): boolean => {
      const { state, isShownUnmatched } = this.#held(betId);
      return !isShownUnmatched && ['matched', 'settled'].includes(state);
    };
    return this.#betsOf(orderId)
      .filter(stands)
      .reduce((sum, betId) => sum + (this.#held(betId).fill?.stakeMicros ?? 0), 0);
  }

  /** The first booked bet of an order of ours; null for any other order. */
  ownFillOf(orderId: OrderId): OwnFill | null {
    const own = this.#fillsOf(orderId).find(({ requestUuid }) => requestUuid !== null);
    return own === undefined ? null : (own as OwnFill);
  }

  /** Number of booked bets. */
  get booked(): number {
    return this.#booked;
  }

  /** The result of a settled order; null while it is not settled. */
  resultOf(orderId: OrderId): OrderResult | null {
    return this.#settled.get(orderId)?.result ?? null;
  }

  /** Whether all bets of a settled order were voided, so that it may be reopened. */
  isTakenBack(orderId: OrderId): boolean {
    return this.#settled.get(orderId)?.isTakenBack === true;
  }

  /** Wall-clock instant of the latest report of an order's result; null while the order is not settled. */
  reportedMs(orderId: OrderId): number | null {
    return this.#settled.get(orderId)?.reportedMs ?? null;
  }

  #onParked(bet: VenueBet): readonly AccountChange[] {
    const { betId, orderId } = bet;
    const held = this.#held(betId);
    if (this.#next(held.state, 'parked') !== 'parked') return [];
    const [oldest] = this.#parked.keys();
    if (!this.#parked.has(orderId) && this.#parked.size >= this.#mostParked && oldest !== undefined)
      this.#unpark(oldest);
    this.#bets.set(betId, { ...held, state: 'parked' });
    this.#parked.set(orderId, [...this.parkedOf(orderId), bet]);
    return [];
  }

  #unpark(orderId: OrderId): readonly AccountChange[] {
    for (const { betId } of this.parkedOf(orderId)) this.#move(betId, 'unparked');
    this.#parked.delete(orderId);
    return [];
  }

  #onBet(fill: Fill, isRecorded: boolean): readonly AccountChange[] {
    const { betId, orderId } = fill;
    const held = this.#held(betId);
    if (held.fill !== null) {
      this.#next(held.state, held.fill.stakeMicros === fill.stakeMicros ? 'repeated' : 'changed');
      return [];
    }
    const order = this.#settled.get(orderId);
    const before = order === undefined ? held.state : this.#next(held.state, 'settled');
    const state = this.#next(before, 'reported');
    this.#bets.set(betId, { ...held, fill, state });
    this.#booked++;
    this.#filled.set(orderId, this.filledOf(orderId) + fill.stakeMicros);
    this.#ofOrder.set(orderId, [...this.#betsOf(orderId), betId]);
    const booked: AccountChange = { kind: 'booked', fill, state, isRecorded };
    return order === undefined ? [booked] : [booked, ...this.#resultOfLateBet(order, fill)];
  }

  /**
   * Late reports, or a damaged journal, may bring a bet of an order that is already settled. The result counts on the bet's event. If
   * it came without bets, the journal does not hold it yet.
   */
  #resultOfLateBet(order: SettledOrder, fill: Fill): readonly AccountChange[] {
    const { sport, eventId, orderId } = fill;
    const result = { ...order.result, sport, eventId };
    this.#settled.set(orderId, { ...order, result, isWritten: true });
    if (order.isWritten) return [];
    return [
      {
        kind: 'result',
        result,
        beforeMicros: result.profitLossMicros,
        isTakenBack: order.isTakenBack,
        hasBets: true,
        bets: [fill],
        isNews: true,
        isRecorded: false,
        atMs: order.reportedMs,
      },
    ];
  }

  #onResult(event: ResultEvent): readonly AccountChange[] {
    const before = this.#settled.get(event.result.orderId);
    return before === undefined ? this.#onFirstResult(event) : this.#onLaterResult(event, before);
  }

  /** A result of 0 without any bet is no news: the order may never have been matched. */
  #onFirstResult(event: ResultEvent): readonly AccountChange[] {
    const { hasBets, isRecorded } = event;
    const { orderId, profitLossMicros } = event.result;
    const moved = this.#betsOf(orderId).flatMap((betId) => this.#move(betId, 'settled'));
    const bets = moved.flatMap((change) => (change.kind === 'moved' ? [change.fill] : []));
    // A late report may still book a bet that the report shows, and it must not count after a restart either.
    const isNews = !isRecorded && (bets.length > 0 || hasBets || profitLossMicros !== 0);
    return [
      this.#settle(event, { beforeMicros: null, bets, isNews, isWritten: isRecorded || isNews }),
      ...moved,
    ];
  }

  #onLaterResult(event: ResultEvent, before: SettledOrder): readonly AccountChange[] {
    const { orderId, profitLossMicros } = event.result;
    const beforeMicros = before.result.profitLossMicros;
    if (beforeMicros === profitLossMicros && before.isTakenBack === event.isTakenBack) {
      this.#settled.set(orderId, { ...before, reportedMs: event.atMs });
      return [];
    }
    for (const betId of this.#betsOf(orderId)) this.#move(betId, 'corrected');
    return [this.#settle(event, { beforeMicros, bets: [], isNews: !event.isRecorded, isWritten: true })];
  }

  #settle(
    { result: reported, isTakenBack, hasBets, isRecorded, atMs }: ResultEvent,
    {
      isWritten,
      ...settled
    }: Pick<ResultChange, 'beforeMicros' | 'bets' | 'isNews'> & Pick<SettledOrder, 'isWritten'>,
  ): ResultChange {
    const { orderId, profitLossMicros } = reported;
    const result = this.#onEventOfBets(reported);
    this.#settled.set(orderId, { result, isTakenBack, isWritten, reportedMs: atMs });
    const isMatched = profitLossMicros !== 0 || this.#betsOf(orderId).length > 0 || (isRecorded && hasBets);
    return { kind: 'result', result, isTakenBack, hasBets: isMatched, isRecorded, atMs, ...settled };
  }

  /** The result of an order that moved names another event than its bets. It counts on the event of the bets. */
  #onEventOfBets(result: OrderResult): OrderResult {
    const [betId] = this.#betsOf(result.orderId);
    const fill = betId === undefined ? null : this.#held(betId).fill;
    return fill === null ? result : { ...result, sport: fill.sport, eventId: fill.eventId };
  }

  #onReopened({ orderId, isRecorded }: Extract<BetNews, { kind: 'reopened' }>): readonly AccountChange[] {
    const result = this.resultOf(orderId);
    this.#settled.delete(orderId);
    const bets = this.#betsOf(orderId);
    const moved = bets.flatMap((betId) => this.#move(betId, 'reopened'));
    return [...moved, { kind: 'reopened', orderId, result, bets: this.#fillsOf(orderId), isRecorded }];
  }

  /** Moves a bet. What is shown of a bet before its terms is kept, and changes nothing yet. */
  #move(betId: BetId, event: BetEvent): readonly AccountChange[] {
    const held = this.#held(betId);
    const { fill, state: from } = held;
    const to = this.#next(from, event);
    if (to === from) return [];
    this.#bets.set(betId, { ...held, state: to });
    return fill === null ? [] : [{ kind: 'moved', fill, from, to }];
  }

  #show(betId: BetId, isShownUnmatched: boolean): void {
    const held = this.#held(betId);
    if (held.isShownUnmatched !== isShownUnmatched) this.#bets.set(betId, { ...held, isShownUnmatched });
  }

  #next(state: BetState, event: BetEvent): BetState {
    const verdict = betVerdictOf(state, event);
    invariant(verdict.kind !== 'illegal', 'a bet does not live by its table', { state, event });
    return verdict.kind === 'move' ? verdict.to : state;
  }

  #held(betId: BetId): Held {
    return this.#bets.get(betId) ?? UNSEEN;
  }

  #fillsOf(orderId: OrderId): readonly Fill[] {
    return this.#betsOf(orderId).flatMap((betId) => this.#held(betId).fill ?? []);
  }

  #betsOf(orderId: OrderId): readonly BetId[] {
    return this.#ofOrder.get(orderId) ?? [];
  }
}

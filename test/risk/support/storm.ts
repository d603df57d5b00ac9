/**
 * A random life of an account: intents, answers, fills in any order, lost memory. Checked after each step.
 */
import { betId, betType, eventId, type EventId, orderId } from '../../../src/domain/ids.ts';
import { isTerminal, type OrderState } from '../../../src/domain/lifecycle.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import type { PriceKind } from '../../../src/domain/odds.ts';
import type { PlaceOrder } from '../../../src/domain/orders.ts';
import { integerBetween, type Random } from '../../../src/lib/random.ts';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import { KINDS_OF_BETS, OUTCOMES } from './books.ts';
import { ask, type Bench, bench, fillOf, live } from './harness.ts';
import { OracleEvent } from './oracle.ts';
import { betsOf } from '../../support/account.ts';

interface Own {
  readonly order: PlaceOrder;
  state: OrderState;
  /** The stake matched at the exchange. The reported part is never larger. */
  matched: number;
  reported: number;
  unreported: { readonly price: number; readonly stake: number }[];
  orderId: number;
}

const EVENTS = ['2026-11-21,1,2', '2026-11-22,3,4', '2026-11-23,5,6'].map(eventId);
const STATES: readonly OrderState[] = [
  'prepared',
  'sending',
  'unknown',
  'live',
  'closing',
  'closed',
  'refused',
  'absent',
];
/** States in which the exchange may still match an order. */
const MATCHABLE: readonly OrderState[] = ['sending', 'unknown', 'live', 'closing'];
/** The number of remembered orders. Older ones stay unchanged. */
const REMEMBERED = 40;

/** Limits that a storm reaches all the time. */
export const TIGHT = {
  order: { maxStakeUsdt: 100, maxLiabilityUsdt: 150 },
  worstCase: {
    selectionUsdt: 250,
    eventUsdt: 400,
    competitionUsdt: 700,
    sportUsdt: 700,
    dayUsdt: 700,
    accountUsdt: 700,
  },
  gross: { eventUsdt: 5_000, accountUsdt: 9_000 },
  openOrders: { selection: 50, event: 200, account: 400 },
  collar: { adverseProbability: 0.999, adverseLogOdds: 50, awayLogOdds: 50, driftProbability: 0.999 },
  throttle: { duplicateWindowS: 0, ordersPerMinute: 1_000_000, repeatedFills: 1_000_000 },
  loss: { dayUsdt: 1e9, fromPeakUsdt: 1e9, strategyDayUsdt: 1e9, strategyFromPeakUsdt: 1e9 },
  guards: { disabled: ['toxicity' as const, 'unintended_taking' as const] },
};

/** The other side of a bet at the same price: of its bet types, and its kind. */
export const OPPOSITE: Readonly<Record<PriceKind, readonly [direction: string, kind: PriceKind]>> = {
  'odds-for': ['for', 'lay-for'],
  'odds-against': ['against', 'lay-against'],
  'lay-for': ['for', 'odds-for'],
  'lay-against': ['against', 'odds-against'],
};

const termsOf = ({ betType: type, priceKind: kind, price, stakeMicros: stake }: PlaceOrder) => ({
  betType: type,
  kind,
  price,
  stake,
});

export class Storm {
  readonly world: Bench;
  readonly oracle = new Map<EventId, OracleEvent>(EVENTS.map((id) => [id, new OracleEvent()]));
  readonly #random: Random;
  #own: Own[] = [];
  #serial = 0;

  constructor(random: Random, limits: Readonly<Record<string, object>> = TIGHT) {
    this.#random = random;
    this.world = bench(limits);
    this.world.facts = { ...(this.world.facts as NonNullable<Bench['facts']>), startTimeMs: 1e15 };
  }

  step(): void {
    const roll = this.#random.next();
    this.world.nowMs += 1;
    if (roll < 0.35) this.#intend();
    else if (roll < 0.6) this.#move();
    else if (roll < 0.75) this.#match();
    else if (roll < 0.93) this.#tell();
    else this.#learn();
  }

  /** Completes every lookup. */
  learnAll(): void {
    for (const outcome of OUTCOMES) this.#learn(`for,${outcome}`);
  }

  /** An event’s worst case in the second opinion. */
  worstOf(id: EventId): number {
    return (this.oracle.get(id) as OracleEvent).worst();
  }

  events(): readonly EventId[] {
    return EVENTS;
  }

  /**
   * Another order, whether its fill would certainly improve its event’s worst case, and the account’s current
   * worst case.
   */
  probe(): { readonly order: PlaceOrder; readonly helps: boolean; readonly before: number } {
    const order = this.#random.next() < 0.5 ? this.#randomAsk() : this.#hedge();
    const event = this.#event(order);
    const { betType: type, requestUuid, price, stakeMicros } = order;
    const before = event.worst();
    const isCertain = !event.isProvisional(type);
    event.open(requestUuid, termsOf(order));
    event.orders.get(requestUuid)?.fills.push({ price, stake: stakeMicros });
    const helps = isCertain && event.worst() > before;
    event.orders.delete(requestUuid);
    return { order, helps, before: EVENTS.reduce((total, id) => total + this.worstOf(id), 0) };
  }

  #intend(): void {
    const order = this.#randomAsk();
    if (!this.world.risk.approve(order).ok) return;
    const own: Own = {
      order,
      state: 'prepared',
      matched: 0,
      reported: 0,
      unreported: [],
      orderId: ++this.#serial,
    };
    this.#event(order).open(order.requestUuid, termsOf(order));
    this.#own.push(own);
    if (this.#own.length > REMEMBERED) this.#own = this.#own.slice(-REMEMBERED);
    if (this.#random.next() < 0.8) this.#report(own);
  }

  /** Advances the order, or gives the approval back. */
  #move(): void {
    const own = this.#pick(this.#own.filter(({ state }) => !isTerminal(state)));
    if (own === undefined) return;
    own.state = this.#pick(STATES) ?? 'live';
    if (isTerminal(own.state) && own.matched > 0) own.state = 'closed';
    // A report that an order is closed includes its matched stake.
    if (own.state === 'closed') own.reported = own.matched;
    this.#report(own);
  }

  /** Matches a part at the price or better, without a report yet. */
  #match(): void {
    const own = this.#pick(this.#own.filter(({ state }) => MATCHABLE.includes(state)));
    if (own === undefined) return;
    const left = (own.order.stakeMicros - own.matched) / 1e4;
    if (left < 1) return;
    const stake = integerBetween(this.#random, 1, left) * 1e4;
    own.matched += stake;
    own.unreported.push({ price: this.#betterPrice(own.order), stake });
  }

  /** Reports a fill as a bet, as the order’s matched stake, or both; sometimes twice, sometimes late. */
  #tell(): void {
    const own = this.#pick(
      this.#own.filter(({ unreported, matched, reported }) => unreported.length > 0 || matched > reported),
    );
    if (own === undefined) return;
    if (this.#random.next() < 0.5) {
      own.reported = own.matched;
      this.#report(own);
      return;
    }
    const match = own.unreported.shift();
    if (match === undefined) return;
    const fill = fillOf(own.order, match.stake / 1e6, { price: match.price, orderId: orderId(own.orderId) });
    const withId = { ...fill, betId: betId(++this.#serial), stakeMicros: match.stake };
    this.#event(own.order).orders.get(own.order.requestUuid)?.fills.push(match);
    betsOf(this.world.risk).report(withId);
    if (this.#random.next() < 0.2) betsOf(this.world.risk).report(withId);
  }

  /** Answers the exchange’s lookup of a bet type. */
  #learn(type = this.#randomBetType()): void {
    const parsed = parseBetType('fb', type);
    if (parsed === null) throw new Error(`no such bet type: ${type}`);
    this.world.risk.setGrid(betType(type), winLossGrid(parsed));
    for (const event of this.oracle.values()) event.onGrid.add(type);
  }

  #report(own: Own): void {
    const { order, state, reported } = own;
    const id = state === 'live' || state === 'closing' ? orderId(own.orderId) : null;
    this.world.risk.onOrder(live(order, { state, filledMicros: reported, orderId: id }));
    const known = this.#event(order).orders.get(order.requestUuid);
    if (known !== undefined) Object.assign(known, { reported, over: isTerminal(state) });
  }

  #randomAsk(): PlaceOrder {
    const price = LADDER[integerBetween(this.#random, 0, 249)] as number;
    const stake = integerBetween(this.#random, 1, 9_000) / 100;
    const [direction, priceKind] = this.#pick(KINDS_OF_BETS) as (typeof KINDS_OF_BETS)[number];
    const type = `${direction},${this.#pick(OUTCOMES)}`;
    return ask({ betType: type, priceKind, price, stake, event: this.#pick(EVENTS) as EventId });
  }

  /** The opposite of a part of a matched order. */
  #hedge(): PlaceOrder {
    const own = this.#pick(this.#own.filter(({ matched }) => matched > 0));
    if (own === undefined) return this.#randomAsk();
    const { betType: type, priceKind, price, eventId: event } = own.order;
    const outcome = type.slice(type.indexOf(',') + 1);
    const [direction, opposite] = OPPOSITE[priceKind];
    const stake = Math.ceil(own.matched / 2e4) / 100;
    return ask({ betType: `${direction},${outcome}`, priceKind: opposite, price, stake, event });
  }

  #randomBetType(): string {
    const outcome = this.#pick(OUTCOMES) as string;
    return `${this.#random.next() < 0.5 ? 'for' : 'against'},${outcome}`;
  }

  #betterPrice({ price, priceKind }: PlaceOrder): number {
    const at = LADDER.indexOf(price);
    const better = integerBetween(this.#random, 0, 3) * (priceKind.startsWith('odds') ? 1 : -1);
    return LADDER[Math.max(0, at + better)] as number;
  }

  #event(order: PlaceOrder): OracleEvent {
    return this.oracle.get(order.eventId) as OracleEvent;
  }

  #pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.#random.next() * values.length)];
  }
}

/** Orders per life. A full book ends the life, and a new one begins. */
const STEPS_PER_LIFE = 150;

/** Compares both opinions after every step of many lives. */
export function compareOpinions(states: number, seedOf: (life: number) => Random): string[] {
  const differences: string[] = [];
  for (let done = 0, life = 0; done < states && differences.length < 5; life++) {
    const storm = new Storm(seedOf(life));
    for (let step = 0; step < STEPS_PER_LIFE && done < states; step++, done++) {
      storm.step();
      differences.push(...differenceOf(storm).map((text) => `life ${life}, step ${step}: ${text}`));
    }
  }
  return differences;
}

/** Lists where the account’s or an event’s worst case differs from the second opinion. */
export function differenceOf(storm: Storm): string[] {
  const report = storm.world.risk.exposure();
  const worsts = storm.events().map((id) => ({
    id,
    theirs: storm.worstOf(id),
    ours: report.events.find((event) => event.eventId === id)?.worstMicros ?? 0,
  }));
  const account = worsts.reduce((total, { theirs }) => total + theirs, 0);
  return [...worsts, { id: 'account', theirs: account, ours: report.account.worstMicros }]
    .filter(({ ours, theirs }) => ours !== theirs)
    .map(({ id, ours, theirs }) => `${id}: ${ours}, the oracle says ${theirs}`);
}

/** Random accounts of bets that stand, are in doubt or are void, and of up to eight open orders, to which one more order is offered. */
import { type EventId, eventId, orderId, type Sport, sport } from '../../../src/domain/ids.ts';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import { LADDER } from '../../../src/domain/ladder.ts';
import type { Balance, PlaceOrder } from '../../../src/domain/orders.ts';
import { integerBetween, type Random } from '../../../src/lib/random.ts';
import { ACCOUNT, type TradingState } from '../../../src/risk/index.ts';
import { betsOf } from '../../support/account.ts';
import { foreign } from './bets.ts';
import { KINDS_OF_BETS, learnGrids, OUTCOMES } from './books.ts';
import { LONERS, type Opinion, opinionOn, RUNNERS, type Stake, type World } from './fill-subsets.ts';
import { ask, type Bench, bench, codesOf, FACTS, fillOf, limitsWith, live } from './harness.ts';
import { OPPOSITE, TIGHT } from './storm.ts';

const MOST_MATCHED = 4;
const MOST_OPEN = 8;
/** States that one account sees before a new one begins. */
const PER_ACCOUNT = 200;
/** What became of a bet: most stand. */
const FATES = ['stands', 'stands', 'stands', 'affirmed', 'in doubt', 'in doubt', 'void'] as const;
const LIVE_STATES: readonly OrderState[] = ['prepared', 'sending', 'unknown', 'live', 'closing'];
const WORLDS: readonly World[] = ['scores', 'scores', 'winner', 'alone'];
const MICROS = 1e6;
const NAMES: Readonly<Record<World, readonly string[]>> = {
  scores: OUTCOMES.slice(0, 16),
  winner: RUNNERS,
  alone: LONERS,
};

export interface Findings {
  readonly reducing: number;
  /** Orders that would reduce if the open orders were sure to fill. */
  readonly leaning: number;
  /** Orders that with some fills leave the account worse off than before. */
  readonly reversing: number;
  /** Orders that would reduce if bets in doubt were sure to stand. */
  readonly leaningOnDoubt: number;
  readonly differences: readonly string[];
}

/** Compares risk with the second opinion on many random states. */
export function judgeReducing(states: number, randomOf: (account: number) => Random): Findings {
  const counts = { reducing: 0, leaning: 0, reversing: 0, leaningOnDoubt: 0 };
  const differences: string[] = [];
  for (let done = 0; done < states && differences.length < 5;) {
    const offers = new Offers(randomOf(done));
    for (let at = 1; at <= PER_ACCOUNT && done < states; at++, done++) {
      const { opinion, leansOnDoubt, faults } = offers.next(eventId(`2026-11-21,${at},999`));
      if (opinion.reduces) counts.reducing++;
      if (opinion.leansOnOpen) counts.leaning++;
      if (opinion.mayReverse) counts.reversing++;
      if (leansOnDoubt) counts.leaningOnDoubt++;
      differences.push(...faults.map((text) => `state ${done}: ${text}`));
    }
  }
  return { ...counts, differences };
}

interface Place {
  readonly event: EventId;
  readonly sport: Sport;
}

/** One account, on which a state follows the other. */
class Offers {
  readonly #random: Random;
  readonly #world: Bench = bench(TIGHT);

  constructor(random: Random) {
    this.#random = random;
    const marketTypeOf = (type: string): string => (type.includes(',win,') ? 'win' : 'wdw');
    this.#world.facts = { ...FACTS, marketTypeOf };
    learnGrids(
      this.#world.risk,
      NAMES.scores.map((name) => `for,${name}`),
    );
  }

  /** Puts a random state on an event, offers an order, compares the judgements, and ends the event. */
  next(event: EventId): {
    readonly opinion: Opinion;
    readonly leansOnDoubt: boolean;
    readonly faults: readonly string[];
  } {
    const { risk } = this.#world;
    const kind = this.#pick(WORLDS);
    const place = { event, sport: sport(kind === 'scores' ? 'fb' : 'basket') };
    const bets = this.#many(MOST_MATCHED, () => ({ ...this.#stake(kind), fate: this.#pick(FATES) }));
    const matched = bets.filter(({ fate }) => fate === 'stands' || fate === 'affirmed');
    const inDoubt = bets.filter(({ fate }) => fate === 'in doubt');
    const open = this.#many(MOST_OPEN, () => this.#opposing(0.4, matched, kind));
    const further = this.#opposing(0.6, [...bets, ...matched, ...open], kind);
    for (const each of bets) this.#book(each, place);
    const ends = open.map((each) => this.#open(each, place));
    // A bet in doubt is like an order: it may turn out to stand, or to be void.
    const opinion = opinionOn(kind, matched, [...open, ...inDoubt], further);
    const trusting = opinionOn(kind, [...matched, ...inDoubt], open, further);
    const faults = this.#compare(orderOf(further, place), opinion);
    for (const end of ends) end();
    risk.onEventOver({ sport: place.sport, eventId: event });
    const { worstMicros, openOrders } = risk.accountExposure();
    const rest = worstMicros === 0 && openOrders === 0 ? [] : ['the state left something behind'];
    const state = JSON.stringify({ kind, bets, open, further });
    const leansOnDoubt = trusting.reduces && !opinion.reduces;
    return { opinion, leansOnDoubt, faults: [...faults, ...rest].map((text) => `${text} ${state}`) };
  }

  /** What risk says of the order, where it differs. */
  #compare(order: PlaceOrder, opinion: Opinion): readonly string[] {
    const said = this.#world.risk.reduces(order);
    const faults = said === opinion.reduces ? [] : [`reduces ${said}, the oracle says ${opinion.reduces}`];
    return [...faults, ...this.#limited(order, opinion), ...this.#reducing(order, opinion)];
  }

  /** Limits and funds fall, perhaps below what is at stake already: beyond them only what reduces passes. */
  #limited(order: PlaceOrder, { reduces, worstMicros }: Opinion): readonly string[] {
    const { risk } = this.#world;
    const lossUsdt = (0 - worstMicros) / MICROS;
    const limitUsdt = 1 + integerBetween(this.#random, 0, Math.ceil(lossUsdt * 1.3));
    risk.setLimits(limitsWith({ ...TIGHT, ...worstCaseOf(limitUsdt) }));
    risk.onChange({ kind: 'balance', balance: balanceOf(limitUsdt) }, 0);
    const codes = codesOf(risk, order);
    risk.release(order.requestUuid);
    risk.setLimits(limitsWith(TIGHT));
    risk.onChange({ kind: 'balance', balance: balanceOf(1e9) }, 0);
    const isBeyond = !reduces && lossUsdt > limitUsdt;
    return ['event_worst_case', 'account_worst_case', 'balance']
      .filter((code) => codes.includes(code) !== isBeyond)
      .map((code) => `${code} ${!isBeyond} at a limit of ${limitUsdt}, the oracle says ${isBeyond}`);
  }

  #reducing(order: PlaceOrder, { reduces }: Opinion): readonly string[] {
    const { risk } = this.#world;
    const isRefusedIn = (state: TradingState): boolean => {
      risk.setState(ACCOUNT, state, 'me', 'x');
      const isRefused = codesOf(risk, order).includes('reducing_only');
      risk.release(order.requestUuid);
      return isRefused;
    };
    const isRefused = isRefusedIn('reducing');
    const faults = isRefused === reduces ? [`reducing_only ${isRefused}, the oracle says ${!reduces}`] : [];
    return isRefusedIn('active') ? [...faults, 'reducing_only while active'] : faults;
  }

  /** Reports a bet, and what became of it. */
  #book({ fate, ...stake }: Stake & { readonly fate: (typeof FATES)[number] }, place: Place): void {
    const bets = betsOf(this.#world.risk);
    const fill = fillOf(orderOf(stake, place), stake.stakeMicros / MICROS);
    bets.report(fill);
    if (fate === 'affirmed' || fate === 'in doubt') bets.doubt(fill.betId, true);
    if (fate === 'affirmed') bets.doubt(fill.betId, false);
    if (fate === 'void') bets.standing(fill.betId, false);
  }

  /** Opens an order of ours or of others, in some state. Returns what ends it. */
  #open(stake: Stake, place: Place): () => void {
    const { risk } = this.#world;
    const order = orderOf(stake, place);
    // Orders of others are taken to have prices of the selection.
    const isUsual = stake.kind === (stake.betType.startsWith('for') ? 'odds-for' : 'lay-for');
    if (isUsual && this.#random.next() < 0.2) {
      const theirs = foreign({
        orderId: orderId(++serial),
        sport: place.sport,
        eventId: place.event,
        betType: order.betType,
        wantPrice: stake.price,
        wantStakeMicros: stake.stakeMicros,
      });
      risk.onForeignOrder(theirs);
      return () => risk.onForeignOrder({ ...theirs, closed: true });
    }
    const ours = live(order, { state: this.#pick(LIVE_STATES) });
    risk.onOrder(ours);
    return () => risk.onOrder({ ...ours, state: 'closed' });
  }

  /** With some probability the opposite of a part of one of these, or of more than it; else any stake. */
  #opposing(probability: number, others: readonly Stake[], kind: World): Stake {
    if (others.length === 0 || this.#random.next() >= probability) return this.#stake(kind);
    const { betType, kind: of, price, stakeMicros } = this.#pick(others);
    const cents = Math.ceil((stakeMicros / 1e4) * this.#pick([0.2, 0.5, 0.9, 1, 1.1, 2]));
    const [direction, opposite] = OPPOSITE[of];
    const name = betType.slice(betType.indexOf(',') + 1);
    return { betType: `${direction},${name}`, kind: opposite, price, stakeMicros: cents * 1e4 };
  }

  #stake(kind: World): Stake {
    const [direction, of] = this.#pick(KINDS_OF_BETS);
    const price = LADDER[integerBetween(this.#random, 0, 200)] as number;
    const stakeMicros = integerBetween(this.#random, 1, 5_000) * 1e4;
    return { betType: `${direction},${this.#pick(NAMES[kind])}`, kind: of, price, stakeMicros };
  }

  #many<T>(most: number, make: () => T): readonly T[] {
    return Array.from({ length: integerBetween(this.#random, 0, most) }, make);
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.next() * values.length)] as T;
  }
}

let serial = 1_000;

const orderOf = ({ betType, kind, price, stakeMicros }: Stake, { event, sport: at }: Place): PlaceOrder =>
  ask({ betType, priceKind: kind, price, stake: stakeMicros / MICROS, event, sport: at });

const balanceOf = (usdt: number): Balance => ({
  balanceMicros: usdt * MICROS,
  openStakeMicros: 0,
  smartCreditMicros: null,
});

/** The same limit for every scope. */
const worstCaseOf = (usdt: number) => ({
  order: { maxStakeUsdt: 1_000, maxLiabilityUsdt: usdt },
  worstCase: {
    selectionUsdt: usdt,
    eventUsdt: usdt,
    competitionUsdt: usdt,
    sportUsdt: usdt,
    dayUsdt: usdt,
    accountUsdt: usdt,
  },
});

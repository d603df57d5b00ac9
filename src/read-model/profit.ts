/**
 * Profit in the words of betting exchanges. Everything is counted for each event and then added up, in whole micros: so the
 * strategies add up to the account. Commission is due on the net winnings of an event.
 */
import type { PositionView } from '../domain/event-view.ts';
import { type EventName, eventKey } from '../domain/events.ts';
import type { EventKey, SelectionId } from '../domain/ids.ts';
import type { Micros } from '../domain/money.ts';
import { closedMicros, type Depth } from './close-now.ts';
import { rounded, usdt } from './usdt.ts';

/** Profit in USDT, after commission. */
export interface ProfitWords {
  /** The results that the exchange reported. */
  readonly settled: number;
  /** `settled` and the least that the open bets pay over the outcomes of their events. */
  readonly locked: number;
  /** `settled` and the worth of the open bets at their fair probabilities. Never below `locked`. */
  readonly expected: number;
  /**
   * `settled` and what closing the open bets would give now. The open bets of an event in `notClosable` are left out; null if that is every
   * event with open bets.
   */
  readonly closeNow: number | null;
  /** Names of the events that cannot be closed now: their prices are stale or hold too little stake. Absent if there is none. */
  readonly notClosable?: readonly string[];
  /** The commission in `settled`. */
  readonly commission: number;
}

export interface ProfitReport {
  /** Everything in the journal: earlier runs, and others' bets on the account, too. */
  readonly run: ProfitWords;
  /** Results of the trading day, and the open bets of all days; null while the day is not counted. */
  readonly today: ProfitWords | null;
  /** In order of precedence; they add up to `run`. */
  readonly byStrategy: readonly (ProfitWords & { readonly name: string })[];
  /** Events with open bets first, then the last settled ones, the newest first. */
  readonly byEvent: readonly ProfitOfEvent[];
  /** Where the profit of settled orders came from, before commission. */
  readonly sources: ProfitSources;
  readonly markouts: readonly MarkoutRatio[];
}

export interface ProfitOfEvent extends ProfitWords {
  /** The exchange's name of the event, or else its id. */
  readonly event: string;
  readonly eventKey: EventKey;
}

export interface ProfitSources {
  /** The worth of the fills at the fair probability of their instant. */
  readonly spread: number;
  /** The change of that worth until the last fair probability; negative when the market went against us. */
  readonly move: number;
  /** The outcomes themselves. */
  readonly settlement: number;
  /** Profit of orders whose fills had no fair probability. */
  readonly unattributed: number;
}

/** The worth of fills some seconds later, as a share of their stake; 0 while no fill could be valued. */
export interface MarkoutRatio {
  readonly horizonS: number;
  readonly fills: number;
  readonly ratio: number;
}

/** The bets of an event, in micros and before commission. */
export interface EventMoney extends EventName {
  /** The strategy to which its profit belongs. */
  readonly owner: string;
  readonly settledMicros: Micros;
  /** Whether any bet is open. */
  readonly isHeld: boolean;
  /** The least that the open bets pay over the outcomes of the event. */
  readonly leastMicros: Micros;
  /** Selections with an open position. */
  readonly selections: readonly SelectionId[];
}

/** The sources of the profit of settled orders, in micros. */
export interface SourcesOfProfit {
  readonly spreadMicros: Micros;
  readonly moveMicros: Micros;
  readonly luckMicros: Micros;
  readonly unattributedMicros: Micros;
}

export interface MarkoutSum {
  readonly horizonS: number;
  readonly fills: number;
  readonly micros: Micros;
  readonly stakeMicros: Micros;
}

/** The results of the trading day, in micros. */
export interface SettledToday {
  /** Before commission. */
  readonly settledMicros: Micros;
  readonly commissionMicros: Micros;
}

/** What the profit is computed from. */
export interface ProfitReadings {
  /** Every event with settled or open bets, in order of their first results. */
  readonly money: readonly EventMoney[];
  /** Names of the strategies that run or own an event, in order of precedence. */
  readonly strategies: readonly string[];
  readonly commissionRate: number;
  readonly position: (id: SelectionId) => PositionView;
  /** The fair probability of a selection; null when not known. */
  readonly fairOf: (id: SelectionId) => number | null;
  readonly depthOf: (id: SelectionId) => Depth;
  readonly nameOf: (event: EventName) => string;
  readonly today: SettledToday | null;
  readonly sources: SourcesOfProfit;
  readonly markouts: readonly MarkoutSum[];
}

/** Amounts in micros, after commission. */
interface Words {
  readonly settled: Micros;
  readonly locked: Micros;
  readonly expected: Micros;
  /** Without the open bets of the events that cannot be closed. */
  readonly closeNow: Micros;
  readonly notClosable: readonly string[];
  /** Of how many events all open bets can be closed. */
  readonly closable: number;
  readonly commission: Micros;
}

const NOTHING: Words = {
  settled: 0,
  locked: 0,
  expected: 0,
  closeNow: 0,
  notClosable: [],
  closable: 0,
  commission: 0,
};

/** Most events without open bets in the status. */
const SETTLED_SHOWN = 50;

export function profitReport(readings: ProfitReadings): ProfitReport {
  const { money, strategies, nameOf, today, sources, markouts } = readings;
  const events = money.map((event) => ({ event, words: wordsOf(event, readings) }));
  const byOwner = new Map<string, Words>(strategies.map((name) => [name, NOTHING]));
  for (const { event, words } of events)
    byOwner.set(event.owner, plus(byOwner.get(event.owner) ?? NOTHING, words));
  const held = events.filter(({ event }) => event.isHeld);
  const settled = events.filter(({ event }) => !event.isHeld).slice(-SETTLED_SHOWN);
  const run = [...byOwner.values()].reduce(plus, NOTHING);
  return {
    run: inUsdt(run),
    today: today === null ? null : inUsdt(wordsOfDay(today, run)),
    byStrategy: Array.from(byOwner, ([name, words]) => ({ name, ...inUsdt(words) })),
    byEvent: [...held, ...settled.toReversed()].map(({ event, words }) => ({
      event: nameOf(event),
      eventKey: eventKey(event),
      ...inUsdt(words),
    })),
    sources: {
      spread: usdt(sources.spreadMicros),
      move: usdt(sources.moveMicros),
      settlement: usdt(sources.luckMicros),
      unattributed: usdt(sources.unattributedMicros),
    },
    markouts: markouts.map(({ horizonS, fills, micros, stakeMicros }) => ({
      horizonS,
      fills,
      ratio: stakeMicros === 0 ? 0 : rounded(micros / stakeMicros),
    })),
  };
}

function wordsOf(event: EventMoney, readings: ProfitReadings): Words {
  const { settledMicros, leastMicros, isHeld } = event;
  const { commissionRate, nameOf } = readings;
  const lockedMicros = settledMicros + leastMicros;
  // Fair probabilities of single selections may contradict each other. No consistent ones are worth less than the least outcome.
  const expectedMicros = settledMicros + Math.max(leastMicros, fairMicros(event, readings));
  const closed = closedOn(event, readings);
  return {
    settled: afterCommission(settledMicros, commissionRate),
    locked: afterCommission(lockedMicros, commissionRate),
    expected: afterCommission(expectedMicros, commissionRate),
    closeNow: afterCommission(settledMicros + (closed ?? 0), commissionRate),
    notClosable: closed === null ? [nameOf(event)] : [],
    closable: isHeld && closed !== null ? 1 : 0,
    commission: commissionOn(settledMicros, commissionRate),
  };
}

/** The day's results in place of all results; the open bets are the same. */
function wordsOfDay({ settledMicros, commissionMicros }: SettledToday, run: Words): Words {
  const settled = settledMicros - commissionMicros;
  const earlier = run.settled - settled;
  return {
    settled,
    locked: run.locked - earlier,
    expected: run.expected - earlier,
    closeNow: run.closeNow - earlier,
    notClosable: run.notClosable,
    closable: run.closable,
    commission: commissionMicros,
  };
}

/** The worth of the open bets; a bet without a fair probability is worth 0. */
function fairMicros({ selections }: EventMoney, { position, fairOf }: ProfitReadings): Micros {
  let micros = 0;
  for (const id of selections) {
    const fair = fairOf(id);
    const { ifWinMicros, ifLoseMicros } = position(id);
    if (fair !== null) micros += fair * ifWinMicros + (1 - fair) * ifLoseMicros;
  }
  return Math.round(micros);
}

function closedOn({ selections }: EventMoney, { position, depthOf }: ProfitReadings): Micros | null {
  let micros = 0;
  for (const id of selections) {
    const closed = closedMicros(position(id), depthOf(id));
    if (closed === null) return null;
    micros += closed;
  }
  return micros;
}

/** Rounded up. A loss costs nothing. */
const commissionOn = (micros: Micros, rate: number): Micros => Math.ceil(rate * Math.max(0, micros));

/** Never falls when the profit rises: so the least outcome stays the least. */
const afterCommission = (micros: Micros, rate: number): Micros => micros - commissionOn(micros, rate);

const plus = (a: Words, b: Words): Words => ({
  settled: a.settled + b.settled,
  locked: a.locked + b.locked,
  expected: a.expected + b.expected,
  closeNow: a.closeNow + b.closeNow,
  notClosable: [...a.notClosable, ...b.notClosable],
  closable: a.closable + b.closable,
  commission: a.commission + b.commission,
});

const inUsdt = (words: Words): ProfitWords => {
  const { settled, locked, expected, closeNow, notClosable, closable, commission } = words;
  const isNothingClosable = notClosable.length > 0 && closable === 0;
  return {
    settled: usdt(settled),
    locked: usdt(locked),
    expected: usdt(expected),
    closeNow: isNothingClosable ? null : usdt(closeNow),
    ...(notClosable.length > 0 && { notClosable }),
    commission: usdt(commission),
  };
};

import type { EventKey, SelectionId } from '../../src/domain/ids.ts';
import type { Score } from '../../src/domain/events.ts';
import type { Direction } from '../../src/domain/selection.ts';
import { LADDER, tickOf } from '../../src/domain/ladder.ts';
import {
  type Level,
  type LiveAlert,
  type LiveEvent,
  type LiveFill,
  type LiveMoney,
  type LivePayoffs,
  type LiveQuote,
  type LiveQuoting,
  type LiveRun,
  type LiveSelection,
  PIECES,
} from '../../src/read-model/live/message.ts';
import { liveEvent } from './live-event.ts';
import { aProfit, aReadiness, aStatus } from './status.ts';

/** What a daemon sends a page at one instant. */
export interface Scene {
  readonly pieces: Readonly<Record<string, unknown>>;
  /** Whether it goes on sending. */
  readonly isAlive: boolean;
}

/** The instant of every scene. */
export const SCENE_AT_MS = Date.UTC(2026, 2, 7, 15, 46, 11);

const MINUTE_MS = 60_000;
/** Names as long as the exchange has them. */
const NAMES = [
  'Lindholm IF v Tallberga FF',
  'Fjellby v Kvarnholmen',
  'S. Hallberg v L. Fontaine',
  'Harbour City Gulls v Westport Comets',
  'Granite Hill Royals v Monsoon Chargers',
  'Meadow Downs, race 4',
];
const COMPETITIONS = [
  'Nordic Superleague',
  'Nordic Superleague',
  'Coastal Open',
  'Continental Basketball League',
  'Twenty20 Shield',
  'Meadow Downs',
];
const SELECTIONS = [
  'Over 2.5',
  'Under 2.5',
  'Kvarnholmen −0.25',
  'Draw',
  'Under 3.5',
  'Over 1.5',
  'Fjellby',
  'Both score',
];

const keyOf = (at: number): EventKey => `fb|2026-03-07,${at},${at + 1}` as EventKey;

/** The price so many ticks above another. */
const above = (price: number, ticks: number): number => LADDER[(tickOf(price) ?? 0) + ticks] ?? price;

function levels(best: number, direction: Direction): readonly Level[] {
  const step = direction === 'for' ? -1 : 1;
  return [245, 27, 1_343, 82, 4].map((stake, at) => [above(best, step * at), stake]);
}

const quoteAt = (direction: Direction, price: number, ahead: number): LiveQuote => ({
  id: `${direction} ${price}`,
  direction,
  price,
  stake: 20,
  unfilled: direction === 'for' ? 19.4 : 102,
  ahead,
  sinceMs: SCENE_AT_MS - 43_000,
  isConfirmed: direction === 'for',
});

interface SelectionChoice {
  readonly event: number;
  readonly at: number;
  readonly isQuoted: boolean;
}

function selectionOf({ event, at, isQuoted }: SelectionChoice): LiveSelection {
  const middle = LADDER[60 + 17 * (at % 8)] ?? 2;
  return {
    id: `${keyOf(event)}|s${at}` as SelectionId,
    name: SELECTIONS[at % SELECTIONS.length] ?? '',
    ifWin: -51.1 + 30 * at,
    ifLose: 42.47 - 9 * at,
    fair: 1 / (middle + 0.004),
    market: { for: levels(above(middle, -2), 'for'), against: levels(above(middle, 2), 'against') },
    quotes: isQuoted
      ? [quoteAt('for', above(middle, 2), 1_270), quoteAt('against', above(middle, -1), 0)]
      : [],
    restriction: null,
    byHand: [],
    missing: isQuoted ? null : 'order.betslip_cap',
  };
}

const fillOf = (at: number): LiveFill => ({
  betId: at as LiveFill['betId'],
  event: NAMES[at % NAMES.length] ?? '',
  eventKey: keyOf(at % NAMES.length),
  selectionId: `${keyOf(at % NAMES.length)}|s${at % 8}` as SelectionId,
  name: SELECTIONS[at % 8] ?? '',
  direction: at % 3 === 0 ? 'for' : 'against',
  price: LADDER[61 + 17 * (at % 8)] ?? 2,
  stake: 19.87 + at,
  role: 'maker',
  atMs: SCENE_AT_MS - 7_000 * at,
  strategy: 'symmetric',
  markout10: at < 2 ? null : (at % 5) / 20 - 0.12,
});

const payoffs = ([homeNow, awayNow]: Score): LivePayoffs => ({
  cells: Array.from({ length: 20 }, (_, home) =>
    Array.from({ length: 20 }, (_row, away) =>
      home < homeNow || away < awayNow ? null : 147 - 37 * home + (away > home ? -91 : 12 * away),
    ),
  ),
  besides: -19.6,
});

const PROFIT = { ...aProfit().run, settled: -1_204.5, expected: 613.42, closeNow: 588.1 };

const eventOf = (at: number, over: Partial<LiveEvent>): LiveEvent =>
  liveEvent(keyOf(at), {
    name: NAMES[at % NAMES.length] ?? '',
    competition: COMPETITIONS[at % COMPETITIONS.length] ?? '',
    startMs: SCENE_AT_MS + 9 * at * MINUTE_MS,
    owner: 'symmetric',
    selections: 8,
    wanted: 8,
    met: at % 2 === 0 ? 8 : 3,
    waits: at % 2 === 0 ? null : 'wait for betslips',
    ordersOpen: 16 - at,
    openStake: 224.28,
    worst: -1_133.74 + 200 * at,
    profit: at > 3 ? null : PROFIT,
    ...over,
  });

const run = (over: Partial<LiveRun>): LiveRun => {
  const { mode, state, version, runId, strategy, stream, stopping, blocked, strategiesOff } = aStatus();
  return {
    mode,
    state,
    version,
    runId,
    strategy,
    stream,
    stopping,
    blocked,
    strategiesOff,
    startedMs: SCENE_AT_MS - 60 * MINUTE_MS,
    heartbeatS: 30,
    heartbeatUntilMs: SCENE_AT_MS + 25_000,
    trading: { state: 'active', by: null, why: null, sinceMs: null, kept: 'over restarts' },
    ...over,
  };
};

const money = (): LiveMoney => ({
  run: PROFIT,
  today: PROFIT,
  withoutFair: 0,
  markouts: aProfit().markouts,
  sources: aProfit().sources,
  account: { balance: 10_431.07, openStake: 812 },
  turnover: 20_000,
  commissionRate: 0.02,
  limits: [{ name: 'worstCase.accountUsdt', use: 1_390.4, limit: 9_000, unit: 'usdt' }],
  reconciliation: null,
});

const quoting = (over: Partial<LiveQuoting>): LiveQuoting => ({
  wanted: 40,
  quoted: 33,
  twoSided: 30,
  readiness: aReadiness({ wanted: 40, quoted: 38 }),
  notQuotingSinceMs: null,
  ordersOpen: 66,
  openStake: 1_224.28,
  unknownSinceMs: null,
  ordersPlaced: 4_021,
  ordersRefused: 2,
  fills: 107,
  budgets: { ordersNow: 4, betslipsNow: 8, betslipsToday: 1_929 },
  betslipCap: { open: 80, isLearned: true, carries: 40 },
  ...over,
});

interface Cast {
  readonly events?: number;
  readonly quotedOn?: number;
  readonly event?: Partial<LiveEvent>;
  readonly run?: Partial<LiveRun>;
  readonly quoting?: Partial<LiveQuoting>;
  readonly fills?: number;
  readonly alerts?: readonly LiveAlert[];
  /** Whether a person quotes on the selections, too. */
  readonly isByHand?: boolean;
}

function sceneOf(all: Cast): Scene {
  const { events = 6, quotedOn = 8, event = {}, fills = 20, alerts = [], isByHand = false, ...cast } = all;
  const named = new Map<string, unknown>([
    [PIECES.run, run(cast.run ?? {})],
    [PIECES.money, money()],
    [PIECES.quoting, quoting(cast.quoting ?? {})],
    [PIECES.strategies, { strategies: [] }],
    [PIECES.alerts, alerts],
  ]);
  for (let at = 0; at < events; at++) named.set(PIECES.event(keyOf(at)), eventOf(at, at === 1 ? event : {}));
  for (let at = 0; at < (events === 0 ? 0 : 8); at++) {
    const selection = selectionOf({ event: 1, at, isQuoted: at < quotedOn });
    named.set(PIECES.selection(selection.id), isByHand ? withHandQuotes(selection) : selection);
  }
  if (events > 0) named.set(PIECES.payoffs(keyOf(1)), payoffs(event.score ?? [0, 0]));
  for (let at = 0; at < fills; at++) named.set(PIECES.fill(at), fillOf(at));
  return { pieces: Object.fromEntries(named), isAlive: true };
}

const BY_HAND = {
  by: 'dashboard (control token, 127.0.0.1)',
  why: 'pressed on the dashboard',
  sinceMs: SCENE_AT_MS - 90_000,
};

/** The stakes and the prices of the event are adjusted. */
const ADJUSTED: Partial<LiveEvent> = {
  adjustments: [
    { what: 'stake', amount: 0.25, ...BY_HAND, untilMs: SCENE_AT_MS + 14 * MINUTE_MS },
    { what: 'widen', amount: 12, ...BY_HAND, untilMs: null },
  ],
};

/** The selection with two quotes of a person: one rests beside that of the strategy, one waits. */
function withHandQuotes(selection: LiveSelection): LiveSelection {
  const quote = selection.quotes[0];
  if (quote === undefined) return selection;
  const { direction, price } = quote;
  const wish = { direction, stake: 120, filled: 1.2, by: BY_HAND.by, why: BY_HAND.why, untilMs: null };
  return {
    ...selection,
    quotes: [...selection.quotes, { ...quote, id: 'hand', byHand: 'rests' }],
    byHand: [
      { ...wish, id: 'rests', price },
      { ...wish, id: 'waits', price: above(price, 1) },
    ],
  };
}

const IN_PLAY: Partial<LiveEvent> = {
  inRunning: true,
  clock: { period: '2h', minutes: 45 },
  score: [10, 11],
  scoreSinceMs: SCENE_AT_MS - 40_000,
  redCards: [0, 1],
  ordersOpen: 60,
};

const STOPPED = {
  kept: 'over restarts' as const,
  by: 'dashboard (control token, 127.0.0.1)',
  why: 'the feed looked wrong',
  sinceMs: SCENE_AT_MS - 30_000,
};
/** As a notification tells it: see `src/notify/troubles.ts`. */
const KILLED: LiveAlert = {
  kind: 'killed',
  severity: 'page',
  title: 'Killed',
  text: `Everything is stopped and closed: ${STOPPED.why}. Only a person resumes: touchline resume --reason "…".`,
  seenBy: null,
};
const HEARTBEAT_LOST: LiveAlert = {
  kind: 'heartbeat_lost',
  severity: 'warning',
  title: 'Heartbeat lost',
  text: 'The exchange closes our orders. Nothing is placed until a new heartbeat is proven.',
  seenBy: 'anna',
};
const NONE_OPEN = {
  ordersOpen: 0,
  openStake: 0,
  quoted: 0,
  readiness: aReadiness({ wanted: 40, isShort: true }),
};

/** The states in which a page must look right. The event that is shown is the second one. */
export const SCENES = {
  busy: sceneOf({ event: { ordersOpen: 60 } }),
  'in play': sceneOf({ event: { ...IN_PLAY, ...ADJUSTED, suspended: true }, isByHand: true }),
  killed: sceneOf({
    quotedOn: 0,
    event: IN_PLAY,
    run: { state: 'blocked', blocked: 'killed', trading: { state: 'killed', ...STOPPED } },
    quoting: NONE_OPEN,
    alerts: [KILLED, HEARTBEAT_LOST],
  }),
  stale: { ...sceneOf({ event: IN_PLAY }), isAlive: false },
  paused: sceneOf({
    quotedOn: 0,
    event: IN_PLAY,
    run: { trading: { state: 'halted', ...STOPPED } },
    quoting: NONE_OPEN,
  }),
  empty: sceneOf({ events: 0, fills: 0, quoting: { ...NONE_OPEN, wanted: 0, readiness: aReadiness() } }),
  'forty events': sceneOf({ events: 40, quotedOn: 3, event: IN_PLAY }),
} as const satisfies Readonly<Record<string, Scene>>;

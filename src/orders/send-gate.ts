import { isSameScore, type Score } from '../domain/events.ts';
import { EXCHANGE_MODES, type ExchangeMode, RESTING_MODES } from '../domain/orders.ts';
import type { PriceList } from '../domain/price-list.ts';
import { type AccountContext, type GateContext, provesEnough } from './gate-context.ts';
import type { WaitSource } from './plan/waits.ts';
import { wouldCross, wouldTake } from './would-match.ts';

/*
 * Every check that an order must pass, in the order of judging: the first row that refuses decides. The
 * placer walks the rows at four moments. A new check is a new row.
 *
 * A check is a pure function of its context. It reads no clock: the instant of the walk is a field of the
 * context. Reading a fact changes nothing: to ask for a betslip, or for an approval, is a step of its own between the moments.
 */

/**
 * The moments of judging an order.
 * - `early`: before a betslip is spent.
 * - `approve`: with its betslip, just before risk is asked to approve it.
 * - `connected`: after waiting for a connection.
 * - `send`: the last instant before its first byte.
 */
export const MOMENTS = ['early', 'approve', 'connected', 'send'] as const;

export type Moment = (typeof MOMENTS)[number];

/** The stage of `touchline why` under which a reason is shown. */
type ReasonStage = 'orders' | 'budget' | 'risk';

/** A reason not to send an order. Each code is defined in exactly one place. */
export interface Reason<Code extends string = string> {
  readonly code: Code;
  /** The reason in words, for people. */
  readonly text: string;
  readonly stage: ReasonStage;
  /** What ends the wait of a quote that is blocked for this reason. It is judged again then, and not before. */
  readonly waitsFor: readonly WaitSource[];
}

/** Orders of takes, and those on football in play. */
type Subject = 'takes' | 'in play';

/** A row of the gate. */
export interface Check<Code extends string = string, Context = GateContext> extends Reason<Code> {
  readonly moments: readonly Moment[];
  /** The exchange modes of the orders that the check judges. */
  readonly modes: readonly ExchangeMode[];
  /** The orders that it judges alone. Default: all. */
  readonly only?: Subject;
  readonly refuses: (context: Context) => boolean;
  /** Free text that follows the code. */
  readonly detail?: (context: Context) => string | null;
}

/** The mode of takes. */
const TAKING: readonly ExchangeMode[] = ['take_only'];

const EARLY: readonly Moment[] = ['early'];
const APPROVING: readonly Moment[] = ['approve'];
const SENDING: readonly Moment[] = ['connected', 'send'];
const WITH_BETSLIP: readonly Moment[] = ['approve', ...SENDING];

const reason = <C extends string>(
  code: C,
  text: string,
  waitsFor: readonly WaitSource[],
  stage: ReasonStage = 'orders',
): Reason<C> => ({ code, text, stage, waitsFor });

const halt = <C extends string>(code: C, text: string): Check<C, AccountContext> => ({
  ...reason(code, text, ['halt']),
  moments: MOMENTS,
  modes: EXCHANGE_MODES,
  refuses: ({ halts }) => halts.has(code),
  detail: ({ halts }) => halts.get(code) ?? null,
});

/**
 * First the halts that last until a person acts or restarts the daemon, a kill before all else. Then the
 * halts that end by themselves.
 */
const HALTS = [
  halt('stopped', 'the daemon was killed or is stopping'),
  halt('latched', 'the order manager has latched itself off'),
  halt('invariant_broken', 'a bug in the program: it closes its orders and exits'),
  halt('journal_failed', 'the journal cannot be written or read'),
  halt('draining', 'the daemon closes its orders before it exits'),
  halt('key_refused', 'the exchange refuses the key: orders are closed, and the heartbeat is left to expire'),
  halt('kill_unfinished', 'a kill has not closed everything in time'),
  halt('engine_hangs', 'the engine makes no progress'),
  halt('not_started', 'the daemon is connecting and recovering'),
  halt('another_installation', 'another installation, or a copy of this journal, trades the account'),
  halt('heartbeat_of_another_process', 'another program keeps a heartbeat on the account'),
  halt('stream_not_synced', 'the stream is not in sync yet'),
  halt('stream_closed', 'the stream is closed'),
  halt('stream_distrusted', 'the stream brought more than could be handled'),
  halt('resync_under_way', 'the daemon is looking at the account anew'),
  halt(
    'recovering_from_close_out',
    'everything was closed without our asking: a pause until a heartbeat is armed',
  ),
  halt('order_closed_by_others', 'an order was closed without our asking: the daemon checks its heartbeat'),
  halt('watching_the_account', 'the daemon looks for other processes on the account'),
  halt('heartbeat_of_an_earlier_run', 'a heartbeat of an earlier run is being deleted'),
  halt('convention_unproven', 'whether against prices are odds or lay prices is not proven'),
] as const;

export type HaltCode = (typeof HALTS)[number]['code'];

/** The checks of the account, which concern every order. */
const ACCOUNT = [
  ...HALTS,
  {
    ...reason('heartbeat', 'our heartbeat is not proven to last long enough', ['heartbeat']),
    moments: MOMENTS,
    modes: EXCHANGE_MODES,
    refuses: ({ nowMonotonicMs, heartbeat }: AccountContext) => !provesEnough(heartbeat, nowMonotonicMs),
  },
] as const;

const inWords = (score: Score | null): string => score?.join('-') ?? 'not known';

/** Checks whether the order is still wanted and may be begun now. */
const ORDER = [
  {
    ...reason('known_by_now', 'the outcome of the first request is known by now', ['order']),
    moments: SENDING,
    modes: EXCHANGE_MODES,
    refuses: ({ repeats }: GateContext) => repeats !== null && repeats !== 'unknown',
  },
  {
    ...reason('not_wanted', 'the quote is no longer wanted', ['target']),
    moments: SENDING,
    modes: EXCHANGE_MODES,
    refuses: ({ isWanted }: GateContext) => !isWanted,
  },
  {
    ...reason('score_unknown', 'the event is in play, and its score is not known', ['prices']),
    moments: MOMENTS,
    modes: EXCHANGE_MODES,
    only: 'in play' as const,
    refuses: ({ play }: GateContext) => play?.known === null,
  },
  {
    ...reason('score_changed', 'the score is not the one of the view that decided the order', ['prices']),
    moments: MOMENTS,
    modes: EXCHANGE_MODES,
    only: 'in play' as const,
    refuses: ({ play = null }: GateContext) => play !== null && !isSameScore(play.asserted, play.known),
    detail: ({ play = null }: GateContext) =>
      play === null ? null : `${inWords(play.asserted)}, now ${inWords(play.known)}`,
  },
  {
    ...reason('take_spent', 'the take has had its order: an id is good for one', ['target']),
    moments: MOMENTS,
    // An offer of a hedge rests, and has an id all the same.
    modes: EXCHANGE_MODES,
    only: 'takes' as const,
    refuses: ({ take }: GateContext) => take === 'spent',
  },
  {
    ...reason('take_waits', 'the last take on the selection must end, and be seen by the strategy, first', [
      'order',
      'prices',
    ]),
    moments: MOMENTS,
    modes: TAKING,
    only: 'takes' as const,
    refuses: ({ take }: GateContext) => take === 'waits',
  },
  {
    ...reason(
      'first_fill_unchecked',
      'what a bet at such a price pays is not confirmed by the exchange yet',
      ['halt'],
    ),
    moments: MOMENTS,
    modes: EXCHANGE_MODES,
    refuses: ({ firstFill }: GateContext) => firstFill !== undefined && firstFill !== null,
    detail: ({ firstFill }: GateContext) => firstFill ?? null,
  },
  {
    ...reason('stake_too_small', 'the stake is less than the exchange takes', ['target']),
    moments: EARLY,
    modes: EXCHANGE_MODES,
    refuses: ({ order, limits }: GateContext) => order.stakeMicros < limits.minStakeMicros,
  },
  {
    ...reason(
      'backing_off',
      'the last order was refused, not sent, took, or ended at once: the quote pauses',
      ['time', 'order'],
    ),
    moments: EARLY,
    modes: EXCHANGE_MODES,
    refuses: ({ nowMonotonicMs, pausedUntilMs }: GateContext) => nowMonotonicMs < pausedUntilMs,
  },
  {
    ...reason('in_flight_limit', 'too many orders are being created at once', ['creates'], 'budget'),
    moments: EARLY,
    modes: EXCHANGE_MODES,
    refuses: ({ inFlight, limits }: GateContext) => inFlight >= limits.maxInFlight,
  },
  {
    ...reason(
      'strategy_turn',
      'its strategy has its share of the orders: others go first',
      ['creates', 'time'],
      'budget',
    ),
    moments: EARLY,
    modes: EXCHANGE_MODES,
    refuses: ({ yields }: GateContext) => yields,
  },
  {
    ...reason('no_market', 'the exchange has not named a market with such prices', ['prices']),
    moments: MOMENTS,
    modes: EXCHANGE_MODES,
    refuses: ({ hasMarket }: GateContext) => !hasMarket,
  },
] as const;

/**
 * Risk is asked early, before a betslip is spent, and again at the sending moments. The approval itself follows the gate. A refused
 * quote pauses: limits, exposure and guards change with almost every event, and some of them with time.
 */
const RISK = {
  ...reason('risk', 'risk refuses the order', ['time', 'order'], 'risk'),
  modes: EXCHANGE_MODES,
  detail: ({ risk }: GateContext) => risk.code ?? 'refused',
};

const FORESEEN_RISK = {
  ...RISK,
  moments: EARLY,
  refuses: ({ foresight, risk }: GateContext) => foresight !== 'none' && risk.isRefused,
};

const betslip = <C extends string>(code: C, text: string, stage?: ReasonStage): Check<C> => ({
  ...reason(code, text, ['betslip'], stage),
  moments: WITH_BETSLIP,
  modes: EXCHANGE_MODES,
  refuses: (context) => !context.betslip.ok && context.betslip.code === code,
});

/** The betslip of the market, or the plan of betslips, refuses with one of these codes. */
const BETSLIP = [
  betslip('betslip_creating', 'the betslip is being created or deleted'),
  betslip('quote_pending', 'the betslip has no private quote yet'),
  betslip('quote_stale', "the betslip's private quote is too old"),
  betslip('betslip_cap', 'no place is free under the cap of open betslips', 'budget'),
  betslip('betslip_budget', "the day's betslips are used up but for the reserve", 'budget'),
  betslip('betslip_pace', "the day's betslips are spread over the day", 'budget'),
  betslip('betslip_turn', 'other markets that wait are worth more, or have waited longer', 'budget'),
  betslip('betslip_refused', 'a betslip of this market was of no use, or none can be created: a pause'),
] as const;

export type BetslipCode = (typeof BETSLIP)[number]['code'];

export const isBetslipCode = (code: WaitCode): code is BetslipCode =>
  BETSLIP.some((check) => check.code === code);

/** Checks of the betslip's market: its prices are fresh, and the order would not match at once. */
const PRICES = [
  {
    ...reason('betslip_replaced', 'the betslip of the order is not the one that is open', ['betslip']),
    moments: SENDING,
    modes: EXCHANGE_MODES,
    refuses: ({ betslip: found, namedBetslip }: GateContext) => found.ok && found.betslip.id !== namedBetslip,
  },
  {
    ...reason('market_stale', 'no fresh prices are known that the order could take', ['prices']),
    moments: WITH_BETSLIP,
    modes: RESTING_MODES,
    refuses: ({ market }: GateContext) => market === null,
  },
  {
    ...reason('would_take', 'the order would come too near to prices that it could take', [
      'prices',
      'betslip',
    ]),
    moments: MOMENTS,
    modes: RESTING_MODES,
    refuses: (context: GateContext) =>
      context.foresight === 'all' &&
      pricesOf(context).some((list) => wouldTake(context.order, context.limits.postOnlyMarginTicks, list)),
  },
  {
    ...reason('would_cross_own', 'the order would match one of our own orders', ['order']),
    moments: MOMENTS,
    modes: EXCHANGE_MODES,
    refuses: ({ foresight, order, own }: GateContext) => foresight === 'all' && wouldCross(order, own),
  },
] as const;

/** All known prices: the market's, the betslip's fresh private quote, and the public offers if they are younger. */
const pricesOf = ({ market, offers, betslip: found }: GateContext): readonly PriceList[] => [
  market ?? [],
  found.ok ? found.betslip.quote : [],
  offers ?? [],
];

/** The last checks, before the approval and after it. */
const LAST = [
  {
    ...reason('slow_after_close_out', 'quotes come back one by one after a close-out', ['time']),
    moments: APPROVING,
    modes: EXCHANGE_MODES,
    refuses: ({ nowMonotonicMs, admittedFromMs }: GateContext) => nowMonotonicMs < admittedFromMs,
  },
  { ...RISK, moments: SENDING, refuses: ({ risk }: GateContext) => risk.isRefused },
] as const;

/** Every check, in the order of judging. */
export const SEND_GATE: readonly Check<GateCode>[] = [
  ...ACCOUNT,
  ...ORDER,
  FORESEEN_RISK,
  ...BETSLIP,
  ...PRICES,
  ...LAST,
];

/** Reasons from planning, before the gate: an open order of ours keeps its quote from getting another. */
const PLANNING = [
  reason('outcome_unknown', 'the outcome of the earlier order is not known yet', ['order']),
  reason('replacing', 'older orders of the quote are still open', ['order']),
] as const;

type GateCode = (
  | typeof ACCOUNT
  | typeof ORDER
  | typeof BETSLIP
  | typeof PRICES
  | typeof LAST
)[number]['code'];

/** The code of the reason why a wanted quote has no order now. */
export type WaitCode = GateCode | (typeof PLANNING)[number]['code'];

type Rows = Readonly<Record<ExchangeMode, Readonly<Record<Moment, readonly Check<GateCode>[]>>>>;

const rowsOf = (mode: ExchangeMode, moment: Moment): readonly Check<GateCode>[] =>
  SEND_GATE.filter(({ modes, moments }) => modes.includes(mode) && moments.includes(moment));

/** The checks of each mode and moment. They are selected once, since waiting quotes are judged many times a second. */
const ROWS = Object.fromEntries(
  EXCHANGE_MODES.map((mode) => [
    mode,
    Object.fromEntries(MOMENTS.map((moment) => [moment, rowsOf(mode, moment)])),
  ]),
) as Rows;

/** Every reason by its code. */
export const REASONS = Object.fromEntries(
  [...SEND_GATE, ...PLANNING].map((each) => [each.code, each]),
) as Readonly<Record<WaitCode, Reason<WaitCode>>>;

export interface Obstacle {
  readonly code: WaitCode;
  /** Free text in addition to the code. */
  readonly detail: string | null;
}

/** Returns why no order may be sent now; null when orders may be sent. */
export const accountObstacle = (context: AccountContext): Obstacle | null =>
  firstOf(ACCOUNT, context, NO_SUBJECTS);

/** Returns why the order must not pass the moment; null when it may pass. */
export function obstacleAt(moment: Moment, context: GateContext): Obstacle | null {
  const { mode, take = null, play = null } = context;
  return firstOf(ROWS[mode][moment], context, { takes: take !== null, 'in play': play !== null });
}

function firstOf<Context>(
  checks: readonly Check<WaitCode, Context>[],
  context: Context,
  subjects: Readonly<Record<Subject, boolean>>,
): Obstacle | null {
  for (const { code, refuses, detail, only } of checks)
    if ((only === undefined || subjects[only]) && refuses(context))
      return { code, detail: detail?.(context) ?? null };
  return null;
}

const NO_SUBJECTS: Readonly<Record<Subject, boolean>> = { takes: false, 'in play': false };

export const blockedBy = (code: WaitCode, detail: string | null = null): Obstacle => ({ code, detail });

/** The obstacle as its code, for machines. */
export const reasonCode = ({ code, detail }: Obstacle): string =>
  detail === null ? code : `${code}: ${detail}`;

/** The obstacle in words, for people. */
export function reasonInWords({ code, detail }: Obstacle): string {
  const { text } = REASONS[code];
  return detail === null ? text : `${text}: ${detail}`;
}

import type { AccountChange, AccountEvent, OrderChange } from '../account/changes.ts';
import type { BetId, OrderId } from '../domain/ids.ts';
import type { Fill, LiveOrder } from '../domain/live-order.ts';
import type { Balance, VenueOrder } from '../domain/orders.ts';
import type { OrderResult } from '../domain/settlement.ts';
import type { Moment } from '../lib/time.ts';
import type { Input } from './input.ts';

/**
 * What earlier formats hold instead of inputs: orders and fills as strategies and market saw them, and calls on the objects that
 * decide.
 */
export type OldInput = Moment &
  (
    | { readonly kind: 'own_order'; readonly change: Omit<OrderChange, 'kind'> }
    | { readonly kind: 'fill'; readonly fill: Fill }
    | ({ readonly kind: 'call' } & OldCall)
  );

/** A call on an object that decides. */
export interface OldCall {
  readonly on: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

/** What an old call means now. */
export interface Meaning {
  readonly input: Input;
  /** Wall-clock instant, if it is not that of the call. */
  readonly atMs?: number;
}

export const bookedOf = (fill: Fill): AccountChange => ({
  ...{ kind: 'booked', fill, state: 'matched', isRecorded: false },
});

type Args = readonly unknown[];

/** The members of an input, in the order of the arguments of the call that it was. */
const NAMED: Readonly<Record<string, readonly [kind: Input['kind'], ...members: readonly string[]]>> = {
  'prices.take': ['prices', 'prices'],
  'risk.approve': ['approve', 'order'],
  'risk.precheck': ['precheck', 'order'],
  'risk.recheck': ['recheck', 'order'],
  'risk.setLimits': ['limits', 'limits', 'ofStrategies'],
  'risk.onEventOver': ['event_over', 'event'],
  'risk.onProfitLoss': ['profit', 'of', 'totalMicros'],
  'risk.onPosition': ['position', 'position'],
  'risk.tick': ['second'],
  'risk.setGrid': ['grid', 'betType', 'grid', 'sport'],
  'risk.setState': ['state', 'scope', 'state', 'by', 'why'],
  'risk.pause': ['pause', 'by', 'why'],
  'risk.latchStrategy': ['latch_strategy', 'strategy', 'by', 'why'],
  'risk.kill': ['kill', 'why', 'by'],
  'risk.explainKill': ['explain_kill', 'killed', 'why', 'by'],
  'risk.resume': ['resume', 'why', 'by'],
  'risk.restore': ['restored_risk', 'snapshot'],
  'guards.onEvent': ['event_seen', 'sighting'],
  'guards.onSelection': ['selection_seen', 'sighting'],
  'guards.onFeedCleared': ['feed_cleared'],
  'guards.onOrderOutcome': ['order_outcome', 'outcome'],
  'guards.onClockOffset': ['clock_offset', 'offsetMs'],
  'guards.onLoopLag': ['loop_lag', 'lagMs'],
  'strategies.setParameters': ['parameters', 'strategy', 'parameters'],
  'strategies.setRules': ['rules', 'strategy', 'rules'],
  'strategies.fire': ['timer', 'timer'],
  'strategies.restore': ['restored_sessions', 'sessions'],
  'account.apply': ['account', 'event'],
};

/** Calls that became more than a change of name. */
const OTHERS: Readonly<Record<string, (args: Args) => Meaning | null>> = {
  'prices.noteLay': ([betslip]) => lay(betslip, true),
  'prices.forgetLay': ([betslip]) => lay(betslip, false),
  'risk.setNoGrid': ([betType, sport]) => ({
    input: { kind: 'grid', betType, sport, grid: null } as Input,
  }),
  'ledger.onFill': ([fill, atMs]) => ({
    ...news({ kind: 'bet', fill: fill as Fill }),
    ...(typeof atMs === 'number' && { atMs }),
  }),
  'ledger.settle': ([result]) => news(resultEvent(result as OrderResult, false, false)),
  'ledger.restore': ([result, hasBets]) => news(resultEvent(result as OrderResult, hasBets === true, true)),
  'ledger.reopen': ([orderId]) => news({ kind: 'reopened', orderId: orderId as OrderId, isRecorded: true }),
  'ledger.setBetValidity': standing,
  'risk.onBetValidity': standing,
  'risk.onOrder': ([order]) => news({ kind: 'order', order: order as LiveOrder, before: null }),
  'risk.onForeignOrder': ([order]) => news({ kind: 'foreign_order', order: order as VenueOrder }),
  'risk.onBalance': ([balance]) => news({ kind: 'balance', balance: balance as Balance }),
  'risk.onDoubt': ([betId, isUnmatched]) =>
    news({ kind: 'doubt', betId: betId as BetId, isUnmatched: isUnmatched === true }),
  'risk.onSettled': ([event, betIds]) =>
    betIds === undefined ? { input: { kind: 'event_over', event } as Input } : null,
};

/**
 * Returns what a call of an earlier format means. Null: nothing of its own. Either another input tells the same, or the call changed
 * no decision: reads of prices, and notes for people.
 */
export function meaningOf({ on, method, args }: OldCall): Meaning | null {
  const name = `${on}.${method}`;
  const [kind, ...members] = NAMED[name] ?? [];
  if (kind === undefined) return OTHERS[name]?.(args) ?? null;
  return { input: { kind, ...Object.fromEntries(members.map((member, at) => [member, args[at]])) } as Input };
}

const news = (event: AccountEvent): Meaning => ({ input: { kind: 'account', event } });

const lay = (betslip: unknown, isOpen: boolean): Meaning => ({
  input: { kind: 'lay_betslip', betslip, isOpen } as Input,
});

function standing([betId, stands]: Args): Meaning {
  return news({ kind: 'standing', betId: betId as BetId, stands: stands === true });
}

const resultEvent = (result: OrderResult, hasBets: boolean, isRecorded: boolean): AccountEvent => ({
  ...{ kind: 'result', result, isTakenBack: false, hasBets, isRecorded, atMs: 0 },
});

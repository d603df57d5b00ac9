import type { AccountChange, AccountEvent, OrderChange } from '../account/changes.ts';
import type { EventName } from '../domain/events.ts';
import type { BetId, OrderId } from '../domain/ids.ts';
import type { Fill } from '../domain/live-order.ts';
import type { OrderResult } from '../domain/settlement.ts';
import type { Moment } from '../lib/time.ts';
import type { DeciderCall } from './calls.ts';

/** What a call of an earlier format means now: an event of the account, the end of an event, or nothing of its own. */
export type OldCall = OldNews | { readonly over: EventName } | 'told twice';

export interface OldNews {
  readonly account: AccountEvent;
  /** Wall-clock instant, if it is not that of the call. */
  readonly atMs?: number;
}

/** How earlier formats showed orders and fills to strategies and market. Risk and ledger had calls of their own. */
export type OldInput = Moment &
  (
    | { readonly kind: 'own_order'; readonly change: Omit<OrderChange, 'kind'> }
    | { readonly kind: 'fill'; readonly fill: Fill }
  );

export const bookedOf = (fill: Fill): AccountChange => ({
  ...{ kind: 'booked', fill, state: 'matched', isRecorded: false },
});

const OLD: Readonly<Record<string, (args: readonly unknown[]) => OldCall>> = {
  'ledger.onFill': ([fill, atMs]) => ({
    account: { kind: 'bet', fill: fill as Fill },
    ...(typeof atMs === 'number' && { atMs }),
  }),
  'ledger.settle': ([result]) => ({ account: resultEvent(result as OrderResult, false, false) }),
  'ledger.restore': ([result, hasBets]) => ({
    account: resultEvent(result as OrderResult, hasBets === true, true),
  }),
  'ledger.reopen': ([orderId]) => ({
    account: { kind: 'reopened', orderId: orderId as OrderId, isRecorded: true },
  }),
  'ledger.setBetValidity': standing,
  'risk.onBetValidity': standing,
  'risk.onDoubt': ([betId, isUnmatched]) => ({
    account: { kind: 'doubt', betId: betId as BetId, isUnmatched: isUnmatched === true },
  }),
  'risk.onSettled': ([event, betIds]) => (betIds === undefined ? { over: event as EventName } : 'told twice'),
  'account.apply': ([event]) => ({ account: event as AccountEvent }),
  'risk.onReopened': () => 'told twice',
  'risk.onFill': () => 'told twice',
};

/**
 * Recordings of before the account had bets of its own hold each report twice, as calls on ledger and on risk. Returns null for a call
 * that means what it says.
 */
export function oldCall({
  on,
  method,
  args,
}: Omit<DeciderCall, 'on'> & { readonly on: string }): OldCall | null {
  return OLD[`${on}.${method}`]?.(args) ?? null;
}

function standing([betId, stands]: readonly unknown[]): OldCall {
  return { account: { kind: 'standing', betId: betId as BetId, stands: stands === true } };
}

const resultEvent = (result: OrderResult, hasBets: boolean, isRecorded: boolean): AccountEvent => ({
  ...{ kind: 'result', result, isTakenBack: false, hasBets, isRecorded, atMs: 0 },
});

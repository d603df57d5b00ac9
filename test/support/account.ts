import { Account } from '../../src/account/account.ts';
import type { AccountChange, AccountProjection } from '../../src/account/changes.ts';
import { type BetEvent, type BetState, betVerdictOf } from '../../src/domain/bet-lifecycle.ts';
import type { BetId, OrderId } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { OrderResult } from '../../src/domain/settlement.ts';

/** Tells a projection about single bets, by the table, whatever their orders are. */
export class SingleBets {
  readonly #projection: AccountProjection;
  readonly #bets = new Map<BetId, { readonly fill: Fill | null; readonly state: BetState }>();

  constructor(projection: AccountProjection) {
    this.#projection = projection;
  }

  report(fill: Fill): void {
    const held = this.#bets.get(fill.betId);
    if (held !== undefined && held.fill !== null) return;
    const state = this.#next(held?.state ?? 'unseen', 'reported');
    this.#bets.set(fill.betId, { fill, state });
    this.#tell({ kind: 'booked', fill, state, isRecorded: false });
  }

  settle(betIds: readonly BetId[]): void {
    for (const betId of betIds) this.#move(betId, 'settled');
  }

  reopen(betIds: readonly BetId[]): void {
    for (const betId of betIds) this.#move(betId, 'reopened');
  }

  standing(betId: BetId, stands: boolean): void {
    this.#move(betId, stands ? 'reinstated' : 'voided');
  }

  doubt(betId: BetId, isUnmatched: boolean): void {
    this.#move(betId, isUnmatched ? 'doubted' : 'affirmed');
  }

  #move(betId: BetId, event: BetEvent): void {
    const { fill, state: from } = this.#bets.get(betId) ?? { fill: null, state: 'unseen' as const };
    const to = this.#next(from, event);
    this.#bets.set(betId, { fill, state: to });
    if (fill !== null && from !== to) this.#tell({ kind: 'moved', fill, from, to });
  }

  #next(state: BetState, event: BetEvent): BetState {
    const verdict = betVerdictOf(state, event);
    if (verdict.kind === 'illegal') throw new Error(`${state} ${event}: ${verdict.reason}`);
    return verdict.kind === 'move' ? verdict.to : state;
  }

  #tell(change: AccountChange): void {
    this.#projection.onChange(change, 0);
  }
}

const singles = new WeakMap<AccountProjection, SingleBets>();

/** The single bets of a projection. */
export function betsOf(projection: AccountProjection): SingleBets {
  const bets = singles.get(projection) ?? new SingleBets(projection);
  singles.set(projection, bets);
  return bets;
}

const accounts = new WeakMap<AccountProjection, { readonly account: Account; nowMs: number }>();

/** The account that a projection follows. */
function accountOf(projection: AccountProjection, nowMs = 0): Account {
  const known = accounts.get(projection);
  if (known !== undefined) return Object.assign(known, { nowMs }).account;
  const created: { readonly account: Account; nowMs: number } = {
    account: new Account([projection], { wallMs: () => created.nowMs }),
    nowMs,
  };
  accounts.set(projection, created);
  return created.account;
}

/** An account that nobody follows. */
export const silentAccount = (): Account => new Account([], { wallMs: () => 0 });

/** Reports a bet; returns whether it is new. */
export const report = (to: AccountProjection, fill: Fill, nowMs = fill.atMs): boolean =>
  accountOf(to, nowMs).apply({ kind: 'bet', fill }).length > 0;

/** Settles an order; returns the bets that its result settles. */
export function settle(to: AccountProjection, result: OrderResult): readonly Fill[] {
  const event = {
    kind: 'result',
    result,
    isTakenBack: false,
    hasBets: false,
    isRecorded: false,
    atMs: 0,
  } as const;
  return accountOf(to)
    .apply(event)
    .flatMap((change) => (change.kind === 'result' ? change.bets : []));
}

/** Restores the result of an earlier run. */
export function restore(to: AccountProjection, result: OrderResult, hasBets: boolean): void {
  accountOf(to).apply({ kind: 'result', result, isTakenBack: false, hasBets, isRecorded: true, atMs: 0 });
}

/** Opens a settled order again; returns its bets. */
export const reopen = (to: AccountProjection, orderId: OrderId): readonly Fill[] =>
  accountOf(to)
    .apply({ kind: 'reopened', orderId, isRecorded: false })
    .flatMap((change) => (change.kind === 'reopened' ? change.bets : []));

/** Reports whether a bet counts; returns whether that changes anything. */
export const standing = (to: AccountProjection, betId: BetId, stands: boolean): boolean =>
  accountOf(to).apply({ kind: 'standing', betId, stands }).length > 0;

import { describe, expect, it } from 'vitest';
import { Account } from '../../src/account/account.ts';
import { type AccountChange, type AccountEvent, validityOf } from '../../src/account/changes.ts';
import { betId, orderId } from '../../src/domain/ids.ts';
import type { Fill } from '../../src/domain/live-order.ts';
import type { VenueBet, VenueOrder } from '../../src/domain/orders.ts';
import { ask, EVENT, fillOf, FOOTBALL } from '../risk/support/harness.ts';
import { silentAccount } from '../support/account.ts';
import { liveOrder } from '../support/orders.ts';

const fill = (id: number, order = 1): Fill => ({
  ...fillOf(ask({ price: 2 }), 10),
  betId: betId(id),
  orderId: orderId(order),
});

const shown = (id: number, changes: Partial<VenueBet> = {}): VenueBet =>
  ({
    betId: betId(id),
    orderId: orderId(1),
    sport: FOOTBALL,
    eventId: EVENT,
    statusCode: 'success',
    gotPrice: 2,
    gotStakeMicros: 10e6,
    reconciled: null,
    ...changes,
  }) as object as VenueBet;

const order = (changes: Partial<VenueOrder> = {}): VenueOrder =>
  ({
    orderId: orderId(1),
    sport: FOOTBALL,
    eventId: EVENT,
    orderType: 'normal',
    status: 'done',
    closed: true,
    profitLossMicros: null,
    result: null,
    bets: [shown(1), shown(2)],
    ...changes,
  }) as object as VenueOrder;

/** An account with bets 1 and 2 of order 1, and what it says from then on. */
function rig() {
  const told: (readonly [AccountChange, nowMs: number])[] = [];
  const account = new Account([], { wallMs: () => 77 });
  for (const id of [1, 2]) account.apply({ kind: 'bet', fill: fill(id) });
  account.follow({ onChange: (change, nowMs) => told.push([change, nowMs]) });
  const report = (changes: Partial<VenueOrder> = {}): readonly string[] =>
    account.apply({ kind: 'report', order: order(changes), atMs: 5 }).map(inShort);
  const states = () => [1, 2].map((id) => account.bets.stateOf(betId(id)));
  return { account, told, report, states };
}

function inShort(change: AccountChange): string {
  if (change.kind === 'moved') return `${change.fill.betId}: ${change.from} to ${change.to}`;
  return change.kind === 'result' ? `result ${change.result.profitLossMicros}` : change.kind;
}

const SETTLED = { status: 'reconciled', profitLossMicros: 7e6 } as const;
const VOIDED = {
  status: 'full_void',
  profitLossMicros: 0,
  bets: [shown(1, { statusCode: 'void' }), shown(2, { statusCode: 'void' })],
} as const;

describe('what is no bet', () => {
  const live = liveOrder();
  it.each<AccountEvent>([
    { kind: 'order', order: live, before: 'sending' },
    { kind: 'balance', balance: { balanceMicros: 1, openStakeMicros: 0, smartCreditMicros: null } },
    { kind: 'owned', event: { sport: FOOTBALL, eventId: EVENT }, owner: 'inventory' },
    { kind: 'other_account' },
  ])('is a change as it is: $kind', (event) => {
    const { account, told } = rig();
    expect(account.apply(event)).toEqual([event]);
    expect(told).toEqual([[event, 77]]);
  });

  it.each([
    [{}, false],
    [SETTLED, true],
  ] as const)('tells whether an order of others is settled: %j', (changes, isSettled) => {
    const foreign = order(changes);
    expect(rig().account.apply({ kind: 'foreign_order', order: foreign })).toEqual([
      { kind: 'foreign_order', order: foreign, isSettled },
    ]);
  });
});

describe('a report of an order', () => {
  it('settles its bets, once', () => {
    const { report, states, told } = rig();
    expect(report(SETTLED)).toEqual(['result 7000000', '1: matched to settled', '2: matched to settled']);
    expect(told.map(([change]) => inShort(change))).toHaveLength(3);
    expect(report(SETTLED)).toEqual([]);
    expect(states()).toEqual(['settled', 'settled']);
  });

  it.each(['unplaced', 'failed'])(
    'that shows a bet %s puts it in doubt, until a report shows it matched',
    (statusCode) => {
      const { report, states } = rig();
      report({ closed: false, bets: [shown(1, { statusCode }), shown(2)] });
      expect(states()).toEqual(['doubtful', 'matched']);
      report({ closed: false });
      expect(states()).toEqual(['matched', 'matched']);
    },
  );

  it('reopens an order whose bets were all voided, with the bets that it shows matched', () => {
    const { account, report, states } = rig();
    expect(report(VOIDED)).toContain('result 0');
    expect(report({ closed: false })).toEqual([]);
    expect(report({ bets: [shown(1), shown(2, { statusCode: 'void' })] })).toContain('reopened');
    account.apply({
      kind: 'standings',
      order: order({ bets: [shown(1), shown(2, { statusCode: 'void' })] }),
    });
    expect(states()).toEqual(['matched', 'void']);
  });

  it('that precedes its settlement reopens nothing', () => {
    const { report, states } = rig();
    report(SETTLED);
    expect(report()).toEqual([]);
    expect(states()).toEqual(['settled', 'settled']);
  });

  it('reopens a settled parlay only if a leg waits for its result again', () => {
    const { report } = rig();
    report(SETTLED);
    const parlay = { orderType: 'parlay' };
    expect(report(parlay)).toEqual([]);
    expect(report({ ...parlay, bets: [shown(1, { reconciled: false })] })).toContain('reopened');
  });

  it.each([
    [true, ['void', 'matched']],
    [false, ['matched', 'matched']],
  ])('tells which bets stand only if it shows the order closed: %j', (closed, expected) => {
    const { account, states } = rig();
    const bets = [shown(1, { statusCode: 'void' }), shown(2)];
    account.apply({ kind: 'standings', order: order({ closed, bets }) });
    expect(states()).toEqual(expected);
  });

  it('says nothing of bets that are not booked', () => {
    const account = silentAccount();
    expect(account.apply({ kind: 'standings', order: order(VOIDED) })).toEqual([]);
    account.apply({ kind: 'bet', fill: fill(1) });
    expect(account.bets.stateOf(betId(1))).toBe('matched');
  });
});

describe('the projections of an account', () => {
  it('have each change, in their order, before the next one is derived', () => {
    const seen: unknown[] = [];
    const account: Account = new Account(
      ['first', 'second'].map((name) => ({
        onChange: (change: AccountChange, nowMs: number) =>
          void seen.push([name, inShort(change), nowMs, account.bets.stateOf(betId(1))]),
      })),
      { wallMs: () => 77 },
    );
    account.apply({ kind: 'bet', fill: fill(1) });
    account.follow({ onChange: (change) => void seen.push(['late', inShort(change)]) });
    account.apply({ kind: 'doubt', betId: betId(1), isUnmatched: true });
    expect(seen).toEqual([
      ['first', 'booked', 77, 'matched'],
      ['second', 'booked', 77, 'matched'],
      ['first', '1: matched to doubtful', 77, 'doubtful'],
      ['second', '1: matched to doubtful', 77, 'doubtful'],
      ['late', '1: matched to doubtful'],
    ]);
  });

  it('know of a reopened order before its bets are doubted or void again', () => {
    const { account, report, told } = rig();
    report(VOIDED);
    told.length = 0;
    report();
    const kinds = told.map(([change]) => inShort(change));
    expect(kinds.slice(0, 3)).toEqual(['1: settled to matched', '2: settled to matched', 'reopened']);
    expect(account.bets.isTakenBack(orderId(1))).toBe(false);
  });
});

it.each([
  ['matched', 'void', false],
  ['doubtful', 'void', false],
  ['void', 'matched', true],
  ['void', 'doubtful', true],
  ['matched', 'doubtful', null],
  ['doubtful', 'matched', null],
  ['matched', 'settled', null],
  ['settled', 'matched', null],
  ['void', 'settled_void', null],
  ['settled_void', 'void', null],
] as const)('a bet that moves from %s to %s counts from now on: %s', (from, to, counts) => {
  expect(validityOf({ kind: 'moved', fill: fill(1), from, to })).toBe(counts);
});

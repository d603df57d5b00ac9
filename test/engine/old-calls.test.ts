import { expect, it } from 'vitest';
import { orderId } from '../../src/domain/ids.ts';
import type { DeciderCall } from '../../src/engine/calls.ts';
import { oldCall } from '../../src/engine/old-calls.ts';
import { ask, FIXTURE, fillOf } from '../risk/support/harness.ts';

const FILL = fillOf(ask(), 10);
const RESULT = { orderId: orderId(1), ...FIXTURE, profitLossMicros: 5 };
const settled = { kind: 'result', result: RESULT, isTakenBack: false, atMs: 0 };

it.each([
  ['ledger', 'onFill', [FILL, 7], { account: { kind: 'bet', fill: FILL }, atMs: 7 }],
  ['ledger', 'onFill', [FILL], { account: { kind: 'bet', fill: FILL } }],
  ['ledger', 'settle', [RESULT], { account: { ...settled, hasBets: false, isRecorded: false } }],
  ['ledger', 'restore', [RESULT, true], { account: { ...settled, hasBets: true, isRecorded: true } }],
  ['ledger', 'restore', [RESULT, false], { account: { ...settled, hasBets: false, isRecorded: true } }],
  ['ledger', 'reopen', [1], { account: { kind: 'reopened', orderId: 1, isRecorded: true } }],
  ['ledger', 'setBetValidity', [2, false], { account: { kind: 'standing', betId: 2, stands: false } }],
  ['risk', 'onBetValidity', [2, true], { account: { kind: 'standing', betId: 2, stands: true } }],
  ['risk', 'onDoubt', [2, true], { account: { kind: 'doubt', betId: 2, isUnmatched: true } }],
  ['risk', 'onDoubt', [2, false], { account: { kind: 'doubt', betId: 2, isUnmatched: false } }],
  ['risk', 'onSettled', [FIXTURE], { over: FIXTURE }],
  ['risk', 'onSettled', [FIXTURE, [2]], 'told twice'],
  ['risk', 'onReopened', [[2]], 'told twice'],
  ['risk', 'onFill', [FILL], 'told twice'],
  ['risk', 'tick', [], null],
  ['account', 'apply', [{ kind: 'bet', fill: FILL }, 7], { account: { kind: 'bet', fill: FILL } }],
])('%s.%s of an earlier recording means what it meant: %j', (on, method, args, meaning) => {
  expect(oldCall({ on, method, args } as unknown as DeciderCall)).toEqual(meaning);
});

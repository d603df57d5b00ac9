import { expect, it } from 'vitest';
import { orderId } from '../../src/domain/ids.ts';
import { meaningOf } from '../../src/engine/old-calls.ts';
import { ask, FIXTURE, fillOf } from '../risk/support/harness.ts';

const FILL = fillOf(ask(), 10);
const RESULT = { orderId: orderId(1), ...FIXTURE, profitLossMicros: 5 };
const settled = { kind: 'result', result: RESULT, isTakenBack: false, atMs: 0 };
const KILL = { by: 'me', reason: 'a drill', atMs: 3 };
const news = (event: object) => ({ input: { kind: 'account', event } });

it.each([
  ['ledger', 'onFill', [FILL, 7], { ...news({ kind: 'bet', fill: FILL }), atMs: 7 }],
  ['ledger', 'onFill', [FILL], news({ kind: 'bet', fill: FILL })],
  ['ledger', 'settle', [RESULT], news({ ...settled, hasBets: false, isRecorded: false })],
  ['ledger', 'restore', [RESULT, true], news({ ...settled, hasBets: true, isRecorded: true })],
  ['ledger', 'restore', [RESULT, false], news({ ...settled, hasBets: false, isRecorded: true })],
  ['ledger', 'reopen', [1], news({ kind: 'reopened', orderId: 1, isRecorded: true })],
  ['ledger', 'setBetValidity', [2, false], news({ kind: 'standing', betId: 2, stands: false })],
  ['risk', 'onBetValidity', [2, true], news({ kind: 'standing', betId: 2, stands: true })],
  ['risk', 'onDoubt', [2, true], news({ kind: 'doubt', betId: 2, isUnmatched: true })],
  ['risk', 'onDoubt', [2, false], news({ kind: 'doubt', betId: 2, isUnmatched: false })],
  ['risk', 'onOrder', [{ id: 1 }], news({ kind: 'order', order: { id: 1 }, before: null })],
  ['risk', 'onForeignOrder', [{ id: 1 }, true], news({ kind: 'foreign_order', order: { id: 1 } })],
  ['risk', 'onBalance', [{ balanceMicros: 5 }], news({ kind: 'balance', balance: { balanceMicros: 5 } })],
  ['account', 'apply', [{ kind: 'bet', fill: FILL }, 7], news({ kind: 'bet', fill: FILL })],
  ['risk', 'onSettled', [FIXTURE], { input: { kind: 'event_over', event: FIXTURE } }],
  ['risk', 'onEventOver', [FIXTURE], { input: { kind: 'event_over', event: FIXTURE } }],
  [
    'risk',
    'setNoGrid',
    ['for,h', 'fb'],
    { input: { kind: 'grid', betType: 'for,h', sport: 'fb', grid: null } },
  ],
  [
    'risk',
    'setGrid',
    ['for,h', [['w']], 'fb'],
    { input: { kind: 'grid', betType: 'for,h', grid: [['w']], sport: 'fb' } },
  ],
  ['risk', 'kill', ['a drill', 'me'], { input: { kind: 'kill', why: 'a drill', by: 'me' } }],
  [
    'risk',
    'explainKill',
    [KILL, 'two', 'you'],
    { input: { kind: 'explain_kill', killed: KILL, why: 'two', by: 'you' } },
  ],
  ['risk', 'resume', ['over', 'me'], { input: { kind: 'resume', why: 'over', by: 'me' } }],
  ['risk', 'pause', ['me', 'lunch'], { input: { kind: 'pause', by: 'me', why: 'lunch' } }],
  ['risk', 'tick', [], { input: { kind: 'second' } }],
  ['prices', 'noteLay', ['b1'], { input: { kind: 'lay_betslip', betslip: 'b1', isOpen: true } }],
  ['prices', 'forgetLay', ['b1'], { input: { kind: 'lay_betslip', betslip: 'b1', isOpen: false } }],
  ['strategies', 'fire', [7], { input: { kind: 'timer', timer: 7 } }],
  ['risk', 'onSettled', [FIXTURE, [2]], null],
  ['risk', 'onReopened', [[2]], null],
  ['risk', 'onFill', [FILL], null],
  ['risk', 'note', ['x', {}], null],
  ['strategies', 'end', [FIXTURE], null],
  ['market', 'setGrid', ['fb', 'for,h', [['w']]], null],
  ['market', 'marketOf', ['x'], null],
])('%s.%s of an earlier recording means what it meant: %j', (on, method, args, meaning) => {
  expect(meaningOf({ on, method, args })).toEqual(meaning);
});

import { beforeEach, expect, it } from 'vitest';
import type { LiveOrder } from '../../../src/domain/live-order.ts';
import type { OrderState } from '../../../src/domain/lifecycle.ts';
import { CloseOut } from '../../../src/orders/heartbeats/close-out.ts';
import { PartRig } from '../support/part.ts';

const PAUSE_MS = 5_000;
const SLOW_MS = 20_000;
const EVERY_MS = 1_000;

let rig: PartRig;
let closeOut: CloseOut;
let stood: { order: { state: OrderState } }[];
let verifications: ((isListed: boolean) => void)[];
let allows: boolean;
let reasons: string[];

beforeEach(() => {
  [stood, verifications, reasons, allows] = [[], [], [], true];
  rig = new PartRig({
    context: { book: { active: () => stood } },
    options: { closeOut: { pauseMs: PAUSE_MS, slowForMs: SLOW_MS, slowEveryMs: EVERY_MS } },
  });
  const heartbeat = {
    verify: (answered: (isListed: boolean) => void) => void verifications.push(answered),
    allowsSending: () => allows,
  };
  closeOut = new CloseOut(rig.context, heartbeat, (reason) => void reasons.push(reason));
});

const order = (state: OrderState) => ({ order: { state } });
const ended = (closeReason: string | null) => ({
  order: { orderId: 7, closeReason } as unknown as LiveOrder,
});
const closed = (closeReason: string | null = 'cancelled', isWanted = false): void =>
  closeOut.closed({ ...ended(closeReason), closeWanted: isWanted, recovered: false });
const answer = (isListed: boolean): void => verifications.shift()?.(isListed);
const halts = (): unknown[] => [...rig.context.halts.inForce.keys()];
const sweptAfter = async (ms: number): Promise<void> => {
  await rig.clock.advance(ms);
  closeOut.sweep();
};

it.each([
  ['that we asked to close', 'cancelled', true],
  ['that was filled', 'order_filled', false],
  ['that lapsed', 'expired', false],
  ['that closed for an unknown reason', null, false],
])('nothing is suspicious about an order %s', (_, reason, isWanted) => {
  closed(reason, isWanted);
  expect([halts(), verifications, rig.warned]).toEqual([[], [], []]);
});

it('an order that was closed without our asking stops placing until our heartbeat is confirmed', () => {
  stood = [order('live')];
  closed();
  expect([halts(), verifications.length]).toEqual([['order_closed_by_others'], 1]);
  expect(rig.warned).toEqual([{ message: 'an order was closed without our asking', orderId: 7 }]);
  answer(true);
  expect([halts(), reasons]).toEqual([[], []]);
});

it('orders of an earlier run that recovery finds closed are told once, after it, and are not suspicious', () => {
  const earlier = { ...ended('cancelled'), closeWanted: false, recovered: true };
  const told: unknown[] = [];
  Object.assign(rig.context.log, { info: (...line: unknown[]) => void told.push(line) });
  rig.context.halts.set('start', 'not_started');
  closeOut.closed(earlier);
  closeOut.closed(earlier);
  expect([halts(), verifications]).toEqual([['not_started'], []]);
  rig.context.halts.clear('start');
  closeOut.sweep();
  closeOut.sweep();
  expect([rig.warned, told]).toEqual([
    [],
    [['orders of an earlier run were closed before this run began', { orders: 2 }]],
  ]);
  // One that is closed later is.
  closeOut.closed(earlier);
  expect([halts(), rig.warned.length]).toEqual([['order_closed_by_others'], 1]);
});

it('the heartbeat is asked for again a second after it could not be confirmed', async () => {
  closed();
  answer(false);
  await sweptAfter(999);
  expect(verifications).toHaveLength(0);
  await sweptAfter(1);
  expect(verifications).toHaveLength(1);
  await sweptAfter(5_000);
  expect([verifications.length, halts()]).toEqual([1, ['order_closed_by_others']]);
  answer(true);
  expect(halts()).toEqual([]);
});

it('more orders that close meanwhile are told once, and the heartbeat is asked for again at once', async () => {
  closed();
  closed();
  expect([verifications.length, rig.warned.length]).toEqual([1, 1]);
  answer(true);
  expect(halts()).toEqual(['order_closed_by_others']);
  await sweptAfter(0);
  answer(true);
  expect(halts()).toEqual([]);
});

it.each<[what: string, states: OrderState[], after: OrderState[], isCloseOut: boolean]>([
  ['all that rested are closed', ['live', 'live'], ['closed', 'closed'], true],
  ['one of them still rests', ['live', 'live'], ['closed', 'live'], false],
  ['none rested', [], [], false],
  ['the only others were on their way', ['sending', 'unknown'], ['closed', 'closed'], false],
  ['what was on its way does not count', ['live', 'sending'], ['closed', 'sending'], true],
])('a close-out by others begins if %s', (_, states, after, isCloseOut) => {
  stood = states.map(order);
  const all = stood;
  closed();
  for (const [at, each] of all.entries()) each.order = { state: after[at] as OrderState };
  answer(true);
  expect(reasons).toEqual(isCloseOut ? ['all orders were closed by others'] : []);
  expect(halts()).toEqual(isCloseOut ? ['recovering_from_close_out'] : []);
});

it('a close-out that is known already does not begin again', () => {
  stood = [order('live')];
  const [only] = stood;
  closed();
  closeOut.begin('lost');
  if (only !== undefined) only.order = { state: 'closed' };
  answer(true);
  expect([reasons, halts()]).toEqual([['lost'], ['recovering_from_close_out']]);
});

it('orders of an earlier suspicion are forgotten', () => {
  stood = [order('live')];
  const [only] = stood;
  closed();
  answer(true);
  if (only !== undefined) only.order = { state: 'closed' };
  stood = [];
  closed();
  answer(true);
  expect(reasons).toEqual([]);
});

it.each([
  [
    'the account is being read again',
    () => rig.halts.set('resync', 'resync_under_way'),
    () => rig.halts.clear('resync'),
  ],
  ['no heartbeat is proven', () => void (allows = false), () => void (allows = true)],
])('a close-out is over after its pause, and not while %s', async (_, begin, end) => {
  closeOut.begin('lost');
  expect([halts(), reasons]).toEqual([['recovering_from_close_out'], ['lost']]);
  await sweptAfter(PAUSE_MS - 1);
  expect(halts()).toContain('recovering_from_close_out');
  begin();
  await sweptAfter(1);
  expect(halts()).toContain('recovering_from_close_out');
  end();
  closeOut.sweep();
  expect(halts()).toEqual([]);
});

it('quotes return one by one for a while after a close-out, and freely before and after', async () => {
  closeOut.begun();
  expect(closeOut.admitsFromMs).toBe(-Infinity);
  closeOut.begin('lost');
  await sweptAfter(PAUSE_MS);
  expect(closeOut.admitsFromMs).toBeLessThanOrEqual(rig.clock.monotonicMs());
  closeOut.begun();
  expect(closeOut.admitsFromMs).toBe(PAUSE_MS + EVERY_MS);
  await sweptAfter(SLOW_MS - 1);
  closeOut.begun();
  // The slow time ends before the next turn would come.
  expect(closeOut.admitsFromMs).toBe(PAUSE_MS + SLOW_MS);
  await sweptAfter(1);
  closeOut.begun();
  expect(closeOut.admitsFromMs).toBe(PAUSE_MS + SLOW_MS);
});

it('a sweep without a close-out does not slow quotes down', () => {
  closeOut.sweep();
  closeOut.begun();
  expect(closeOut.admitsFromMs).toBe(-Infinity);
});

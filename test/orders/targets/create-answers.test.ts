import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderBook, TrackedOrder } from '../../../src/account/orders.ts';
import { JournalError, ProtocolError, TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { betslipId } from '../../../src/domain/ids.ts';
import type { PlaceOrder, VenueOrder } from '../../../src/domain/orders.ts';
import type { IntentKey } from '../../../src/domain/quote-intent.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { CreateAnswers, OrderWithdrawn } from '../../../src/orders/targets/create-answers.ts';
import { PartRig } from '../support/part.ts';
import { bookOf, trackedOrder } from '../support/tracked.ts';

const RETRY_MS = 2_000;
const SHOWN = { orderId: 9 } as unknown as VenueOrder;

let rig: PartRig;
let book: OrderBook;
let answers: CreateAnswers;
let order: TrackedOrder;
let shownAs: TrackedOrder | null;
let did: unknown[][];
let metrics: ReturnType<typeof createPrometheusMetrics>;

function begin(of: Partial<TrackedOrder> = {}, state: 'prepared' | 'sending' | 'unknown' = 'sending'): void {
  [did, shownAs] = [[], null];
  metrics = createPrometheusMetrics({ processMetrics: false });
  rig = new PartRig({ metrics, options: { retryMs: RETRY_MS } });
  const place = { durationS: 60, betslipId: betslipId('slip-7') } as PlaceOrder;
  order = trackedOrder({ key: 'a#for#0' as IntentKey, place, ...of }, { state, orderId: null });
  book = bookOf(rig.clock, order);
  Object.assign(rig.context, { book, onLatched: () => void did.push(['latched']) });
  const reports = {
    order: (...given: unknown[]) => {
      did.push(['report', ...given]);
      return shownAs;
    },
  };
  answers = new CreateAnswers(
    rig.context,
    reports as never,
    { discard: (id) => void did.push(['discard', id]) },
    { failed: (key, ms) => void did.push(['pause', key, ms]) },
  );
}
beforeEach(() => begin());

const rejected = (
  status: number,
  code = 'validation_error',
  facts: ConstructorParameters<typeof VenueRejection>[3] = {},
): VenueRejection => new VenueRejection(code, status, 'no', facts);
const timed = async (): Promise<number> => {
  const { text } = await metrics.expose();
  return Number(/^touchline_orders_create_seconds_count (\d+)$/m.exec(text)?.[1]);
};
const PAUSED = ['pause', 'a#for#0', RETRY_MS];

describe('an answer that shows an order', () => {
  it('is the outcome if the order is the one that was asked for', async () => {
    shownAs = order;
    expect(answers.answered(order, SHOWN)).toBe(true);
    expect([did, order.order.state]).toEqual([
      [['report', SHOWN, 'answer', order.order.requestUuid]],
      'sending',
    ]);
    expect(await timed()).toBe(1);
  });

  it('is none if it is another one', () => {
    expect(answers.answered(order, SHOWN)).toBe(false);
    expect(order.order.state).toBe('unknown');
  });

  it('is not timed if the order was never sent', async () => {
    begin({ sentMonotonicMs: null });
    answers.answered(order, SHOWN);
    expect(await timed()).toBe(0);
  });
});

describe('a create request that fails', () => {
  it.each<
    [what: string, error: unknown, state: string, isKnown: boolean, isTimed: boolean, did: unknown[][]]
  >([
    ['was refused', rejected(400), 'refused', true, true, [PAUSED]],
    [
      'was refused for its betslip',
      rejected(400, 'v', { validation: { betslip_id: ['over'] } }),
      'refused',
      true,
      true,
      [PAUSED, ['discard', 'slip-7']],
    ],
    [
      'was refused as its betslip is unknown',
      rejected(404),
      'refused',
      true,
      true,
      [PAUSED, ['discard', 'slip-7']],
    ],
    [
      'came too soon',
      rejected(429, 'throttled', { retryAfterS: 5 }),
      'refused',
      true,
      true,
      [['pause', 'a#for#0', 5_000]],
    ],
    [
      'came a little too soon',
      rejected(429, 'throttled', { retryAfterS: 1 }),
      'refused',
      true,
      true,
      [PAUSED],
    ],
    ['was refused for the key', rejected(401, 'auth_error'), 'refused', true, true, []],
    ['was refused for the right to place', rejected(403, 'forbidden'), 'refused', true, true, [['latched']]],
    ['met a failing exchange', rejected(500, 'server_error'), 'unknown', false, true, []],
    ['had an answer that cannot be read', new ProtocolError('bad'), 'unknown', false, true, []],
    ['had no answer', new TransportError('unknown', 'cut'), 'unknown', false, false, []],
    ['was not sent', new TransportError('not-sent', 'cut'), 'absent', true, false, [PAUSED]],
    ['failed for a fault of ours', new Error('oh'), 'unknown', false, false, []],
  ])('and %s', async (_, error, state, isKnown, isTimed, acts) => {
    expect(answers.failed(order, error, false)).toBe(isKnown);
    expect([order.order.state, did, await timed()]).toEqual([state, acts, isTimed ? 1 : 0]);
    const outcome = state === 'unknown' ? 'unknown' : state === 'absent' ? 'not-sent' : 'refused';
    expect(rig.warned).toEqual([
      { message: 'create request failed', uuid: order.order.requestUuid, outcome, repeat: false, error },
    ]);
  });

  it.each([
    ['a check refused it', new OrderWithdrawn('halted'), 100],
    ['the journal failed', new JournalError('full'), RETRY_MS],
    ['no byte left', new TransportError('not-sent', 'cut'), RETRY_MS],
  ])('before it leaves because %s is withdrawn in silence', (_, error, pauseMs) => {
    begin({}, 'prepared');
    expect(answers.failed(order, error, false)).toBe(true);
    expect([order.order.state, did, rig.warned]).toEqual(['absent', [['pause', 'a#for#0', pauseMs]], []]);
  });

  it('before it leaves, of unknown outcome, is not taken for withdrawn', () => {
    begin({}, 'prepared');
    expect(answers.failed(order, new TransportError('unknown', 'cut'), false)).toBe(false);
    expect(order.order.state).toBe('unknown');
  });

  it.each([
    ['did not leave', new OrderWithdrawn('halted'), [], 0],
    ['could not be sent', new TransportError('not-sent', 'cut'), [], 0],
    ['was refused', rejected(400), [], 1],
  ])('as a repeat that %s says nothing of the first request', (_, error, acts, warnings) => {
    begin({}, 'unknown');
    expect(answers.failed(order, error, true)).toBe(false);
    expect([order.order.state, did, rig.warned.length]).toEqual(['unknown', acts, warnings]);
  });

  it('pauses no quote where it is of none', () => {
    begin({ key: null });
    answers.failed(order, rejected(404), false);
    begin({ key: null }, 'prepared');
    answers.failed(order, new OrderWithdrawn('halted'), false);
    expect(did).toEqual([]);
  });

  it('is counted by the code of its refusal', async () => {
    answers.failed(order, rejected(400, 'limit_reached'), false);
    const { text } = await metrics.expose();
    expect(text).toContain('touchline_orders_refusals_total{code="limit_reached"} 1');
  });

  it.each([
    [
      'its reasons',
      { validation: { price: ['too low', 'too old'], stake: ['too small'] } },
      'too low, too old, too small',
    ],
    ['its code where there is none', {}, 'validation_error'],
    ['two hundred characters of it at most', { validation: { price: ['x'.repeat(300)] } }, 'x'.repeat(200)],
  ])('keeps why it was refused: %s', (_, facts, reason) => {
    answers.failed(order, rejected(400, 'validation_error', facts), false);
    expect(order.order.closeReason).toBe(reason);
  });

  it('keeps no reason if it is only unclear', () => {
    answers.failed(order, rejected(500), false);
    expect(order.order.closeReason).toBeNull();
  });
});

describe('a request whose uuid exists already', () => {
  const conflict = (orderId?: number): VenueRejection =>
    rejected(409, 'order_already_created', orderId === undefined ? {} : { orderId });

  it('is looked up by the id that the answer names, and that order is reported', async () => {
    expect(answers.failed(order, conflict(9), false)).toBe(false);
    expect([order.order.state, did, rig.warned]).toEqual(['unknown', [], []]);
    const asked = rig.take('order');
    expect([asked.args, asked.options]).toEqual([[9], { priority: 'reducing' }]);
    await asked.answer(SHOWN);
    expect(did).toEqual([['report', SHOWN, 'look-up', order.order.requestUuid]]);
  });

  it('is told if that order cannot be read', async () => {
    answers.failed(order, conflict(9), false);
    const error = new TransportError('unknown', 'cut');
    await rig.take('order').fail(error);
    expect(rig.warned).toEqual([{ message: 'conflicting order could not be read', orderId: 9, error }]);
  });

  it('is of unknown outcome without an id', () => {
    expect(answers.failed(order, conflict(), false)).toBe(false);
    expect([order.order.state, rig.asked]).toEqual(['unknown', []]);
  });

  it('is not looked up if the order is known by now', () => {
    book.apply(order, 'seen_open', { orderId: 9 as never }, 'stream');
    answers.failed(order, conflict(9), false);
    expect([order.order.state, rig.asked]).toEqual(['live', []]);
  });
});

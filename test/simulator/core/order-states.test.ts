import { describe, expect, it } from 'vitest';
import { at, EVENT, Harness, KEY, OTHER_KEY } from './harness.ts';

const SETTINGS = { pendingMs: 1_000 };
const RESULT = { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 } as const;

/** Ways into each state. Each returns the order's id. */
const STATES: Readonly<Record<string, (h: Harness) => number>> = {
  open: (h) => h.place('for,h', 3, 10).order_id,
  'open, part-filled': (h) => h.place('for,h', 2.2, 150).order_id,
  'pending, unfilled': (h) => closed(h, h.place('for,h', 3, 10).order_id, 0),
  'pending, filled': (h) => h.place('for,h', 2.2, 10).order_id,
  failed: (h) => closed(h, h.place('for,h', 3, 10).order_id, 1_000),
  done: (h) => settled(h, h.place('for,h', 2.2, 10).order_id),
  reconciled: (h) => {
    const id = h.place('for,h', 2.2, 10).order_id;
    h.exchange.market.settle(EVENT, RESULT, h.nowMs);
    return id;
  },
  full_void: (h) => {
    const id = h.place('for,h', 2.2, 10).order_id;
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    return id;
  },
};

function closed(h: Harness, id: number, laterMs: number): number {
  h.call('POST', `/v2/orders/${id}/close/`);
  h.pass(laterMs);
  return id;
}

function settled(h: Harness, id: number): number {
  h.pass(1_000);
  return id;
}

/** Things that can happen to an order. Each returns the answer, if there was a request. */
const EVENTS: Readonly<Record<string, (h: Harness, id: number) => string>> = {
  'close request': (h, id) => {
    const answer = h.call('POST', `/v2/orders/${id}/close/`);
    return answer.code ?? String(answer.status);
  },
  'matching offer': (h) => {
    h.exchange.market.take(at('h'), 'against', 3, 10_000_000_000, h.nowMs);
    return '';
  },
  'duration over': (h) => {
    h.pass(600_000);
    return '';
  },
  'heartbeat expiry': (h) => {
    h.call('POST', '/v2/heartbeats/', { timeout: 10 });
    h.pass(12_000);
    return '';
  },
  'in running': (h) => {
    h.exchange.market.goInRunning(EVENT, h.nowMs);
    return '';
  },
  settlement: (h) => {
    h.exchange.market.settle(EVENT, RESULT, h.nowMs);
    return '';
  },
  void: (h) => {
    h.exchange.market.voidEvent(EVENT, h.nowMs);
    return '';
  },
};

/** [answer, status, close_reason, closedBy] once the pending time is over. */
type Outcome = readonly [answer: string, status: string, reason: string | null, by: string | null];

const filled = (status: string): Outcome => ['', status, 'order_filled', 'filled'];
const cancelled = (status: string): Outcome => ['', status, 'cancelled', 'request'];
const all = (outcome: Outcome, over: Readonly<Record<string, Outcome>>): Record<string, Outcome> => ({
  ...Object.fromEntries(Object.keys(EVENTS).map((name) => [name, outcome])),
  ...over,
});

const TABLE: Readonly<Record<string, Readonly<Record<string, Outcome>>>> = {
  open: {
    'close request': ['200', 'failed', 'cancelled', 'request'],
    'matching offer': filled('done'),
    'duration over': ['', 'failed', 'timed_out', 'duration'],
    'heartbeat expiry': ['', 'failed', 'cancelled', 'heartbeat'],
    'in running': ['', 'failed', 'cancelled', 'in_running'],
    settlement: ['', 'failed', 'expired', 'event'],
    void: ['', 'failed', 'expired', 'event'],
  },
  'open, part-filled': {
    'close request': ['200', 'done', 'cancelled', 'request'],
    'matching offer': filled('done'),
    'duration over': ['', 'done', 'timed_out', 'duration'],
    'heartbeat expiry': ['', 'done', 'cancelled', 'heartbeat'],
    'in running': ['', 'done', 'cancelled', 'in_running'],
    settlement: ['', 'reconciled', 'expired', 'event'],
    void: ['', 'full_void', 'expired', 'event'],
  },
  'pending, unfilled': all(cancelled('failed'), {
    'close request': ['200', 'failed', 'cancelled', 'request'],
  }),
  'pending, filled': all(filled('done'), {
    'close request': ['200', 'done', 'order_filled', 'filled'],
    settlement: filled('reconciled'),
    void: filled('full_void'),
  }),
  failed: all(cancelled('failed'), { 'close request': ['order_closed', 'failed', 'cancelled', 'request'] }),
  done: all(filled('done'), {
    'close request': ['order_closed', 'done', 'order_filled', 'filled'],
    settlement: filled('reconciled'),
    void: filled('full_void'),
  }),
  reconciled: all(filled('reconciled'), {
    'close request': ['order_closed', 'reconciled', 'order_filled', 'filled'],
    void: filled('full_void'),
  }),
  full_void: all(filled('full_void'), {
    'close request': ['order_closed', 'full_void', 'order_filled', 'filled'],
    settlement: filled('reconciled'),
  }),
};

const cases = Object.entries(TABLE).flatMap(([state, row]) =>
  Object.entries(row).map(([happening, outcome]) => ({ state, happening, outcome })),
);

describe('every state of an order and everything that can happen to it', () => {
  it('is in the table', () => {
    expect(Object.keys(TABLE)).toEqual(Object.keys(STATES));
    for (const row of Object.values(TABLE))
      expect(Object.keys(row).toSorted()).toEqual(Object.keys(EVENTS).toSorted());
  });

  it.each(cases)('$state, $happening', ({ state, happening, outcome }) => {
    const h = new Harness({ settings: SETTINGS });
    const id = STATES[state]?.(h) ?? 0;
    const stakeBefore = h.exchange.inspect().orders[0]?.filledMicros ?? 0;
    const answer = EVENTS[happening]?.(h, id);
    h.pass(1_000);
    const order = h.exchange.inspect().orders[0];
    expect([answer, order?.status, order?.closeReason, order?.closedBy]).toEqual(outcome);
    expect(order?.closed).toBe(true);
    expect(order?.filledMicros).toBeGreaterThanOrEqual(stakeBefore);
    expect(h.exchange.inspect().openOrders).toEqual([]);
  });

  it.each(Object.keys(STATES))('stakes nothing beyond its bets once it is closed (%s)', (state) => {
    const h = new Harness({ settings: SETTINGS });
    const id = STATES[state]?.(h) ?? 0;
    h.call('POST', `/v2/orders/${id}/close/`, undefined, KEY);
    h.pass(1_000);
    const account = h.exchange.inspect().accounts[0];
    const order = h.exchange.inspect().orders[0];
    const isOver = ['reconciled', 'full_void'].includes(order?.status ?? '');
    expect(account?.openStakeMicros).toBe(isOver ? 0 : order?.filledMicros);
    expect(h.call('POST', `/v2/orders/${id}/close/`, undefined, OTHER_KEY).code).toBe('not_found');
  });
});

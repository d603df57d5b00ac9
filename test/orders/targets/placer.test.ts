import { beforeEach, describe, expect, it } from 'vitest';
import type { OrderBook, TrackedOrder } from '../../../src/account/orders.ts';
import { betslipId, type BetType, orderId } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import type { BetslipRequest, PlaceOrder, VenueOrder } from '../../../src/domain/orders.ts';
import { intentKey, takeOf } from '../../../src/domain/quote-intent.ts';
import type { BetslipAnswer } from '../../../src/orders/betslips/answer.ts';
import { bodyHashOf } from '../../../src/orders/journal/records.ts';
import { blockedBy, type Obstacle } from '../../../src/orders/send-gate.ts';
import { Placer } from '../../../src/orders/targets/placer.ts';
import { EVENT_NAME, quote } from '../../support/order-manager-rig.ts';
import { PartRig } from '../support/part.ts';
import { bookOf } from '../support/tracked.ts';

const MARKET: BetslipRequest = { ...EVENT_NAME, betType: 'for,h' as BetType };
const INTENT = quote({ valueMicrosPerS: 4 });
const PLACING = { key: intentKey(INTENT), intent: INTENT, market: MARKET };
const READY: BetslipAnswer = { ok: true, betslip: { id: betslipId('slip'), quote: [] } };
const BODY = {
  ...MARKET,
  requestUuid: 'uuid-1',
  betslipId: 'slip',
  priceKind: 'odds-for',
  price: 3,
  stakeMicros: 10_000_000,
  durationS: 60,
  userData: 'a mark',
} as unknown as PlaceOrder;

let rig: PartRig;
let book: OrderBook;
let placer: Placer;
let did: string[];
let obstacles: Record<string, Obstacle | null>;
let approves: boolean;
let refusals: unknown[];
let reduces: boolean;
let writeMs: number;
let isKnown: boolean;

beforeEach(() => {
  [did, obstacles, approves, refusals] = [[], {}, true, [{ code: 'worst_case' }]];
  [reduces, writeMs, isKnown] = [false, 0, true];
  rig = new PartRig({
    deps: {
      risk: {
        reduces: () => (did.push('reduces?'), reduces),
        approve: (order: PlaceOrder) =>
          approves ? { ok: true, order: mintApproval(order) } : { ok: false, refusals },
      },
    },
  });
  book = bookOf(rig.clock);
  const { commit } = rig.context.journalWriter;
  Object.assign(rig.context, {
    book,
    owners: { of: () => 'a strategy' },
    journalWriter: {
      ...rig.context.journalWriter,
      commit: (fact: never) => {
        commit(fact);
        did.push('commit');
        const until = rig.clock.monotonicMs() + writeMs;
        Object.defineProperty(rig.clock, 'monotonicMs', { value: () => until, configurable: true });
      },
    },
  });
  placer = new Placer(
    rig.context,
    {
      beforeApproval: () => obstacles['approval'] ?? null,
      beforeSending: (moment: string, _: unknown, __: unknown, repeat: boolean) => {
        did.push(`judge ${moment}${repeat ? ' again' : ''}`);
        return obstacles[moment] ?? null;
      },
      orderOf: ({ intent }: typeof PLACING, id: string) => ({ ...BODY, ...takeOf(intent), betslipId: id }),
    } as never,
    { heartbeat: { reserveMs: 5_000 }, closeOut: { begun: () => void did.push('begun') } } as never,
    {
      begin: (strategy: string) => (did.push(`turn of ${strategy}`), () => void did.push('turn over')),
      worthOf: (value: number) => value * 10,
    } as never,
    {
      answered: (_: unknown, order: VenueOrder) => (did.push(`answered ${order.orderId}`), isKnown),
      failed: (_: unknown, error: Error, repeat: boolean) => (
        did.push(`failed ${error.message}${repeat ? ' again' : ''}`),
        isKnown
      ),
    } as never,
  );
});

const placed = (): TrackedOrder => {
  placer.place(PLACING, READY);
  did = [];
  return [...book.active()][0] as TrackedOrder;
};
const send = (): void => rig.asked[0]?.options.beforeSend?.();

describe('a quote with its betslip', () => {
  it('becomes an order that is on its way, once', () => {
    expect(placer.place(PLACING, READY)).toBeNull();
    expect(did).toEqual(['reduces?', 'begun', 'turn of a strategy']);
    const [tracked, ...others] = [...book.active()];
    expect(others).toEqual([]);
    const { requestUuid, stakeMicros, priceKind } = BODY;
    expect(tracked).toEqual({
      owner: 'own',
      key: PLACING.key,
      intent: INTENT,
      place: BODY,
      recovered: false,
      lapsesMonotonicMs: null,
      sentMonotonicMs: null,
      closeWanted: false,
      closedMs: null,
      order: {
        ...MARKET,
        requestUuid,
        stakeMicros,
        priceKind,
        betslipId: 'slip',
        state: 'prepared',
        selectionId: INTENT.selectionId,
        direction: 'for',
        tick: 110,
        mode: 'make_and_take',
        orderId: null,
        filledMicros: 0,
        expiryMs: null,
        closeReason: null,
        createdMonotonicMs: 0,
      },
    });
  });

  it.each([
    [false, 'normal'],
    [true, 'reducing'],
  ])('is requested by its worth and what it does to risk: reduces %s', (isReducing, priority) => {
    reduces = isReducing;
    placer.place(PLACING, READY);
    expect(rig.asked[0]).toMatchObject({ method: 'placeOrder', options: { value: 40, priority } });
  });

  it.each([true, false])(
    'that is a take says whether it reduces risk, as risk judged it: %s',
    (isReducing) => {
      reduces = isReducing;
      const intent = { ...PLACING.intent, take: 'a', fairProbability: 0.4 };
      placer.place({ ...PLACING, intent, key: intentKey(intent) }, READY);
      const [tracked] = [...book.active()];
      const take = { id: 'a', fairProbability: 0.4, reduces: isReducing };
      expect([tracked?.place.take, tracked?.order.take]).toEqual([take, take]);
      expect(did[0]).toBe('reduces?');
    },
  );

  it('is not sent while a check refuses it, and risk is not asked then', () => {
    obstacles['approval'] = blockedBy('would_take');
    expect(placer.place(PLACING, READY)).toEqual(blockedBy('would_take'));
    expect([did, rig.asked, [...book.active()]]).toEqual([[], [], []]);
  });

  it('is not sent if risk refuses it, for the first reason', () => {
    approves = false;
    expect(placer.place(PLACING, READY)).toEqual(blockedBy('risk', 'worst_case'));
    refusals = [];
    expect(placer.place(PLACING, READY)).toEqual(blockedBy('risk', 'refused'));
    expect([rig.asked, [...book.active()]]).toEqual([[], []]);
  });
});

describe('the last instant before an order leaves', () => {
  it('judges it again, makes it durable, and starts its life', async () => {
    await rig.clock.advance(700);
    const tracked = placed();
    send();
    expect(did).toEqual(['judge send', 'commit']);
    const { selectionId, direction, tick, mode } = tracked.order;
    expect(rig.noted).toEqual([
      {
        kind: 'order_intended',
        by: 'commit',
        uuid: 'uuid-1',
        place: BODY,
        key: PLACING.key,
        selectionId,
        direction,
        tick,
        mode,
        repeat: false,
        owner: 'a strategy',
        bodyHash: bodyHashOf(BODY),
      },
    ]);
    expect(tracked).toMatchObject({ sentMonotonicMs: 700, lapsesMonotonicMs: 60_700 });
    expect(tracked.order.state).toBe('sending');
  });

  it.each([
    [250, ['judge send', 'commit']],
    [251, ['judge send', 'commit', 'judge send']],
  ])('judges it once more after a write of %i ms', (ms, expected) => {
    placed();
    writeMs = ms;
    send();
    expect(did).toEqual(expected);
  });

  it('sends nothing if a check refuses it, nor once a connection is there', () => {
    const tracked = placed();
    obstacles = { send: blockedBy('not_wanted'), connected: blockedBy('risk', 'worst_case') };
    expect(send).toThrow('not_wanted');
    expect(() => rig.asked[0]?.options.whenConnected?.()).toThrow('risk: worst_case');
    expect([tracked.order.state, rig.noted]).toEqual(['prepared', []]);
    obstacles = {};
    expect(() => rig.asked[0]?.options.whenConnected?.()).not.toThrow();
  });

  it('limits the wait for the answer to the reserve of the heartbeat', async () => {
    placed();
    const { signal } = rig.asked[0]?.options ?? {};
    await rig.clock.advance(60_000);
    expect(signal?.aborted).toBe(false);
    send();
    delete (rig.clock as { monotonicMs?: unknown }).monotonicMs;
    await rig.clock.advance(4_999);
    expect(signal?.aborted).toBe(false);
    await rig.clock.advance(1);
    expect(signal?.reason).toMatchObject({ outcome: 'unknown' });
  });
});

describe('an order that is not wanted any more', () => {
  it('is given up while it waits, and not once it has left', () => {
    const tracked = placed();
    placer.withdraw(tracked);
    expect(rig.asked[0]?.options.signal?.reason).toMatchObject({ outcome: 'not-sent' });
  });

  it('goes on once it has left', () => {
    const tracked = placed();
    send();
    placer.withdraw(tracked);
    expect(rig.asked[0]?.options.signal?.aborted).toBe(false);
  });
});

describe('the answer', () => {
  it.each([
    ['answers', async () => rig.take('placeOrder').answer({ orderId: 9 }), 'answered 9'],
    ['fails', async () => rig.take('placeOrder').fail(new Error('cut')), 'failed cut'],
  ])('ends the turn and the wait before it is applied: the exchange %s', async (_, settle, applied) => {
    const tracked = placed();
    const signal = rig.asked[0]?.options.signal;
    await settle();
    expect(did).toEqual(['turn over', applied]);
    placer.withdraw(tracked);
    await rig.clock.advance(60_000);
    expect(signal?.aborted).toBe(false);
  });

  const unknown = async (): Promise<TrackedOrder> => {
    const tracked = placed();
    isKnown = false;
    send();
    await rig.take('placeOrder').fail(new Error('cut'));
    book.apply(tracked, 'unclear', {}, 'answer');
    did = [];
    return tracked;
  };

  it('that leaves the outcome unknown lets the request be repeated as it was', async () => {
    const tracked = await unknown();
    expect(placer.repeat(tracked)).toBe(true);
    expect(did).toEqual(['judge send again', 'turn of a strategy']);
    const { args, options } = rig.asked[0] ?? {};
    expect([args, options?.priority]).toEqual([[BODY], 'normal']);
    send();
    expect(rig.noted.at(-1)).toMatchObject({ kind: 'order_intended', repeat: true });
    placer.withdraw(tracked);
    expect(options?.signal?.aborted).toBe(false);
    isKnown = true;
    await rig.take('placeOrder').fail(new Error('again'));
    expect(did.at(-1)).toBe('failed again again');
    expect(placer.repeat(tracked)).toBe(false);
  });

  it('that leaves it unknown lets nothing be repeated that a check refuses', async () => {
    const tracked = await unknown();
    obstacles['send'] = blockedBy('not_wanted');
    expect([placer.repeat(tracked), rig.asked]).toEqual([false, []]);
  });

  it('that tells it lets nothing be repeated', async () => {
    const tracked = placed();
    await rig.take('placeOrder').answer({ orderId: orderId(9) });
    expect([placer.repeat(tracked), rig.asked]).toEqual([false, []]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApproveOrder } from '../../../src/domain/approval.ts';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { HeartbeatId, OrderId } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import { priceOf } from '../../../src/domain/ladder.ts';
import { sleep } from '../../../src/ports/clock.ts';
import type { VenueMethod } from '../../support/faulty-calls.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { failing } from '../support/failing.ts';

const heartbeatOf = (rig: OrderManagerRig): HeartbeatId =>
  [...rig.venue.heartbeatsHeld.keys()][0] as HeartbeatId;

async function quoting(rig: OrderManagerRig): Promise<void> {
  await rig.startQuoting(quote(), quote({ direction: 'against', tick: 90 }), quote({ level: 1, tick: 112 }));
  expect(rig.venue.open()).toHaveLength(3);
}

/** The most orders placed within any second, after the first ones. */
async function mostInASecond(rig: OrderManagerRig, untilMs: number): Promise<number> {
  const counts: number[] = [];
  while (rig.clock.monotonicMs() < untilMs) {
    await rig.advance(100);
    counts.push(rig.venue.held.size);
  }
  return Math.max(...counts.map((count, at) => count - (counts[at - 10] ?? count)));
}

describe('the heartbeat', () => {
  it('blocks every order until it is armed', async () => {
    const rig = new OrderManagerRig();
    failing(rig, 'createHeartbeat', 3, { kind: 'not-sent' });
    await rig.start();
    rig.desire(quote());
    await rig.advance(1_500);
    expect(rig.venue.held.size).toBe(0);
    expect(rig.manager.status().blocked).toBe('heartbeat');
    await rig.advance(5_000);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('exists once when the answer to its creation is lost', async () => {
    const rig = new OrderManagerRig();
    failing(rig, 'createHeartbeat', 1, { kind: 'answer-lost' });
    await rig.start();
    rig.desire(quote());
    await rig.advance(25_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    expect(rig.venue.open()).toHaveLength(1);
    await rig.advance(120_000);
    expect(rig.venue.open().length).toBeGreaterThan(0);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
  });

  it('stops placement in time when refreshes fail, and leaves nothing open after it ran out', async () => {
    const rig = new OrderManagerRig();
    await quoting(rig);
    failing(rig, 'refreshHeartbeat', 1_000, { kind: 'not-sent' });
    const before = rig.venue.held.size;
    await rig.advance(20_000);
    expect(rig.manager.status().blocked).toBe('heartbeat');
    rig.desire(quote({ tick: 130 }));
    await rig.advance(11_000);
    expect(rig.venue.held.size).toBe(before);
    expect(rig.venue.open()).toEqual([]);
  });

  it('closes an order that lands after it ran out as soon as the order shows', async () => {
    const rig = new OrderManagerRig();
    await quoting(rig);
    rig.venue.fault = (called) => {
      if (called === 'refreshHeartbeat') return { kind: 'not-sent' };
      return called === 'placeOrder' ? { kind: 'late', ms: 29_000 } : null;
    };
    const before = rig.venue.held.size;
    rig.desire(quote({ tick: 130 }));
    const bareMs: number[] = [];
    while (rig.clock.monotonicMs() < 60_000) {
      await rig.advance(100);
      const isBare = rig.venue.open().length > 0 && rig.venue.heartbeatsHeld.size === 0;
      if (isBare) bareMs.push(rig.clock.monotonicMs());
    }
    expect(rig.venue.held.size).toBeGreaterThan(before);
    expect(bareMs.length).toBeLessThan(10);
  });

  it('detects a close-out although it was healthy, and quotes again slowly', async () => {
    const rig = new OrderManagerRig();
    await quoting(rig);
    rig.venue.expireHeartbeat(heartbeatOf(rig));
    await rig.advance(1_000);
    expect(rig.manager.status().blocked).not.toBeNull();
    expect(rig.venue.open()).toEqual([]);
    await rig.advance(3_500);
    expect(rig.venue.open()).toEqual([]);
    await rig.advance(2_000);
    expect(rig.venue.open().length).toBeLessThanOrEqual(2);
    await rig.advance(6_000);
    expect(rig.venue.open()).toHaveLength(3);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
  });

  it('is followed by the quotes that risk admits, however many more valuable ones are refused', async () => {
    let refusing = false;
    const approve: ApproveOrder = (order) =>
      refusing && order.price !== priceOf(quote().tick)
        ? { ok: false, refusals: [{ code: 'worst_case', message: '', actual: null, limit: null }] }
        : { ok: true, order: mintApproval({ ...order }) };
    const rig = new OrderManagerRig({ approve });
    const refused = [112, 114, 116].map((tick, level) =>
      quote({ tick, level: level + 1, valueMicrosPerS: 9 }),
    );
    await rig.startQuoting(quote(), ...refused);
    expect(rig.venue.open()).toHaveLength(4);
    refusing = true;
    rig.venue.expireHeartbeat(heartbeatOf(rig));
    await rig.advance(9_000);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it('is requested again when more orders are closed while the request is in flight', async () => {
    const rig = new OrderManagerRig();
    await quoting(rig);
    const list = rig.venue.heartbeats.bind(rig.venue);
    rig.venue.heartbeats = async (options) => {
      const listed = await list(options);
      await sleep(rig.clock, 500);
      return listed;
    };
    rig.venue.closeByHand([...rig.venue.held.keys()][0] as OrderId);
    await rig.advance(100);
    rig.venue.expireHeartbeat(heartbeatOf(rig));
    const before = rig.venue.held.size;
    await rig.advance(4_000);
    expect(rig.venue.held.size).toBe(before);
    await rig.advance(60_000);
    expect(rig.venue.open()).toHaveLength(3);
  });

  it('is armed again when a foreign process deletes it', async () => {
    const rig = new OrderManagerRig();
    await quoting(rig);
    rig.venue.heartbeatsHeld.delete(heartbeatOf(rig));
    await rig.advance(20_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    expect(rig.venue.open()).toHaveLength(3);
  });

  it('is not given up for a late answer about its predecessor', async () => {
    const rig = new OrderManagerRig();
    await quoting(rig);
    const asked = (method: VenueMethod): number =>
      rig.venue.calls.filter((call) => call.method === method).length;
    failing(rig, 'refreshHeartbeat', 1, { kind: 'lost' });
    for (const before = asked('refreshHeartbeat'); asked('refreshHeartbeat') === before;) {
      await rig.advance(50);
    }
    rig.venue.heartbeatsHeld.delete(heartbeatOf(rig));
    rig.venue.closeByHand([...rig.venue.held.keys()][0] as OrderId);
    await rig.advance(2_000);
    const second = heartbeatOf(rig);
    await rig.advance(60_000);
    expect([...rig.venue.heartbeatsHeld.keys()]).toEqual([second]);
    expect(asked('createHeartbeat')).toBe(2);
  });

  it('waits for an orphaned heartbeat to run out before the first order', async () => {
    const rig = new OrderManagerRig();
    void rig.venue.createHeartbeat(20);
    await rig.advance(100);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    await rig.start();
    rig.desire(quote());
    await rig.advance(15_000);
    expect(rig.venue.held.size).toBe(0);
    expect(rig.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
    await rig.advance(60_000);
    expect(rig.venue.open()).toHaveLength(1);
  });

  it.each([
    ['waits while another program refreshes one', 'wait', 0],
    ['trades beside one that another program refreshes, where the setting tolerates it', 'tolerate', 1],
  ] as const)('%s', async (_, otherHeartbeats, open) => {
    const rig = new OrderManagerRig({ options: { otherHeartbeats } });
    void rig.venue.createHeartbeat(30);
    await rig.advance(100);
    const others = heartbeatOf(rig);
    await rig.start();
    rig.desire(quote());
    for (let refreshes = 0; refreshes < 30; refreshes++) {
      await rig.advance(6_000);
      void rig.venue.refreshHeartbeat(others);
    }
    expect(rig.venue.open()).toHaveLength(open);
    expect(rig.venue.heartbeatsHeld.has(others)).toBe(true);
    expect(rig.venue.heartbeatsHeld.size).toBe(1 + open);
  });

  it('is not claimed from another process for a request that the exchange refused', async () => {
    const rig = new OrderManagerRig();
    const refusal = new VenueRejection('limit_reached', 409, 'too many');
    failing(rig, 'createHeartbeat', 1_000, { kind: 'reject', error: refusal });
    await rig.start();
    rig.kill();
    rig.venue.fault = () => null;
    void rig.venue.createHeartbeat(30);
    await rig.advance(100);
    const others = heartbeatOf(rig);
    rig.revive();
    await rig.start();
    await rig.advance(5_000);
    expect(rig.venue.heartbeatsHeld.has(others)).toBe(true);
  });

  it('of another process closes everything at its end, and quotes come back slowly', async () => {
    const rig = new OrderManagerRig();
    await quoting(rig);
    void rig.venue.createHeartbeat(30);
    const before = rig.venue.heartbeatsHeld.size;
    await rig.advance(20_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(before + 1);
    expect(await mostInASecond(rig, 60_000)).toBeLessThan(3);
    await rig.advance(20_000);
    expect(rig.venue.open()).toHaveLength(3);
  });

  it('runs out when the engine hangs', async () => {
    let progressing = true;
    const rig = new OrderManagerRig({ progressing: () => progressing });
    await quoting(rig);
    progressing = false;
    await rig.advance(40_000);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
  });

  it('is requested once when nothing can be journaled, because nothing will be placed', async () => {
    const rig = new OrderManagerRig();
    rig.isFull = true;
    await rig.start();
    rig.desire(quote());
    await rig.advance(30_000);
    expect(rig.warnings.filter((warning) => warning === 'heartbeat could not be created')).toHaveLength(1);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
    expect(rig.venue.held.size).toBe(0);
  });

  it('need not run out first: orders of a hung engine are closed, and none is placed until it goes on', async () => {
    let progressing = true;
    const rig = new OrderManagerRig({ progressing: () => progressing });
    await quoting(rig);
    const standing = rig.venue.open().length;
    rig.venue.heartbeatsHeld.clear();
    progressing = false;
    await rig.advance(3_000);
    expect(rig.venue.open()).toEqual([]);
    expect(rig.manager.status().blocked).toBe('engine_hangs');
    progressing = true;
    await rig.advance(30_000);
    expect(rig.venue.open()).toHaveLength(standing);
  });

  it('runs out while a kill has not closed everything, without reporting a hung engine', async () => {
    let closingFailed = false;
    const rig = new OrderManagerRig({ closingFailed: () => closingFailed });
    await quoting(rig);
    closingFailed = true;
    await rig.advance(3_000);
    expect(rig.manager.status().blocked).toBe('kill_unfinished');
    await rig.advance(37_000);
    expect(rig.venue.heartbeatsHeld.size).toBe(0);
  });

  it('is not refreshed by a retry when the engine has hung meanwhile', async () => {
    let progressing = true;
    const rig = new OrderManagerRig({ progressing: () => progressing });
    await quoting(rig);
    const refresh = rig.venue.refreshHeartbeat.bind(rig.venue);
    let repeats = 0;
    rig.venue.refreshHeartbeat = async (id, options) => {
      await sleep(rig.clock, 2_000);
      repeats++;
      progressing = false;
      return refresh(id, options);
    };
    await rig.advance(60_000);
    expect(repeats).toBe(1);
    expect(rig.venue.calls.filter(({ method }) => method === 'refreshHeartbeat')).toHaveLength(0);
    expect(rig.venue.open()).toEqual([]);
  });
});

/** Answers the next listing of heartbeats with none. */
function leaveOutOnce(rig: OrderManagerRig): void {
  const list = rig.venue.heartbeats.bind(rig.venue);
  rig.venue.heartbeats = () => {
    rig.venue.heartbeats = list;
    return Promise.resolve([]);
  };
}

describe('a heartbeat that one answer omits', () => {
  /** A rig whose successor heartbeat is not armed yet. */
  async function rigWithLeftOut(): Promise<{ readonly rig: OrderManagerRig; readonly leftOut: HeartbeatId }> {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await quoting(rig);
    const leftOut = heartbeatOf(rig);
    leaveOutOnce(rig);
    rig.venue.closeByHand(rig.venue.open()[0]?.view.orderId as OrderId);
    return { rig, leftOut };
  }

  it('closes nothing that its successor guards', async () => {
    const { rig, leftOut } = await rigWithLeftOut();
    await rig.advance(10_000);
    rig.warnings = [];
    await rig.advance(60_000);
    expect(rig.venue.heartbeatsHeld.has(leftOut)).toBe(false);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    expect(rig.warnings).not.toContain('an order was closed without our asking');
    expect(rig.venue.open()).toHaveLength(3);
  });

  it('guards open orders until its successor is armed', async () => {
    const { rig, leftOut } = await rigWithLeftOut();
    failing(rig, 'createHeartbeat', Infinity, { kind: 'not-sent' });
    await rig.advance(10_000);
    expect(rig.venue.heartbeatsHeld.has(leftOut)).toBe(true);
    rig.venue.fault = () => null;
    await rig.advance(10_000);
    expect(rig.venue.heartbeatsHeld.has(leftOut)).toBe(false);
  });

  it('is not claimed when the answer to its successor’s request is lost', async () => {
    const { rig, leftOut } = await rigWithLeftOut();
    failing(rig, 'createHeartbeat', 1, { kind: 'answer-lost' });
    await rig.advance(20_000);
    expect([...rig.venue.heartbeatsHeld.keys()]).not.toContain(leftOut);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
  });

  it('blocks quotes no longer than it can live, however its deletes are answered', async () => {
    const { rig } = await rigWithLeftOut();
    failing(rig, 'deleteHeartbeat', Infinity, { kind: 'not-sent' });
    await rig.advance(290_000);
    expect(rig.manager.status().blocked).toBe('heartbeat_of_an_earlier_run');
    await rig.advance(20_000);
    expect(rig.manager.status().blocked).toBeNull();
    expect(rig.venue.open()).toHaveLength(3);
  });

  it('is deleted by the next run when this one is killed before', async () => {
    const { rig, leftOut } = await rigWithLeftOut();
    failing(rig, 'deleteHeartbeat', Infinity, { kind: 'not-sent' });
    await rig.advance(5_000);
    expect(rig.venue.heartbeatsHeld.has(leftOut)).toBe(true);
    rig.kill();
    rig.venue.fault = () => null;
    rig.revive();
    await rig.startQuoting(quote());
    expect(rig.venue.heartbeatsHeld.has(leftOut)).toBe(false);
    expect(rig.kinds().filter((kind) => kind === 'heartbeat_ended')).toHaveLength(2);
  });

  it('closes nothing, however often refreshes are answered so and creates and deletes fail', async () => {
    const error = new VenueRejection('not_found', 404, 'not found');
    const fates = fc.record({
      refreshHeartbeat: fc.nat(3),
      createHeartbeat: fc.nat(1),
      deleteHeartbeat: fc.nat(3),
      carriedOut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fates, async ({ carriedOut, ...times }) => {
        const rig = new OrderManagerRig({ options: { durationS: 600 } });
        await quoting(rig);
        const left = new Map<VenueMethod, number>(Object.entries(times) as [VenueMethod, number][]);
        rig.venue.fault = (method) => {
          const more = left.get(method) ?? 0;
          left.set(method, more - 1);
          if (more <= 0) return null;
          return method === 'refreshHeartbeat'
            ? { kind: 'reject', error, carriedOut }
            : { kind: method === 'createHeartbeat' ? 'answer-lost' : 'not-sent' };
        };
        await rig.advance(150_000);
        expect(rig.venue.heartbeatsHeld.size).toBe(1);
        expect(rig.warnings).not.toContain('an order was closed without our asking');
        expect(rig.venue.open()).toHaveLength(3);
      }),
      { numRuns: 40 },
    );
  });
});

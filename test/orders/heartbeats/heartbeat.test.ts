import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApproveOrder } from '../../../src/domain/approval.ts';
import { VenueRejection } from '../../../src/domain/errors.ts';
import type { HeartbeatId, OrderId } from '../../../src/domain/ids.ts';
import { mintApproval } from '../../../src/domain/mint-approval.ts';
import { priceOf } from '../../../src/domain/odds.ts';
import { sleep } from '../../../src/ports/clock.ts';
import type { VenueMethod } from '../../support/faulty-calls.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { failing } from '../support/failing.ts';

const heartbeatOf = (desk: TestDesk): HeartbeatId => [...desk.venue.heartbeatsHeld.keys()][0] as HeartbeatId;

async function quoting(desk: TestDesk): Promise<void> {
  await desk.startQuoting(quote(), quote({ direction: 'against', tick: 90 }), quote({ level: 1, tick: 112 }));
  expect(desk.venue.open()).toHaveLength(3);
}

/** The most orders placed within any second, after the first ones. */
async function mostInASecond(desk: TestDesk, untilMs: number): Promise<number> {
  const counts: number[] = [];
  while (desk.clock.monotonicMs() < untilMs) {
    await desk.advance(100);
    counts.push(desk.venue.held.size);
  }
  return Math.max(...counts.map((count, at) => count - (counts[at - 10] ?? count)));
}

describe('the heartbeat', () => {
  it('blocks every order until it is armed', async () => {
    const desk = new TestDesk();
    failing(desk, 'createHeartbeat', 3, { kind: 'not-sent' });
    await desk.start();
    desk.desire(quote());
    await desk.advance(1_500);
    expect(desk.venue.held.size).toBe(0);
    expect(desk.manager.status().blocked).toBe('heartbeat');
    await desk.advance(5_000);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('exists once when the answer to its creation is lost', async () => {
    const desk = new TestDesk();
    failing(desk, 'createHeartbeat', 1, { kind: 'answer-lost' });
    await desk.start();
    desk.desire(quote());
    await desk.advance(25_000);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    expect(desk.venue.open()).toHaveLength(1);
    await desk.advance(120_000);
    expect(desk.venue.open().length).toBeGreaterThan(0);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
  });

  it('stops placement in time when refreshes fail, and leaves nothing open after it ran out', async () => {
    const desk = new TestDesk();
    await quoting(desk);
    failing(desk, 'refreshHeartbeat', 1_000, { kind: 'not-sent' });
    const before = desk.venue.held.size;
    await desk.advance(20_000);
    expect(desk.manager.status().blocked).toBe('heartbeat');
    desk.desire(quote({ tick: 130 }));
    await desk.advance(11_000);
    expect(desk.venue.held.size).toBe(before);
    expect(desk.venue.open()).toEqual([]);
  });

  it('closes an order that lands after it ran out as soon as the order shows', async () => {
    const desk = new TestDesk();
    await quoting(desk);
    desk.venue.fault = (called) => {
      if (called === 'refreshHeartbeat') return { kind: 'not-sent' };
      return called === 'placeOrder' ? { kind: 'late', ms: 29_000 } : null;
    };
    const before = desk.venue.held.size;
    desk.desire(quote({ tick: 130 }));
    const bareMs: number[] = [];
    while (desk.clock.monotonicMs() < 60_000) {
      await desk.advance(100);
      const isBare = desk.venue.open().length > 0 && desk.venue.heartbeatsHeld.size === 0;
      if (isBare) bareMs.push(desk.clock.monotonicMs());
    }
    expect(desk.venue.held.size).toBeGreaterThan(before);
    expect(bareMs.length).toBeLessThan(10);
  });

  it('detects a close-out although it was healthy, and quotes again slowly', async () => {
    const desk = new TestDesk();
    await quoting(desk);
    desk.venue.expireHeartbeat(heartbeatOf(desk));
    await desk.advance(1_000);
    expect(desk.manager.status().blocked).not.toBeNull();
    expect(desk.venue.open()).toEqual([]);
    await desk.advance(3_500);
    expect(desk.venue.open()).toEqual([]);
    await desk.advance(2_000);
    expect(desk.venue.open().length).toBeLessThanOrEqual(2);
    await desk.advance(6_000);
    expect(desk.venue.open()).toHaveLength(3);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
  });

  it('is followed by the quotes that risk admits, however many more valuable ones are refused', async () => {
    let refusing = false;
    const approve: ApproveOrder = (order) =>
      refusing && order.price !== priceOf(quote().tick)
        ? { ok: false, refusals: [{ code: 'worst_case', message: '', actual: null, limit: null }] }
        : { ok: true, order: mintApproval({ ...order }) };
    const desk = new TestDesk({ approve });
    const refused = [112, 114, 116].map((tick, level) =>
      quote({ tick, level: level + 1, valueMicrosPerS: 9 }),
    );
    await desk.startQuoting(quote(), ...refused);
    expect(desk.venue.open()).toHaveLength(4);
    refusing = true;
    desk.venue.expireHeartbeat(heartbeatOf(desk));
    await desk.advance(9_000);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it('is requested again when more orders are closed while the request is in flight', async () => {
    const desk = new TestDesk();
    await quoting(desk);
    const list = desk.venue.heartbeats.bind(desk.venue);
    desk.venue.heartbeats = async (options) => {
      const listed = await list(options);
      await sleep(desk.clock, 500);
      return listed;
    };
    desk.venue.closeByHand([...desk.venue.held.keys()][0] as OrderId);
    await desk.advance(100);
    desk.venue.expireHeartbeat(heartbeatOf(desk));
    const before = desk.venue.held.size;
    await desk.advance(4_000);
    expect(desk.venue.held.size).toBe(before);
    await desk.advance(60_000);
    expect(desk.venue.open()).toHaveLength(3);
  });

  it('is armed again when a foreign process deletes it', async () => {
    const desk = new TestDesk();
    await quoting(desk);
    desk.venue.heartbeatsHeld.delete(heartbeatOf(desk));
    await desk.advance(20_000);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    expect(desk.venue.open()).toHaveLength(3);
  });

  it('is not given up for a late answer about its predecessor', async () => {
    const desk = new TestDesk();
    await quoting(desk);
    const asked = (method: VenueMethod): number =>
      desk.venue.calls.filter((call) => call.method === method).length;
    failing(desk, 'refreshHeartbeat', 1, { kind: 'lost' });
    for (const before = asked('refreshHeartbeat'); asked('refreshHeartbeat') === before;) {
      await desk.advance(50);
    }
    desk.venue.heartbeatsHeld.delete(heartbeatOf(desk));
    desk.venue.closeByHand([...desk.venue.held.keys()][0] as OrderId);
    await desk.advance(2_000);
    const second = heartbeatOf(desk);
    await desk.advance(60_000);
    expect([...desk.venue.heartbeatsHeld.keys()]).toEqual([second]);
    expect(asked('createHeartbeat')).toBe(2);
  });

  it('waits for an orphaned heartbeat to run out before the first order', async () => {
    const desk = new TestDesk();
    void desk.venue.createHeartbeat(20);
    await desk.advance(100);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    await desk.start();
    desk.desire(quote());
    await desk.advance(15_000);
    expect(desk.venue.held.size).toBe(0);
    expect(desk.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
    await desk.advance(60_000);
    expect(desk.venue.open()).toHaveLength(1);
  });

  it.each([
    ['waits while another program refreshes one', 'wait', 0],
    ['trades beside one that another program refreshes, where the setting tolerates it', 'tolerate', 1],
  ] as const)('%s', async (_, otherHeartbeats, open) => {
    const desk = new TestDesk({ options: { otherHeartbeats } });
    void desk.venue.createHeartbeat(30);
    await desk.advance(100);
    const others = heartbeatOf(desk);
    await desk.start();
    desk.desire(quote());
    for (let refreshes = 0; refreshes < 30; refreshes++) {
      await desk.advance(6_000);
      void desk.venue.refreshHeartbeat(others);
    }
    expect(desk.venue.open()).toHaveLength(open);
    expect(desk.venue.heartbeatsHeld.has(others)).toBe(true);
    expect(desk.venue.heartbeatsHeld.size).toBe(1 + open);
  });

  it('is not claimed from another process for a request that the exchange refused', async () => {
    const desk = new TestDesk();
    const refusal = new VenueRejection('limit_reached', 409, 'too many');
    failing(desk, 'createHeartbeat', 1_000, { kind: 'reject', error: refusal });
    await desk.start();
    desk.kill();
    desk.venue.fault = () => null;
    void desk.venue.createHeartbeat(30);
    await desk.advance(100);
    const others = heartbeatOf(desk);
    desk.revive();
    await desk.start();
    await desk.advance(5_000);
    expect(desk.venue.heartbeatsHeld.has(others)).toBe(true);
  });

  it('of another process closes everything at its end, and quotes come back slowly', async () => {
    const desk = new TestDesk();
    await quoting(desk);
    void desk.venue.createHeartbeat(30);
    const before = desk.venue.heartbeatsHeld.size;
    await desk.advance(20_000);
    expect(desk.venue.heartbeatsHeld.size).toBe(before + 1);
    expect(await mostInASecond(desk, 60_000)).toBeLessThan(3);
    await desk.advance(20_000);
    expect(desk.venue.open()).toHaveLength(3);
  });

  it('runs out when the engine hangs', async () => {
    let progressing = true;
    const desk = new TestDesk({ progressing: () => progressing });
    await quoting(desk);
    progressing = false;
    await desk.advance(40_000);
    expect(desk.venue.open()).toEqual([]);
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
  });

  it('is requested once when nothing can be journaled, because nothing will be placed', async () => {
    const desk = new TestDesk();
    desk.isFull = true;
    await desk.start();
    desk.desire(quote());
    await desk.advance(30_000);
    expect(desk.warnings.filter((warning) => warning === 'heartbeat could not be created')).toHaveLength(1);
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
    expect(desk.venue.held.size).toBe(0);
  });

  it('need not run out first: orders of a hung engine are closed, and none is placed until it goes on', async () => {
    let progressing = true;
    const desk = new TestDesk({ progressing: () => progressing });
    await quoting(desk);
    const standing = desk.venue.open().length;
    desk.venue.heartbeatsHeld.clear();
    progressing = false;
    await desk.advance(3_000);
    expect(desk.venue.open()).toEqual([]);
    expect(desk.manager.status().blocked).toBe('engine_hangs');
    progressing = true;
    await desk.advance(30_000);
    expect(desk.venue.open()).toHaveLength(standing);
  });

  it('runs out while a kill has not closed everything, without reporting a hung engine', async () => {
    let closingFailed = false;
    const desk = new TestDesk({ closingFailed: () => closingFailed });
    await quoting(desk);
    closingFailed = true;
    await desk.advance(3_000);
    expect(desk.manager.status().blocked).toBe('kill_unfinished');
    await desk.advance(37_000);
    expect(desk.venue.heartbeatsHeld.size).toBe(0);
  });

  it('is not refreshed by a retry when the engine has hung meanwhile', async () => {
    let progressing = true;
    const desk = new TestDesk({ progressing: () => progressing });
    await quoting(desk);
    const refresh = desk.venue.refreshHeartbeat.bind(desk.venue);
    let repeats = 0;
    desk.venue.refreshHeartbeat = async (id, options) => {
      await sleep(desk.clock, 2_000);
      repeats++;
      progressing = false;
      return refresh(id, options);
    };
    await desk.advance(60_000);
    expect(repeats).toBe(1);
    expect(desk.venue.calls.filter(({ method }) => method === 'refreshHeartbeat')).toHaveLength(0);
    expect(desk.venue.open()).toEqual([]);
  });
});

/** Answers the next listing of heartbeats with none. */
function leaveOutOnce(desk: TestDesk): void {
  const list = desk.venue.heartbeats.bind(desk.venue);
  desk.venue.heartbeats = () => {
    desk.venue.heartbeats = list;
    return Promise.resolve([]);
  };
}

describe('a heartbeat that one answer omits', () => {
  /** A desk whose successor heartbeat is not armed yet. */
  async function deskWithLeftOut(): Promise<{ readonly desk: TestDesk; readonly leftOut: HeartbeatId }> {
    const desk = new TestDesk({ options: { durationS: 600 } });
    await quoting(desk);
    const leftOut = heartbeatOf(desk);
    leaveOutOnce(desk);
    desk.venue.closeByHand(desk.venue.open()[0]?.view.orderId as OrderId);
    return { desk, leftOut };
  }

  it('closes nothing that its successor guards', async () => {
    const { desk, leftOut } = await deskWithLeftOut();
    await desk.advance(10_000);
    desk.warnings = [];
    await desk.advance(60_000);
    expect(desk.venue.heartbeatsHeld.has(leftOut)).toBe(false);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    expect(desk.warnings).not.toContain('an order was closed without our asking');
    expect(desk.venue.open()).toHaveLength(3);
  });

  it('guards open orders until its successor is armed', async () => {
    const { desk, leftOut } = await deskWithLeftOut();
    failing(desk, 'createHeartbeat', Infinity, { kind: 'not-sent' });
    await desk.advance(10_000);
    expect(desk.venue.heartbeatsHeld.has(leftOut)).toBe(true);
    desk.venue.fault = () => null;
    await desk.advance(10_000);
    expect(desk.venue.heartbeatsHeld.has(leftOut)).toBe(false);
  });

  it('is not claimed when the answer to its successor’s request is lost', async () => {
    const { desk, leftOut } = await deskWithLeftOut();
    failing(desk, 'createHeartbeat', 1, { kind: 'answer-lost' });
    await desk.advance(20_000);
    expect([...desk.venue.heartbeatsHeld.keys()]).not.toContain(leftOut);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
  });

  it('blocks quotes no longer than it can live, however its deletes are answered', async () => {
    const { desk } = await deskWithLeftOut();
    failing(desk, 'deleteHeartbeat', Infinity, { kind: 'not-sent' });
    await desk.advance(290_000);
    expect(desk.manager.status().blocked).toBe('heartbeat_of_an_earlier_run');
    await desk.advance(20_000);
    expect(desk.manager.status().blocked).toBeNull();
    expect(desk.venue.open()).toHaveLength(3);
  });

  it('is deleted by the next run when this one is killed before', async () => {
    const { desk, leftOut } = await deskWithLeftOut();
    failing(desk, 'deleteHeartbeat', Infinity, { kind: 'not-sent' });
    await desk.advance(5_000);
    expect(desk.venue.heartbeatsHeld.has(leftOut)).toBe(true);
    desk.kill();
    desk.venue.fault = () => null;
    desk.revive();
    await desk.startQuoting(quote());
    expect(desk.venue.heartbeatsHeld.has(leftOut)).toBe(false);
    expect(desk.kinds().filter((kind) => kind === 'heartbeat_ended')).toHaveLength(2);
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
        const desk = new TestDesk({ options: { durationS: 600 } });
        await quoting(desk);
        const left = new Map<VenueMethod, number>(Object.entries(times) as [VenueMethod, number][]);
        desk.venue.fault = (method) => {
          const more = left.get(method) ?? 0;
          left.set(method, more - 1);
          if (more <= 0) return null;
          return method === 'refreshHeartbeat'
            ? { kind: 'reject', error, carriedOut }
            : { kind: method === 'createHeartbeat' ? 'answer-lost' : 'not-sent' };
        };
        await desk.advance(150_000);
        expect(desk.venue.heartbeatsHeld.size).toBe(1);
        expect(desk.warnings).not.toContain('an order was closed without our asking');
        expect(desk.venue.open()).toHaveLength(3);
      }),
      { numRuns: 40 },
    );
  });
});

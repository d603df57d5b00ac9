import { describe, expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { SimDesk } from '../../support/sim-desk.ts';
import { failing } from '../support/failing.ts';

const QUOTES = [quote(), quote({ direction: 'against', tick: 90 }), quote({ level: 1, tick: 112 })];

/** One heartbeat remains and closes nothing, for longer than any heartbeat lives. */
async function expectOneWhileQuoting(desk: TestDesk): Promise<void> {
  await desk.startQuoting(...QUOTES);
  await desk.advance(100_000);
  expect(desk.venue.heartbeatsHeld.size).toBe(1);
  expect(desk.warnings).not.toContain('an order was closed without our asking');
}

describe('a heartbeat that no process refreshes', () => {
  it('is deleted though it lands long after its request was given up', async () => {
    const desk = new TestDesk();
    failing(desk, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
    await expectOneWhileQuoting(desk);
  });

  it('is deleted though the run that requested it died', async () => {
    const desk = new TestDesk();
    failing(desk, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
    await desk.start();
    desk.kill();
    desk.revive();
    await expectOneWhileQuoting(desk);
  });

  it('is deleted though the run that requested it had armed another when it died', async () => {
    const desk = new TestDesk();
    failing(desk, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
    await desk.start();
    await desk.advance(8_000);
    expect(desk.kinds().filter((kind) => kind === 'heartbeat_armed')).toHaveLength(1);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    desk.kill();
    desk.revive();
    await expectOneWhileQuoting(desk);
  });

  it('is deleted until it is gone when it was found beside the adopted one', async () => {
    const desk = new TestDesk();
    let [creates, deletes] = [2, 5];
    desk.venue.fault = (called) => {
      if (called === 'createHeartbeat' && creates-- > 0) return { kind: 'late', ms: 4_000 + 1_500 * creates };
      return called === 'deleteHeartbeat' && deletes-- > 0 ? { kind: 'not-sent' } : null;
    };
    await desk.startQuoting(...QUOTES);
    await desk.advance(100_000);
    expect(deletes).toBeLessThan(5);
    expect(desk.venue.heartbeatsHeld.size).toBe(1);
    expect(desk.warnings).not.toContain('an order was closed without our asking');
  });
});

it('treats a heartbeat as another process’s when none of our requests can have made it, whatever answer was lost', async () => {
  const desk = new TestDesk();
  failing(desk, 'createHeartbeat', Infinity, { kind: 'lost' });
  await desk.start();
  desk.kill();
  desk.venue.fault = () => null;
  await desk.advance(86_400_000);
  void desk.venue.createHeartbeat(300);
  await desk.advance(100);
  const theirs = [...desk.venue.heartbeatsHeld.keys()];
  expect(theirs).toHaveLength(1);
  desk.revive();
  await desk.start();
  expect(desk.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect([...desk.venue.heartbeatsHeld.keys()]).toEqual(expect.arrayContaining(theirs));
});

type Written = readonly [kind: 'cursor' | 'heartbeat_requested', msAgo: number];

/** A run died after these records, written that long ago by its clock. */
function after(written: readonly Written[]): SimDesk {
  const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
  for (const [kind, msAgo] of written) {
    const atMs = desk.clock.wallMs() - msAgo;
    const data = kind === 'cursor' ? { updatesToMs: atMs - 63_000 } : {};
    desk.store.records.push({ seq: desk.store.records.length + 1, atMs, kind, uuid: null, data });
  }
  return desk;
}

/** A heartbeat lands that this run has not requested. */
async function land(desk: SimDesk): Promise<void> {
  void desk.wires.http.send({
    ...{ method: 'POST', path: '/v2/heartbeats/', timeoutMs: 1_000, body: '{"timeout":300}' },
    headers: { 'x-api-key': 'by-hand', 'content-type': 'application/json' },
  });
  await desk.clock.advance(100);
}

/** Starts on an account with one heartbeat after a run with these records. The clock jumps between. */
async function startBeside(written: readonly Written[], jumpMs: number): Promise<SimDesk> {
  const desk = after(written);
  await land(desk);
  expect(desk.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  desk.clock.jumpWall(jumpMs);
  desk.begin();
  await desk.clock.advance(10_000);
  return desk;
}

it('treats a heartbeat as another process’s, with a clock that is behind, when updates show that our request is over', async () => {
  const desk = await startBeside(
    [
      ['heartbeat_requested', 2_400_000],
      ['cursor', 60_000],
    ],
    -3_600_000,
  );
  expect(desk.manager?.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect(desk.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  desk.kill();
});

it('treats a heartbeat as another process’s when a clock that was ahead recorded our request, whose age is unknown', async () => {
  const desk = await startBeside(
    [
      ['heartbeat_requested', -2_400_000],
      ['cursor', 60_000],
    ],
    0,
  );
  expect(desk.manager?.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect(desk.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  desk.kill();
});

it('treats a heartbeat as possibly ours when a clock that was behind recorded our request', async () => {
  const desk = await startBeside(
    [
      ['cursor', 60_000],
      ['heartbeat_requested', 3_600_000],
    ],
    0,
  );
  expect(desk.report?.oldHeartbeats).toHaveLength(1);
  expect(desk.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  desk.kill();
});

it.each<readonly [string, readonly Written[]]>([
  ['nothing was read since', []],
  ['a run that died before it landed has read all updates since', [['cursor', 10_000]]],
])('looks for a late heartbeat when the clock had been behind for long, and %s', async (_, later) => {
  const desk = after([['cursor', 600_000], ['heartbeat_requested', 3_600_000], ...later]);
  desk.begin();
  await desk.clock.advance(10_000);
  await land(desk);
  expect(desk.inspect().accounts[0]?.heartbeats).toHaveLength(2);
  await desk.clock.advance(15_000);
  expect(desk.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  desk.kill();
});

it('stops looking for a late heartbeat minutes after updates were read, however wrong the clock that recorded its request', async () => {
  const desk = after([
    ['cursor', 1_600_000],
    ['heartbeat_requested', 3_600_000],
    ['cursor', 400_000],
  ]);
  desk.begin();
  await desk.clock.advance(10_000);
  await land(desk);
  await desk.clock.advance(5_000);
  expect(desk.inspect().accounts[0]?.heartbeats).toHaveLength(2);
  desk.kill();
});

it('looks for a late heartbeat by one listing at a time, however slow', async () => {
  const desk = new TestDesk();
  void desk.venue.createHeartbeat(300);
  await desk.advance(100);
  failing(desk, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
  await desk.start();
  let asked = 0;
  desk.venue.heartbeats = () => (asked++, new Promise(() => undefined));
  await desk.advance(60_000);
  // Recovery, and any party that would trade, waits for the existing heartbeat to run out.
  expect(asked).toBe(2);
});

it('places nothing once the search for a late heartbeat shows that our own is gone, seconds before its next refresh', async () => {
  const desk = new TestDesk();
  failing(desk, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
  await desk.start();
  desk.kill();
  desk.revive();
  await desk.startQuoting(...QUOTES);
  await desk.advance(500);
  expect(desk.manager.status().blocked).toBeNull();
  // Another user deletes it.
  desk.venue.heartbeatsHeld.clear();
  await desk.advance(2_500);
  expect(desk.manager.status().blocked).toBe('recovering_from_close_out');
  expect(desk.venue.heartbeatsHeld.size).toBe(1);
});

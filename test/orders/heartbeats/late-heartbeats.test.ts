import { describe, expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { SimulatedRig } from '../../support/simulated-rig.ts';
import { failing } from '../support/failing.ts';

const QUOTES = [quote(), quote({ direction: 'against', tick: 90 }), quote({ level: 1, tick: 112 })];

/** A single heartbeat remains and closes nothing, for longer than any heartbeat lives. */
async function expectOneWhileQuoting(rig: OrderManagerRig): Promise<void> {
  await rig.startQuoting(...QUOTES);
  await rig.advance(100_000);
  expect(rig.venue.heartbeatsHeld.size).toBe(1);
  expect(rig.warnings).not.toContain('an order was closed without our asking');
}

describe('a heartbeat that no process refreshes', () => {
  it('is deleted though it lands long after its request was given up', async () => {
    const rig = new OrderManagerRig();
    failing(rig, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
    await expectOneWhileQuoting(rig);
  });

  it('is deleted though the run that requested it died', async () => {
    const rig = new OrderManagerRig();
    failing(rig, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
    await rig.start();
    rig.kill();
    rig.revive();
    await expectOneWhileQuoting(rig);
  });

  it('is deleted though the run that requested it had armed another when it died', async () => {
    const rig = new OrderManagerRig();
    failing(rig, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
    await rig.start();
    await rig.advance(8_000);
    expect(rig.kinds().filter((kind) => kind === 'heartbeat_armed')).toHaveLength(1);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    rig.kill();
    rig.revive();
    await expectOneWhileQuoting(rig);
  });

  it('is deleted until it is gone when it was found beside the adopted one', async () => {
    const rig = new OrderManagerRig();
    let [creates, deletes] = [2, 5];
    rig.venue.fault = (called) => {
      if (called === 'createHeartbeat' && creates-- > 0) return { kind: 'late', ms: 4_000 + 1_500 * creates };
      return called === 'deleteHeartbeat' && deletes-- > 0 ? { kind: 'not-sent' } : null;
    };
    await rig.startQuoting(...QUOTES);
    await rig.advance(100_000);
    expect(deletes).toBeLessThan(5);
    expect(rig.venue.heartbeatsHeld.size).toBe(1);
    expect(rig.warnings).not.toContain('an order was closed without our asking');
  });
});

it('treats a heartbeat as another process’s when none of our requests can have made it, whatever answer was lost', async () => {
  const rig = new OrderManagerRig();
  failing(rig, 'createHeartbeat', Infinity, { kind: 'lost' });
  await rig.start();
  rig.kill();
  rig.venue.fault = () => null;
  await rig.advance(86_400_000);
  void rig.venue.createHeartbeat(300);
  await rig.advance(100);
  const theirs = [...rig.venue.heartbeatsHeld.keys()];
  expect(theirs).toHaveLength(1);
  rig.revive();
  await rig.start();
  expect(rig.manager.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect([...rig.venue.heartbeatsHeld.keys()]).toEqual(expect.arrayContaining(theirs));
});

type Written = readonly [kind: 'cursor' | 'heartbeat_requested', msAgo: number];

/** A run died after these records, written that long ago by its clock. */
function after(written: readonly Written[]): SimulatedRig {
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
  for (const [kind, msAgo] of written) {
    const atMs = rig.clock.wallMs() - msAgo;
    const data = kind === 'cursor' ? { updatesToMs: atMs - 63_000 } : {};
    rig.store.records.push({ seq: rig.store.records.length + 1, atMs, kind, uuid: null, data });
  }
  return rig;
}

/** A heartbeat lands that this run has not requested. */
async function land(rig: SimulatedRig): Promise<void> {
  void rig.wires.http.send({
    method: 'POST',
    path: '/v2/heartbeats/',
    timeoutMs: 1_000,
    body: '{"timeout":300}',
    headers: { 'x-api-key': 'by-hand', 'content-type': 'application/json' },
  });
  await rig.clock.advance(100);
}

/** Starts on an account with one heartbeat after a run with these records. The clock jumps between. */
async function startBeside(written: readonly Written[], jumpMs: number): Promise<SimulatedRig> {
  const rig = after(written);
  await land(rig);
  expect(rig.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  rig.clock.jumpWall(jumpMs);
  rig.begin();
  await rig.clock.advance(10_000);
  return rig;
}

it('treats a heartbeat as another process’s, with a clock that is behind, when updates show that our request is over', async () => {
  const rig = await startBeside(
    [
      ['heartbeat_requested', 2_400_000],
      ['cursor', 60_000],
    ],
    -3_600_000,
  );
  expect(rig.manager?.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect(rig.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  rig.kill();
});

it('treats a heartbeat as another process’s when a clock that was ahead recorded our request, whose age is unknown', async () => {
  const rig = await startBeside(
    [
      ['heartbeat_requested', -2_400_000],
      ['cursor', 60_000],
    ],
    0,
  );
  expect(rig.manager?.status().blocked).toMatch(/^heartbeat_of_another_process: /);
  expect(rig.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  rig.kill();
});

it('treats a heartbeat as possibly ours when a clock that was behind recorded our request', async () => {
  const rig = await startBeside(
    [
      ['cursor', 60_000],
      ['heartbeat_requested', 3_600_000],
    ],
    0,
  );
  expect(rig.report?.oldHeartbeats).toHaveLength(1);
  expect(rig.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  rig.kill();
});

it.each<readonly [string, readonly Written[]]>([
  ['nothing was read since', []],
  ['a run that died before it landed has read all updates since', [['cursor', 10_000]]],
])('looks for a late heartbeat when the clock had been behind for long, and %s', async (_, later) => {
  const rig = after([['cursor', 600_000], ['heartbeat_requested', 3_600_000], ...later]);
  rig.begin();
  await rig.clock.advance(10_000);
  await land(rig);
  expect(rig.inspect().accounts[0]?.heartbeats).toHaveLength(2);
  await rig.clock.advance(15_000);
  expect(rig.inspect().accounts[0]?.heartbeats).toHaveLength(1);
  rig.kill();
});

it('stops looking for a late heartbeat minutes after updates were read, however wrong the clock that recorded its request', async () => {
  const rig = after([
    ['cursor', 1_600_000],
    ['heartbeat_requested', 3_600_000],
    ['cursor', 400_000],
  ]);
  rig.begin();
  await rig.clock.advance(10_000);
  await land(rig);
  await rig.clock.advance(5_000);
  expect(rig.inspect().accounts[0]?.heartbeats).toHaveLength(2);
  rig.kill();
});

it('looks for a late heartbeat by one listing at a time, however slow', async () => {
  const rig = new OrderManagerRig();
  void rig.venue.createHeartbeat(300);
  await rig.advance(100);
  failing(rig, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
  await rig.start();
  let asked = 0;
  rig.venue.heartbeats = () => (asked++, new Promise(() => undefined));
  await rig.advance(60_000);
  // Recovery, and any party that would trade, waits for the existing heartbeat to run out.
  expect(asked).toBe(2);
});

it('places nothing once the search for a late heartbeat shows that our own is gone, seconds before its next refresh', async () => {
  const rig = new OrderManagerRig();
  failing(rig, 'createHeartbeat', 1, { kind: 'late', ms: 20_000 });
  await rig.start();
  rig.kill();
  rig.revive();
  await rig.startQuoting(...QUOTES);
  await rig.advance(500);
  expect(rig.manager.status().blocked).toBeNull();
  // Another user deletes it.
  rig.venue.heartbeatsHeld.clear();
  await rig.advance(2_500);
  expect(rig.manager.status().blocked).toBe('recovering_from_close_out');
  expect(rig.venue.heartbeatsHeld.size).toBe(1);
});

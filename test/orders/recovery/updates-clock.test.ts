import { describe, expect, it } from 'vitest';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { fold } from '../../../src/orders/journal/fold.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import { firstCursor } from '../../../src/orders/recovery/updates.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { BY_HAND, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { SimulatedRig } from '../../support/simulated-rig.ts';

const START_MS = 5_000;
const HOUR_MS = 3_600_000;

/** The lag of the durable cursor behind the exchange’s present. */
const behindMs = (rig: SimulatedRig, aheadMs = 0): number =>
  rig.clock.wallMs() - aheadMs - (fold(rig.store.records).cursorMs ?? 0);

it.each([5_000, 3_600_000, 18_000_000, 39_600_000])(
  'starts again with a clock that is %i ms ahead of the exchange',
  async (aheadMs) => {
    const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
    rig.begin();
    await rig.clock.advance(100_000);
    rig.kill();
    rig.clock.jumpWall(aheadMs);
    rig.begin();
    await rig.clock.advance(START_MS);
    expect(rig.report).not.toBeNull();
  },
);

it('continues from the start of a first run that died before its first window', async () => {
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
  const startedMs = rig.clock.wallMs();
  rig.begin();
  await rig.clock.advance(START_MS);
  rig.kill();
  expect(fold(rig.store.records).cursorMs).toBeLessThanOrEqual(startedMs + START_MS);
});

it.each([70_000, 400_000, 3_600_000])(
  'reads to within two minutes and a bit of the present with a clock that is %i ms ahead',
  async (aheadMs) => {
    const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
    rig.begin();
    await rig.clock.advance(400_000);
    rig.kill();
    rig.clock.jumpWall(aheadMs);
    rig.begin();
    await rig.clock.advance(START_MS);
    expect(behindMs(rig, aheadMs)).toBeGreaterThan(60_000);
    expect(behindMs(rig, aheadMs)).toBeLessThan(130_000);
  },
);

describe('a clock that is set right after a start', () => {
  it.each([
    ['a first start, an hour ahead', 0, HOUR_MS],
    ['a first start, as far ahead as local time may be', 0, 11 * HOUR_MS],
    ['a later start, as far ahead as local time may be', 300_000, 11 * HOUR_MS],
    ['a later start, days ahead', 300_000, 100 * HOUR_MS],
  ])('leaves no gap: %s', async (_, earlierMs, aheadMs) => {
    const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
    if (earlierMs > 0) {
      rig.begin();
      await rig.clock.advance(earlierMs);
      rig.kill();
    }
    rig.clock.jumpWall(aheadMs);
    rig.begin();
    await rig.clock.advance(30_000);
    expect(behindMs(rig, aheadMs)).toBeGreaterThan(60_000);
    rig.clock.jumpWall(-aheadMs);
    await rig.clock.advance(300_000);
    expect(behindMs(rig)).toBeGreaterThan(60_000);
    expect(behindMs(rig)).toBeLessThan(130_000);
  });

  it('leaves no gap where a future cursor was recorded', async () => {
    const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
    const updatesToMs = rig.clock.wallMs() + 11 * HOUR_MS;
    createMemoryJournal(rig.clock, { store: rig.store }).append([entryOf({ kind: 'cursor', updatesToMs })]);
    rig.begin();
    await rig.clock.advance(START_MS);
    expect(rig.report).not.toBeNull();
    expect(behindMs(rig)).toBeGreaterThan(60_000);
  });
});

describe('a machine that starts in 1970', () => {
  const asked = (rig: SimulatedRig): unknown[] => {
    const windows: unknown[] = [];
    const { http } = rig.wires;
    const send = http.send.bind(http);
    http.send = (request) => {
      if (request.path.startsWith('/v2/orders/updates/')) windows.push(request.path);
      return send(request);
    };
    return windows;
  };

  it('goes on from the cursor that it had once its clock is set', async () => {
    const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
    const windows = asked(rig);
    rig.begin();
    await rig.clock.advance(300_000);
    rig.kill();
    const presentMs = rig.clock.wallMs();
    rig.clock.jumpWall(-presentMs);
    rig.begin();
    await rig.clock.advance(30_000);
    expect(behindMs(rig, -presentMs)).toBeLessThan(200_000);
    windows.length = 0;
    rig.clock.jumpWall(presentMs);
    await rig.clock.advance(300_000);
    expect(windows.length).toBeLessThan(10);
    expect(behindMs(rig)).toBeLessThan(130_000);
  });

  it('reads no more than the last hour when it could not reach the exchange before its clock was set', async () => {
    const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
    const presentMs = rig.clock.wallMs();
    rig.clock.jumpWall(-presentMs);
    const { http } = rig.wires;
    const send = http.send.bind(http);
    http.send = () => Promise.reject(new TransportError('not-sent', 'the certificate is not valid yet'));
    rig.begin();
    await rig.clock.advance(START_MS);
    http.send = send;
    const windows = asked(rig);
    rig.clock.jumpWall(presentMs);
    await rig.clock.advance(2 * START_MS);
    expect(rig.report).not.toBeNull();
    expect(windows.length).toBeLessThan(5);
  });
});

it('reads from the start of the first run, however many runs since could read nothing', async () => {
  const rig = new OrderManagerRig();
  rig.venue.fault = (method) => (method === 'orderUpdates' ? { kind: 'lost' } : null);
  const tryToStart = async (): Promise<void> => {
    const started = rig.manager.start().catch(() => undefined);
    await rig.advance(10_000);
    await started;
    rig.kill();
  };
  await tryToStart();
  const { orderId } = rig.venue.placeByHand(BY_HAND);
  rig.venue.fill(orderId, BY_HAND.stakeMicros);
  for (let run = 0; run < 2; run++) {
    await rig.advance(300_000);
    rig.revive();
    await tryToStart();
  }
  rig.venue.fault = () => null;
  rig.revive();
  await rig.start();
  expect(rig.fills).toHaveLength(1);
});

it.each([
  ['no start was tried before', null, 0],
  ['an earlier start could not reach the exchange', -0.5 * HOUR_MS, -0.5 * HOUR_MS],
  ['the earlier start was days ago', -72 * HOUR_MS, -70 * 60_000],
  ['the earlier start was tomorrow by its clock', 24 * HOUR_MS, 0],
])('reads a journal without a cursor: %s', (_, lastRunMs, sinceMs) => {
  const nowMs = 1_700_000_000_000;
  expect(firstCursor(lastRunMs === null ? null : nowMs + lastRunMs, nowMs)).toBe(nowMs + sinceMs - 63_000);
});

it('does not skip a window that is refused for another reason than its time', async () => {
  const rig = new OrderManagerRig();
  const validation = { updated_at_from: ['before the account was opened'] };
  rig.venue.orderUpdates = () =>
    Promise.reject(new VenueRejection('validation_error', 400, 'refused', { validation }));
  rig.venue.connect();
  const outcome = rig.manager.start().then(
    () => 'started',
    () => 'refused',
  );
  await rig.clock.advance(60_000);
  expect(await outcome).toBe('refused');
});

import { expect, it, vi } from 'vitest';
import type { Random } from '../../../src/lib/random.ts';
import { type Latency, uniformLatency } from '../../../src/simulator/in-process/delay-line.ts';
import { DEFAULT_LIMITS } from '../../../src/venue/budgets/budgets.ts';
import { SimulatedRig } from '../../support/simulated-rig.ts';

const HOUR_MS = 3_600_000;
const [PER_DAY, EARLIER] = [24, 23];

/**
 * An earlier run used `count` betslips, one an hour for almost a day, with a clock that was off by `offMs`.
 */
function withEarlier(count: number, offMs: number): SimulatedRig {
  const betslips = { perDay: PER_DAY, burst: 6, dailyReserve: 0 };
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'], options: { betslips } });
  const nowMs = rig.clock.wallMs();
  const write = (kind: string, atMs: number, data: object): void =>
    void rig.store.records.push({
      seq: rig.store.records.length + 1,
      atMs,
      kind,
      uuid: null,
      data: { ...data },
    });
  const firstMs = nowMs - 23.5 * HOUR_MS;
  write('cursor', firstMs, { updatesToMs: firstMs - 63_000 });
  for (let atMs = firstMs; atMs < firstMs + count * HOUR_MS; atMs += HOUR_MS) {
    write('betslip_requested', atMs + offMs, { betType: 'for,h', eventId: rig.events[0] });
    // A clock that is behind reads no updates.
    if (offMs === 0) write('cursor', atMs, { updatesToMs: atMs - 63_000 });
  }
  return rig;
}

/** Counts the betslips that a run requests when it always wants one. */
async function asksFor(rig: SimulatedRig): Promise<number> {
  const asked = (): number => rig.store.records.filter(({ kind }) => kind === 'betslip_requested').length;
  const before = asked();
  rig.begin();
  await rig.clock.advance(5_000);
  const quote = {
    selectionId: rig.selection('h'),
    direction: 'for',
    tick: 101,
    stakeMicros: 10_000_000,
  } as const;
  for (let round = 0; round < 10; round++) {
    rig.desire([{ ...quote, level: 0 }]);
    await rig.clock.advance(3_000);
    rig.desire([]);
    await rig.clock.advance(12_000);
  }
  rig.kill();
  return asked() - before;
}

it.each([
  ['right all along', 0, 0],
  ['as far ahead at the start as local time may be', 0, 11 * HOUR_MS],
  ['days ahead at the start', 0, 50 * HOUR_MS],
  ['days behind when they were requested', -50 * HOUR_MS, 0],
])('counts the betslips of the day over a restart with a clock that is %s', async (_, offMs, aheadMs) => {
  const rig = withEarlier(EARLIER, offMs);
  rig.clock.jumpWall(aheadMs);
  expect(await asksFor(rig)).toBeLessThanOrEqual(PER_DAY - EARLIER);
});

it('counts them in the client as well, when it started with a clock that was ahead', async () => {
  const rig = withEarlier(EARLIER, 0);
  rig.clock.jumpWall(2 * HOUR_MS);
  rig.begin();
  await rig.clock.advance(5_000);
  expect(rig.report).not.toBeNull();
  expect(rig.venue.budgets().betslipsToday).toBe(DEFAULT_LIMITS.betslipsPerDay - EARLIER);
  rig.kill();
});

it('allows the remaining betslips with a clock that is behind at the start', async () => {
  const rig = withEarlier(EARLIER - 6, 0);
  rig.clock.jumpWall(-50 * HOUR_MS);
  expect(await asksFor(rig)).toBeGreaterThan(0);
});

it.each([
  ['behind', -20_000],
  ['an hour behind', -HOUR_MS],
  ['ahead', HOUR_MS],
])('refreshes a betslip in time, and not all the time, by a clock that is %s', async (_, offMs) => {
  const latency = (random: Random): Latency => uniformLatency(random, 5, 60);
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'], latency });
  rig.begin();
  await rig.clock.advance(5_000);
  rig.setMarket('h', 1.9, 2.1);
  rig.clock.jumpWall(offMs);
  const refresh = vi.spyOn(rig.venue, 'refreshBetslip');
  const quote = { direction: 'for', tick: 120, stakeMicros: 10_000_000, level: 0 } as const;
  rig.desire([{ ...quote, selectionId: rig.selection('h') }]);
  await rig.clock.advance(300_000);
  expect(rig.store.records.filter(({ kind }) => kind === 'betslip_requested')).toHaveLength(1);
  expect(refresh.mock.calls.length).toBeLessThan(12);
  rig.kill();
});

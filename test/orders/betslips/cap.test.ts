import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../../src/domain/ids.ts';
import { DIRECTIONS } from '../../../src/domain/selection.ts';
import { BetslipCap } from '../../../src/orders/betslips/cap.ts';
import { type Logger, silentLogger } from '../../../src/ports/logger.ts';
import { uniformLatency } from '../../../src/simulator/in-process/delay-line.ts';
import { EVENT, quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { SimulatedRig } from '../../support/simulated-rig.ts';

const CROWDED_MS = 60_000;
const PROBE_MS = 600_000;

function made(nowMs = 0) {
  const clock = { nowMs };
  const cap = new BetslipCap({ initial: 20, probeEveryMs: PROBE_MS, now: () => clock.nowMs });
  cap.crowdedFor(CROWDED_MS);
  return { cap, clock };
}

function restAfterRefusal(cap: BetslipCap, clock: { nowMs: number }, open: number): number {
  cap.refusedAt(open);
  const sinceMs = clock.nowMs;
  while (cap.resting) clock.nowMs += 100;
  return clock.nowMs - sinceMs;
}

describe('the cap of open betslips', () => {
  it('keeps the limit of a refusal beside betslips of an earlier run until those are gone', () => {
    const { cap, clock } = made();
    expect(cap.value).toBe(1);
    cap.fits(2);
    cap.refusedAt(2);
    expect(cap.value).toBe(3);
    cap.fits(3);
    expect(cap.value).toBe(4);
    clock.nowMs = CROWDED_MS;
    expect([cap.value, cap.learned]).toEqual([20, false]);
  });

  it('leaves room for one try at a time while none fits beside betslips of an earlier run', () => {
    const { cap, clock } = made();
    for (let refused = 0; refused < 6; refused++) cap.refusedAt(0);
    expect(cap.value).toBe(1);
    cap.fits(1);
    expect(cap.value).toBe(2);
    clock.nowMs = CROWDED_MS;
    cap.refusedAt(0);
    expect(cap.value).toBe(1);
  });

  it('falls to the number that was open when a later create was refused', () => {
    const { cap, clock } = made();
    clock.nowMs = CROWDED_MS;
    cap.refusedAt(7);
    expect([cap.value, cap.learned]).toEqual([7, true]);
    clock.nowMs += PROBE_MS;
    expect(cap.value).toBe(8);
  });

  it('rises at once when another one fits long after a refusal, and rests at the next refusal', () => {
    const { cap, clock } = made();
    clock.nowMs = CROWDED_MS;
    cap.refusedAt(3);
    clock.nowMs += PROBE_MS;
    for (const open of [4, 5, 6]) {
      expect(cap.value).toBe(open);
      cap.fits(open);
    }
    cap.refusedAt(6);
    expect(cap.value).toBe(6);
    clock.nowMs += PROBE_MS;
    expect(cap.value).toBe(7);
  });

  it('rests after a refusal beside those of an earlier run, twice as long each time, up to 8 s', () => {
    const { cap, clock } = made();
    const rests = Array.from({ length: 6 }, () => restAfterRefusal(cap, clock, 0));
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  it('rests for up to a minute while none fits, and for 8 s again as soon as one does', () => {
    const { cap, clock } = made();
    clock.nowMs = CROWDED_MS;
    const rests = Array.from({ length: 8 }, () => restAfterRefusal(cap, clock, 0));
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
    cap.fits(1);
    expect(restAfterRefusal(cap, clock, 1)).toBe(8_000);
  });

  it('rests half as long after each that fits, to keep the pace at which places become free', () => {
    const { cap, clock } = made();
    for (let refusals = 0; refusals < 5; refusals++) restAfterRefusal(cap, clock, 0);
    cap.fits(1);
    expect(restAfterRefusal(cap, clock, 1)).toBe(8_000);
    for (const open of [2, 3, 4]) cap.fits(open);
    expect(restAfterRefusal(cap, clock, 4)).toBe(2_000);
    for (let open = 5; open < 12; open++) cap.fits(open);
    expect(restAfterRefusal(cap, clock, 11)).toBe(1_000);
  });

  it('counts refusals of concurrent creates once', () => {
    const { cap, clock } = made();
    for (let refused = 0; refused < 8; refused++) cap.refusedAt(0);
    clock.nowMs = 1_000;
    expect(cap.resting).toBe(false);
  });
});

describe('betslips that cannot be counted', () => {
  const begin = () => {
    const clock = { nowMs: 0 };
    return { clock, cap: new BetslipCap({ initial: 20, probeEveryMs: PROBE_MS, now: () => clock.nowMs }) };
  };

  it('leave room for one more than the most of ours that were open beside them, for the longest of their times', () => {
    const { cap, clock } = begin();
    cap.crowdedFor(0, 5);
    cap.crowdedFor(-1, 5);
    expect([cap.isCrowded, cap.value]).toEqual([false, 20]);
    cap.crowdedFor(1_000, 3);
    cap.crowdedFor(500, 2);
    expect([cap.isCrowded, cap.value]).toEqual([true, 4]);
    clock.nowMs = 999;
    expect([cap.isCrowded, cap.value]).toEqual([true, 4]);
    clock.nowMs = 1_000;
    expect([cap.isCrowded, cap.value]).toEqual([false, 20]);
    cap.crowdedFor(500, 1);
    expect(cap.value).toBe(2);
  });

  it('never leave room for more than the known cap', () => {
    const { cap } = begin();
    cap.crowdedFor(1_000, 30);
    expect(cap.value).toBe(20);
  });

  it('hide the cap: a refusal beside them teaches how many fit, and no cap', () => {
    const { cap } = begin();
    cap.crowdedFor(1_000, 6);
    cap.refusedAt(4);
    expect([cap.value, cap.known, cap.learned]).toEqual([5, 20, false]);
    cap.refusedAt(25);
    expect(cap.value).toBe(20);
  });

  it('hide no cap that is exceeded', () => {
    const { cap } = begin();
    cap.crowdedFor(1_000);
    cap.fits(21);
    expect([cap.known, cap.learned]).toEqual([21, true]);
  });
});

it('a cap of none is none: one betslip is always tried', () => {
  const cap = new BetslipCap({ initial: 20, probeEveryMs: PROBE_MS, now: () => 0 });
  cap.refusedAt(0);
  expect([cap.known, cap.value]).toEqual([1, 1]);
});

const HOUR_MS = 3_600_000;

describe('a cap that is assumed too low', () => {
  function assumed(initial: number, learnedCap: number | null = null) {
    const clock = { nowMs: 0 };
    const cap = new BetslipCap({
      initial,
      learned: learnedCap,
      probeEveryMs: PROBE_MS,
      now: () => clock.nowMs,
    });
    return { cap, clock };
  }

  it('is probed after a time, one by one, until a refusal', () => {
    const { cap, clock } = assumed(9);
    clock.nowMs = PROBE_MS - 1;
    cap.fits(9);
    expect([cap.value, cap.known, cap.learned, cap.isRising]).toEqual([9, 9, false, false]);
    clock.nowMs = PROBE_MS;
    for (const open of [10, 11, 12]) {
      expect([cap.value, cap.isRising]).toEqual([open, true]);
      cap.fits(open);
    }
    expect([cap.known, cap.learned]).toEqual([12, true]);
    cap.refusedAt(12);
    expect([cap.value, cap.known, cap.isRising]).toEqual([12, 12, false]);
    clock.nowMs += PROBE_MS;
    expect([cap.value, cap.known, cap.isRising]).toEqual([13, 12, false]);
    cap.fits(13);
    expect([cap.value, cap.isRising]).toEqual([14, true]);
  });

  it('is not probed beside betslips of an earlier run', () => {
    const { cap, clock } = assumed(9);
    cap.crowdedFor(PROBE_MS + CROWDED_MS, 9);
    clock.nowMs = PROBE_MS;
    expect([cap.value, cap.isRising]).toEqual([9, false]);
  });

  it('starts at the cap that an earlier run learned', () => {
    const { cap, clock } = assumed(9, 50);
    expect([cap.value, cap.known, cap.learned]).toEqual([50, 50, true]);
    clock.nowMs = PROBE_MS;
    expect(cap.value).toBe(51);
  });

  it('costs at most one refusal between two probes, whatever comes and goes', () => {
    const ends = fc.array(fc.nat(9), { minLength: HOUR_MS / 1_000, maxLength: HOUR_MS / 1_000 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(30), ends, (initial, more, draws) => {
        const { cap, clock } = assumed(initial);
        const refusedMs: number[] = [0];
        let open = 0;
        for (const draw of draws) {
          clock.nowMs += 1_000;
          if (draw === 0) open = Math.max(0, open - 1);
          if (open >= cap.value || cap.resting) continue;
          if (open < initial + more) {
            cap.fits(++open);
          } else {
            cap.refusedAt(open);
            refusedMs.push(clock.nowMs);
          }
        }
        expect(cap.known).toBe(initial + more);
        const gapsMs = refusedMs.slice(1).map((atMs, i) => atMs - (refusedMs[i] as number));
        expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(PROBE_MS);
      }),
      { numRuns: 20 },
    );
  });
});

/** Forty sides that are re-quoted every half minute. The account has `room` places; nine are assumed. */
async function crowdedMarket(room: number, minutes: number): Promise<OrderManagerRig> {
  const betslips = { openCap: 9, capProbeMs: PROBE_MS, longestDurationS: 30, perDay: 2_000 };
  const rig = new OrderManagerRig({
    venue: { betslipCap: room, latencyMs: 100 },
    options: { durationS: 30, betslips },
  });
  await rig.start();
  for (let atMs = 0; atMs < minutes * 60_000; atMs += 5_000) {
    rig.desire(...SIDES);
    await rig.advance(5_000);
  }
  return rig;
}

const SIDES = Array.from({ length: 20 }, (_, i) => `fb|${EVENT}|o${i}` as SelectionId).flatMap(
  (selectionId) =>
    DIRECTIONS.map((direction) => quote({ selectionId, direction, tick: direction === 'for' ? 110 : 90 })),
);

const capRefusals = ({ warnings }: Pick<OrderManagerRig, 'warnings'>): number =>
  warnings.filter((warning) => warning.includes('could not be created')).length;

describe('more wanted places than the assumed cap', () => {
  it.each([30, 60])('are all used within minutes where the account has %i', async (room) => {
    const rig = await crowdedMarket(room, 9.5);
    expect(rig.manager.status()).toMatchObject({ betslipCap: 9, betslipCapLearned: false });
    expect(rig.manager.status().betslipsOpen).toBeLessThanOrEqual(9);
    for (let round = 0; round < 60; round++) {
      rig.desire(...SIDES);
      await rig.advance(5_000);
    }
    expect(rig.manager.status()).toMatchObject({ betslipCap: Math.min(room, 40), betslipCapLearned: true });
    expect(capRefusals(rig)).toBe(room < 40 ? 1 : 0);
  });

  it('cost at most one betslip between two probes where the account has no more', async () => {
    const rig = await crowdedMarket(9, 62);
    expect(rig.manager.status()).toMatchObject({ betslipCap: 9, betslipCapLearned: true });
    expect(capRefusals(rig)).toBeGreaterThan(0);
    expect(capRefusals(rig)).toBeLessThanOrEqual(6);
  });

  it.each([1, 2, 3])(
    'cost one where several creates are in flight and answers are slow (seed %i)',
    async (seed) => {
      const outcomes = ['h', 'd', 'a', 'over,2.5', 'under,2.5', 'ah,h,-4', 'ah,h,0', 'ah,h,4', 'odd', 'even'];
      const warnings: string[] = [];
      const logger: Logger = {
        ...silentLogger,
        warn: (message) => void warnings.push(message),
        child: () => logger,
      };
      const rig = new SimulatedRig({
        seed,
        outcomes,
        logger,
        settings: { openBetslipCap: 9 },
        latency: (random) => uniformLatency(random, 10, 900),
        options: { betslips: { openCap: 9, capProbeMs: 60_000 } },
      });
      const wanted = (selections: number) =>
        outcomes
          .slice(0, selections)
          .flatMap((outcome) =>
            DIRECTIONS.map((direction) => ({
              selectionId: rig.selection(outcome),
              direction,
              stakeMicros: 10_000_000,
              level: 0,
              tick: direction === 'for' ? 101 : 97,
            })),
          );
      rig.begin();
      rig.desire(wanted(3));
      await rig.clock.advance(65_000);
      rig.desire(wanted(outcomes.length));
      await rig.clock.advance(50_000);
      expect(rig.manager?.status()).toMatchObject({ betslipCap: 9, betslipCapLearned: true });
      expect(capRefusals({ warnings })).toBe(1);
      rig.kill();
    },
  );
});

import { describe, expect, it } from 'vitest';
import { riskLimitsOf } from '../../../src/app/config/part-options.ts';
import { cadenceAt, limitsAt } from '../../../src/app/simulated/market-time.ts';
import { DEFAULT_SETTINGS } from '../../../src/simulator/core/settings.ts';

const limits = riskLimitsOf({ mode: 'simulated', risk: {} });

describe('a recorded market that is played faster', () => {
  it('is described that much more often, at most forty times a second', () => {
    expect(cadenceAt(10)).toEqual({
      quoteDelayMs: 200,
      quoteIntervalMs: 200,
      quoteOnChangeMs: 50,
      broadcastIntervalMs: 200,
      offersLagMs: 400,
    });
    expect(cadenceAt(1_000)).toEqual({
      quoteDelayMs: 25,
      quoteIntervalMs: 25,
      quoteOnChangeMs: 25,
      broadcastIntervalMs: 25,
      offersLagMs: 25,
    });
  });

  it('is guarded in market time, and the account in real time', () => {
    const { guards, ...rest } = limitsAt(10, limits);
    expect(guards).toMatchObject({
      divergence: { maxLogOdds: 0.3, coolDownS: 1 },
      scoreChange: { coolDownS: 1 },
      redCard: { coolDownS: 1 },
      suspension: { coolDownS: 1 },
      start: { coolDownS: 1 },
      priceJump: { maxLogOdds: 0.4, windowS: 1, coolDownS: 1 },
      toxicity: { fills: 10, windowS: 2, widenLogOdds: 0.1, coolDownS: 2 },
      unintendedTaking: { fills: 5, windowS: 3, coolDownS: 1 },
    });
    const { staleData, feedCleared, orderErrors, clockOffset, loopLag, positionMismatch, disabled } =
      limits.guards;
    expect(guards).toMatchObject({
      staleData,
      feedCleared,
      orderErrors,
      clockOffset,
      loopLag,
      positionMismatch,
      disabled,
    });
    expect({ ...rest, guards: limits.guards }).toEqual(limits);
  });

  it('is unchanged at its own pace, or slower', () => {
    for (const speed of [0.5, 1]) {
      expect(limitsAt(speed, limits)).toEqual(limits);
      expect(DEFAULT_SETTINGS).toMatchObject(cadenceAt(speed));
    }
  });
});

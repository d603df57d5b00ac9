import { expect, it } from 'vitest';
import { exchangeSettingsOf } from '../../../src/app/simulated/exchange-choices.ts';
import { DEFAULT_SETTINGS, LIMITS } from '../../../src/simulator/core/settings.ts';

/** The exchange’s settings with these choices. */
const chosen = (choices: Parameters<typeof exchangeSettingsOf>[0]) => ({
  ...DEFAULT_SETTINGS,
  ...exchangeSettingsOf(choices),
});

it('leaves the exchange at its defaults where nothing is chosen', () => {
  expect(chosen({})).toEqual(DEFAULT_SETTINGS);
});

it('sets what is chosen, and nothing else', () => {
  expect(chosen({ minOrderStake: 0, limits: 'lenient', eventStakeLimit: 100 })).toEqual({
    ...DEFAULT_SETTINGS,
    minOrderStakeMicros: 0,
    limits: LIMITS.lenient,
    eventStakeLimitMicros: 100_000_000,
  });
});

it.each(['odds', 'lay'] as const)('chooses %s as what `against` prices are', (againstPrices) => {
  expect(chosen({ againstPrices })).toEqual({ ...DEFAULT_SETTINGS, priceConvention: againstPrices });
});

it('multiplies the time that placement takes', () => {
  expect(chosen({ placementDelay: 2 })).toMatchObject({
    placementDelayMs: [300, 900],
    inPlayDelayMs: [1000, 3000],
    confirmationMs: [100, 400],
  });
  expect(chosen({ placementDelay: 0 })).toMatchObject({
    placementDelayMs: [0, 0],
    inPlayDelayMs: [0, 0],
    confirmationMs: [0, 0],
  });
});

it('chooses how long the feed loads, how old offers are, and what the exchange forgets', () => {
  expect(chosen({ warmUp: 20, offersLag: 1.5, trackedLookup: 6, orderMemory: 12 })).toEqual({
    ...DEFAULT_SETTINGS,
    warmupMs: 20_000,
    offersLagMs: 1_500,
    trackedLookupMs: 21_600_000,
    orderRetentionMs: 43_200_000,
  });
  expect(chosen({ warmUp: 0, offersLag: 0 })).toEqual({ ...DEFAULT_SETTINGS, warmupMs: 0, offersLagMs: 0 });
});

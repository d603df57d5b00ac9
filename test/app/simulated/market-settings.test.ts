import { expect, it } from 'vitest';
import { cadenceAt } from '../../../src/app/simulated/market-time.ts';
import { marketSettings } from '../../../src/app/simulated/simulation.ts';

const MODEL = { kind: 'model' } as const;
const RECORDED = { kind: 'betfair', file: 'a.gz' } as const;

it('gives a modelled market the chosen prices, and a recorded one its lay prices', () => {
  const settings = { priceConvention: 'odds', openBetslipCap: 3 } as const;
  expect(marketSettings({ feed: MODEL, speed: 60, settings })).toEqual(settings);
  expect(marketSettings({ feed: RECORDED, speed: 60, settings })).toEqual({
    ...cadenceAt(60),
    priceConvention: 'lay',
    openBetslipCap: 3,
  });
  expect(marketSettings({ feed: RECORDED, speed: 1 }).priceConvention).toBe('lay');
});

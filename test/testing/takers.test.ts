import { expect, it } from 'vitest';
import { floorTick } from '../../src/domain/ladder.ts';
import { logOddsOf } from '../../src/domain/odds.ts';
import { seededRandom } from '../../src/lib/random.ts';
import { anOrder } from '../../src/testing/index.ts';
import { PLACES } from '../../src/testing/scenarios/match.ts';
import { conditionsAt, SCENARIOS } from '../../src/testing/scenarios/scenario.ts';
import { Takers } from '../../src/testing/scenarios/takers.ts';

it('matches the same bet alike, whatever its price is called', () => {
  const [place] = PLACES;
  const [quiet] = SCENARIOS;
  if (place === undefined || quiet === undefined) throw new Error('there is a place and a scenario');
  const conditions = conditionsAt(quiet, 0);
  const fair = logOddsOf(3.05);
  /** Whatever takers match in a minute of an order that is renewed each second. */
  const matched = (priceKind: 'lay-for' | 'odds-against', price: number, stakeMicros: number) => {
    const takers = new Takers(seededRandom(1, 'takers'));
    const order = anOrder(place, {
      direction: 'against',
      priceKind,
      stakeMicros,
      tick: floorTick(price) as number,
    });
    const makers = { for: [{ tick: floorTick(2.9) as number, stake: 1_000 }], against: [] };
    return Array.from({ length: 60 }, () =>
      takers
        .matches({
          place: { ...place, takersPerS: 2 },
          fair,
          fairBefore: fair,
          makers,
          conditions,
          open: [order],
        })
        .map((match) => match.stakeMicros),
    ).flat();
  };
  const laid = matched('lay-for', 3, 30e6);
  const odds = matched('odds-against', 1.5, 60e6);
  expect(laid.length).toBeGreaterThan(20);
  expect(odds.map((micros) => micros / 2)).toEqual(laid);
});

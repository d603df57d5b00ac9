import { expect, it } from 'vitest';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

it('closes everything after an internal bug, without further input', async () => {
  let [isStale, isBroken] = [false, false];
  const market = () => {
    if (isBroken) throw new Error('a bug');
    return isStale ? { for: null, against: null } : { for: DEFAULT_QUOTE, against: DEFAULT_QUOTE };
  };
  const desk = new TestDesk({ market });
  await desk.startQuoting(quote());
  isStale = true;
  desk.desire(quote(), quote({ level: 1, tick: 112 }));
  await desk.advance(1_000);
  expect(desk.manager.status().waiting).toHaveLength(1);
  desk.venue.emit = () => undefined;
  isBroken = true;
  await desk.advance(4_000);
  expect(desk.fatals).toHaveLength(1);
  expect(desk.venue.open()).toEqual([]);
});

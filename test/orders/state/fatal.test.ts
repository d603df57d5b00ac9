import { expect, it } from 'vitest';
import { DEFAULT_QUOTE } from '../../support/fake-venue.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

it('closes everything after an internal bug, without further input', async () => {
  let [isStale, isBroken] = [false, false];
  const market = () => {
    if (isBroken) throw new Error('a bug');
    return isStale ? { for: null, against: null } : { for: DEFAULT_QUOTE, against: DEFAULT_QUOTE };
  };
  const rig = new OrderManagerRig({ market });
  await rig.startQuoting(quote());
  isStale = true;
  rig.desire(quote(), quote({ level: 1, tick: 112 }));
  await rig.advance(1_000);
  expect(rig.manager.status().waiting).toHaveLength(1);
  rig.venue.emit = () => undefined;
  isBroken = true;
  await rig.advance(4_000);
  expect(rig.fatals).toHaveLength(1);
  expect(rig.venue.open()).toEqual([]);
});

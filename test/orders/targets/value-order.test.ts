import { expect, it } from 'vitest';
import { OrderManagerRig, quote } from '../../support/order-manager-rig.ts';

/** The ticks of the orders that were placed, in their order. */
async function placedTicks(...values: readonly (number | undefined)[]): Promise<readonly number[]> {
  const rig = new OrderManagerRig({ options: { maxInFlight: 1 } });
  await rig.start();
  const intents = values.map((valueMicrosPerS, level) =>
    quote({ level, tick: 110 + level, ...(valueMicrosPerS === undefined ? {} : { valueMicrosPerS }) }),
  );
  rig.desire(...intents);
  await rig.advance(5_000);
  const begun = rig.orderEvents.filter(({ state }) => state === 'prepared');
  return begun.map(({ tick }) => tick - 110);
}

it.each<[values: readonly (number | undefined)[], order: readonly number[]]>([
  [
    [1, 3, 2],
    [1, 2, 0],
  ],
  [
    [undefined, 0.5, undefined],
    [1, 0, 2],
  ],
  [
    [undefined, -0.5, 0.5],
    [2, 0, 1],
  ],
])(
  'quotes of the values %j are placed the most valuable first: %j; one without a value has none',
  async (values, order) => {
    expect(await placedTicks(...values)).toEqual(order);
  },
);

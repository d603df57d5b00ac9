import { describe, expect, it } from 'vitest';
import { factOf } from '../../../src/orders/journal/records.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** The lives requested for orders, in seconds. */
const lives = (rig: OrderManagerRig): readonly number[] =>
  rig.store.records
    .map(factOf)
    .flatMap((fact) => (fact.kind === 'order_intended' ? fact.place.durationS : []));

describe('the lifetime of a quote', () => {
  it('is requested for its order, and for the order that renews it', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote({ lifetimeS: 20 }));
    expect(lives(rig)).toEqual([20]);
    await rig.advance(18_000);
    expect(lives(rig)).toEqual([20, 20]);
    expect(rig.states()).toContain('live');
  });

  it('is as configured if the strategy names none', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    expect(lives(rig)).toEqual([600]);
  });

  it('does not replace an order that exists', async () => {
    const rig = new OrderManagerRig({ options: { durationS: 600 } });
    await rig.startQuoting(quote());
    rig.desire(quote({ lifetimeS: 20 }));
    await rig.advance(3_000);
    expect(lives(rig)).toEqual([600]);
  });

  it('is long enough that the order is not renewed as soon as it rests', async () => {
    const rig = new OrderManagerRig({ options: { renewLeadMs: 2_500 } });
    await rig.startQuoting(quote({ lifetimeS: 1 }));
    expect(lives(rig)).toEqual([5]);
  });
});

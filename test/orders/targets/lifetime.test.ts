import { describe, expect, it } from 'vitest';
import { factOf } from '../../../src/orders/journal/records.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** The lives requested for orders, in seconds. */
const lives = (desk: TestDesk): readonly number[] =>
  desk.store.records
    .map(factOf)
    .flatMap((fact) => (fact.kind === 'order_intended' ? fact.place.durationS : []));

describe('the lifetime of a quote', () => {
  it('is requested for its order, and for the order that renews it', async () => {
    const desk = new TestDesk({ options: { durationS: 600 } });
    await desk.startQuoting(quote({ lifetimeS: 20 }));
    expect(lives(desk)).toEqual([20]);
    await desk.advance(18_000);
    expect(lives(desk)).toEqual([20, 20]);
    expect(desk.states()).toContain('live');
  });

  it('is as configured if the strategy names none', async () => {
    const desk = new TestDesk({ options: { durationS: 600 } });
    await desk.startQuoting(quote());
    expect(lives(desk)).toEqual([600]);
  });

  it('does not replace an order that exists', async () => {
    const desk = new TestDesk({ options: { durationS: 600 } });
    await desk.startQuoting(quote());
    desk.desire(quote({ lifetimeS: 20 }));
    await desk.advance(3_000);
    expect(lives(desk)).toEqual([600]);
  });

  it('is long enough that the order is not renewed as soon as it rests', async () => {
    const desk = new TestDesk({ options: { renewLeadMs: 2_500 } });
    await desk.startQuoting(quote({ lifetimeS: 1 }));
    expect(lives(desk)).toEqual([5]);
  });
});

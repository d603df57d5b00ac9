import { expect, it } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { onlyOpen } from '../support/only-open.ts';

const asked = (desk: TestDesk): readonly string[] =>
  desk.venue.calls.map(({ method }) => method).filter((method) => /createBetslip|placeOrder/.test(method));

it('creates no order, and no betslip, for a stake that the exchange would refuse', async () => {
  const desk = new TestDesk();
  await desk.start();
  desk.desire(quote({ stakeMicros: 999_999 }));
  await desk.advance(60_000);
  expect(asked(desk)).toEqual([]);
  expect(desk.manager.status().waiting).toMatchObject([{ code: 'stake_too_small' }]);
});

it('places the least stake', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote({ stakeMicros: 1_000_000 }));
  expect(onlyOpen(desk)).toMatchObject({ wantStakeMicros: 1_000_000 });
  expect(desk.manager.status().waiting).toEqual([]);
});

it('uses the configured least stake', async () => {
  const desk = new TestDesk({ options: { minStakeMicros: 0 } });
  await desk.startQuoting(quote({ stakeMicros: 10_000 }));
  expect(onlyOpen(desk)).toMatchObject({ wantStakeMicros: 10_000 });
});

it('does not close an order whose open rest is below the least stake', async () => {
  const desk = new TestDesk({ options: { minStakeRatio: 0.01 } });
  await desk.startQuoting(quote());
  const { orderId } = onlyOpen(desk);
  desk.venue.fill(orderId, 9_500_000);
  await desk.advance(5_000);
  expect(onlyOpen(desk)).toMatchObject({ orderId });
});

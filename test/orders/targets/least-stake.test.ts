import { expect, it } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { onlyOpen } from '../support/only-open.ts';

const asked = (rig: OrderManagerRig): readonly string[] =>
  rig.venue.calls.map(({ method }) => method).filter((method) => /createBetslip|placeOrder/.test(method));

it('creates no order, and no betslip, for a stake that the exchange would refuse', async () => {
  const rig = new OrderManagerRig();
  await rig.start();
  rig.desire(quote({ stakeMicros: 999_999 }));
  await rig.advance(60_000);
  expect(asked(rig)).toEqual([]);
  expect(rig.manager.status().waiting).toMatchObject([{ code: 'stake_too_small' }]);
});

it('places the least stake', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote({ stakeMicros: 1_000_000 }));
  expect(onlyOpen(rig)).toMatchObject({ wantStakeMicros: 1_000_000 });
  expect(rig.manager.status().waiting).toEqual([]);
});

it('uses the configured least stake', async () => {
  const rig = new OrderManagerRig({ options: { minStakeMicros: 0 } });
  await rig.startQuoting(quote({ stakeMicros: 10_000 }));
  expect(onlyOpen(rig)).toMatchObject({ wantStakeMicros: 10_000 });
});

it('does not close an order whose open rest is below the least stake', async () => {
  const rig = new OrderManagerRig({ options: { minStakeRatio: 0.01 } });
  await rig.startQuoting(quote());
  const { orderId } = onlyOpen(rig);
  rig.venue.fill(orderId, 9_500_000);
  await rig.advance(5_000);
  expect(onlyOpen(rig)).toMatchObject({ orderId });
});

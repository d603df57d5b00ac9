import { expect, it, vi } from 'vitest';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';

/** Hangs the loop for `ms`, as a disk sync may. Due work runs first afterwards. */
function hanging({ clock }: OrderManagerRig): (ms: number) => void {
  const monotonicMs = clock.monotonicMs.bind(clock);
  let hungMs = 0;
  vi.spyOn(clock, 'monotonicMs').mockImplementation(() => monotonicMs() + hungMs);
  return (ms) => void (hungMs += ms);
}

const made = ({ venue }: OrderManagerRig): number =>
  venue.calls.filter(({ method }) => method === 'createBetslip').length;

it('keeps the betslips of resting quotes after the loop hung', async () => {
  const rig = new OrderManagerRig({ options: { durationS: 30 } });
  const hang = hanging(rig);
  await rig.startQuoting(quote());
  for (let round = 0; round < 5; round++) {
    hang(5_500);
    await rig.advance(25_000);
  }
  expect(rig.states()).toEqual(['live']);
  expect(made(rig)).toBe(1);
});

it('releases betslips after a hung loop when nothing is quoted any more', async () => {
  const rig = new OrderManagerRig();
  const hang = hanging(rig);
  await rig.startQuoting(quote());
  rig.desire();
  hang(5_500);
  await rig.advance(7_000);
  expect(rig.venue.betslips.size).toBe(0);
});

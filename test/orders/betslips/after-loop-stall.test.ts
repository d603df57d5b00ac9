import { expect, it, vi } from 'vitest';
import { quote, TestDesk } from '../../support/order-desk.ts';

/** Hangs the loop for `ms`, as a disk sync may. Due work runs first afterwards. */
function hanging({ clock }: TestDesk): (ms: number) => void {
  const monotonicMs = clock.monotonicMs.bind(clock);
  let hungMs = 0;
  vi.spyOn(clock, 'monotonicMs').mockImplementation(() => monotonicMs() + hungMs);
  return (ms) => void (hungMs += ms);
}

const made = ({ venue }: TestDesk): number =>
  venue.calls.filter(({ method }) => method === 'createBetslip').length;

it('keeps the betslips of resting quotes after the loop hung', async () => {
  const desk = new TestDesk({ options: { durationS: 30 } });
  const hang = hanging(desk);
  await desk.startQuoting(quote());
  for (let round = 0; round < 5; round++) {
    hang(5_500);
    await desk.advance(25_000);
  }
  expect(desk.states()).toEqual(['live']);
  expect(made(desk)).toBe(1);
});

it('releases betslips after a hung loop when nothing is quoted any more', async () => {
  const desk = new TestDesk();
  const hang = hanging(desk);
  await desk.startQuoting(quote());
  desk.desire();
  hang(5_500);
  await desk.advance(7_000);
  expect(desk.venue.betslips.size).toBe(0);
});

import { invariant } from '../../src/lib/assert.ts';
import { RememberedDay } from '../../test/support/remembered-day.ts';

const STEP_MS = 5;
const LONGEST_MS = 10_000;
/** So long that everything that happens every second happens in it. */
const QUIET_MS = 1_000;

/** Moves time by small steps until a condition holds: the way ends as soon as it does. */
async function until(day: RememberedDay, isSo: () => boolean): Promise<void> {
  for (let passedMs = 0; !isSo(); passedMs += STEP_MS) {
    invariant(passedMs < LONGEST_MS, 'the way has no end');
    await day.pass(STEP_MS);
  }
}

/** A daemon that quotes both sides of one selection whose prices stand still. */
async function quotingDay(): Promise<RememberedDay> {
  const day = new RememberedDay({ daemon: { maxSelections: 1 } });
  await day.begin();
  await day.pass(20_000);
  return day;
}

/** A frame moves one side's price: one order is closed, and another is placed. */
export async function frameWalk(mark: () => Promise<void>): Promise<void> {
  const day = await quotingDay();
  const before = day.open().map(({ orderId }) => orderId);
  invariant(before.length === 2, 'both sides are quoted');
  const isReplaced = (): boolean => {
    const open = day.open().map(({ orderId }) => orderId);
    return open.length === 2 && open.some((id) => !before.includes(id));
  };
  await mark();
  await day.pass(QUIET_MS);
  await mark();
  day.market.move(2, 2.2);
  await until(day, isReplaced);
  await day.pass(2 * STEP_MS);
  await mark();
}

/** A taker takes a part of an order: the fill is booked everywhere. */
export async function fillWalk(mark: () => Promise<void>): Promise<void> {
  const day = await quotingDay();
  const fillsOf = (): number => day.run.daemon.status().fills;
  invariant(fillsOf() === 0, 'nothing is filled yet');
  await mark();
  await day.pass(QUIET_MS);
  await mark();
  day.market.take('for', 1);
  await until(day, () => fillsOf() > 0);
  await mark();
}

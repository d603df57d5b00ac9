import { expect, it } from 'vitest';
import { fold } from '../../src/orders/fold.ts';
import { SimDesk } from '../support/sim-desk.ts';

const START_MS = 5_000;

it.each([5_000, 3_600_000, 18_000_000, 39_600_000])(
  'starts anew with a clock that is %i ms ahead of the exchange',
  async (aheadMs) => {
    const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
    desk.begin();
    await desk.clock.advance(100_000);
    desk.kill();
    desk.clock.jumpWall(aheadMs);
    desk.begin();
    await desk.clock.advance(START_MS);
    expect(desk.report).not.toBeNull();
  },
);

it('reads on from the start of a first run that died before its first window', async () => {
  const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
  const startedMs = desk.clock.wallMs();
  desk.begin();
  await desk.clock.advance(START_MS);
  desk.kill();
  expect(fold(desk.store.records).cursorMs).toBeLessThanOrEqual(startedMs + START_MS);
});

it.each([70_000, 400_000, 3_600_000])(
  'reads to within two minutes and a bit of the present with a clock that is %i ms ahead',
  async (aheadMs) => {
    const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
    desk.begin();
    await desk.clock.advance(400_000);
    desk.kill();
    desk.clock.jumpWall(aheadMs);
    desk.begin();
    await desk.clock.advance(START_MS);
    const behindMs = desk.clock.wallMs() - aheadMs - (fold(desk.store.records).cursorMs ?? 0);
    expect(behindMs).toBeGreaterThan(60_000);
    expect(behindMs).toBeLessThan(130_000);
  },
);

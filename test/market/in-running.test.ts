import { expect, it } from 'vitest';
import { AGAINST, eventEntry, FIXTURE, FOR, offerEntry, rig } from './support.ts';

const running = { inRunning: true };

it('drops an in-running offer once later offers omit it', async () => {
  const { clock, market, frame } = rig();
  frame([eventEntry(), offerEntry('for,h', FOR, running), offerEntry('against,h', AGAINST, running)]);
  expect(market.event(FIXTURE)?.inRunning).toBe(true);
  await clock.advance(3_000);
  frame([offerEntry('for,h', FOR)]);
  expect(market.event(FIXTURE)?.inRunning).toBe(true);
  await clock.advance(2_000);
  frame([offerEntry('for,h', FOR)]);
  expect(market.event(FIXTURE)?.inRunning).toBe(false);
});

it('believes no offer of an earlier connection that the event is in running', () => {
  const { market, frame } = rig();
  frame([eventEntry(), offerEntry('for,h', FOR, running), offerEntry('against,h', AGAINST, running)]);
  frame([eventEntry(), offerEntry('for,h', FOR)], 2);
  expect(market.event(FIXTURE)?.inRunning).toBe(false);
});

import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { AccountWatch } from '../../../src/engine/risk-inputs/account-watch.ts';
import { type Logger, silentLogger } from '../../../src/ports/logger.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import type { RiskRead } from '../../../src/risk/index.ts';
import { ask, bench, fillOf } from '../../risk/support/harness.ts';
import { betsOf, silentAccount } from '../../support/account.ts';
import { inputsOf, inputsTo } from '../../support/inputs.ts';

it('keeps one balance and one position request in flight while none is answered, and asks again after that', async () => {
  const clock = new VirtualClock();
  const waiting: ((answer: never) => void)[] = [];
  const asked = (): Promise<never> => new Promise((resolve) => void waiting.push(resolve));
  const risk = {
    positions: () => [{ sport: sport('fb'), eventId: eventId('2026-11-21,1,2') }],
  } as unknown as RiskRead;
  const core = { ...inputsTo(() => null), account: silentAccount(), risk };
  const watch = new AccountWatch({ balance: asked, position: asked }, core, clock, silentLogger);
  const live = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed++) {
      watch.tick();
      await clock.advance(1_000);
    }
  };
  // An answer 429 with a retry time delays answers this long.
  await live(600);
  expect(waiting).toHaveLength(2);
  for (const answer of waiting.splice(0)) answer(null as never);
  await live(40);
  expect(waiting).toHaveLength(2);
});

it('assigns an answer that names no event, as where the exchange finds no order, to the requested event', async () => {
  const { risk } = bench();
  betsOf(risk).report(fillOf(ask(), 10));
  const clock = new VirtualClock();
  const errors: string[] = [];
  const nothing = { payoffGridMicros: null, totals: new Map(), unknownBetsCount: 0 };
  const venue: Pick<Venue, 'balance' | 'position'> = {
    balance: () => new Promise(() => undefined),
    position: () => Promise.resolve({ sport: sport(''), eventId: eventId(''), ...nothing }),
  };
  const core = { ...inputsOf({ risk }), account: silentAccount(), risk };
  const logger: Logger = { ...silentLogger, error: (message) => void errors.push(message) };
  const watch = new AccountWatch(venue, core, clock, logger);
  for (let passed = 0; passed < 40; passed++) {
    watch.tick();
    await clock.advance(1_000);
  }
  expect(errors).toContain('the exchange reports another position than ours');
});

import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { AccountWatch, OF_MONEY } from '../../../src/engine/risk-inputs/account-watch.ts';
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

describe('a reason with which the exchange refuses or ends an order', () => {
  function watched() {
    const clock = new VirtualClock();
    const atMs: number[] = [];
    const state = { answer: Promise.resolve(null as never) };
    const venue: Pick<Venue, 'balance' | 'position'> = {
      balance: () => {
        atMs.push(clock.monotonicMs());
        return state.answer;
      },
      position: () => new Promise(() => undefined),
    };
    const risk = { positions: () => [] } as unknown as RiskRead;
    const core = { ...inputsTo(() => null), account: silentAccount(), risk };
    const watch = new AccountWatch(venue, core, clock, silentLogger);
    const live = async (seconds: number): Promise<void> => {
      for (let passed = 0; passed < seconds; passed++) {
        watch.tick();
        await clock.advance(1_000);
      }
    };
    return { watch, clock, atMs, live, state };
  }

  it.each([
    ['insufficient_balance', true],
    ['no_available_credit', true],
    ['Not enough funds', true],
    ['event_stake_limit_reached', false],
    ['cancelled', false],
    ['order_filled', false],
    ['timed_out', false],
  ])('has the balance read at once if it speaks of money: %s', async (reason, isRead) => {
    const { watch, atMs, live } = watched();
    await live(10);
    if (OF_MONEY.test(reason)) watch.onWantOfMoney();
    expect(atMs).toEqual(isRead ? [0, 10_000] : [0]);
    await live(30);
    expect(atMs.slice(1)).toEqual(isRead ? [10_000] : [30_000]);
    await live(1);
    expect(atMs.at(-1)).toBe(isRead ? 40_000 : 30_000);
  });

  it('has it read every two seconds at most, however often it comes', async () => {
    const { watch, clock, atMs, live } = watched();
    await live(10);
    for (let times = 0; times < 100; times++) {
      watch.onWantOfMoney();
      await clock.advance(100);
    }
    expect(atMs).toEqual([0, 10_000, 12_000, 14_000, 16_000, 18_000]);
  });

  it('has it read once more after a request that was in flight', async () => {
    const { watch, atMs, live, state } = watched();
    const { promise, resolve } = Promise.withResolvers<never>();
    state.answer = promise;
    await live(5);
    watch.onWantOfMoney();
    expect(atMs).toEqual([0]);
    resolve(null as never);
    state.answer = Promise.resolve(null as never);
    await live(3);
    expect(atMs).toEqual([0, 6_000]);
  });
});

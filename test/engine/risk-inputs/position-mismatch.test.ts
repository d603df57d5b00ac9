import { expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { eventId, type EventId } from '../../../src/domain/ids.ts';
import type { Position } from '../../../src/domain/orders.ts';
import { AccountWatch } from '../../../src/engine/risk-inputs/account-watch.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Venue } from '../../../src/ports/venue.ts';
import { createRisk } from '../../../src/risk/index.ts';
import { ask, FACTS, fillOf, limitsWith } from '../../risk/support/harness.ts';
import { betsOf, silentAccount } from '../../support/account.ts';
import { inputsOf } from '../../support/inputs.ts';

const EVENTS = Array.from({ length: 12 }, (_, at) => eventId(`2026-11-21,${at},99`));
const [DIFFERING] = EVENTS as [EventId];

/** An account with a bet on each event. Until `agree` the exchange reports another position on the first. */
function watchedAccount() {
  const clock = new VirtualClock();
  let alike = false;
  const risk = createRisk({
    limits: limitsWith(),
    now: () => clock.monotonicMs(),
    wallNow: () => clock.wallMs(),
    reference: () => null,
    eventFacts: () => FACTS,
    onNotice: () => undefined,
  });
  const orders = EVENTS.map((event) => ask({ event }));
  for (const order of orders) betsOf(risk).report(fillOf(order, 10));
  const venue = {
    balance: () => Promise.reject(new Error('not asked')),
    position: ({ sport, eventId: of }) => {
      const gotStakeMicros = of === DIFFERING && !alike ? 5e6 : 10e6;
      const totals = new Map([['for,h', { gotStakeMicros, unknownStakeMicros: 0 }]]);
      return Promise.resolve({ sport, eventId: of, totals, payoffGridMicros: null } as unknown as Position);
    },
  } as Pick<Venue, 'balance' | 'position'>;
  const errors: unknown[] = [];
  const error = (message: string, fields = {}): void => void errors.push({ message, ...fields });
  const core = { ...inputsOf({ risk }), account: silentAccount(), risk };
  const watch = new AccountWatch(venue, core, clock, { ...silentLogger, error });
  const guarded: boolean[] = [];
  const live = async (seconds: number): Promise<void> => {
    for (let passed = 0; passed < seconds; passed++) {
      watch.tick();
      risk.tick();
      await clock.advance(1_000);
      guarded.push(risk.guards.active().some(({ guard }) => guard === 'position_mismatch'));
    }
  };
  return { live, guarded, errors, agree: () => (alike = true), differ: () => (alike = false) };
}

it('keeps quotes away from an event while the exchange reports another position, however many are held', async () => {
  const { live, guarded, agree } = watchedAccount();
  await live(1_200);
  expect(guarded.indexOf(true)).toBeGreaterThan(0);
  expect(guarded.slice(guarded.indexOf(true))).not.toContain(false);
  agree();
  await live(150);
  expect(guarded.at(-1)).toBe(false);
});

it('reports a lasting position mismatch ever more seldom', async () => {
  const { live, errors } = watchedAccount();
  await live(3_600);
  const message = 'the exchange reports another position than ours';
  expect(errors).toMatchObject(
    [1, 2, 4, 8, 16, 32, 64, 128].map((times) => ({ message, eventId: DIFFERING, times })),
  );
});

it('reports a mismatch that returns as a new one', async () => {
  const { live, errors, agree, differ } = watchedAccount();
  await live(1_200);
  agree();
  await live(300);
  const before = errors.length;
  differ();
  await live(600);
  expect(before).toBeGreaterThan(3);
  expect(errors.slice(before, before + 2)).toMatchObject([{ times: 1 }, { times: 2 }]);
});

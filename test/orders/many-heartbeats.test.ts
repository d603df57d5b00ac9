import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/storage/memory-journal.ts';
import { ACCOUNT, SimDesk } from '../support/sim-desk.ts';

/** Killed runs of a long outage: more than the exchange takes requests at once. */
const RUNS = 160;

it('asks for the end of what many runs have left within the budgets of the exchange', async () => {
  const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
  const kind = 'heartbeat_armed';
  const armed = Array.from({ length: RUNS }, (_, run) => ({
    kind,
    uuid: null,
    data: { heartbeatId: `hb-${run}` },
  }));
  createMemoryJournal(desk.clock, { store: desk.store }).append(armed);
  desk.begin();
  // Recovery does not come to tell which of them there are.
  Object.assign(desk.venue, { orderUpdates: () => new Promise(() => undefined) });
  await desk.clock.advance(3_000);
  const drained = desk.manager?.drain(10_000);
  await desk.clock.advance(10_000);
  expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  const account = desk.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
  expect(account).toMatchObject({ throttledCount: 0, heartbeats: [] });
  const ended = desk.store.records.filter((record) => record.kind === 'heartbeat_ended');
  expect(ended).toHaveLength(RUNS);
});

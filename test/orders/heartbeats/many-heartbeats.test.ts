import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { quote, TestDesk } from '../../support/order-desk.ts';
import { ACCOUNT, SimDesk } from '../../support/sim-desk.ts';
import { failing } from '../support/failing.ts';

/** Killed runs of a long outage: more than the exchange accepts requests at once. */
const RUNS = 160;

const kind = 'heartbeat_armed';

function deskWithMany(): SimDesk {
  const desk = new SimDesk({ seed: 1, outcomes: ['h'] });
  const ids = Array.from({ length: RUNS }, (_, run) => `hb-${run}`);
  const journal = createMemoryJournal(desk.clock, { store: desk.store });
  journal.append(ids.map((heartbeatId) => ({ kind, uuid: null, data: { heartbeatId } })));
  return desk;
}

const endings = (desk: SimDesk): unknown[] =>
  desk.store.records.filter((record) => record.kind === 'heartbeat_ended').map(({ data }) => data);

it('deletes the heartbeats of many earlier runs within the exchange’s budgets', async () => {
  const desk = deskWithMany();
  desk.begin();
  // Recovery never gets an answer that lists them.
  Object.assign(desk.venue, { heartbeats: () => new Promise(() => undefined) });
  await desk.clock.advance(3_000);
  const drained = desk.manager?.drain(10_000);
  await desk.clock.advance(10_000);
  expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  const account = desk.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
  expect(account).toMatchObject({ throttledCount: 0, heartbeats: [] });
  expect(endings(desk)).toHaveLength(RUNS);
});

it('journals the end of heartbeats that the exchange does not list', async () => {
  const desk = deskWithMany();
  const deleted: unknown[] = [];
  desk.begin();
  Object.assign(desk.venue, { deleteHeartbeat: async (id: unknown) => void deleted.push(id) });
  await desk.clock.advance(3_000);
  expect(desk.report?.oldHeartbeats).toEqual([]);
  expect(endings(desk)).toHaveLength(RUNS);
  expect(endings(desk)).toContainEqual({ heartbeatId: 'hb-7', how: 'not listed' });
  expect(deleted).toEqual([]);
});

it('waits for no expired heartbeat of an earlier run, however long deletes fail', async () => {
  const desk = new TestDesk();
  await desk.startQuoting(quote());
  desk.kill();
  desk.revive();
  failing(desk, 'deleteHeartbeat', Infinity, { kind: 'lost' });
  await desk.startQuoting(quote());
  const { blocked } = desk.manager.status();
  await desk.advance(60_000);
  desk.desire(quote());
  await desk.advance(3_000);
  expect([blocked, desk.venue.open().length]).toEqual(['heartbeat_of_an_earlier_run', 1]);
});

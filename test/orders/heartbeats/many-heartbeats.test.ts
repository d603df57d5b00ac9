import { expect, it } from 'vitest';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { quote, OrderManagerRig } from '../../support/order-manager-rig.ts';
import { ACCOUNT, SimulatedRig } from '../../support/simulated-rig.ts';
import { failing } from '../support/failing.ts';

/** Killed runs of a long outage: more than the exchange accepts requests at once. */
const RUNS = 160;

const kind = 'heartbeat_armed';

function rigWithMany(): SimulatedRig {
  const rig = new SimulatedRig({ seed: 1, outcomes: ['h'] });
  const ids = Array.from({ length: RUNS }, (_, run) => `hb-${run}`);
  const journal = createMemoryJournal(rig.clock, { store: rig.store });
  journal.append(ids.map((heartbeatId) => ({ kind, uuid: null, data: { heartbeatId } })));
  return rig;
}

const endings = (rig: SimulatedRig): unknown[] =>
  rig.store.records.filter((record) => record.kind === 'heartbeat_ended').map(({ data }) => data);

it('deletes the heartbeats of many earlier runs within the exchange’s budgets', async () => {
  const rig = rigWithMany();
  rig.begin();
  // Recovery never gets an answer that lists them.
  Object.assign(rig.venue, { heartbeats: () => new Promise(() => undefined) });
  await rig.clock.advance(3_000);
  const drained = rig.manager?.drain(10_000);
  await rig.clock.advance(10_000);
  expect(await drained).toMatchObject({ clean: true, heartbeatRemoved: true });
  const account = rig.inspect().accounts.find(({ accountId }) => accountId === ACCOUNT);
  expect(account).toMatchObject({ throttledCount: 0, heartbeats: [] });
  expect(endings(rig)).toHaveLength(RUNS);
});

it('journals the end of heartbeats that the exchange does not list', async () => {
  const rig = rigWithMany();
  const deleted: unknown[] = [];
  rig.begin();
  Object.assign(rig.venue, { deleteHeartbeat: async (id: unknown) => void deleted.push(id) });
  await rig.clock.advance(3_000);
  expect(rig.report?.oldHeartbeats).toEqual([]);
  expect(endings(rig)).toHaveLength(RUNS);
  expect(endings(rig)).toContainEqual({ heartbeatId: 'hb-7', how: 'not listed' });
  expect(deleted).toEqual([]);
});

it('waits for no expired heartbeat of an earlier run, however long deletes fail', async () => {
  const rig = new OrderManagerRig();
  await rig.startQuoting(quote());
  rig.kill();
  rig.revive();
  failing(rig, 'deleteHeartbeat', Infinity, { kind: 'lost' });
  await rig.startQuoting(quote());
  const { blocked } = rig.manager.status();
  await rig.advance(60_000);
  rig.desire(quote());
  await rig.advance(3_000);
  expect([blocked, rig.venue.open().length]).toEqual(['heartbeat_of_an_earlier_run', 1]);
});

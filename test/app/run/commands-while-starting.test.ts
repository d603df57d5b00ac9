import { expect, it } from 'vitest';
import { EMPTY_SNAPSHOT, RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { sleep } from '../../../src/ports/clock.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { CalmDay } from '../../support/calm-day.ts';

/** A day whose run has died with open orders. */
async function diedQuoting(): Promise<CalmDay> {
  const day = new CalmDay();
  await day.begin();
  day.world.kill();
  expect(day.open().length).toBeGreaterThan(1);
  return day;
}

/** Begins the next run, whose requests to `path` are answered late. */
async function beginSlowly(day: CalmDay, path: string, lateMs: number): Promise<void> {
  const { http } = day.world.wires;
  const send = http.send.bind(http);
  http.send = async (request) => {
    if (request.method === 'GET' && request.path.includes(path)) await sleep(day.world.clock, lateMs);
    return send(request);
  };
  await day.world.begin();
  await day.pass(500);
  expect(day.run.started).toBe(false);
}

/** The exchange fails the next closes. */
function failCloses(day: CalmDay, failures: number): void {
  const { http } = day.world.wires;
  const send = http.send.bind(http);
  let left = failures;
  http.send = async (request) =>
    request.path.includes('close') && left-- > 0 ? { status: 503, headers: {}, body: '' } : send(request);
}

/** The start checks the key with exchange rates first, and lists heartbeats once recovery has begun. */
const FIRST = 'xrates';
const LATER = 'heartbeats';

const openOrders = (day: CalmDay): unknown => (day.controls.risk() as { openOrders: unknown }).openOrders;

it.each([FIRST, LATER])(
  'closes an earlier run’s orders at once on a kill, however late %s is',
  async (path) => {
    const day = await diedQuoting();
    await beginSlowly(day, path, 4_000);
    const left = day.open().length;
    expect(openOrders(day)).toBe(left);
    expect(day.controls.kill('drill', 'a person').answer()).toMatchObject({
      openOrders: left,
      latchedIn: 'journal',
    });
    await day.until('all closed', () => day.open().length === 0);
    await day.pass(1_000);
    expect([openOrders(day), day.run.started]).toEqual([null, false]);
  },
);

/** Measures the next run. The result reads whether the metrics show a kill. */
function measureKilled(day: CalmDay): () => Promise<boolean> {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  day.world.metrics = metrics;
  return async () => (await metrics.expose()).text.includes('touchline_killed 1\n');
}

it('shows a kill in the metrics at once, also one of an earlier run', async () => {
  const day = await diedQuoting();
  const firstShows = measureKilled(day);
  await beginSlowly(day, LATER, 4_000);
  expect(await firstShows()).toBe(false);
  day.controls.kill('drill', 'a person');
  expect(await firstShows()).toBe(true);
  await day.crash();
  const secondShows = measureKilled(day);
  await beginSlowly(day, LATER, 4_000);
  expect(await secondShows()).toBe(true);
  day.resume();
  expect(await secondShows()).toBe(false);
});

it('reports that nothing is open once the exchange has answered', async () => {
  const day = await diedQuoting();
  await beginSlowly(day, FIRST, 3_000);
  day.controls.kill('drill', 'a person');
  await day.until('started', () => day.run.started);
  expect([openOrders(day), day.open()]).toEqual([0, []]);
});

it.each([FIRST, LATER])('retries a failed close, however late %s is', async (path) => {
  const day = await diedQuoting();
  await beginSlowly(day, path, 4_000);
  failCloses(day, 4);
  day.controls.kill('drill', 'a person');
  await day.until('all closed', () => day.open().length === 0);
  expect(day.run.started).toBe(false);
});

it.each([FIRST, LATER])('retries a failed close after a resume, too, however late %s is', async (path) => {
  const day = await diedQuoting();
  await beginSlowly(day, path, 20_000);
  failCloses(day, 4);
  day.controls.kill('drill', 'a person');
  await day.pass(100);
  expect(day.resume()).toMatchObject({ trading: true });
  await day.until('all closed', () => day.open().length === 0);
  expect([day.run.started, day.world.orders.all().every(({ closedBy }) => closedBy !== 'heartbeat')]).toEqual(
    [false, true],
  );
});

it.each([FIRST, LATER])('closes an earlier run’s orders at a stop, however late %s is', async (path) => {
  const day = await diedQuoting();
  await beginSlowly(day, path, 4_000);
  const stopped = day.run.daemon.stop('SIGTERM', 20_000);
  await day.pass(3_000);
  expect(await stopped).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
  expect(day.open()).toEqual([]);
});

it.each([FIRST, LATER])('goes no further when it is stopped while it waits for %s', async (path) => {
  const day = await diedQuoting();
  await beginSlowly(day, path, 1_000);
  failCloses(day, 24);
  const { run } = day;
  const stopped = run.daemon.stop('SIGTERM', 20_000);
  await day.pass(20_000);
  expect(await stopped).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
  const armed = run.witness.sent.filter(({ what }) => what === 'POST /v2/heartbeats/');
  expect([armed, run.failure]).toEqual([[], null]);
  expect(run.composed.readModel.stream === 'connecting').toBe(path === FIRST);
});

it('closes an earlier run’s orders while a kill of that run holds, however long recovery takes', async () => {
  const day = await diedQuoting();
  const journal = createMemoryJournal(day.world.clock, { store: day.world.disk.store });
  // `touchline kill` writes this while no daemon answers.
  new RiskMemory(journal).save({ ...EMPTY_SNAPSHOT, kill: { by: 'a person', reason: 'drill', atMs: 0 } });
  await beginSlowly(day, LATER, 4_000);
  await day.until('all closed', () => day.open().length === 0);
  expect(day.run.started).toBe(false);
});

it('releases an earlier run’s latches on a resume, before recovery and after it', async () => {
  const day = new CalmDay();
  await day.begin();
  await day.crash();
  const journal = createMemoryJournal(day.world.clock, { store: day.world.disk.store });
  journal.append([{ kind: 'latched', uuid: null, data: { reason: 'an order differs from the journal' } }]);
  await beginSlowly(day, FIRST, 2_000);
  expect(day.resume()).toMatchObject({
    released: ["the order manager's latch: an order differs from the journal"],
    remaining: [],
    trading: true,
  });
  await day.until('quoting', () => day.open().length > 1);
  expect(day.run.composed.parts.orders.status().latched).toBeNull();
});

it.each([FIRST, LATER])('kills at once when the permit is taken away, however late %s is', async (path) => {
  const day = await diedQuoting();
  await beginSlowly(day, path, 20_000);
  day.world.permit.text = null;
  await day.until('all closed', () => day.open().length === 0);
  expect([day.run.started, day.run.composed.core.risk.killed?.by]).toEqual([false, 'permit']);
});

it('latches an unlatched kill as soon as any place accepts it, however long recovery takes', async () => {
  const day = await diedQuoting();
  await beginSlowly(day, LATER, 20_000);
  const { riskInputs } = day.run.composed.parts;
  // The disk is read-only for a while, so no file can be removed either.
  const { permit } = day.world;
  const granted = permit.text;
  Object.defineProperty(permit, 'text', { get: () => granted, set: readOnly, configurable: true });
  day.world.diskFull = true;
  day.controls.kill('drill', 'a person');
  expect([riskInputs.kept.latchedIn, riskInputs.kept.unlatched]).toMatchObject([null, { reason: 'drill' }]);
  Object.defineProperty(permit, 'text', { value: granted, writable: true });
  await day.pass(1_500);
  expect([riskInputs.kept.latchedIn, day.run.started]).toEqual(['permit', false]);
  await day.crash();
  await day.begin(false);
  expect(day.run.composed.core.risk.killed).toMatchObject({ by: 'permit' });
});

function readOnly(): never {
  throw new Error('read-only file system');
}

import { expect, it } from 'vitest';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { CalmDay } from '../support/calm-day.ts';

interface FailingDay {
  readonly day: CalmDay;
  readonly mend: () => void;
}

/**
 * A day after a death that has damaged the journal. The exchange fails the chosen requests until `mend`, and
 * others for good.
 */
async function failingDay(
  failsAt: (request: HttpRequest) => boolean,
  alwaysAt: (request: HttpRequest) => boolean = () => false,
): Promise<FailingDay> {
  const day = new CalmDay();
  await day.begin();
  day.world.kill();
  day.world.disk.damage('orders');
  const { http } = day.world.wires;
  const send = http.send.bind(http);
  let fails = true;
  http.send = async (request) =>
    (fails && failsAt(request)) || alwaysAt(request) ? { status: 503, headers: {}, body: '' } : send(request);
  return { day, mend: () => void (fails = false) };
}

/** A run that cannot read its journal and so knows none of its open orders. The exchange fails closes. */
async function unreadDay(): Promise<FailingDay> {
  const { day, mend } = await failingDay(({ path }) => path.includes('close'));
  await day.begin(false);
  await day.pass(1_000);
  expect([...day.run.composed.parts.orders.orders()]).toEqual([]);
  expect(day.open().length).toBeGreaterThan(1);
  return { day, mend };
}

const openOrders = (day: CalmDay): unknown => (day.controls.risk() as { openOrders: unknown }).openOrders;

it('reports orders missing from the journal after a kill, until they are closed', async () => {
  const { day, mend } = await unreadDay();
  const left = day.open().length;
  expect(day.controls.kill('drill', 'a person').answer()).toMatchObject({ openOrders: left });
  await day.pass(2_000);
  expect([openOrders(day), day.open().length]).toEqual([left, left]);
  expect(day.run.composed.parts.riskInputs.closingFailed).toBe(false);
  await day.pass(10_000);
  expect(day.run.composed.parts.riskInputs.closingFailed).toBe(true);
  await day.pass(1_000);
  const said = day.world.log.join('\n');
  expect(said).toContain('error a kill has not closed everything: the heartbeat is left to expire');
  expect(said).not.toContain('the engine makes no progress');
  mend();
  await day.until('all closed', () => day.open().length === 0);
  await day.pass(1_000);
  expect(openOrders(day)).toBe(0);
});

it('does not report at a stop that all is closed while untracked orders are open', async () => {
  const { day } = await unreadDay();
  const left = day.open().length;
  const stopped = day.run.daemon.stop('SIGTERM', 5_000);
  await day.pass(8_000);
  expect(await stopped).toMatchObject({ orders_open_at_exit: left, exchange_orders_open_at_exit: left });
  expect(day.world.log.join('\n')).toMatch(/own orders may still be open {"stillOpen":\[\d+,/);
});

it('waits at a stop until untracked orders are closed', async () => {
  const { day, mend } = await unreadDay();
  const stopped = day.run.daemon.stop('SIGTERM', 20_000);
  await day.pass(3_000);
  mend();
  await day.pass(4_000);
  expect(await stopped).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
  expect(day.open()).toEqual([]);
});

it('does not report that all is closed when the exchange lists untracked orders only after the last request', async () => {
  const { day, mend } = await failingDay(
    ({ method, path }) => method === 'GET' && path.startsWith('/v2/orders/?'),
    ({ path }) => path.includes('close'),
  );
  await day.world.begin();
  await day.pass(1_000);
  const stopped = day.run.daemon.stop('SIGTERM', 5_000);
  await day.until('the end of the drain', () => day.world.log.join('\n').includes('may still be open'));
  mend();
  await day.pass(500);
  const left = day.open().length;
  expect(left).toBeGreaterThan(1);
  expect(await stopped).toMatchObject({ orders_open_at_exit: left, exchange_orders_open_at_exit: left });
});

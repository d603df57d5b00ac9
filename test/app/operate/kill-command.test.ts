import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { kill } from '../../../src/app/operate/kill.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { installationEntry } from '../../../src/storage/marked-journal.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { adminServing } from '../../support/admin-serving.ts';
import { OTHER, OWN } from '../../support/claims.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import {
  exchangeOverSockets,
  type ExchangeOverSockets,
  ordersPlaced,
} from '../../support/exchange-over-sockets.ts';
import { answering, withServer } from '../../support/other-program.ts';

let rig: ExchangeOverSockets;
let core: ExchangeOverSockets['core'];
let simulator: ExchangeOverSockets['simulator'];
let exchange: ExchangeOverSockets['exchange'];

beforeEach(async () => {
  rig = await exchangeOverSockets();
  ({ core, simulator, exchange } = rig);
});
afterEach(() => rig.stop());

const ourOrders = (count: number): Promise<readonly number[]> => ordersPlaced(exchange, count);

const open = (): readonly number[] => core.inspect().orders.flatMap((o) => (o.closed ? [] : [o.orderId]));

/** Until the end of the test the machine has no name for the current user. Returns the spy on the question. */
function namelessUser() {
  const asked = vi.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  // Named imports of the module follow only then.
  syncBuiltinESMExports();
  onTestFinished(() => {
    asked.mockRestore();
    syncBuiltinESMExports();
  });
  return asked;
}

describe('the kill command closes our orders itself', () => {
  const killAt = (url: string | null, others: Readonly<Record<string, string>> = {}) => {
    const addresses = { 'exchange.restUrl': simulator.rest, 'exchange.streamUrl': simulator.stream };
    const settings = { ...addresses, ...others };
    const environment = { TOUCHLINE_API_KEY: SUBJECT_KEY };
    return kill({ config: () => loadConfig({ files: [], environment, settings }).values, url }, 'drill');
  };

  it.each([
    ['which sends a page', 200, '<html></html>'],
    ['which answers anything', 200, '{"fine":true}'],
    ['which knows no such path', 404, '{"message":"Route POST:/kill not found"}'],
  ])('when another program answers at the address, %s', async (_, status, body) => {
    await ourOrders(2);
    await withServer(answering(status, body), async (url) => {
      expect(await killAt(url)).toMatchObject({ by: 'command', openOrders: 0 });
    });
    expect(open()).toEqual([]);
  });

  it('closes orders as far as the exchange allows, and reports why it stopped', async () => {
    await ourOrders(3);
    const refusal = { status: 400, code: 'not_now' };
    for (const fault of [
      { target: 'orders.close_many', fault: 'answer', ...refusal },
      { target: 'orders.close', fault: 'answer', skip: 1, ...refusal },
    ]) {
      const body = JSON.stringify(fault);
      const answer = await fetch(`${simulator.control}faults`, { method: 'POST', body });
      expect(answer.status).toBe(200);
    }
    await expect(killAt('http://127.0.0.1:9')).rejects.toThrow(/2 still open: .*not_now/);
    expect(open()).toHaveLength(2);
  });

  it('reports what it has closed when the remaining open orders cannot be listed', async () => {
    await ourOrders(2);
    const fault = { target: 'orders.list', fault: 'answer', skip: 1, status: 400, code: 'not_now' };
    await fetch(`${simulator.control}faults`, { method: 'POST', body: JSON.stringify(fault) });
    const failed = expect(killAt('http://127.0.0.1:9')).rejects;
    await failed.toThrow(
      /could not be closed from here: 2 closed; the orders still open are not known: .*not_now/,
    );
    expect(open()).toEqual([]);
  });

  it.each([
    ['of this installation, and closes its orders', OWN, []],
    [
      'of another installation, and leaves these orders alone',
      OTHER,
      [expect.any(Number), expect.any(Number)],
    ],
    ['that names none, and closes the orders of any', null, []],
  ])('with a journal %s', async (_, installation, left) => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const path = `${folder.path}/journal.sqlite`;
    const journal = openSqliteJournal(path, systemClock);
    journal.append(installation === null ? [] : [installationEntry(installation)]);
    journal.close();
    await ourOrders(2);
    expect(await killAt('http://127.0.0.1:9', { 'journal.path': path })).toMatchObject({
      by: 'command',
      openOrders: 0,
    });
    expect(open()).toEqual(left);
  });

  it('when the machine has no name for the current user, as in a container', async () => {
    await ourOrders(2);
    const asked = namelessUser();
    expect(await killAt('http://127.0.0.1:9')).toMatchObject({ by: 'command', openOrders: 0 });
    expect(asked).toHaveBeenCalled();
    expect(open()).toEqual([]);
  });

  it('when the configuration names no address at which a daemon could be asked', async () => {
    await ourOrders(2);
    expect(await killAt(null, { 'admin.host': 'no host', 'admin.behindProxy': 'true' })).toMatchObject({
      by: 'command',
      openOrders: 0,
    });
    expect(open()).toEqual([]);
  });

  it('when the daemon accepted the kill and exited before it closed its orders', async () => {
    await ourOrders(2);
    const dying = createServer((request, response) => {
      if (request.url === '/kill') response.end('{"killed":{},"openOrders":2}');
      else request.socket.destroy();
    });
    await withServer(dying, async (url) => {
      expect(await killAt(url)).toMatchObject({ by: 'command', openOrders: 0 });
    });
    expect(open()).toEqual([]);
  });
});

describe('the kill command, where a daemon answers,', () => {
  const reasons: string[] = [];
  const risk = { openOrders: 0, latchedIn: 'journal' };
  let daemon: Listener;

  const serve = (port: number): Promise<Listener> =>
    adminServing(
      {
        kill: () => ({ explain: (reason) => void reasons.push(reason), answer: () => ({}) }),
        risk: () => risk,
      },
      port,
    );
  /** Serves at the first free port. */
  const serveAtOneOf = ([port = 0, ...others]: readonly number[]): Promise<Listener> =>
    serve(port).catch(() => serveAtOneOf(others));

  beforeEach(async () => {
    reasons.length = 0;
    daemon = await serve(0);
  });
  afterEach(() => daemon.close());

  const configWith = (settings: Readonly<Record<string, string>>) => () =>
    loadConfig({ files: [], environment: {}, settings }).values;

  it('sends a reason of any length', async () => {
    const report = await kill({ config: configWith({}), url: daemon.url }, 'x'.repeat(5_000));
    expect(report).toEqual({ by: 'daemon', ...risk });
    expect(reasons).toEqual(['x'.repeat(500)]);
  });

  it('is taken at a port that browsers refuse', async () => {
    await daemon.close();
    daemon = await serveAtOneOf([6667, 6668, 6669, 10_080]);
    expect(await kill({ config: configWith({}), url: daemon.url }, 'drill')).toEqual({
      by: 'daemon',
      ...risk,
    });
    expect(reasons).toEqual(['drill']);
  });

  it('needs no configuration when the address is given', async () => {
    const config = configWith({ 'orders.durationS': 'soon' });
    expect(await kill({ config, url: daemon.url }, 'drill')).toEqual({ by: 'daemon', ...risk });
    await expect(kill({ config, url: null }, 'drill')).rejects.toThrow('orders.durationS');
    expect(reasons).toEqual(['drill']);
  });
});

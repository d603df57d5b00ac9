/** TOUCHLINE_CANARY_MINUTES: how long the exchange goes wrong, a minute without it. */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { integerBetween, seededRandom } from '../../src/lib/random.ts';
import { launchExchange, temporaryFolder } from '../support/exchange.ts';
import { ownOrders } from '../support/own-orders.ts';
import { drafted, EAGER, environment, fault, forbidden, KEY } from '../support/paper-run.ts';
import { lastJson, touchline } from '../support/process.ts';
import { watchWire } from '../support/wire-watcher.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const MINUTES = Number(process.env['TOUCHLINE_CANARY_MINUTES'] ?? 1);
const EVERY_MS = 4_000;
/** A daemon that dies comes back; every this many faults. */
const KILL_EVERY = 11;
const RELOAD_EVERY = 7;
const MOST_ATTEMPTS = 5;

/** Faults that a client meets that only reads. */
const FAULTS: readonly object[] = [
  { target: 'stream', fault: 'close', code: 1008 },
  { target: 'stream', fault: 'close', code: 1011 },
  { target: 'stream', fault: 'raw_close' },
  { target: 'stream', fault: 'raw_close', mid_frame: true },
  { target: 'stream', fault: 'half_open' },
  { target: 'stream', fault: 'junk_frame' },
  { target: 'stream', fault: 'huge_frame' },
  { target: 'stream', fault: 'unknown_tag' },
  { target: 'stream', fault: 'clear_events' },
  { target: 'handshake', fault: 'refused_upgrade', status: 503, times: 1 },
  { target: 'handshake', fault: 'upgrade_reset', times: 1 },
  { target: 'commands', fault: 'command_fails', times: 1 },
  ...[
    { fault: 'throttled' },
    { fault: 'server_error' },
    { fault: 'unavailable' },
    { fault: 'reset' },
    { fault: 'answer_lost' },
    { fault: 'cut_body' },
    { fault: 'invalid_body' },
    { fault: 'other_shape' },
    { fault: 'answer', status: 404, code: 'event_not_found' },
    { fault: 'answer', status: 403, code: 'permission_denied' },
  ].map((of) => ({ target: 'rest', for_s: 2, ...of })),
];

it(
  'lets nothing leave but what a reader needs, whatever goes wrong, over kills and reloads',
  { timeout: MINUTES * 60_000 + 240_000 },
  async () => {
    const exchange = await launchExchange(['--key', KEY, '--seed', '5', '--speed', '5']);
    const wire = await watchWire(exchange);
    const config = [...(await drafted(folder, 'canary')), ...EAGER];
    const random = seededRandom(5, 'faults');
    const start = (): ReturnType<typeof touchline> =>
      touchline(['start', '--json', ...config], environment(wire));
    /** A start that meets a fault ends, and its supervisor starts it again. */
    const started = async (): Promise<ReturnType<typeof touchline>> => {
      for (let attempt = 1; ; attempt++) {
        const run = start();
        try {
          await run.until(/order live/);
          return run;
        } catch (error) {
          if (attempt === MOST_ATTEMPTS) throw error;
          run.kill('SIGKILL');
          await run.exit;
          starts += 1;
        }
      }
    };
    let starts = 1;
    let daemon = await started();
    const endMs = Date.now() + MINUTES * 60_000;
    for (let count = 1; Date.now() < endMs; count++) {
      await fault(exchange, FAULTS[integerBetween(random, 0, FAULTS.length - 1)] as object);
      await sleep(EVERY_MS);
      expect(forbidden(wire)).toEqual([]);
      if (count % RELOAD_EVERY === 0) daemon.kill('SIGHUP');
      if (count % KILL_EVERY !== 0) continue;
      daemon.kill('SIGKILL');
      await daemon.exit;
      starts += 1;
      daemon = await started();
    }
    const mark = daemon.written();
    await daemon.until(/order live/, mark);
    daemon.kill('SIGTERM');
    const exit = await daemon.exit;
    expect(exit.code, exit.stdout.slice(-4_000) + exit.stderr).toBe(0);
    expect(lastJson(exit)).toMatchObject({ orders_open_at_exit: 0, exchange_orders_open_at_exit: 0 });
    expect(forbidden(wire)).toEqual([]);
    expect(wire.bodies).toEqual([]);
    expect(wire.seen.filter((each) => each.startsWith('UPGRADE')).length).toBeGreaterThan(starts);
    expect(await ownOrders(exchange)).toEqual([]);
    await wire.close();
    exchange.run.kill('SIGTERM');
    await exchange.run.exit;
  },
);

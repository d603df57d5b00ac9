import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHistory } from '../../src/history/sqlite-history.ts';
import { patient } from '../support/patience.ts';
import {
  type ExchangeProcess,
  exchangeSettings,
  launchExchange,
  temporaryFolder,
} from '../support/exchange.ts';
import { type Exit, type Run, touchline } from '../support/process.ts';

const KEY = { TOUCHLINE_API_KEY: 'test-key' };
const folder = temporaryFolder();
const journal = join(folder.path, 'journal.sqlite');
let exchange: ExchangeProcess;
let config: string;
let daemon: Run;

const run = (...args: string[]): Promise<Exit> => touchline([...args, '--config', config], KEY).exit;

interface Placed {
  readonly sport: string;
  readonly event_id: string;
  readonly fills: readonly unknown[];
}

/** Asks the exchange's control interface. */
async function control<T>(verb: string, body?: object): Promise<T> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(new URL(verb, exchange.control), sent);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { data: T }).data;
}

beforeAll(async () => {
  exchange = await launchExchange(['--speed', '20']);
  // Results of the time before the stream was synced are known after two readings of the account's updates.
  const soon = `[orders]\ndropCopyEveryS = 5\n[journal]\npath = "${journal}"\n`;
  const many = `[universe]\ninPlay = true\nmaxSelections = 12\n[risk.inPlay]\nallowed = true\n`;
  config = folder.file('money.toml', exchangeSettings(exchange.rest, exchange.stream) + soon + many);
  daemon = touchline(['run', '--config', config], KEY);
});

afterAll(async () => {
  daemon.kill('SIGTERM');
  exchange.run.kill('SIGTERM');
  await Promise.all([daemon.exit, exchange.run.exit]);
  folder.remove();
});

it(
  'the balance of a trading daemon is explained to the micro, and what is not is an alarm',
  async () => {
    const text = await daemon.until(/the admin interface is served/);
    const url = /"url":"([^"]+)","msg":"the admin interface is served/.exec(text)?.[1] ?? '';
    const reconcile = async (): Promise<[number | null, number]> => {
      const { code, stdout } = await run('reconcile', '--url', url, '--json');
      return [code, (JSON.parse(stdout) as { last: { residual: number } }).last.residual];
    };
    await daemon.until(/"msg":"fill"/);
    expect(await reconcile()).toEqual([0, 0]);
    const orders = await control<readonly Placed[]>('orders');
    const { sport, event_id } = orders.find(({ fills }) => fills.length > 0) as Placed;
    await control('settle', { sport, event_id, home: 3, away: 1 });
    expect(await reconcile()).toEqual([0, 0]);
    await control('deposit', { amount: -33.25 });
    expect(await reconcile()).toEqual([1, -33.25]);
    await daemon.until(/"level":"error".*"residual":-33.25.*the balance differs/);
    expect((await run('deposit', '-33.25', '--note', 'a fee', '--url', url)).stdout).toContain(
      'the daemon has it',
    );
    expect(await reconcile()).toEqual([0, 0]);
    daemon.kill('SIGTERM');
    expect((await daemon.exit).code).toBe(0);
    expect((await run('deposit', '12', '--url', url)).stdout).toContain('no daemon runs');
    expect(JSON.parse((await run('journal', 'rebuild-history', journal)).stdout)).toMatchObject({
      history: `${journal}.history`,
    });
    const history = readHistory(`${journal}.history`);
    expect(history.deposits(9).map(({ amountMicros }) => amountMicros)).toEqual([12_000_000, -33_250_000]);
    expect(history.runs(9).map(({ how }) => how)).toEqual(['clean']);
    const { bets, settledMicros } = history.total({ commissionRate: 0 });
    const fills = (await control<readonly Placed[]>('orders')).flatMap((order) => order.fills);
    expect(bets).toBe(fills.length);
    const [account] = await control<readonly [{ readonly balance: number }]>('accounts');
    expect(settledMicros / 1e6).toBeCloseTo(account.balance - 100_000 + 33.25, 6);
    history.close();
  },
  patient(300_000),
);

import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import {
  type ExchangeProcess,
  exchangeSettings,
  launchExchange,
  temporaryFolder,
} from '../support/exchange.ts';
import { type Exit, launch, touchline } from '../support/process.ts';

const folder = temporaryFolder();
let exchange: ExchangeProcess;
let config: string;

beforeAll(async () => {
  exchange = await launchExchange(['--registered-events', '3', '--open-betslips', '2']);
  config = folder.file('account.toml', exchangeSettings(exchange.rest, exchange.stream));
});
afterAll(async () => {
  exchange.run.kill('SIGTERM');
  await exchange.run.exit;
  folder.remove();
});

const KEY = { TOUCHLINE_API_KEY: 'test-key' };
const run = (...args: string[]): Promise<Exit> => touchline([...args, '--config', config], KEY).exit;
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await run(...args, '--json')).stdout);

interface AccountView {
  readonly heartbeats: readonly unknown[];
  readonly open_betslips: number;
}

/** The account as the exchange itself holds it: cheaper to ask again and again than a command. */
async function account(): Promise<AccountView> {
  const answer = await fetch(new URL('accounts', exchange.control));
  const { data } = (await answer.json()) as { data: readonly [AccountView] };
  return data[0];
}

describe('commands about the account', () => {
  it('show balance, events, prices and orders, for people and for scripts', async () => {
    expect(await json('exchange', 'balance')).toMatchObject({ balance_usdt: 100_000 });
    const [event] = (await json('exchange', 'events', '--sport', 'fb', '--limit', '1')) as {
      event_id: string;
    }[];
    const offers = (await json('exchange', 'offers', event?.event_id ?? '', '--sport', 'fb')) as {
      best_price: number;
    }[];
    expect(offers.length).toBeGreaterThan(0);
    expect(offers[0]).toMatchObject({ sport: 'fb', price_list: expect.any(Array) });
    expect(await json('exchange', 'orders')).toEqual([]);
    const table = (await run('exchange', 'events', '--limit', '2')).stdout.trimEnd().split('\n');
    expect(table).toHaveLength(3);
    expect(table[0]).toMatch(/^event id +sport +start/);
  });

  it('examine everything', async () => {
    const { code, stdout } = await run('doctor');
    expect(stdout.match(/^ok {3}\w+/gm)).toHaveLength(17);
    expect(stdout).toMatch(
      /^ok {3}prices +exchange.againstPrices is "auto"; nothing in the journal; last proof: none/m,
    );
    expect(stdout).toMatch(/^ok {3}journal +in memory: it ends with the run$/m);
    expect([code, stdout.includes('FAIL')]).toEqual([0, false]);
    expect(stdout).toMatch(/^ok {3}betslips +0 open; cap 9, assumed/m);
    expect(stdout).toMatch(/^ok {3}day +1980 left, assumed/m);
    expect(stdout).toMatch(/^ok {3}events +no cap met, none assumed/m);
  });

  it('warn of a key that others can read, and are well otherwise', async () => {
    const key = folder.file('api-key', 'test-key');
    chmodSync(key, 0o644);
    const args = ['doctor', '--config', config, '--set', `exchange.apiKeyFile=${key}`];
    const { code, stdout } = await touchline(args, {}).exit;
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^warn secrets {4}.*api-key: other users have access to exchange\.apiKeyFile: run chmod 600/m,
      ),
    ]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('leave no heartbeat when %s ends the examination', async (signal, code) => {
    const fault = { target: 'heartbeats.refresh', fault: 'delayed', delay_ms: 8_000, times: 1 };
    await fetch(new URL('faults', exchange.control), { method: 'POST', body: JSON.stringify(fault) });
    const doctor = touchline(['doctor', '--config', config], KEY);
    await expect.poll(async () => (await account()).heartbeats, { timeout: patient(40_000) }).toHaveLength(1);
    expect(await json('exchange', 'heartbeats')).toHaveLength(1);
    doctor.kill(signal);
    expect(await doctor.exit).toMatchObject({
      code,
      signal: null,
      stdout: expect.stringMatching(
        new RegExp(`^FAIL heartbeat +${signal}: the heartbeat is deleted\n.*\n$`, 'm'),
      ) as string,
    });
    expect(await json('exchange', 'heartbeats')).toEqual([]);
  });

  it('find the cap of registered events when permitted', async () => {
    const checks = (await json('doctor', '--probe')) as { check: string; found: string }[];
    expect(checks.find(({ check }) => check === 'events')?.found).toMatch(
      /^tried: cap 3, the next one was refused/,
    );
  });

  it('show what a daemon has learned, and what it has spent', async () => {
    const journal = ['--set', `journal.path=${join(folder.path, 'journal.sqlite')}`];
    const daemon = touchline(['run', '--json', '--config', config, ...journal], KEY);
    await daemon.until(/too_many_open_betslips/);
    const beside = (await run('doctor', ...journal)).stdout;
    expect(beside).toMatch(
      /^ok {3}lock +held by the daemon, process \d+ on .*: a second start would be refused$/m,
    );
    expect(beside).toMatch(/^ok {3}betslips +\d+ open; cap \d+, .*; the running daemon uses them$/m);
    daemon.kill('SIGTERM');
    expect((await daemon.exit).code).toBe(0);
    // A heartbeat whose creation was in flight at the end is not deleted. It expires by itself.
    const LAPSED_MS = 30_000;
    const left = async () => {
      const { heartbeats, open_betslips: openBetslips } = await account();
      return [heartbeats.length, openBetslips];
    };
    await expect.poll(left, { timeout: patient(LAPSED_MS) }).toEqual([0, 0]);
    const { stdout } = await run('doctor', ...journal);
    expect(stdout).toMatch(/^ok {3}betslips +0 open; cap [2-9], learned from the exchange, written down/m);
    expect(stdout).toMatch(/^ok {3}day +19\d\d of 1980 left by the journal/m);
    expect(stdout).toMatch(/^ok {3}rates .*no 429 in the run/m);
  });

  it('print one line of JSON each on request', async () => {
    const event = ['--sport', 'fb', '--event', '2026-01-01,1,2'];
    const commands = ['orders', 'heartbeats', 'flatten', 'events', 'close 424242'].map((each) =>
      each.split(' '),
    );
    const all = [...commands, ['position', ...event], ['offers', '--sport', 'fb', '2026-01-01,1,2']];
    const ends = await Promise.all(
      all.map(async (args) => [args, (await run('exchange', ...args, '--json')).stdout] as const),
    );
    for (const [args, stdout] of ends) {
      expect([args, stdout.trimEnd().split('\n').length]).toEqual([args, 1]);
      expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    }
  });

  it('close orders, and ask before they close foreign ones', async () => {
    expect(await run('exchange', 'close', '1')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not found') as string,
    });
    expect(await run('exchange', 'flatten')).toMatchObject({ code: 0, stdout: 'nothing was open\n' });
    const unasked = await run('exchange', 'flatten', '--account');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await run('exchange', 'flatten', '--account', '--yes')).code).toBe(0);
  });
});

it('exits with code 2 for wrong arguments, with a line that says which and why', async () => {
  const { code, stderr } = await touchline(['exchange', 'orders', '--limit', 'many'], KEY).exit;
  expect(code).toBe(2);
  expect(stderr).toMatch(/--limit.*whole number/);
});

const isInstalled = (shell: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folderOf) => existsSync(join(folderOf, shell)));

describe('completion', () => {
  const scriptFor = async (shell: string): Promise<string> =>
    folder.file(`completion.${shell}`, (await touchline(['completion', shell]).exit).stdout);

  it.runIf(isInstalled('fish'))('works in fish', async () => {
    const file = await scriptFor('fish');
    const complete = async (line: string): Promise<string> =>
      (await launch('fish', ['--no-config', '-c', `source ${file}; complete -C '${line}'`]).exit).stdout;
    expect(await complete('touchline exc')).toMatch(/^exchange\t/);
    expect(await complete('touchline exchange fl')).toMatch(/^flatten$/m);
    expect(await complete('touchline exchange flatten --a')).toMatch(/^--account\t/);
    expect(await complete('touchline completion f')).toMatch(/^fish$/m);
  });

  it.runIf(isInstalled('zsh'))('works in zsh', async () => {
    const file = await scriptFor('zsh');
    // The arguments of zsh's own completion.
    const own = `compdef() {}; _files() {}; _describe() { print -l -- $commands }; compadd() { shift; print -l -- "$@" }`;
    const complete = async (...words: string[]): Promise<string> => {
      const line = `${own}; source ${file}; words=(touchline ${words.join(' ')}); CURRENT=${words.length + 1}; _touchline`;
      return (await launch('zsh', ['-f', '-c', line]).exit).stdout;
    };
    expect(await complete('exc')).toMatch(/^exchange:ask the exchange itself/m);
    expect(await complete('exchange', 'flatten', '--a')).toMatch(/^--account$/m);
    expect(await complete('completion', 'f')).toMatch(/^fish$/m);
  });

  it('works in bash', async () => {
    const script = (await touchline(['completion', 'bash']).exit).stdout;
    const file = folder.file('completion.bash', script);
    const complete = async (...words: string[]): Promise<string> => {
      const line = `source ${file}; COMP_WORDS=(touchline ${words.join(' ')}); COMP_CWORD=${words.length}; _touchline; echo "\${COMPREPLY[*]}"`;
      return (await launch('bash', ['-c', line]).exit).stdout.trim();
    };
    expect(await complete('exc')).toBe('exchange');
    expect(await complete('exchange', 'fl')).toBe('flatten');
    expect(await complete('exchange', 'flatten', '--a')).toBe('--account');
    expect(await complete('completion', 'f')).toBe('fish');
  });
});

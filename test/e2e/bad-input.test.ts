import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { openSqliteJournal } from '../../src/storage/sqlite-journal.ts';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Runs the command to its end. */
async function complaint(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const exit = await touchline(args, environment).exit;
  return { code: exit.code, lines: exit.stderr.trim().split('\n'), stdout: exit.stdout, stderr: exit.stderr };
}

const QUIET = ['--set', 'log.level=silent'];
const settingsFor = (port: number): string =>
  folder.file(
    `at-${port}.toml`,
    exchangeSettings(`http://127.0.0.1:${port}/v2/`, `ws://127.0.0.1:${port}/v2/stream`),
  );

// test/cli tests the errors of arguments and settings. Here they must become the end of the process.
describe('bad input gives one clear line and its exit code', () => {
  it('wrong key: 77, and the key is not shown', async () => {
    const exchange = await launchExchange();
    const config = settingsFor(Number(new URL(exchange.rest).port));
    const run = await complaint(['run', '--config', config, ...QUIET], { TOUCHLINE_API_KEY: 'wrong-key' });
    exchange.run.kill('SIGTERM');
    expect([run.code, run.lines.length]).toEqual([77, 1]);
    expect(run.lines[0]).toMatch(/key/);
    expect(run.stderr).not.toContain('wrong-key');
    expect((await exchange.run.exit).code).toBe(0);
  });

  it('a port in use: 69', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    const { port } = blocker.address() as AddressInfo;
    const commands = [
      ['start', '--port', `${port}`, ...QUIET],
      ['start', '--set', `ops.port=${port}`, ...QUIET],
      ['sim', '--port', `${port}`],
    ];
    for (const { code, lines } of await Promise.all(commands.map((args) => complaint(args)))) {
      expect([code, lines.length]).toEqual([69, 1]);
      expect(lines[0]).toContain(String(port));
    }
    blocker.close();
  });

  it('an unreachable exchange: 69; bad settings: 78; wrong usage: 2', async () => {
    const unknown = folder.file('unknown.toml', '[orders]\nduration = 3\n');
    const [unreachable, bad, wrong] = await Promise.all([
      complaint(['run', '--config', settingsFor(9), ...QUIET], { TOUCHLINE_API_KEY: 'k' }),
      complaint(['run', '--config', unknown]),
      complaint(['start', '--nonsense']),
    ]);
    expect([unreachable.code, unreachable.lines]).toEqual([69, [expect.stringContaining('127.0.0.1:9')]]);
    expect([bad.code, bad.lines]).toEqual([78, [expect.stringContaining('orders.duration = 3')]]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--nonsense')]);
  });

  it('damage: 1, also when nothing reads the output', async () => {
    const path = join(folder.path, 'damaged.sqlite');
    const journal = openSqliteJournal(path, systemClock);
    journal.append([{ kind: 'run_started', uuid: null, data: { run: '1' } }]);
    journal.close();
    const db = new DatabaseSync(path);
    db.exec(`DROP TRIGGER journal_no_UPDATE; UPDATE journal SET data = '{"run":"2"}'`);
    db.close();
    const run = touchline(['journal', 'verify', path]);
    run.child.stdout?.destroy();
    expect((await run.exit).code).toBe(1);
  });

  it('the journal of a live account under simulated money: 78, and nothing is written', async () => {
    const path = join(folder.path, 'live.sqlite');
    const journal = openSqliteJournal(path, systemClock);
    journal.append([{ kind: 'begun_in_mode', uuid: null, data: { mode: 'live' } }]);
    journal.close();
    const { code, lines } = await complaint(['start', '--set', `journal.path=${path}`, ...QUIET]);
    expect([code, lines]).toEqual([78, [expect.stringContaining('begun with mode = "live"')]]);
    const left = openSqliteJournal(path, systemClock);
    expect([left.lastSeq(), existsSync(`${path}.permit`)]).toEqual([1, false]);
    left.close();
  });

  it('help: 0', async () => {
    const { code, stdout } = await complaint(['--help']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: touchline')]);
  });
});

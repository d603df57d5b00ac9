import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { exportJournal } from '../../src/app/journal/journal-tools.ts';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const account = (id: string, keys: readonly string[], readOnly: readonly string[] = []) => ({
  account_id: id,
  keys,
  read_only_keys: readOnly,
  balance: 10_000,
});

it('takes another key of the account at SIGHUP, refuses that of another account, and says so at a start', async () => {
  const accounts = folder.file(
    'accounts.json',
    JSON.stringify([
      account('ours', ['canary-first', 'canary-second'], ['canary-reader']),
      account('theirs', ['canary-theirs']),
    ]),
  );
  const exchange = await launchExchange(['--accounts', accounts]);
  const journal = join(folder.path, 'journal.sqlite');
  const keyFile = folder.file('api-key', 'canary-first\n');
  const config = folder.file(
    'keys.toml',
    exchangeSettings(exchange.rest, exchange.stream).replace(
      '[exchange]\n',
      `[exchange]\napiKeyFile = "${keyFile}"\n`,
    ) + `[journal]\npath = "${journal}"\n`,
  );
  const start = (...more: readonly string[]) => touchline(['run', '--json', '--config', config, ...more]);
  const run = start();
  await run.until(/order live/);
  const atHangUp = async (key: string, pattern: RegExp): Promise<string> => {
    writeFileSync(keyFile, key);
    const mark = run.written();
    run.kill('SIGHUP');
    return run.until(pattern, mark);
  };
  const refused = /the API key was not changed: [^"]*/;
  expect(await atHangUp('canary-theirs', refused)).toContain('it opens another account');
  expect(await atHangUp('canary-unknown', refused)).toContain('the exchange refuses it (auth_error)');
  expect(await atHangUp('canary-reader', refused)).toContain('it may not place or close orders');
  const mark = run.written();
  await atHangUp('canary-second', /the API key was changed/);
  await run.until(/stream synced/, mark);
  await run.until(/order live/, run.written());
  run.kill('SIGTERM');
  const first = await run.exit;
  expect(first.code).toBe(0);

  writeFileSync(keyFile, 'canary-theirs');
  const other = await start().exit;
  expect(other.code).toBe(78);
  expect(other.stderr).toMatch(
    /opens another account than the one of this journal.*: the exchange knows none/,
  );
  const accepted = start('--accept-account');
  await accepted.until(/another account is accepted for this journal/);
  await accepted.until(/order live/);
  accepted.kill('SIGTERM');
  const last = await accepted.exit;
  expect(last.code).toBe(0);

  const said = [first, other, last].map(({ stdout, stderr }) => stdout + stderr).join('\n');
  const lines = [...exportJournal(journal, systemClock)];
  expect(lines.filter((line) => line.includes('"kind":"key_changed"'))).toHaveLength(1);
  expect(said + lines.join('\n')).not.toMatch(/canary-/);
  exchange.run.kill('SIGTERM');
  await exchange.run.exit;
});

import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { exportJournal } from '../../src/app/journal/journal-tools.ts';
import { exchangeSettings, launchExchange, temporaryFolder } from '../support/exchange.ts';
import { metricsOf } from '../support/place.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const KEY = { TOUCHLINE_API_KEY: 'canary-key' };

it('applies a changed file at SIGHUP, names what waits for a restart, and survives a bad file', async () => {
  const exchange = await launchExchange(['--key', 'canary-key']);
  const journal = join(folder.path, 'journal.sqlite');
  const write = (more: string): string =>
    folder.file(
      'reload.toml',
      `${exchangeSettings(exchange.rest, exchange.stream)}[journal]\npath = "${journal}"\n${more}`,
    );
  const run = touchline(['run', '--json', '--config', write('')], KEY);
  const address = await metricsOf(run);
  await run.until(/order live/);

  write('[orders]\ndurationS = 45\nheartbeatTimeoutS = 40\n[log]\nlevel = "debug"\n');
  let mark = run.written();
  run.kill('SIGHUP');
  expect(
    await run.until(/"keys":\["orders\.heartbeatTimeoutS"\],"msg":"settings that take effect/, mark),
  ).toMatch(/"key":"orders\.durationS","from":30,"to":45/);
  await run.until(/"level":"debug"/, mark);

  write('[orders]\ndurationS = -1\n');
  mark = run.written();
  run.kill('SIGHUP');
  const refusal = await run.until(/the configuration was not reloaded/, mark);
  expect(refusal).toMatch(/reload\.toml: orders\.durationS = -1: must be a whole number from 5 to 3600/);
  await run.until(/"level":"debug"/, run.written());

  write('[orders]\ndurationS = 45\n[risk.collar]\nawayLogOdds = -1\n');
  mark = run.written();
  run.kill('SIGHUP');
  expect(await run.until(/the configuration was not reloaded/, mark)).toMatch(
    /reload\.toml: risk\.collar\.awayLogOdds: is -1: expected number to be >0/,
  );

  const metrics = await (await fetch(`${address}/metrics`)).text();
  expect(metrics).toMatch(/^touchline_config_reloads_total\{result="applied"\} 1$/m);
  expect(metrics).toMatch(/^touchline_config_reloads_total\{result="refused"\} 2$/m);
  expect(metrics).toMatch(/^touchline_config_waiting_for_restart 1$/m);
  run.kill('SIGTERM');
  const exit = await run.exit;
  expect(exit.code).toBe(0);
  const lines = [...exportJournal(journal, systemClock)];
  expect(lines.filter((line) => line.includes('"kind":"config_changed"'))).toHaveLength(1);
  expect(lines.join('\n') + exit.stderr).not.toContain('canary-key');
  exchange.run.kill('SIGTERM');
  await exchange.run.exit;
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { watchKillFile } from '../../../src/app/adapters/small-file.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { PROJECT_ROOT } from '../../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-kill-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('reports a file by its first line, and reports one that cannot be read', async () => {
  const [clock, path, found] = [new VirtualClock(), join(folder, 'kill'), [] as string[]];
  const stop = watchKillFile(clock, path, (line) => found.push(line));
  await clock.advance(600);
  expect(found).toEqual([]);
  writeFileSync(path, ' stop it \nmore');
  await clock.advance(250);
  rmSync(path);
  mkdirSync(path);
  await clock.advance(250);
  stop();
  await clock.advance(1_000);
  expect(found).toEqual(['stop it', '']);
});

it('finds no kill file when the process may open no more files', () => {
  const script = `
    import { openSync } from 'node:fs';
    import { watchKillFile } from './src/app/adapters/small-file.ts';
    const clock = { after: (ms, run) => (ms === 0 && queueMicrotask(run), { cancel: () => undefined }) };
    try { for (;;) openSync('/dev/null'); } catch {}
    watchKillFile(clock, '/no/such/file', (line) => console.log('killed', line));
    watchKillFile(clock, 'package.json', (line) => console.log('found', line));`;
  const run = `ulimit -n 40; exec '${process.execPath}' --input-type=module -e "$1"`;
  const said = execFileSync('sh', ['-c', run, 'sh', script], { cwd: PROJECT_ROOT, encoding: 'utf8' });
  expect(said).toBe('found \n');
});

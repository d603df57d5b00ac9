import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { launch, touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const SIM = ['sim', '--key', 'k'];

describe.runIf(process.platform !== 'win32').concurrent('Node’s debugger', () => {
  it.each([
    ['bin/touchline', 'bin/touchline', SIM],
    ['node itself', process.execPath, ['src/cli/main.ts', ...SIM]],
  ] as const)('is not opened by SIGUSR1, which leaves a process alone: %s', async (_, command, args) => {
    const run = launch(command, args);
    await run.until(/^\{.*\}$/m);
    run.kill('SIGUSR1');
    // The answer to a later signal shows that this one was handled.
    run.kill('SIGTERM');
    const { code, stderr } = await run.exit;
    expect([code, stderr]).toEqual([0, '']);
  });

  it('is refused where money is real, before the key is read', async () => {
    const config = folder.file('live.toml', 'mode = "live"\n');
    const args = ['run', '--live', '--config', config, '--set', 'log.level=silent'];
    const { code, stderr } = await touchline(args, { NODE_OPTIONS: '--inspect=127.0.0.1:0' }).exit;
    expect(code).toBe(78);
    expect(stderr).toMatch(/mode = "live" with a debugger \(NODE_OPTIONS has --inspect=127\.0\.0\.1:0\)/);
  });
});

describe.runIf(process.platform !== 'win32')('a start', () => {
  it('is refused where other users can write the folder of the journal', async () => {
    const args = ['start', '--for', '1s', '--set', 'journal.path=/tmp/touchline-shared.sqlite'];
    const { code, stderr } = await touchline([...args, '--set', 'log.level=silent']).exit;
    expect(code).toBe(78);
    expect(stderr).toMatch(/other users can write the folder of the journal: run chmod go-w on \/tmp/);
  });
});

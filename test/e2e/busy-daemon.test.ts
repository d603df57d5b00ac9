import { afterAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf } from '../support/place.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

it.runIf(process.platform !== 'win32')('a daemon that is stopped is named, not called absent', async () => {
  const journal = `${folder.path}/journal.sqlite`;
  const daemon = touchline(['start', '--set', `journal.path=${journal}`]);
  const address = await adminOf(daemon);
  daemon.kill('SIGSTOP');
  const { code, stderr } = await touchline(['status', '--url', address]).exit;
  daemon.kill('SIGCONT');
  daemon.kill('SIGTERM');
  expect([code, stderr]).toEqual([
    69,
    expect.stringMatching(new RegExp(`process ${daemon.child.pid} on .* holds the journal .*journal.sqlite`)),
  ]);
  expect((await daemon.exit).code).toBe(0);
});

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/exchange.ts';
import { touchline } from '../support/process.ts';

const SECRETS = {
  TOUCHLINE_WEBHOOK_SECRET: 'canary-webhook-secret',
  TOUCHLINE_TELEGRAM_TOKEN: '1234:canary-token',
};

interface Received {
  readonly path: string;
  readonly body: string;
}

const folder = temporaryFolder();
const received: Received[] = [];
let base = '';

/** `/hangs` never answers; everything else is taken. */
function serve(request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const path = request.url ?? '';
    received.push({ path, body });
    if (path !== '/hangs') response.end('{"ok":true}');
  });
}

const server = createServer(serve);
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  folder.remove();
  server.closeAllConnections();
  server.close();
});

const settings = (...pairs: readonly string[]): string[] => pairs.flatMap((pair) => ['--set', pair]);

/** First lines of what Telegram got since then. */
const heads = (from: number): string[] =>
  received
    .slice(from)
    .filter(({ path }) => path.endsWith('/sendMessage'))
    .map(({ body }) => (JSON.parse(body) as { readonly text: string }).text.split('\n')[0] ?? '');

const TO_TELEGRAM = () => settings(`notify.telegramUrl=${base}`, 'notify.telegramChat=@ours');

describe('a run with notifications', () => {
  it('quotes and stops in order beside a receiver that hangs, and shows no secret', async () => {
    const mark = received.length;
    const more = [
      `notify.webhookUrl=${base}/hangs`,
      `notify.pingUrl=${base}/canary-ping`,
      'notify.pingIntervalS=1',
    ];
    const run = touchline(['start', ...settings(...more), ...TO_TELEGRAM()], SECRETS);
    await run.until(/"msg":"order live"/);
    await expect.poll(() => received.filter(({ path }) => path === '/canary-ping').length).toBeGreaterThan(1);
    await expect.poll(() => received.filter(({ path }) => path === '/hangs').length).toBe(1);
    run.kill('SIGTERM');
    const exit = await run.exit;
    expect(exit.code).toBe(0);
    // A busy machine may add a warning of a slow strategy.
    expect(heads(mark).filter((head) => head.startsWith('INFO'))).toEqual(['INFO: Started', 'INFO: Stopped']);
    expect(exit.stdout).toMatch(
      /"logEvent":"notification_lost","channel":"webhook","kind":"stopped","outcome":"expired"/,
    );
    expect(exit.stdout + exit.stderr).not.toContain('canary');
  });

  it('notifies a kill', async () => {
    const mark = received.length;
    const run = touchline(['start', ...TO_TELEGRAM()], SECRETS);
    await run.until(/"msg":"order live"/);
    run.kill('SIGUSR2');
    await expect.poll(() => heads(mark)).toContain('PAGE: Killed');
    run.kill('SIGTERM');
    await run.exit;
  });

  it('wakes a person when the run before crashed with open orders', async () => {
    const mark = received.length;
    const args = [
      'start',
      ...settings(`journal.path=${join(folder.path, 'journal.sqlite')}`),
      ...TO_TELEGRAM(),
    ];
    const crashing = touchline(args, SECRETS);
    await crashing.until(/"msg":"order live"/);
    crashing.kill('SIGKILL');
    await crashing.exit;
    const run = touchline(args, SECRETS);
    await expect.poll(() => heads(mark)).toContain('PAGE: The run before crashed with open orders');
    run.kill('SIGTERM');
    await run.exit;
  });

  it.each([
    ['notify.webhookUrl', 'http://127.0.0.1:9/', /TOUCHLINE_WEBHOOK_SECRET, or notify\.webhookSecretFile/],
    ['notify.telegramChat', '@ours', /TOUCHLINE_TELEGRAM_TOKEN, or notify\.telegramTokenFile/],
    [
      'notify.webhookUrl',
      'http://hooks.example/canary',
      /notify\.webhookUrl: http:\/\/hooks\.example is not encrypted/,
    ],
  ])('does not start with %s = %s and no secret', async (key, value, message) => {
    const { code, stderr } = await touchline(['start', ...settings(`${key}=${value}`)]).exit;
    expect(code).toBe(78);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('canary');
  });
});

describe('touchline notify test', () => {
  it('sends one notification through each channel, and shows what became of it', async () => {
    const mark = received.length;
    const args = ['notify', 'test', ...settings(`notify.webhookUrl=${base}/hook`), ...TO_TELEGRAM()];
    const { code, stdout } = await touchline(args, SECRETS).exit;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^webhook +sent$/m);
    expect(stdout).toMatch(/^telegram +sent$/m);
    expect(heads(mark)).toEqual(['INFO: Test']);
    expect(received.slice(mark).map(({ path }) => path)).toContain('/hook');
  });

  it('names the fault, and ends with 69, if one does not arrive', async () => {
    const args = ['notify', 'test', ...settings('notify.webhookUrl=http://127.0.0.1:9/canary')];
    const { code, stdout } = await touchline(args, SECRETS).exit;
    expect(code).toBe(69);
    expect(stdout).toMatch(/^webhook +\w/m);
    expect(stdout).not.toContain('canary');
  });

  it('ends with 78 if no channel is configured', async () => {
    const { code, stderr } = await touchline(['notify', 'test']).exit;
    expect(code).toBe(78);
    expect(stderr).toMatch(/no channel is configured: set notify\.webhookUrl or notify\.telegramChat/);
  });
});

it('shows no secret among the settings in force', async () => {
  const { code, stdout } = await touchline(
    ['config', 'show', ...settings('notify.telegramChat=@ours')],
    SECRETS,
  ).exit;
  expect(code).toBe(0);
  expect(stdout).toContain('@ours');
  expect(stdout).not.toContain('canary');
});

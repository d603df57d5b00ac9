import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { request } from 'undici';
import { afterAll, expect, it } from 'vitest';
import { patient } from '../support/patience.ts';
import { temporaryFolder } from '../support/exchange.ts';
import { adminOf, metricOf, metricsOf, reported, tokenAt, turnsOn } from '../support/place.ts';
import { touchline } from '../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const NOBODY_UID = 65_534;
const TEN_MEGABYTES = 10 * 1_048_576;
/** Refused requests are those without any effect. */
const REFUSED = expect.toBeOneOf([400, 401, 403, 404, 413]) as number;

interface Attack {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

async function attack(url: string, { method = 'POST', path, headers = {}, body }: Attack): Promise<number> {
  const sent = { 'content-type': 'application/json', ...headers };
  try {
    const answer = await request(url + path, {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body }),
    });
    await answer.body.dump();
    return answer.statusCode;
  } catch {
    // The server closed the connection before it had read the body.
    return 413;
  }
}

/** Connections that send half a request and then nothing. */
async function stall(url: string, count: number): Promise<readonly Socket[]> {
  const { port, hostname } = new URL(url);
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('POST /state HTTP/1.1\r\nhost: localhost\r\ncontent-le');
      return socket;
    }),
  );
}

const WISH = JSON.stringify({ state: 'halted', reason: 'an attack' });
const GUESS = { authorization: `Bearer ${'x'.repeat(43)}` };

it('refuses and logs attacks on both addresses while it trades, and a kill of 10 MB kills', async () => {
  const journal = join(folder.path, 'journal.sqlite');
  const daemon = touchline(['start', '--json', '--set', `journal.path=${journal}`]);
  const [admin, metrics] = [await adminOf(daemon), await metricsOf(daemon)];
  await daemon.until(/order live/);
  const control = { authorization: `Bearer ${tokenAt(admin)}` };
  const stalled = [...(await stall(admin, 40)), ...(await stall(metrics, 40))];

  const attacks: readonly Attack[] = [
    { path: '/kill' },
    { path: '/resume', body: '{"reason":"x"}' },
    { path: '/state', body: WISH },
    { path: '/state', body: WISH, headers: GUESS },
    { path: '/kill', headers: { ...control, host: 'evil.example' } },
    { path: '/kill', headers: { ...control, origin: 'http://evil.example' } },
    { path: '/state', body: Buffer.alloc(TEN_MEGABYTES, ' '), headers: control },
    { path: '/state', body: '{"state":"halted","reason":"x","all":1}', headers: control },
    { path: '/../kill' },
    { path: '/%6b%69%6c%6c' },
    { path: '//kill', headers: control },
    { path: '/kill/x', headers: control },
    { method: 'GET', path: '/status' },
    { method: 'GET', path: `/why?selection=${'x'.repeat(4_000)}` },
  ];
  expect(await Promise.all(attacks.map((each) => attack(admin, each)))).toEqual(attacks.map(() => REFUSED));
  const onMetrics = attacks.map((each) => ({ ...each, headers: { ...each.headers, ...control } }));
  expect(await Promise.all(onMetrics.map((each) => attack(metrics, each)))).toEqual(
    attacks.map(() => REFUSED),
  );

  await turnsOn(metrics, 5);
  expect(await reported(admin, '/risk')).toMatchObject({ killed: null, states: [] });
  await daemon.until(/"reason":"no_token","method":"POST","path":"\/kill".*"msg":"request refused"/);
  await daemon.until(/"reason":"host".*"msg":"request refused"/);
  await daemon.until(/"reason":"origin".*"msg":"request refused"/);
  const refused = (reason: string) =>
    metricOf(metrics, new RegExp(`^touchline_admin_refused_total\\{reason="${reason}"\\} (\\d+)$`, 'm'));
  expect(await refused('no_token')).toBeGreaterThanOrEqual(5);
  expect(await refused('wrong_token')).toBe(1);
  for (const socket of stalled) socket.destroy();

  if (process.getuid?.() === 0) {
    const file = `${journal}.tokens/read.token`;
    expect(spawnSync('cat', [file], { uid: NOBODY_UID }).status).not.toBe(0);
    expect(spawnSync('cat', [file]).status).toBe(0);
  }

  const kill = { path: '/kill', headers: control, body: Buffer.alloc(TEN_MEGABYTES, 'x') };
  expect(await attack(admin, kill)).toBe(200);
  expect(await reported(admin, '/risk')).toMatchObject({ killed: { reason: 'POST /kill' } });
  await expect
    .poll(() => reported(admin, '/risk'), { timeout: patient(20_000) })
    .toMatchObject({ openOrders: 0 });
  daemon.kill('SIGTERM');
  expect((await daemon.exit).code).toBe(0);
});

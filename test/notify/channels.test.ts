import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/app/adapters/system-clock.ts';
import { receiverAt } from '../../src/app/notify/open-channels.ts';
import { Secret } from '../../src/domain/secret.ts';
import { telegramChannel } from '../../src/notify/channels/telegram.ts';
import { signatureOf, webhookChannel } from '../../src/notify/channels/webhook.ts';
import { read } from '../tidy/project.ts';
import { MESSAGE } from './support.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Verify = (headers: IncomingHttpHeaders, body: string, secret: string, nowS?: number) => string;

/** The receiver's code, as the documentation shows it. */
const documented = /```js\n([\s\S]*?)```/.exec(read('docs/reference/notifications.md'))?.[1] ?? '';
const { verify } = (await import(`data:text/javascript,${encodeURIComponent(documented)}`)) as {
  readonly verify: Verify;
};

const received: Received[] = [];
const answer = { status: 200, headers: {}, body: '' };
let base = '';

const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    received.push({ method: request.method, url: request.url, headers: request.headers, body });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received.length = 0;
  Object.assign(answer, { status: 200, headers: {}, body: '' });
});
afterAll(() => server.close());

const SECRET = 'canary-webhook-secret';
const TOKEN = '1234:canary-token';

const webhook = (url = `${base}/hooks/7?room=a`) =>
  webhookChannel({ ...receiverAt(url, systemClock), secret: new Secret(SECRET), clock: systemClock });
const telegram = (url = base) =>
  telegramChannel({ http: receiverAt(url, systemClock).http, token: new Secret(TOKEN), chatId: '-100' });

describe('the webhook', () => {
  it('is signed, so that the documented receiver believes it once', async () => {
    const channel = webhook();
    expect(await channel.deliver(MESSAGE)).toEqual({ kind: 'sent' });
    await channel.close();
    const [{ method, url, headers, body }] = received as [Received];
    expect([method, url, headers['content-type']]).toEqual(['POST', '/hooks/7?room=a', 'application/json']);
    expect(headers['touchline-id']).toBe(MESSAGE.id);
    expect(JSON.parse(body)).toMatchObject({
      id: MESSAGE.id,
      kind: 'killed',
      severity: 'page',
      phase: 'begin',
    });
    expect(body).not.toContain(SECRET);
    expect(verify(headers, body, 'another-secret')).toBe('forged');
    expect(verify(headers, body.replace('page', 'info'), SECRET)).toBe('forged');
    expect(verify({ ...headers, 'touchline-timestamp': '1' }, body, SECRET)).toBe('forged');
    expect(verify({ ...headers, 'touchline-signature': 'v1=' }, body, SECRET)).toBe('forged');
    expect(verify(headers, body, SECRET, Date.now() / 1000 + 301)).toBe('forged');
    expect(verify(headers, body, SECRET)).toBe('genuine');
    expect(verify(headers, body, SECRET)).toBe('repeated');
  });

  it('has the signature that other programs compute', () => {
    // printf '1767225600.body' | openssl dgst -sha256 -hmac key
    const digest = 'a594da8873254a89c24130790b3ff28d0410d01fb2cd7d14dc73ee7794ba167f';
    expect(signatureOf(new Secret('key'), '1767225600', 'body')).toBe(`v1=${digest}`);
  });

  it.each([
    [400, { kind: 'refused', why: 'the receiver answered 400' }],
    [302, { kind: 'refused', why: 'the receiver answered 302' }],
    [503, { kind: 'failed', why: 'the receiver answered 503', retryAfterMs: 0 }],
  ] as const)('reads the answer %i', async (status, delivery) => {
    answer.status = status;
    const channel = webhook();
    expect(await channel.deliver(MESSAGE)).toEqual(delivery);
    await channel.close();
  });

  it('obeys Retry-After', async () => {
    Object.assign(answer, { status: 429, headers: { 'retry-after': '30' } });
    const channel = webhook();
    expect(await channel.deliver(MESSAGE)).toMatchObject({ kind: 'failed', retryAfterMs: 30_000 });
    await channel.close();
  });

  it('names the cause of a failure, and never the path', async () => {
    const channel = webhook('http://127.0.0.1:9/canary-path');
    const delivery = await channel.deliver(MESSAGE);
    expect(delivery).toMatchObject({ kind: 'failed', retryAfterMs: 0 });
    expect(JSON.stringify(delivery)).not.toContain('canary');
    await channel.close();
  });
});

describe('Telegram', () => {
  it('gets plain text through the bot, with a sound for a page alone', async () => {
    const channel = telegram();
    expect(await channel.deliver(MESSAGE)).toEqual({ kind: 'sent' });
    await channel.deliver({
      ...MESSAGE,
      severity: 'info',
      text: 'x'.repeat(5_000),
      suppressed: { stopped: 2 },
    });
    await channel.close();
    const [page, info] = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect([received[0]?.method, received[0]?.url]).toEqual(['POST', `/bot${TOKEN}/sendMessage`]);
    expect(page).toEqual({
      chat_id: '-100',
      text: 'PAGE: Killed\nEverything is stopped.\n2026-01-01T00:00:00.000Z, live on exchange.example, run 7-0a1b2c3d, Touchline 0.1.0',
      disable_notification: false,
      link_preview_options: { is_disabled: true },
    });
    expect(info).toMatchObject({ disable_notification: true });
    expect(String(info?.['text'])).toHaveLength(4_096);
  });

  it('says in the body how long to wait', async () => {
    Object.assign(answer, { status: 429, body: '{"ok":false,"parameters":{"retry_after":7}}' });
    const channel = telegram();
    expect(await channel.deliver(MESSAGE)).toMatchObject({ kind: 'failed', retryAfterMs: 7_000 });
    await channel.close();
  });

  it('shows the token in no failure', async () => {
    const channel = telegram('http://127.0.0.1:9');
    expect(JSON.stringify(await channel.deliver(MESSAGE))).not.toContain('canary');
    await channel.close();
  });
});

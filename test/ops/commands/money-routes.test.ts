import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import { JournalError, TouchlineError } from '../../../src/domain/errors.ts';
import type { AdminControls } from '../../../src/ops/commands/controls.ts';
import { startAdminServer } from '../../../src/ops/admin-server.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { ACCESS, bearing, controlsWith, IDLE } from '../../support/admin-serving.ts';

const servers: Listener[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serving(controls: Partial<AdminControls>): Promise<Listener> {
  const sources = { ...IDLE, controls: controlsWith(controls) };
  const server = await startAdminServer({ host: '127.0.0.1', port: 0 }, sources, ACCESS);
  servers.push(server);
  return server;
}

type Scope = NonNullable<Parameters<typeof bearing>[0]>;

async function ask(server: Listener, method: 'GET' | 'POST', path: string, scope: Scope, body?: object) {
  const answer = await request(`${server.url}${path}`, {
    method,
    headers: { ...bearing(scope), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: await answer.body.json() };
}

describe('a reconciliation over HTTP', () => {
  it('is asked for with the reduce token, and shown with the read token', async () => {
    const authors: string[] = [];
    const last = { pending: false, why: null, last: null };
    const server = await serving({
      reconcile: async (by) => (authors.push(by), last),
      reconciliation: () => last,
    });
    expect(await ask(server, 'POST', '/reconcile', 'read', {})).toMatchObject({ status: 403 });
    expect(await ask(server, 'POST', '/reconcile', 'reduce', { by: 'me' })).toEqual({
      status: 200,
      body: last,
    });
    expect(await ask(server, 'GET', '/reconcile', 'read')).toEqual({ status: 200, body: last });
    expect(authors).toEqual(['me (reduce token, 127.0.0.1)']);
  });
});

describe('a deposit over HTTP', () => {
  it('needs the control token, and an amount that is not 0', async () => {
    const entered: unknown[] = [];
    const server = await serving({ deposit: (...args) => (entered.push(args), { amountUsdt: -5 }) });
    const wish = { amountUsdt: -5.25, note: 'rent' };
    expect(await ask(server, 'POST', '/deposit', 'reduce', wish)).toMatchObject({ status: 403 });
    for (const body of [
      {},
      { amountUsdt: 0 },
      { amountUsdt: null },
      { ...wish, amount: 5 },
      { amountUsdt: 1e10 },
    ])
      expect(await ask(server, 'POST', '/deposit', 'control', body)).toMatchObject({ status: 400 });
    expect(await ask(server, 'POST', '/deposit', 'control', { ...wish, by: 'me' })).toMatchObject({
      status: 200,
    });
    expect(await ask(server, 'POST', '/deposit', 'control', { amountUsdt: 3 })).toMatchObject({
      status: 200,
    });
    expect(entered).toEqual([
      [wish, 'me (control token, 127.0.0.1)'],
      [{ amountUsdt: 3, note: '' }, 'admin interface (control token, 127.0.0.1)'],
    ]);
  });

  it('is refused if it cannot be kept', async () => {
    const server = await serving({
      deposit: () => {
        throw new JournalError('the disk is full');
      },
    });
    expect(await ask(server, 'POST', '/deposit', 'control', { amountUsdt: 3 })).toEqual({
      status: 503,
      body: { error: 'the deposit is not kept: the disk is full' },
    });
  });
});

describe('a result of paper bets over HTTP', () => {
  const wish = { sport: 'fb', eventId: '2026-03-01,1,2', told: { kind: 'score', home: 2, away: 1 } };

  it('needs the control token, and exactly one result', async () => {
    const entered: unknown[] = [];
    const server = await serving({ settlePaper: (...args) => (entered.push(args), { settles: ['for,h'] }) });
    expect(await ask(server, 'POST', '/paper/settle', 'reduce', wish)).toMatchObject({ status: 403 });
    for (const told of [
      undefined,
      {},
      { kind: 'score', home: 2 },
      { kind: 'score', home: 2, away: -1 },
      { kind: 'score', home: 2, away: 1, teamId: 7 },
      { kind: 'winner' },
      { kind: 'won', teamId: 7 },
      { kind: 'void', home: 0 },
    ]) {
      const answer = await ask(server, 'POST', '/paper/settle', 'control', { ...wish, told });
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('told') } });
    }
    const answers = [
      { ...wish, note: 'the page', by: 'me' },
      { ...wish, told: { kind: 'winner', teamId: 7 } },
      { ...wish, told: { kind: 'void' } },
    ].map((body) => ask(server, 'POST', '/paper/settle', 'control', body));
    for (const answer of answers) expect(await answer).toEqual({ status: 200, body: { settles: ['for,h'] } });
    expect(entered).toHaveLength(3);
    expect(entered).toContainEqual([
      { ...wish, note: 'the page', beforeStart: false },
      'me (control token, 127.0.0.1)',
    ]);
  });

  it('is refused in the words of the daemon', async () => {
    const server = await serving({
      settlePaper: () => {
        throw new TouchlineError('refused', 'no paper bets on this event');
      },
    });
    expect(await ask(server, 'POST', '/paper/settle', 'control', wish)).toEqual({
      status: 422,
      body: { error: 'no paper bets on this event' },
    });
  });
});

import { connect } from 'node:net';
import { once } from 'node:events';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { startAdminServer } from '../../../src/ops/admin-server.ts';
import { AnsweredCommands } from '../../../src/ops/commands/answered-commands.ts';
import type { Listener } from '../../../src/ops/listener.ts';
import { ACCESS, bearing, controlsWith, IDLE, sessionsInMemory } from '../../support/admin-serving.ts';

const PAGE = '0123456789abcdef';

let clock: VirtualClock;
let server: Listener;
let done: string[];
let release: (() => void) | null;

beforeEach(async () => {
  [clock, done, release] = [new VirtualClock(), [], null];
  const noted = (what: string) => () => ({ what, count: done.push(what) });
  const controls = controlsWith({
    pause: noted('pause'),
    close: noted('close'),
    resume: noted('resume'),
    kill: () => ({ explain: () => undefined, answer: noted('kill') }),
    reconcile: async () => {
      done.push('reconcile');
      if (done.length === 1) throw new Error('a failure');
      await new Promise<void>((resolve) => (release = resolve));
      return { count: done.length };
    },
  });
  const access = { ...ACCESS, sessions: sessionsInMemory() };
  server = await startAdminServer({ host: '127.0.0.1', port: 0 }, { ...IDLE, clock, controls }, access);
});
afterEach(() => server.close());

async function post(path: string, id: string | null, scope: 'reduce' | 'control' = 'control', body?: object) {
  const answer = await request(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      ...bearing(scope),
      'content-type': 'application/json',
      ...(id === null ? {} : { 'command-id': id }),
    },
    body: JSON.stringify(body ?? { reason: 'x' }),
  });
  const reply = (await answer.body.json()) as Record<string, unknown>;
  return { status: answer.statusCode, headers: answer.headers, reply };
}

describe('a command with an id', () => {
  it.each(['pause', 'close', 'resume', 'kill'])(
    '%s has effect once, however often it arrives',
    async (name) => {
      const answers = [];
      for (let each = 0; each < 3; each++) answers.push(await post(`/${name}`, `${PAGE}/1`));
      expect(done).toEqual([name]);
      expect(answers.map(({ status, reply }) => [status, reply])).toEqual(
        Array(3).fill([200, { what: name, count: 1 }]),
      );
      await post(`/${name}`, `${PAGE}/2`);
      expect(done).toHaveLength(2);
    },
  );

  it('has effect each time without an id, or with one that is none', async () => {
    for (const id of [null, null, 'x', `${PAGE}/`, `${PAGE}/1/2`, `${'x'.repeat(100)}/1`])
      expect((await post('/pause', id)).status).toBe(200);
    expect(done).toHaveLength(6);
  });

  it('is another with another token, or on another route', async () => {
    await post('/pause', `${PAGE}/1`);
    await post('/pause', `${PAGE}/1`, 'reduce');
    await post('/close', `${PAGE}/1`);
    expect(done).toEqual(['pause', 'pause', 'close']);
  });

  it('waits for the answer of the first, and tries again after a failure', async () => {
    expect((await post('/reconcile', `${PAGE}/1`, 'control', {})).status).toBe(500);
    const both = [
      post('/reconcile', `${PAGE}/1`, 'control', {}),
      post('/reconcile', `${PAGE}/1`, 'control', {}),
    ];
    await expect.poll(() => release).not.toBeNull();
    release?.();
    const answers = await Promise.all(both);
    expect(answers.map(({ reply }) => reply)).toEqual([{ count: 2 }, { count: 2 }]);
    expect(done).toEqual(['reconcile', 'reconcile']);
  });

  it('that was refused has no effect later', async () => {
    expect((await post('/resume', `${PAGE}/1`, 'reduce')).status).toBe(403);
    expect((await post('/pause', `${PAGE}/1`, 'control', {})).status).toBe(400);
    expect(done).toEqual([]);
    expect((await post('/pause', `${PAGE}/1`)).status).toBe(200);
  });

  it('that lets the daemon trade more is refused after a later one of its page', async () => {
    await post('/kill', `${PAGE}/7`);
    const late = await post('/resume', `${PAGE}/6`);
    expect([late.status, late.reply['error']]).toEqual([
      409,
      'this command arrived after a later one of the same page, and was not carried out',
    ]);
    expect((await post('/resume', 'another-page/6')).status).toBe(200);
    // What reduces always has effect.
    await post('/pause', `${PAGE}/5`);
    expect((await post('/kill', `${PAGE}/4`)).status).toBe(200);
    expect(done).toEqual(['kill', 'resume', 'pause', 'kill']);
    expect((await post('/resume', `${PAGE}/8`)).status).toBe(200);
  });

  it('that lets the daemon trade more has effect only if no later one of its page arrived before, in whatever order they arrive', async () => {
    const arrivals = fc.uniqueArray(
      fc.record({
        number: fc.integer({ min: 1, max: 9 }),
        name: fc.constantFrom('kill', 'pause', 'resume'),
      }),
      { selector: ({ number }) => number, minLength: 3, maxLength: 6 },
    );
    let page = 0;
    await fc.assert(
      fc.asyncProperty(arrivals, async (commands) => {
        page++;
        let last = 0;
        for (const { number, name } of commands) {
          const isLate = name === 'resume' && number < last;
          const { status } = await post(`/${name}`, `${PAGE}${page}/${number}`);
          expect(status).toBe(isLate ? 409 : 200);
          if (!isLate) last = Math.max(last, number);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('is remembered for an hour', async () => {
    await post('/pause', `${PAGE}/1`);
    await clock.advance(3_500_000);
    await post('/close', `${PAGE}/2`);
    await post('/pause', `${PAGE}/1`);
    await clock.advance(200_000);
    await post('/close', `${PAGE}/3`);
    await post('/pause', `${PAGE}/1`);
    expect(done).toEqual(['pause', 'close', 'close', 'pause']);
  });

  it('gives the same session for a code that works once', async () => {
    const { reply } = await post('/codes', null, 'control', { scope: 'read' });
    const first = await post('/session', `${PAGE}/1`, 'control', { code: reply['code'] });
    const again = await post('/session', `${PAGE}/1`, 'control', { code: reply['code'] });
    expect([again.status, again.reply]).toEqual([200, first.reply]);
    expect((await post('/session', 'another-page/1', 'control', { code: reply['code'] })).status).toBe(401);
  });
});

it('ends each connection with its answer, so that no kill is sent on one that has died since', async () => {
  const answers = [
    await post('/pause', null),
    await post('/kill', null),
    await post('/resume', null, 'reduce'),
  ];
  expect(answers.map(({ headers }) => headers['connection'])).toEqual(['close', 'close', 'close']);
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    `GET /session HTTP/1.1\r\nhost: localhost\r\nauthorization: ${bearing().authorization}\r\n\r\n`,
  );
  socket.resume();
  await once(socket, 'end');
  socket.destroy();
});

describe('the memory of commands', () => {
  /** A command as its head arrives. What admits it: `new`, `late` or `again`. */
  function memory() {
    const time = new VirtualClock();
    const commands = new AnsweredCommands(time);
    const arrives = (page: string, number: number, path = '/pause', scope: string | null = 'reduce') => {
      const arrived = {
        method: 'POST',
        url: path,
        headers: { authorization: 'x', 'command-id': `${page}/${number}` },
        routeOptions: { config: scope === null ? {} : { scope } },
        remembered: null,
      };
      const admission = commands.admit(arrived as unknown as FastifyRequest);
      return typeof admission === 'string' ? admission : 'again';
    };
    return { time, arrives };
  }
  const pageOf = (at: number): string => `page-${at}-of-many`;

  it('holds the last thousand, and forgets the oldest first', () => {
    const { arrives } = memory();
    for (let number = 0; number < 1_000; number++) expect(arrives(PAGE, number)).toBe('new');
    expect(arrives(PAGE, 0)).toBe('again');
    expect(arrives(PAGE, 1_000)).toBe('new');
    expect([1, 500, 1_000].map((number) => arrives(PAGE, number))).toEqual(['again', 'again', 'again']);
    expect(arrives(PAGE, 0)).toBe('new');
  });

  it('holds the last command of a thousand pages, those that are in use the longest', () => {
    const { arrives } = memory();
    const isLate = (at: number) => arrives(pageOf(at), 1, '/resume', 'control') === 'late';
    for (let at = 0; at < 1_000; at++) arrives(pageOf(at), 5);
    // The first page is used again.
    arrives(pageOf(0), 6);
    arrives(pageOf(1_000), 5);
    expect([0, 2, 999, 1_000].map(isLate)).toEqual([true, true, true, true]);
    expect(isLate(1)).toBe(false);
  });

  it('holds each for an hour to the millisecond', async () => {
    const { time, arrives } = memory();
    arrives(PAGE, 1);
    await time.advance(3_600_000);
    arrives(PAGE, 2);
    expect(arrives(PAGE, 1)).toBe('again');
    await time.advance(1);
    arrives(PAGE, 3);
    expect(arrives(PAGE, 1)).toBe('new');
  });

  it('takes a route without a scope for one that lets the daemon trade more, and the first number of a page is 0', () => {
    const { arrives } = memory();
    expect(arrives(PAGE, 0, '/resume', 'control')).toBe('new');
    expect(arrives(PAGE, 2)).toBe('new');
    expect(arrives(PAGE, 1, '/odd', null)).toBe('late');
    expect(arrives(PAGE, 1, '/pause', 'read')).toBe('new');
    expect(arrives(PAGE, 2, '/resume', 'control')).toBe('new');
  });
});

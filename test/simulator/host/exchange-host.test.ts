import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { SimResponse } from '../../../src/simulator/core/api.ts';
import { ExchangeHost } from '../../../src/simulator/host/exchange-host.ts';
import type { Link, StreamSession } from '../../../src/simulator/host/stream-session.ts';
import { FakeCore } from './fake-core.ts';

const START_MS = 1_700_000_000_000;

function setUp(intervalMs: number | null = null) {
  const core = new FakeCore();
  core.intervalMs = intervalMs;
  const clock = new VirtualClock(START_MS);
  const host = new ExchangeHost({ core, clock });
  return { core, clock, host };
}

function recordingLink(): Link & { said: string[] } {
  const said: string[] = [];
  return {
    said,
    send: (text) => void said.push(text),
    cut: (text) => void said.push(`cut ${text}`),
    close: (code, reason) => void said.push(`close ${code} ${reason}`),
  };
}

function open(host: ExchangeHost): StreamSession {
  const opening = host.open({ api_key: 'k' });
  if (opening.kind !== 'opened') throw new Error('refused');
  return opening.session;
}

function answerOf(host: ExchangeHost, target: string, method = 'GET'): SimResponse {
  let answer: SimResponse | null = null;
  host.submit({ method, target, apiKey: 'k', body: '' }, (delivery) => {
    if ('response' in delivery) answer = delivery.response;
  });
  if (answer === null) throw new Error('no answer at once');
  return answer;
}

describe('exchange host', () => {
  it('answers requests at the time of the clock', async () => {
    const { core, clock, host } = setUp();
    await clock.advance(1_500);
    expect(answerOf(host, '/v2/xrates/').status).toBe(200);
    expect(core.times).toEqual([START_MS + 1_500]);
  });

  it('never shows the exchange a time that goes back, and keeps its pace when the machine clock jumps', async () => {
    const { core, clock, host } = setUp();
    answerOf(host, '/a');
    clock.jumpWall(-3_600_000);
    await clock.advance(10);
    answerOf(host, '/b');
    clock.jumpWall(7_200_000);
    answerOf(host, '/c');
    expect(core.times).toEqual([START_MS, START_MS + 10, START_MS + 10]);
  });

  it('keeps frames until the session has its link, in order', () => {
    const { host } = setUp();
    const session = open(host);
    session.receive('one');
    const link = recordingLink();
    session.attach(link);
    session.receive('two');
    expect(link.said).toEqual(['hello', 'echo one', 'echo two']);
  });

  it('wakes the exchange when it has work, with one timer', async () => {
    const { core, clock, host } = setUp(2_000);
    const link = recordingLink();
    open(host).attach(link);
    await clock.advance(6_000);
    expect(link.said.slice(1)).toEqual([2_000, 4_000, 6_000].map((ms) => `tick ${START_MS + ms}`));
    expect(core.calls.filter((call) => call === 'advance')).toHaveLength(3);
  });

  it('has no timer left when none is needed, and none after close', async () => {
    const { core, clock, host } = setUp(2_000);
    const session = open(host);
    expect(clock.nextTimerMs()).toBe(2_000);
    session.end();
    expect(clock.nextTimerMs()).toBeNull();
    open(host);
    host.close();
    expect(clock.nextTimerMs()).toBeNull();
    expect(core.connections.size).toBe(0);
  });

  it('passes refusals of the handshake on', () => {
    const { host } = setUp();
    expect(host.open({})).toEqual({ kind: 'refused', status: 400, body: 'missing_credentials' });
  });

  it('ends the session when the exchange closes it, and sends nothing more', () => {
    const { core, host } = setUp();
    const link = recordingLink();
    const session = open(host);
    session.attach(link);
    session.receive('leave');
    session.receive('ignored');
    expect(link.said).toEqual(['hello', 'close 1000 bye']);
    expect(core.calls.at(-1)).toBe('disconnect 1');
    expect(host.openStreams).toBe(0);
  });

  it('answers documents by their path, in every spelling that other paths have, and by GET only', () => {
    const document = { status: 200, headers: {}, body: 'described' };
    const documents = new Map([['/v2/openapi.json', document]]);
    const core = new FakeCore();
    const host = new ExchangeHost({ core, clock: new VirtualClock(START_MS), documents });
    for (const spelling of ['', '/', '?x', '/?x=/']) {
      expect(answerOf(host, `/v2/openapi.json${spelling}`)).toBe(document);
    }
    const posted = answerOf(host, '/v2/openapi.json', 'POST');
    expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect(JSON.parse(posted.body)).toMatchObject({ code: 'method_not_allowed' });
    expect(core.bodies).toEqual([]);
  });

  it('answers an internal error with the documented 500 and goes on', () => {
    const { host } = setUp();
    const answer = answerOf(host, '/v2/crash/');
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toEqual({
      status: 'error',
      code: 'server_error',
      data: ['An error has occurred, token:', 'sim-1'],
    });
    expect(answerOf(host, '/v2/xrates/').status).toBe(200);
  });

  it('closes a connection without a close frame when its frame causes an internal error', () => {
    const { host } = setUp();
    const link = recordingLink();
    const session = open(host);
    session.attach(link);
    session.receive('crash');
    expect(link.said).toEqual(['hello', 'close null ']);
  });

  it('drops every stream raw on request', () => {
    const { core, host } = setUp();
    const links = [recordingLink(), recordingLink()];
    for (const link of links) open(host).attach(link);
    host.dropStreams();
    expect(links.map((link) => link.said.at(-1))).toEqual(['close null ', 'close null ']);
    expect(core.connections.size).toBe(0);
  });
});

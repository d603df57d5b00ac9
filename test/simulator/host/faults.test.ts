import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { inProcessTransports } from '../../../src/simulator/in-process/transports.ts';
import { FakeCore } from './fake-core.ts';

/** The in-process exchange with faults, and a client that records what it sees. */
function setUp(...faults: object[]) {
  const core = new FakeCore();
  const clock = new VirtualClock();
  const options = { core, clock, faults: faults.map((fault) => faultSchema.parse(fault)) };
  const { http, sockets, host } = inProcessTransports(options);
  const seen: string[] = [];
  const send = (method: 'GET' | 'POST', path: string, body: string | null = null): void => {
    const headers = { 'x-api-key': 'k' };
    http.send({ method, path, headers, body, timeoutMs: 1_000 }).then(
      ({ status }) => seen.push(`${clock.monotonicMs()}: ${status}`),
      (error: unknown) => seen.push(`${clock.monotonicMs()}: ${(error as { outcome: string }).outcome}`),
    );
  };
  const open = () =>
    sockets.open(
      { api_key: 'k' },
      {
        onOpen: () => void seen.push('open'),
        onMessage: (data) => void seen.push(Buffer.from(data).toString()),
        onRefused: (status, body) => void seen.push(`refused ${status} ${body}`),
        onClose: (code) => void seen.push(`close ${code}`),
      },
    );
  const reached = (): string[] => core.calls.filter((call) => call !== 'advance');
  return { core, clock, host, seen, send, open, reached };
}

const ORDERS = 'POST /v2/orders/';

describe('requests', () => {
  it.each([
    ['request_lost', {}, [], ['1000: unknown']],
    ['answer_lost', {}, [ORDERS], ['1000: unknown']],
    ['reset', {}, [], ['0: unknown']],
    ['reset_after', {}, [ORDERS], ['0: unknown']],
    ['stall', {}, [ORDERS], ['1000: unknown']],
    ['cut_body', {}, [ORDERS], ['0: unknown']],
    ['delayed', { delay_ms: 300 }, [ORDERS], ['300: 200']],
    ['answer_delayed', { delay_ms: 300 }, [ORDERS], ['300: 200']],
    ['late', { delay_ms: 300 }, [ORDERS], ['0: unknown']],
    ['applied_twice', {}, [ORDERS, ORDERS], ['0: 200']],
    ['throttled', {}, [], ['0: 429']],
    ['server_error', { applied: true }, [ORDERS], ['0: 500']],
  ])('%s', async (fault, more, reachedExchange, sawClient) => {
    const { core, clock, host, seen, send, reached } = setUp({ target: 'orders.create', fault, ...more });
    send('POST', '/v2/orders/', '{}');
    await clock.advance(2_000);
    expect(reached()).toEqual(reachedExchange);
    expect(seen).toEqual(sawClient);
    expect(core.released).toBe(reachedExchange.length);
    expect(host.faults.reached()).toEqual({ [fault]: 1 });
    expect(clock.nextTimerMs()).toBeNull();
  });

  it('arrives late, after the look-up that did not find it', async () => {
    const { clock, reached, send } = setUp({ target: 'orders.create', fault: 'late', delay_ms: 300 });
    send('POST', '/v2/orders/', '{}');
    await clock.advance(100);
    send('GET', '/v2/orders/tracked/u/');
    await clock.advance(400);
    expect(reached()).toEqual(['GET /v2/orders/tracked/u/', ORDERS]);
  });

  it('loses the betslip between quote and order', async () => {
    const { clock, reached, send } = setUp({ target: 'orders.create', fault: 'betslip_gone' });
    send('POST', '/v2/orders/', '{"betslip_id":"b 1","price":2}');
    send('POST', '/v2/orders/', 'no JSON');
    await clock.advance(10);
    expect(reached()).toEqual(['DELETE /v2/betslips/b%201/', ORDERS, ORDERS]);
  });

  it('loses the answers in flight when every connection ends', async () => {
    const { clock, reached, seen, send } = setUp(
      { target: 'orders.create', fault: 'answer_delayed', delay_ms: 300 },
      { at: 0.1, for_s: 0.05, target: 'network', fault: 'connect_refused' },
    );
    send('POST', '/v2/orders/', '{}');
    await clock.advance(2_000);
    expect(reached()).toEqual([ORDERS]);
    expect(seen).toEqual(['100: unknown']);
  });

  it('refuses every connection for a while', async () => {
    const down = { at: 1, for_s: 2, target: 'network', fault: 'connect_refused' };
    const { clock, seen, send, open, reached } = setUp(down);
    open();
    await clock.advance(1_500);
    send('GET', '/v2/balance/');
    open();
    await clock.advance(1_500);
    send('GET', '/v2/balance/');
    await clock.advance(10);
    expect(seen).toEqual(['open', 'hello', 'close null', '1500: not-sent', 'close null', '3000: 200']);
    expect(reached()).toEqual(['connect', 'disconnect 1', 'GET /v2/balance/']);
  });
});

describe('stream', () => {
  it.each([
    ['refused_upgrade', ['refused 503 unavailable']],
    ['upgrade_reset', ['close null']],
    ['upgrade_stall', []],
  ])('%s', async (fault, expected) => {
    const { clock, seen, open, reached } = setUp({ target: 'handshake', fault, times: 1 });
    open();
    await clock.advance(10);
    expect(seen).toEqual(expected);
    expect(reached()).toEqual([]);
    open();
    await clock.advance(10);
    expect(seen.slice(expected.length)).toEqual(['open', 'hello']);
  });

  it.each([
    [{ fault: 'raw_close' }, ['close null']],
    [{ fault: 'raw_close', mid_frame: true }, ['close null']],
    [{ fault: 'close' }, ['close 1008']],
    [{ fault: 'junk_frame', text: '<html>' }, ['<html>']],
    [{ fault: 'junk_frame', text: 'x', every_s: 1, times: 2 }, ['x', 'x']],
  ])('%o', async (fault, expected) => {
    const { clock, seen, open } = setUp({ at: 1, target: 'stream', ...fault });
    open();
    await clock.advance(5_000);
    expect(seen).toEqual(['open', 'hello', ...expected]);
  });

  it('fails commands with a code, as often as wanted, and obeys the others', async () => {
    const { core, clock, seen, open, host } = setUp(
      { target: 'commands', fault: 'command_fails', skip: 1, times: 2 },
      { target: 'commands', fault: 'command_fails', code: 'novel', skip: 1, times: 1 },
    );
    const socket = open();
    await clock.advance(10);
    for (const text of ['a', 'b', 'c', 'd', 'e']) socket.send(text);
    await clock.advance(10);
    expect(seen.slice(2)).toEqual([
      'echo a',
      'refused system_error',
      'refused system_error',
      'refused novel',
      'echo e',
    ]);
    expect(core.calls.filter((call) => call.startsWith('receive'))).toEqual(['receive a', 'receive e']);
    expect(host.faults.reached()).toEqual({ command_fails: 3 });
  });

  it('sends frames of any size and tags of any name', async () => {
    const huge = { at: 1, target: 'stream', fault: 'huge_frame', bytes: 100_000 };
    const { clock, seen, open } = setUp(huge, {
      at: 2,
      target: 'stream',
      fault: 'unknown_tag',
      tag: 'novelty',
    });
    open();
    await clock.advance(3_000);
    expect(seen[2]?.length).toBeGreaterThan(100_000);
    expect(JSON.parse(seen[3] ?? '')).toMatchObject({ data: [['novelty', {}]] });
  });

  it('goes half-open, and turns out to be dead', async () => {
    const { core, clock, seen, open } = setUp({ at: 1, for_s: 2, target: 'stream', fault: 'half_open' });
    core.intervalMs = 600;
    const socket = open();
    await clock.advance(1_000);
    socket.send('lost');
    await clock.advance(1_500);
    expect(seen).toHaveLength(3);
    await clock.advance(1_000);
    expect(seen.slice(3)).toEqual(['close null']);
    expect(core.calls).not.toContain('receive lost');
  });

  it('goes half-open and comes back with everything, in order', async () => {
    const stalled = { at: 1, for_s: 2, target: 'stream', fault: 'half_open', release: true };
    const { clock, seen, open } = setUp(stalled);
    const socket = open();
    await clock.advance(1_000);
    socket.send('one');
    await clock.advance(100);
    socket.send('two');
    await clock.advance(100);
    expect(seen).toEqual(['open', 'hello']);
    await clock.advance(2_000);
    expect(seen).toEqual(['open', 'hello', 'echo one', 'echo two']);
  });

  it('is dead for good when one of two overlapping faults loses what passes', async () => {
    const fault = { target: 'stream', fault: 'half_open' };
    const { core, clock, seen, open } = setUp(
      { ...fault, at: 1, for_s: 4, release: true },
      { ...fault, at: 2, for_s: 1 },
      { ...fault, at: 2.5, for_s: 2.5, release: true },
    );
    const socket = open();
    await clock.advance(1_500);
    socket.send('held');
    await clock.advance(3_400);
    expect(seen).toEqual(['open', 'hello']);
    await clock.advance(200);
    expect(seen).toEqual(['open', 'hello', 'close null']);
    expect(core.calls).not.toContain('receive held');
  });

  it('stays silent until the last of overlapping faults ends', async () => {
    const stalled = { target: 'stream', fault: 'half_open', release: true };
    const { clock, seen, open } = setUp({ ...stalled, at: 1, for_s: 2 }, { ...stalled, at: 2, for_s: 3 });
    const socket = open();
    await clock.advance(1_000);
    socket.send('one');
    await clock.advance(3_900);
    expect(seen).toEqual(['open', 'hello']);
    await clock.advance(200);
    expect(seen).toEqual(['open', 'hello', 'echo one']);
  });

  it('comes back at once when the fault is removed', async () => {
    const { clock, host, seen, open } = setUp({ at: 1, target: 'stream', fault: 'half_open', release: true });
    const socket = open();
    await clock.advance(1_000);
    socket.send('held');
    await clock.advance(100);
    expect(host.removeFault(1)).toBe(true);
    await clock.advance(0);
    expect(seen).toEqual(['open', 'hello', 'echo held']);
  });

  it('drops a half-open connection on request', async () => {
    const { clock, host, seen, open } = setUp({ at: 1, target: 'stream', fault: 'half_open' });
    open();
    await clock.advance(1_000);
    host.dropStreams();
    await clock.advance(0);
    expect(seen).toEqual(['open', 'hello', 'close null']);
  });

  it('loses the feed', async () => {
    const { core, clock } = setUp({ at: 1, target: 'stream', fault: 'clear_events' });
    await clock.advance(1_000);
    expect(core.market.calls).toEqual([['clear']]);
  });

  it('loses the feed for as long as the fault stays', async () => {
    const { core, clock } = setUp({ at: 1, for_s: 3, target: 'stream', fault: 'clear_events' });
    await clock.advance(3_999);
    expect(core.market.calls).toEqual([['clear', 3_000]]);
    await clock.advance(1);
    expect(core.market.calls).toEqual([['clear', 3_000], ['recover']]);
    await clock.advance(10_000);
    expect(core.market.calls).toHaveLength(2);
  });

  it('has the feed back when the fault is removed, and only after the last of several', async () => {
    const { core, clock, host } = setUp(
      { at: 1, for_s: 60, target: 'stream', fault: 'clear_events' },
      { at: 2, for_s: 5, target: 'stream', fault: 'clear_events' },
    );
    await clock.advance(3_000);
    expect(core.market.calls).toEqual([
      ['clear', 60_000],
      ['clear', 59_000],
    ]);
    host.removeFault(1);
    expect(core.market.calls).toHaveLength(2);
    await clock.advance(4_000);
    expect(core.market.calls.slice(2)).toEqual([['recover']]);
  });

  it('tells a lasting loss again and again, until its one end', async () => {
    const { core, clock } = setUp({ for_s: 5, every_s: 2, target: 'stream', fault: 'clear_events' });
    await clock.advance(20_000);
    expect(core.market.calls).toEqual([['clear', 5_000], ['clear', 3_000], ['clear', 1_000], ['recover']]);
  });

  it('leaves the feed alone when a lasting fault never happened', async () => {
    const { core, clock } = setUp({ for_s: 2, skip: 1, target: 'stream', fault: 'clear_events' });
    await clock.advance(5_000);
    expect(core.market.calls).toEqual([]);
  });
});

describe('account', () => {
  it('is disturbed by another process under its own key', async () => {
    const { core, clock, send, reached } = setUp(
      { at: 1, target: 'account', fault: 'heartbeats_deleted' },
      { at: 2, target: 'account', fault: 'betslips_deleted' },
    );
    core.answers.set('GET /v2/heartbeats/', { heartbeats: [{ heartbeat_id: 'h1' }, { heartbeat_id: 'h2' }] });
    core.answers.set('GET /v2/betslips/', ['b1']);
    send('GET', '/v2/balance/');
    await clock.advance(3_000);
    expect(reached().slice(1)).toEqual([
      'GET /v2/heartbeats/',
      'DELETE /v2/heartbeats/h1/',
      'DELETE /v2/heartbeats/h2/',
      'GET /v2/betslips/',
      'DELETE /v2/betslips/b1/',
    ]);
  });

  it('has an order placed by hand, against a quote', async () => {
    const order = { sport: 'fb', event_id: 'e', bet_type: 'for,h', price: 2, stake: 5 };
    const { core, clock, send, reached } = setUp({
      at: 1,
      target: 'account',
      fault: 'foreign_order',
      ...order,
    });
    core.answers.set('POST /v2/betslips/', { betslip_id: 'b1' });
    send('GET', '/v2/balance/');
    await clock.advance(10_000);
    expect(reached().slice(1)).toEqual(['POST /v2/betslips/', ORDERS]);
    expect(JSON.parse(core.bodies.at(-1) ?? '')).toEqual({
      betslip_id: 'b1',
      price: 2,
      stake: ['USDT', 5],
      duration: 60,
    });
  });
});

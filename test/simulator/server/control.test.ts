import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { toMicros } from '../../../src/domain/money.ts';
import type { InspectedEvent } from '../../../src/simulator/core/api.ts';
import { closing, messages, refusal, start } from './support.ts';

const T0 = Date.parse('2026-01-02T03:04:05.678Z');

async function control() {
  const { core, simulator } = await start();
  core.events = [
    { eventId: 'e', sport: 'fb', irStatus: 'in_running', suspended: false, score: [1, 2], outcomes: 3 },
  ];
  const ask = async (method: string, path: string, body?: unknown) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(`${simulator.control}${path}`, {
      method,
      ...(body === undefined ? {} : { body: sent }),
    });
    return { status: response.status, body: await response.json() };
  };
  const detailOf = async (verb: string, body: unknown) =>
    ((await ask('POST', verb, body)).body as { data: { detail: string } }).data.detail;
  return { core, simulator, ask, detailOf };
}

describe('the truth', () => {
  it('shows orders with their fills', async () => {
    const { core, ask } = await control();
    const order = {
      orderId: 7,
      accountId: 'a',
      requestUuid: 'u',
      sport: 'fb',
      eventId: 'e',
      betType: 'for,h',
      price: 2.5,
    };
    const state = { status: 'done', closed: true, closeReason: 'order_filled', userData: null };
    const times = { createdMs: T0, expiryMs: T0 + 15_000, closedMs: T0 + 1_000 };
    const fill = {
      betId: 9,
      price: 2.52,
      stakeMicros: toMicros(4.5),
      atMs: T0 + 1_000,
      role: 'taker' as const,
      cause: 'price crossed' as const,
      voided: false,
    };
    const stakes = { stakeMicros: toMicros(10), filledMicros: toMicros(4.5) };
    core.orders = [{ ...order, ...state, ...times, ...stakes, fills: [fill] }];
    const { body } = await ask('GET', 'orders');
    expect(body).toEqual({
      status: 'ok',
      data: [
        {
          order_id: 7,
          account_id: 'a',
          request_uuid: 'u',
          sport: 'fb',
          event_id: 'e',
          bet_type: 'for,h',
          price: 2.5,
          stake: 10,
          filled: 4.5,
          status: 'done',
          closed: true,
          close_reason: 'order_filled',
          created: '2026-01-02T03:04:05.678Z',
          expiry: '2026-01-02T03:04:20.678Z',
          closed_at: '2026-01-02T03:04:06.678Z',
          user_data: null,
          fills: [
            {
              bet_id: 9,
              price: 2.52,
              stake: 4.5,
              at: '2026-01-02T03:04:06.678Z',
              role: 'taker',
              cause: 'price crossed',
            },
          ],
        },
      ],
    });
  });

  it('shows accounts and events', async () => {
    const { core, ask } = await control();
    const money = { balanceMicros: toMicros(1000), openStakeMicros: toMicros(5) };
    const heartbeats = [{ heartbeatId: 'h', expiryMs: T0 }];
    core.accounts = [{ accountId: 'a', ...money, openBetslips: 2, heartbeats, throttledCount: 3 }];
    expect((await ask('GET', 'accounts/')).body).toMatchObject({
      data: [
        {
          account_id: 'a',
          balance: 1000,
          open_stake: 5,
          open_betslips: 2,
          heartbeats: [{ heartbeat_id: 'h', expiry: '2026-01-02T03:04:05.678Z' }],
          throttled: 3,
        },
      ],
    });
    expect((await ask('GET', 'events')).body).toMatchObject({
      data: [
        { event_id: 'e', sport: 'fb', ir_status: 'in_running', suspended: false, score: [1, 2], outcomes: 3 },
      ],
    });
  });
});

describe('the market controls', () => {
  it.each([
    ['goal', { event_id: 'e', side: 'away' }, { kind: 'goal', side: 'away' }],
    ['suspend', { event_id: 'e' }, { kind: 'suspend' }],
    ['resume', { event_id: 'e' }, { kind: 'resume' }],
    ['in-running', { event_id: 'e' }, { kind: 'in_running' }],
    ['void', { event_id: 'e' }, { kind: 'end', result: null }],
    [
      'settle',
      { event_id: 'e', home: 2, away: 1, half_time_home: 1 },
      { kind: 'end', result: { kind: 'score', home: 2, away: 1, halfTimeHome: 1, halfTimeAway: 0 } },
    ],
    [
      'settle',
      { event_id: 'e', places: { 11: 1, 12: 2 } },
      {
        kind: 'end',
        result: {
          kind: 'places',
          places: new Map([
            [11, 1],
            [12, 2],
          ]),
        },
      },
    ],
  ])('%s %o', async (verb, body, act) => {
    const { core, ask } = await control();
    expect(await ask('POST', verb, body)).toEqual({ status: 200, body: { status: 'ok', data: null } });
    expect(core.interventions).toMatchObject([[{ sport: 'fb', eventId: 'e' }, act]]);
  });

  it('act on the event of the named sport, and refuse an id that several sports share', async () => {
    const { core, ask, detailOf } = await control();
    core.events = ['fb', 'fb_ht'].map((sport) => ({ ...(core.events[0] as InspectedEvent), sport }));
    expect((await ask('POST', 'suspend', { event_id: 'e', sport: 'fb_ht' })).status).toBe(200);
    expect(core.interventions).toMatchObject([[{ sport: 'fb_ht', eventId: 'e' }, { kind: 'suspend' }]]);
    expect(await ask('POST', 'suspend', { event_id: 'e' })).toMatchObject({
      status: 409,
      body: { status: 'error', code: 'ambiguous_event' },
    });
    expect(await detailOf('suspend', { event_id: 'e' })).toContain('fb, fb_ht');
    expect((await ask('POST', 'suspend', { event_id: 'e', sport: 'tennis' })).status).toBe(404);
    expect(core.interventions).toHaveLength(1);
  });

  it('settle at the scores of any sport', async () => {
    const { ask } = await control();
    const settled = async (home: number) =>
      (await ask('POST', 'settle', { event_id: 'e', home, away: 104 })).status;
    expect([await settled(112), await settled(32_767), await settled(32_768)]).toEqual([200, 200, 400]);
  });

  it('clear the feed', async () => {
    const { core, ask } = await control();
    expect((await ask('POST', 'clear')).status).toBe(200);
    expect((await ask('POST', 'clear', { for_s: 2.5 })).status).toBe(200);
    expect(core.market.calls).toEqual([['clear'], ['clear', 2_500]]);
    for (const for_s of [0, -1, 86_401, '3'])
      expect((await ask('POST', 'clear', { for_s })).status).toBe(400);
    expect(core.market.calls).toHaveLength(2);
  });

  it('mark bets', async () => {
    const { core, ask } = await control();
    expect((await ask('POST', 'mark-bet', { bet_id: 9, status: 'void' })).status).toBe(200);
    expect((await ask('POST', 'mark-bet', { bet_id: 900, status: 'void' })).status).toBe(404);
    expect(core.calls).toEqual(['mark 9 void', 'mark 900 void']);
  });

  it('move money of an account, of the only one by default', async () => {
    const { core, ask } = await control();
    expect((await ask('POST', 'deposit', { account_id: 'a', amount: -2.5 })).status).toBe(200);
    expect((await ask('POST', 'deposit', { account_id: 'b', amount: 1 })).status).toBe(404);
    expect((await ask('POST', 'deposit', { amount: 1 })).status).toBe(404);
    const money = { balanceMicros: 0, openStakeMicros: 0, openBetslips: 0, throttledCount: 0 };
    core.accounts = [{ accountId: 'a', ...money, heartbeats: [] }];
    expect((await ask('POST', 'deposit', { amount: 1 })).status).toBe(200);
    expect((await ask('POST', 'deposit', { amount: 'much' })).status).toBe(400);
    expect(core.calls).toEqual(['deposit a -2500000', 'deposit b 1000000', 'deposit a 1000000']);
  });

  it.each([
    ['goal', { event_id: 'e' }, 400, 'validation_error'],
    ['goal', { event_id: 'e', side: 'left' }, 400, 'validation_error'],
    ['suspend', { event_id: 'other' }, 404, 'not_found'],
    ['suspend', { event_id: 'e', extra: 1 }, 400, 'validation_error'],
    ['settle', { event_id: 'e', home: -1, away: 0 }, 400, 'validation_error'],
    ['settle', 'not json', 400, 'bad_json'],
    ['faults', [{ target: 'rest', fault: 'explode' }], 400, 'validation_error'],
    ['explode', {}, 404, 'not_found'],
  ])('refuse %s %o', async (verb, body, status, code) => {
    const { core, ask } = await control();
    expect(await ask('POST', verb, body)).toMatchObject({ status, body: { status: 'error', code } });
    expect([core.market.calls, core.interventions]).toEqual([[], []]);
  });

  it('report what is wrong', async () => {
    const { ask } = await control();
    const { body } = await ask('POST', 'goal', { event_id: 'e', side: 'left' });
    expect(JSON.stringify(body)).toMatch(/side/);
    expect(JSON.stringify((await ask('PUT', 'goal')).body)).toContain('POST goal');
  });

  it.each([
    ['faults', { target: 'orders.crate', fault: 'reset' }, 'names no request', 'target'],
    ['faults', [{ target: 'orders.crate', fault: 'reset' }], 'names no request', '[0].target'],
    ['faults', { target: 'rest', fault: 'explode' }, "'answer_lost'", 'fault'],
    ['faults', { target: 'rest', fault: 'delayed' }, 'expected number', 'delay_ms'],
    ['faults', { target: 'rest', fault: 'reset', at: null }, 'neither seconds nor an ISO 8601 instant', 'at'],
    ['faults', { target: 'stream', fault: 'close', code: 1006 }, '3000 to 4999', 'code'],
    ['settle', { event_id: 'e', home: 1 }, 'expected number', 'away'],
    ['settle', { event_id: 'e', places: { first: 1 } }, 'is not a team id', 'places.first'],
    ['settle', { places: { 11: 1 } }, 'expected string', 'event_id'],
  ])('report which field of %s %o is wrong, and how', async (verb, body, reason, field) => {
    const { detailOf } = await control();
    const detail = await detailOf(verb, body);
    expect(detail).toContain(reason);
    expect(detail).toContain(`at ${field}`);
  });

  it('accept exactly one of two forms', async () => {
    const { detailOf } = await control();
    const both = { event_id: 'e', home: 1, away: 0, places: { 11: 1 } };
    expect(await detailOf('settle', both)).toContain('Unrecognized keys: "home", "away"');
  });
});

describe('the network controls', () => {
  it('drop sockets, refuse the stream and restore it', async () => {
    const { simulator, ask } = await control();
    const url = `${simulator.stream}?api_key=k`;
    const socket = new WebSocket(url);
    await once(socket, 'message');
    const closed = closing(socket);
    expect((await ask('POST', 'drop-sockets')).body).toEqual({ status: 'ok', data: { dropped: 1 } });
    expect(await closed).toBe(1006);
    await ask('POST', 'refuse-stream', { status: 401 });
    expect(await refusal(url)).toEqual({ status: 401, body: 'auth_rejected' });
    await ask('POST', 'restore-stream');
    expect(await messages(url, 1)).toEqual(['hello']);
  });

  it('add, list and remove faults', async () => {
    const { simulator, ask } = await control();
    const fault = { target: 'balance', fault: 'server_error' };
    expect((await ask('POST', 'faults', fault)).body).toMatchObject({ data: { ids: [1] } });
    expect((await ask('POST', 'faults', [fault, fault])).body).toMatchObject({ data: { ids: [2, 3] } });
    expect((await fetch(`${simulator.rest}balance/`)).status).toBe(500);
    expect((await ask('GET', 'faults')).body).toMatchObject({
      data: {
        faults: [{ id: 1, active: true, reached: 1 }, { id: 2 }, { id: 3 }],
        reached: { server_error: 3 },
      },
    });
    for (const id of [1, 2, 3]) expect((await ask('DELETE', 'faults', { id })).status).toBe(200);
    expect((await ask('DELETE', 'faults', { id: 1 })).status).toBe(404);
    expect((await fetch(`${simulator.rest}balance/`)).status).toBe(401);
  });

  it('refuse pages in a browser', async () => {
    const { core, simulator } = await control();
    const headers = { Origin: 'https://elsewhere.example' };
    const response = await fetch(`${simulator.control}clear`, { method: 'POST', headers });
    expect(response.status).toBe(403);
    expect(core.market.calls).toEqual([]);
  });

  it('stay reachable while the exchange is not', async () => {
    const { ask } = await control();
    const { body } = await ask('POST', 'faults', { target: 'network', fault: 'connect_refused' });
    expect(body).toMatchObject({ data: { ids: [1] } });
    expect((await ask('DELETE', 'faults', { id: 1 })).status).toBe(200);
  });
});

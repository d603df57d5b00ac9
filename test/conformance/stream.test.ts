import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import type { Wire } from './support/client.ts';
import { exchange, price } from './support/exchange.ts';
import {
  EVENT,
  EVENT_ID,
  KEY,
  OTHER_KEY,
  SECOND_EVENT,
  SECOND_EVENT_ID,
  SECOND_KEY,
} from './support/names.ts';

const AT_HOME = { sport: 'fb', eventId: EVENT_ID, outcome: 'h' };

const betTypes = (offers: readonly Wire[]): string[] => offers.map((offer) => offer.bet_type).toSorted();

describe('framing', () => {
  it('is a batch of entries, each a tag with its payload', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    for (const frame of stream.frames) {
      expect(Object.keys(frame)).toEqual(['ts', 'data']);
      expect(Date.parse(frame.ts)).toBe(ex.nowMs());
      for (const entry of frame.data) expect(entry).toEqual([expect.any(String), expect.anything()]);
    }
  });

  it('begins with the events that have prices, then sync with the session', async () => {
    const ex = await exchange();
    price(ex, { eventId: SECOND_EVENT_ID });
    ex.market((market, nowMs) => {
      market.putEvent({ ...UNPRICED, eventId: '2026-03-01,5,6' }, nowMs);
    });
    const stream = await ex.client().stream();
    const tags = stream.entries.map(([tag]) => tag);
    expect(tags.slice(0, 3)).toEqual(['event', 'event', 'sync']);
    expect(stream.all('event').map((event) => event.event_id)).toEqual([EVENT_ID, SECOND_EVENT_ID]);
    expect(stream.all('sync')).toEqual([{ session_id: expect.any(String) }]);
  });

  it('reports events that get their first prices later, and changes', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    price(ex, { eventId: SECOND_EVENT_ID });
    await ex.pass(1);
    expect(await stream.until('event')).toMatchObject({ event_id: SECOND_EVENT_ID, ir_status: 'pre_event' });
    ex.market((market, nowMs) => market.goInRunning(SECOND_EVENT, nowMs));
    expect(await stream.until('event')).toMatchObject({ event_id: SECOND_EVENT_ID, ir_status: 'in_running' });
  });

  it('asks for no compression', async () => {
    const ex = await exchange();
    expect((await ex.client().stream()).socket.extensions).toBe('');
  });
});

describe('registrations', () => {
  it('are answered with one offer for each bet type, then ok', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    const before = stream.entries.length;
    expect(await stream.register()).toMatchObject({ status: 'ok' });
    const tags = stream.entries.slice(before).map(([tag]) => tag);
    expect(tags).toEqual(['offer', 'offer', 'offer', 'offer', 'response']);
    expect(betTypes(stream.all('offer'))).toEqual(['against,h', 'for,d', 'for,h', 'for,over,2.5']);
  });

  it('show the full offer set again when prices change, every two seconds at most', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    await ex.pass(4);
    await stream.settled();
    const quiet = stream.all('offer').length;
    for (let i = 0; i < 10; i++) {
      ex.rest('h', 'against', 2.2, 100 + i);
      await ex.pass(1);
    }
    await stream.settled();
    const offers = stream.all('offer').slice(quiet);
    expect(offers.length % 4).toBe(0);
    expect(offers.length / 4).toBeGreaterThanOrEqual(4);
    expect(offers.length / 4).toBeLessThanOrEqual(6);
    expect(betTypes(offers.slice(-4))).toEqual(['against,h', 'for,d', 'for,h', 'for,over,2.5']);
    expect(offers.at(-4 + offers.slice(-4).findIndex((offer) => offer.bet_type === 'for,h'))).toMatchObject({
      price_list: [{ effective: { price: 2.2, max: ['USDT', 109] } }, {}],
    });
  });

  it('send nothing while prices do not change', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    await ex.pass(4);
    await stream.settled();
    const before = stream.all('offer').length;
    await ex.pass(20);
    await stream.settled();
    expect(stream.all('offer')).toHaveLength(before);
  });

  it('report when a market has no liquidity left', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    ex.market((market, nowMs) => market.clearLevels('maker', { ...AT_HOME, outcome: 'd' }, nowMs));
    await ex.pass(2);
    expect(await stream.until('remove_offer')).toEqual({
      sport: 'fb',
      event_id: EVENT_ID,
      bet_type: 'for,d',
    });
  });

  it('show no offers of a suspended event, and all of them when it resumes', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    ex.market((market, nowMs) => market.setSuspended(EVENT, true, nowMs));
    await ex.pass(2);
    await stream.settled();
    expect(stream.all('remove_offer')).toHaveLength(4);
    const before = stream.all('offer').length;
    ex.market((market, nowMs) => market.setSuspended(EVENT, false, nowMs));
    await ex.pass(2);
    await stream.settled();
    expect(stream.all('offer').length).toBeGreaterThanOrEqual(before + 4);
  });

  it('are refused a second time on the same connection, not on another', async () => {
    const ex = await exchange();
    const [one, two] = [await ex.client().stream(), await ex.client().stream()];
    expect(await one.register()).toMatchObject({ status: 'ok' });
    expect(await one.register()).toEqual({ status: 'error', code: 'already_registered' });
    expect(await two.register()).toMatchObject({ status: 'ok' });
  });

  it('for an event that is not in the sync are no error and send nothing', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    for (const [sport, eventId] of [
      ['fb', '2026-03-01,77,78'],
      ['fb', 'no such form'],
      ['fb', ''],
      ['curling', EVENT_ID],
      ['', EVENT_ID],
      ['', ''],
    ]) {
      expect(await stream.command('register_event', sport, eventId)).toEqual({ status: 'ok', data: null });
      const again = await stream.command('register_event', sport, eventId);
      expect(again).toEqual({ status: 'error', code: 'already_registered' });
      expect(await stream.command('unregister_event', sport, eventId)).toEqual({ status: 'ok', data: null });
    }
    expect(stream.all('offer')).toEqual([]);
  });

  it('begin to send when the event appears', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register(SECOND_EVENT_ID);
    price(ex, { eventId: SECOND_EVENT_ID });
    await ex.pass(2);
    expect(await stream.until('offer')).toMatchObject({ event_id: SECOND_EVENT_ID });
  });

  it('end by unregister_event, which can be repeated', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    for (let i = 0; i < 2; i++) {
      expect(await stream.command('unregister_event', 'fb', EVENT_ID)).toMatchObject({ status: 'ok' });
    }
    const before = stream.all('offer').length;
    ex.rest('h', 'against', 2.2, 50);
    await ex.pass(4);
    await stream.settled();
    expect(stream.all('offer')).toHaveLength(before);
    expect(await stream.register()).toMatchObject({ status: 'ok' });
  });

  it('do not survive the connection', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const first = await anna.stream();
    await first.register();
    first.terminate();
    await first.closed();
    const second = await anna.stream();
    expect(await second.command('list_registered_events')).toMatchObject({ data: { registered_events: [] } });
    expect(await second.register()).toMatchObject({ status: 'ok' });
  });

  it('are capped over all connections of the account', async () => {
    const ex = await exchange({ settings: { registeredEventCap: 2 } });
    const [one, two] = [await ex.client(KEY).stream(), await ex.client(SECOND_KEY).stream()];
    const bens = await ex.client(OTHER_KEY).stream();
    await one.register('2026-03-01,1,1');
    await two.register('2026-03-01,1,2');
    for (const stream of [one, two]) {
      expect(await stream.register('2026-03-01,1,3')).toEqual({
        status: 'error',
        code: 'customer_event_limit_exceeded',
      });
    }
    expect(await bens.register('2026-03-01,1,3')).toMatchObject({ status: 'ok' });
    await one.command('unregister_event', 'fb', '2026-03-01,1,1');
    expect(await two.register('2026-03-01,1,3')).toMatchObject({ status: 'ok' });
  });

  it('are listed, and counted in info every few seconds', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    expect(await stream.command('list_registered_events')).toEqual({
      status: 'ok',
      data: { registered_events: [['fb', EVENT_ID]] },
    });
    await ex.pass(6);
    expect(await stream.until('info')).toEqual({ registered_events: 1 });
  });
});

describe('commands', () => {
  it.each([
    ['no JSON', 'register', 'bad_json'],
    ['no array', '{"a":1}', 'bad_json'],
    ['a string', '"register_event"', 'bad_json'],
    ['an empty array', '[]', 'bad_json'],
    ['nothing', '', 'bad_json'],
    ['an unknown command', '["explode"]', 'invalid_input'],
    ['a command that is no string', '[1]', 'invalid_input'],
    ['too few arguments', '["register_event","fb"]', 'invalid_input'],
    ['too many arguments', `["register_event","fb","${EVENT_ID}",1]`, 'invalid_input'],
    ['arguments of the wrong type', '["register_event",1,2]', 'invalid_input'],
    ['an event id that is null', '["register_event","fb",null]', 'invalid_input'],
    ['a list in place of a sport', '["register_event",["fb"],""]', 'invalid_input'],
    ['the end of a registration without an event', '["unregister_event","fb"]', 'invalid_input'],
  ])('are answered in band when they are %s, and the socket stays open', async (_what, text, code) => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    expect(await stream.say(text)).toEqual({ status: 'error', code });
    expect(await stream.register()).toMatchObject({ status: 'ok' });
  });

  it('can be up to 1 MiB long; a longer frame is bad_json', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    const echo = (bytes: number): string => `["echo","${'x'.repeat(bytes - '["echo",""]'.length)}"]`;
    for (const bytes of [65_537, 200_000, 2 ** 20]) {
      const { status, data } = await stream.say(echo(bytes));
      expect([status, data[0].length], `${bytes}`).toEqual(['ok', bytes - 11]);
    }
    const padded = `["register_event",${' '.repeat(100_000)}"fb","${EVENT_ID}"]`;
    expect(await stream.say(padded)).toEqual({ status: 'ok', data: null });
    expect(await stream.say(echo(2 ** 20 + 1))).toEqual({ status: 'error', code: 'bad_json' });
    expect(await stream.command('echo', 'still here')).toMatchObject({ status: 'ok' });
  });

  it('are answered system_error when they fail inside the exchange, and the socket stays open', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    const fault = { target: 'commands', fault: 'command_fails', times: 2 };
    ex.simulator.host.addFault(faultSchema.parse(fault));
    expect(await stream.register()).toEqual({ status: 'error', code: 'system_error' });
    expect(await stream.command('list_registered_events')).toEqual({ status: 'error', code: 'system_error' });
    expect(stream.all('offer')).toEqual([]);
    expect(await stream.register()).toMatchObject({ status: 'ok' });
    expect(stream.all('offer')).toHaveLength(4);
  });

  it('are echoed by echo', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    expect(await stream.command('echo', 1, { a: [true] })).toEqual({
      status: 'ok',
      data: [1, { a: [true] }],
    });
  });

  it('are invalid_customer for an account that the stream does not know', async () => {
    const accounts = [{ accountId: 'a', keys: [KEY], balanceMicros: 0, knownToFeed: false }];
    const ex = await exchange({ accounts });
    const stream = await ex.client().stream();
    expect(await stream.register()).toEqual({ status: 'error', code: 'invalid_customer' });
  });

  it('may come as fast as the client likes: there is no message-rate limit', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    for (let i = 0; i < 2_000; i++) stream.socket.send(`["echo",${i}]`);
    await stream.until('response', ({ data }) => data?.[0] === 1_999);
    expect(stream.all('response')).toHaveLength(2_000);
    expect(stream.all('response').every(({ status }) => status === 'ok')).toBe(true);
  });
});

describe('the account on the stream', () => {
  it('shows its balance when it changes', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    expect(await stream.until('balance')).toMatchObject({
      balance: ['USDT', 100_000],
      open_stake: ['USDT', 0],
    });
    await anna.place('for,h', 2.2, 10);
    expect(await stream.until('balance')).toMatchObject({ open_stake: ['USDT', 10] });
  });

  it('shows its betslips, opened and closed', async () => {
    const ex = await exchange();
    const anna = ex.client();
    const stream = await anna.stream();
    const id = await anna.betslip();
    expect(await stream.until('betslip')).toMatchObject({ betslip_id: id, is_open: true });
    await ex.pass(46);
    expect(await stream.until('betslip_closed')).toEqual({
      betslip_id: id,
      close_reason: expect.any(String),
    });
  });
});

describe('live state', () => {
  it('is sent to registered clients: time, score, red cards', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    ex.market((market, nowMs) => {
      market.setTime(EVENT, '1h', 12, nowMs);
      market.setScore(EVENT, 1, 0, nowMs);
      market.setRedCards(EVENT, 0, 1, nowMs);
    });
    expect(await stream.until('event_time')).toMatchObject({ event_id: EVENT_ID, time: ['1h', 12] });
    expect(await stream.until('event_score')).toMatchObject({ event_id: EVENT_ID, score: [1, 0] });
    expect(await stream.until('event_red_cards')).toMatchObject({ event_id: EVENT_ID, score: [0, 1] });
  });

  it('ends with the event: remove_event', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    ex.market((market, nowMs) => market.voidEvent(EVENT, nowMs));
    expect(await stream.until('remove_event')).toEqual({ sport: 'fb', event_id: EVENT_ID });
  });

  it('is lost with the feed, and comes back as a new snapshot and sync', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    ex.market((market, nowMs) => market.clear(nowMs));
    await stream.until('clear_events');
    const before = stream.all('event').length;
    await ex.pass(1);
    await stream.until('sync');
    expect(stream.all('event').length).toBe(before + 1);
  });
});

const UNPRICED = {
  sport: 'fb',
  eventType: 'normal' as const,
  eventName: 'Nobody v Noone',
  competitionId: 7,
  competitionName: 'Timber League',
  competitionCountry: 'GB',
  home: 'Nobody',
  away: 'Noone',
  homeId: 5,
  awayId: 6,
  teams: [],
  startTimeMs: 1_900_000_000_000,
  endTimeMs: null,
};

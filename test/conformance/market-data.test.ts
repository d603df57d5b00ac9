import { describe, expect, it } from 'vitest';
import { toMicros } from '../../src/domain/money.ts';
import { faultSchema } from '../../src/simulator/faults/schema.ts';
import type { Answer, Wire } from './support/client.ts';
import { exchange, price, type ServedExchange } from './support/exchange.ts';
import { EVENT, EVENT_ID, KEY, SECOND_EVENT_ID, START_MS } from './support/names.ts';

const NAMED = `sport=fb&event_id=${EVENT_ID}`;
const names = ({ data }: Answer): string[] =>
  data.map((offer: Wire) => `${offer.event_id} ${offer.bet_type}`);

async function withTwoEvents(): Promise<ServedExchange> {
  const ex = await exchange();
  price(ex, { eventId: SECOND_EVENT_ID, competitionId: 9, startTimeMs: START_MS + 7_200_000 });
  return ex;
}

describe('account data', () => {
  it('returns the balance', async () => {
    const ex = await exchange();
    const anna = ex.client();
    await anna.placed('for,h', 2.2, 10);
    expect((await anna.get('balance/')).data).toMatchObject({
      balance: ['USDT', 100_000],
      open_stake: ['USDT', 10],
      smart_credit: ['USDT', expect.any(Number)],
    });
  });

  it('returns exchange rates to USDT, which also checks a key', async () => {
    const ex = await exchange();
    const { http, status, data } = await ex.client().get('xrates/');
    expect({ http, status }).toEqual({ http: 200, status: 'ok' });
    expect(data).toContainEqual({ ccy: 'USDT', rate: 1 });
    for (const { ccy, rate } of data) expect([typeof ccy, typeof rate]).toEqual(['string', 'number']);
    expect((await ex.client('wrong').get('xrates/')).http).toBe(401);
  });
});

describe('events', () => {
  it('lists the events that have prices, as the stream shows them', async () => {
    const ex = await exchange();
    ex.market((market, nowMs) =>
      market.clearLevels('maker', { sport: 'fb', eventId: EVENT_ID, outcome: 'd' }, nowMs),
    );
    const anna = ex.client();
    const stream = await anna.stream();
    expect((await anna.get('events/')).data).toEqual(stream.all('event'));
    for (const outcome of ['h', 'over,2.5']) {
      const at = { sport: 'fb', eventId: EVENT_ID, outcome };
      ex.market((market, nowMs) => market.clearLevels('maker', at, nowMs));
    }
    expect((await anna.get('events/')).data).toEqual([]);
  });

  it('filters by sport, competition, event, start time and whether they are in play', async () => {
    const ex = await withTwoEvents();
    ex.market((market, nowMs) => market.goInRunning(EVENT, nowMs));
    const chosen = async (query: string) =>
      (await ex.client().get(`events/?${query}`)).data.map((event: Wire) => event.event_id);
    expect(await chosen('sport=fb')).toEqual([EVENT_ID, SECOND_EVENT_ID]);
    expect(await chosen('sport=tennis')).toEqual([]);
    expect(await chosen('sport=fb&competition_id=9')).toEqual([SECOND_EVENT_ID]);
    expect(await chosen(`sport=fb&event_id=${EVENT_ID}`)).toEqual([EVENT_ID]);
    expect(await chosen('ir_status=in_running')).toEqual([EVENT_ID]);
    expect(await chosen('ir_status=pre_event')).toEqual([SECOND_EVENT_ID]);
    const after = encodeURIComponent(new Date(START_MS + 5_400_000).toISOString());
    expect(await chosen(`start_time_from=${after}`)).toEqual([SECOND_EVENT_ID]);
    expect(await chosen(`start_time_to=${after}`)).toEqual([EVENT_ID]);
    expect((await ex.client().get('events/?competition_id=9')).http).toBe(400);
  });

  it('are refused for a malformed event id, by its index', async () => {
    const ex = await exchange();
    for (const wrong of ['2026-3-1,a,b', 'x', '', '2026-03-01,1', '2026-03-01,1,2,3']) {
      const query = `events/?sport=fb&event_id=${EVENT_ID}&event_id=${encodeURIComponent(wrong)}`;
      expect(await ex.client().get(query), wrong).toMatchObject({
        http: 400,
        code: 'validation_error',
        data: { validation_errors: { event_id: { 1: ['invalid event_id'] } } },
      });
    }
    const unknown = await ex.client().get('events/?sport=fb&event_id=2026-03-01,8,9');
    expect(unknown).toMatchObject({ http: 200, data: [] });
  });

  it('pages by the cursor of sport and event', async () => {
    const ex = await withTwoEvents();
    const anna = ex.client();
    const first = (await anna.get('events/?limit=1')).data;
    expect(first).toHaveLength(1);
    const cursor = encodeURIComponent(`fb,${first[0].event_id}`);
    const rest = (await anna.get(`events/?limit=1&after=${cursor}`)).data;
    expect(rest).toMatchObject([{ event_id: SECOND_EVENT_ID }]);
  });

  it('show every documented field', async () => {
    const ex = await exchange();
    expect((await ex.client().get('events/')).data[0]).toEqual({
      event_type: 'normal',
      sport: 'fb',
      event_id: EVENT_ID,
      competition_id: 7,
      competition_name: 'Timber League',
      competition_country: 'GB',
      home: 'Alder',
      away: 'Birch',
      event_name: 'Alder v Birch',
      ir_status: 'pre_event',
      start_time: '2026-03-01T13:00:00.000Z',
    });
  });
});

describe('offers', () => {
  it('are those of the stream for the named events, ordered by event and bet type', async () => {
    const ex = await withTwoEvents();
    const anna = ex.client();
    const stream = await anna.stream();
    await stream.register();
    const both = await anna.get(`offers/?${NAMED}&event_id=${SECOND_EVENT_ID}`);
    expect(names(both)).toEqual(names(both).toSorted());
    expect(new Set(both.data.map((offer: Wire) => offer.event_id)).size).toBe(2);
    const own = both.data.filter((offer: Wire) => offer.event_id === EVENT_ID);
    const streamed = stream.all('offer').toSorted((a, b) => (a.bet_type < b.bet_type ? -1 : 1));
    expect(own).toEqual(streamed);
  });

  it('are two markets for each selection, for and against, each with falling prices', async () => {
    const ex = await exchange();
    const { data } = await ex.client().get(`offers/?${NAMED}&bet_type=for,h&bet_type=against,h`);
    expect(data).toMatchObject([
      { bet_type: 'against,h', sport: 'fb', event_id: EVENT_ID, market_type: 'wdw', in_running: false },
      { bet_type: 'for,h', market_type: 'wdw' },
    ]);
    const prices = data.map((offer: Wire) => offer.price_list.map((level: Wire) => level.effective.price));
    expect(prices).toEqual([
      [2.4, 2.3],
      [2.2, 2.1],
    ]);
    expect(data[1].price_list[0].effective).toEqual({ price: 2.2, min: null, max: ['USDT', 100] });
  });

  it('omit markets without stake', async () => {
    const ex = await exchange();
    const { data } = await ex.client().get(`offers/?${NAMED}`);
    expect(data.map((offer: Wire) => offer.bet_type)).not.toContain('against,d');
  });

  it('filter by bet type, market family and liquidity', async () => {
    const ex = await exchange();
    const chosen = async (query: string) =>
      (await ex.client().get(`offers/?${NAMED}&${query}`)).data.map((offer: Wire) => offer.bet_type);
    expect(await chosen('bet_type=for,h&bet_type=for,d')).toEqual(['for,d', 'for,h']);
    expect(await chosen('market_type=ou')).toEqual(['for,over,2.5']);
    expect(await chosen('min_liquidity=80')).toEqual(['against,h', 'for,h', 'for,over,2.5']);
    expect(await chosen('min_liquidity=200')).toEqual(['against,h', 'for,h']);
    expect(await chosen('min_liquidity=200.5')).toEqual([]);
  });

  it('come in pages by limit and cursor; a page shorter than the limit is the last', async () => {
    const ex = await withTwoEvents();
    const anna = ex.client();
    const query = `offers/?${NAMED}&event_id=${SECOND_EVENT_ID}`;
    const all = names(await anna.get(query));
    const paged: string[] = [];
    let cursor = '';
    for (;;) {
      const page = await anna.get(`${query}&limit=3${cursor}`);
      paged.push(...names(page));
      if (page.data.length < 3) break;
      const { event_id: eventId, bet_type: betType } = page.data.at(-1);
      cursor = `&after=${encodeURIComponent(`${eventId},${betType}`)}`;
    }
    expect(paged).toEqual(all);
  });

  it.each([
    ['no sport', `event_id=${EVENT_ID}`, 'sport'],
    ['no event', 'sport=fb', 'event_id'],
    ['more than 20 events', `sport=fb&${`event_id=${EVENT_ID}&`.repeat(21)}`, 'event_id'],
    ['an event id of another form', 'sport=fb&event_id=2026-3-1,a,b', 'event_id'],
    ['more than 100 bet types', `${NAMED}${'&bet_type=for,h'.repeat(101)}`, 'bet_type'],
    ['more than 100 market types', `${NAMED}${'&market_type=ah'.repeat(101)}`, 'market_type'],
    ['negative liquidity', `${NAMED}&min_liquidity=-1`, 'min_liquidity'],
    ['a limit of 0', `${NAMED}&limit=0`, 'limit'],
    ['a limit above 5000', `${NAMED}&limit=5001`, 'limit'],
    ['a limit that is no whole number', `${NAMED}&limit=2.5`, 'limit'],
    ['a limit in hexadecimal digits', `${NAMED}&limit=0x10`, 'limit'],
    ['a blank limit', `${NAMED}&limit=`, 'limit'],
    ['blank liquidity', `${NAMED}&min_liquidity=`, 'min_liquidity'],
    ['liquidity that is no number', `${NAMED}&min_liquidity=much`, 'min_liquidity'],
  ])('are refused with %s', async (_what, query, field) => {
    const ex = await exchange();
    const { http, code, data } = await ex.client().get(`offers/?${query}`);
    expect({ http, code }).toEqual({ http: 400, code: 'validation_error' });
    expect(data.validation_errors).toHaveProperty(field);
  });

  it('name the index of a wrong list value', async () => {
    const ex = await exchange();
    const { data } = await ex.client().get(`offers/?${NAMED}&event_id=wrong`);
    expect(data.validation_errors).toEqual({ event_id: { 1: [expect.any(String)] } });
  });

  it('accept 20 events, 100 bet types and 100 families at once', async () => {
    const ex = await exchange();
    const many = `${`event_id=${EVENT_ID}&`.repeat(20)}${'bet_type=for,h&'.repeat(100)}${'market_type=wdw&'.repeat(100)}`;
    const { http, data } = await ex.client().get(`offers/?sport=fb&${many}limit=5000`);
    expect([http, data.length]).toEqual([200, 1]);
  });

  it('are empty for an event that is unknown or has no prices, while the others still answer', async () => {
    const ex = await exchange();
    const { http, data } = await ex
      .client()
      .get(`offers/?sport=fb&event_id=2026-03-01,8,9&event_id=${EVENT_ID}`);
    expect(http).toBe(200);
    expect(new Set(data.map((offer: Wire) => offer.event_id))).toEqual(new Set([EVENT_ID]));
  });

  it('are empty for a sport that the account is not enabled for', async () => {
    const accounts = [{ accountId: 'a', keys: [KEY], balanceMicros: toMicros(1), sports: ['tennis'] }];
    const ex = await exchange({ accounts });
    expect(await ex.client().get(`offers/?${NAMED}`)).toMatchObject({ http: 200, data: [] });
  });

  it('may be cached for two seconds, by the client only', async () => {
    const ex = await exchange();
    const { headers } = await ex.client().get(`offers/?${NAMED}`);
    expect(headers.get('cache-control')).toBe('private, max-age=2');
  });

  it('are invalid_customer each time for an account that the feed does not know', async () => {
    const accounts = [{ accountId: 'a', keys: [KEY], balanceMicros: toMicros(1), knownToFeed: false }];
    const ex = await exchange({ accounts });
    for (const path of [`offers/?${NAMED}`, 'events/', `offers/?${NAMED}`]) {
      expect(await ex.client().get(path)).toMatchObject({ http: 403, code: 'invalid_customer' });
    }
  });

  it('are warming while the feed loads', async () => {
    const ex = await exchange({ settings: { warmupMs: 5_000 } });
    for (const path of [`offers/?${NAMED}`, 'events/']) {
      expect(await ex.client().get(path)).toMatchObject({ http: 503, code: 'warming' });
    }
    await ex.pass(6);
    expect((await ex.client().get(`offers/?${NAMED}`)).http).toBe(200);
  });

  it('are warming during an outage of the feed, until it sends events and sync again', async () => {
    const ex = await exchange();
    const stream = await ex.client().stream();
    await stream.register();
    const outage = faultSchema.parse({ target: 'stream', fault: 'clear_events', for_s: 30 });
    ex.simulator.host.addFault(outage);
    await stream.until('clear_events');
    await ex.pass(29);
    for (const path of [`offers/?${NAMED}`, 'events/']) {
      expect(await ex.client().get(path)).toMatchObject({ http: 503, code: 'warming' });
    }
    await stream.settled();
    const before = stream.entries.length;
    await ex.pass(1);
    await stream.until('sync');
    await stream.settled();
    const tags = stream.entries.slice(before).map(([tag]) => tag);
    expect(tags.filter((tag) => ['event', 'sync'].includes(tag))).toEqual(['event', 'sync']);
    expect(tags.lastIndexOf('offer')).toBeGreaterThan(tags.indexOf('sync'));
    expect((await ex.client().get('events/')).data).toHaveLength(1);
  });
});

describe('offers over REST', () => {
  it('lag the live prices by at most 4 seconds, in steps of the stream’s 2 seconds', async () => {
    const ex = await exchange({ settings: { offersLagMs: 4_000 } });
    const seen = async () =>
      (await ex.client().get(`offers/?${NAMED}&bet_type=for,h`)).data[0].price_list[0].effective.max[1];
    await ex.pass(10);
    ex.rest('h', 'against', 2.2, 40);
    expect(await seen()).toBe(100);
    await ex.pass(1.9);
    expect(await seen()).toBe(100);
    await ex.pass(2.1);
    expect(await seen()).toBe(40);
  });
});

describe('the bet type lookup', () => {
  it('returns a description and what the bet pays at each final score', async () => {
    const ex = await exchange();
    const { data } = await ex.client().get('sports/fb/bet_types/for,h/');
    expect(data).toMatchObject({ sport: 'Football', bet_type_description: 'Home' });
    expect([data.winloss_grid.length, data.winloss_grid[0].length]).toEqual([20, 20]);
    expect([data.winloss_grid[2][1], data.winloss_grid[1][1]]).toEqual(['w', 'l']);
    const against = (await ex.client().get('sports/fb/bet_types/against,h/')).data;
    expect([against.winloss_grid[2][1], against.winloss_grid[1][1]]).toEqual(['l', 'w']);
  });

  it('describes a bet type with the names of the teams, if they are given', async () => {
    const ex = await exchange();
    const described = async (betType: string, query: string) =>
      (await ex.client().get(`sports/fb/bet_types/${betType}/?${query}`)).data.bet_type_description;
    const teams = 'home_team=Home%20Farm&away_team=Away%20Days';
    expect(await described('for,h', teams)).toBe('Home Farm');
    expect(await described('against,a', teams)).toBe('Against Away Days');
    expect(await described('for,ah,a,-4', teams)).toBe('Asian handicap: Away Days +1');
    expect(await described('for,dc,h,a', teams)).toBe('Double chance: Home Farm or Away Days');
    expect(await described('for,d', teams)).toBe('Draw');
    expect(await described('for,dc,h,a', 'away_team=Birch')).toBe('Double chance: Home or Birch');
    expect(await described('for,h', 'home_team=')).toBe('Home');
  });

  it('knows the published sports, and those with events in the feed', async () => {
    const ex = await exchange({ priced: false });
    const lookUp = (sport: string) => ex.client().get(`sports/${sport}/bet_types/for,h/`);
    const named = { fb: 'Football', fb_ht: 'Football, first half', basket: 'Basketball', tennis: 'Tennis' };
    for (const [sport, name] of Object.entries({ ...named, politics: 'Politics' })) {
      expect(await lookUp(sport), sport).toMatchObject({ http: 200, data: { sport: name } });
    }
    const refused = { http: 400, code: 'invalid_bet_type', data: { bet_type: 'for,h' } };
    for (const sport of ['curling', 'FB', 'fb_nonsense', '%20fb']) {
      expect(await lookUp(sport), sport).toMatchObject(refused);
    }
    price(ex, { sport: 'curling' });
    expect(await lookUp('curling')).toMatchObject({ http: 200, data: { sport: 'curling' } });
  });

  it('refuses bet types that do not parse, and outrights', async () => {
    const ex = await exchange();
    for (const betType of ['nonsense', 'for,win,7', 'for,top,3,7']) {
      expect(await ex.client().get(`sports/fb/bet_types/${betType}/`)).toMatchObject({
        http: 400,
        code: 'invalid_bet_type',
        data: { bet_type: betType },
      });
    }
  });
});

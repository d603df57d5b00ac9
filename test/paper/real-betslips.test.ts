import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { KeyInForce, Secret } from '../../src/domain/secret.ts';
import { createPrometheusMetrics } from '../../src/ops/metrics.ts';
import { realExchange } from '../../src/paper/real-exchange.ts';
import { betslipActOf, BetslipWish, WAYS } from '../../src/paper/requests.ts';
import { sharedLimits } from '../../src/paper/share.ts';
import { matcherOf, type RequestPattern } from '../../src/ports/transport/allow.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { Budgets } from '../../src/venue/index.ts';
import { FakeHttp, FakeSockets, ok } from '../venue/support/fake-transports.ts';
import { EVENT, levelsIn, PaperRig, REAL_KEY } from './support/rig.ts';

const SELECTION = { sport: EVENT.sport, event_id: EVENT.eventId, bet_type: 'for,h', betslip_type: 'normal' };

async function quoted(options: ConstructorParameters<typeof PaperRig>[0] = {}): Promise<PaperRig> {
  const rig = new PaperRig({ keepsBetslips: true, ...options });
  rig.offer('for,h', [[2.1, 100]]);
  rig.offer('against,h', [[1.9, 80]]);
  await rig.connect();
  rig.wire.length = 0;
  return rig;
}

/** What the real account does by another program. */
function other(rig: PaperRig, method: string, target: string, body: unknown = null): unknown {
  const text = body === null ? '' : JSON.stringify(body);
  const request = { method, target, apiKey: REAL_KEY, body: text };
  return (JSON.parse(rig.realHost.run((nowMs) => rig.real.request(request, nowMs)).body) as { data: unknown })
    .data;
}

const realIds = (rig: PaperRig): string[] => other(rig, 'GET', '/v2/betslips/') as string[];

async function open(rig: PaperRig): Promise<{ paperId: string; realId: string }> {
  const { status, data } = await rig.ask('POST', '/v2/betslips/', SELECTION);
  expect(status).toBe(201);
  const [realId = ''] = realIds(rig);
  return { paperId: (data as { betslip_id: string }).betslip_id, realId };
}

const entriesAbout = (rig: PaperRig, tag: string, id: string): Record<string, unknown>[] =>
  rig.entries.flatMap(([each, payload]) => (each === tag && payload['betslip_id'] === id ? [payload] : []));

describe('a real betslip behind one of a paper account', () => {
  it('tells the quote, and an order on it stays here', async () => {
    const rig = await quoted();
    const { paperId, realId } = await open(rig);
    expect(paperId).not.toBe(realId);
    await rig.pass(4);
    const quotes = entriesAbout(rig, 'pmm', paperId);
    expect(levelsIn(quotes.at(-1) as Record<string, unknown>)).toEqual([[2.1, 100]]);
    expect(JSON.stringify(rig.entries)).not.toContain(realId);
    const order = { betslip_id: paperId, price: 2.1, stake: ['USDT', 30], duration: 60 };
    expect(await rig.ask('POST', '/v2/orders/', order)).toMatchObject({ status: 201 });
    await rig.pass(3);
    expect((await rig.ask('GET', '/v2/orders/')).data).toMatchObject([{ status: 'done' }]);
    expect(rig.wire).toEqual(['POST /v2/betslips/']);
    expect(rig.real.inspect().orders).toEqual([]);
    // Nobody took anything of the real offer.
    rig.offer('for,h', [[2.12, 40]]);
    await rig.pass(3);
    expect(levelsIn(entriesAbout(rig, 'pmm', paperId).at(-1) as Record<string, unknown>)).toEqual([
      [2.12, 40],
      [2.1, 100],
    ]);
  });

  it('is told with each of its requests, and what stays here is not', async () => {
    const rig = await quoted();
    rig.sent.length = 0;
    const { paperId } = await open(rig);
    await rig.ask('GET', '/v2/xrates/');
    await rig.ask('GET', '/v2/orders/');
    await rig.ask('POST', `/v2/betslips/${paperId}/refresh/`);
    await rig.ask('DELETE', `/v2/betslips/${paperId}/`);
    expect(rig.sent).toEqual(rig.wire.map((line) => (line.startsWith('GET ') ? 'read' : 'betslip')));
    expect(rig.sent.toSorted()).toEqual(['betslip', 'betslip', 'betslip', 'read']);
  });

  it('is opened with the named fields of a request, and nothing else of it', async () => {
    const rig = await quoted();
    rig.bodies.length = 0;
    await rig.ask('POST', '/v2/betslips/?price=2', { ...SELECTION, user_data: 'mine', stake: ['USDT', 5] });
    expect(rig.wire).toEqual(['POST /v2/betslips/']);
    expect(rig.bodies.map((body) => JSON.parse(body ?? '') as unknown)).toEqual([SELECTION]);
  });

  it('lives as long as it is refreshed, and is deleted with it', async () => {
    const rig = await quoted();
    const { paperId, realId } = await open(rig);
    for (let n = 0; n < 3; n++) {
      await rig.pass(30);
      expect((await rig.ask('POST', `/v2/betslips/${paperId}/refresh/`)).status).toBe(200);
    }
    expect((await rig.ask('DELETE', `/v2/betslips/${paperId}/`)).status).toBe(200);
    await rig.pass(1);
    expect(realIds(rig)).toEqual([]);
    expect((await rig.ask('GET', '/v2/betslips/')).data).toEqual([]);
    expect(entriesAbout(rig, 'betslip_closed', paperId)).toHaveLength(1);
    expect(rig.wire.filter((line) => line.includes(realId))).toEqual([
      ...Array<string>(3).fill(`POST /v2/betslips/${realId}/refresh/`),
      `DELETE /v2/betslips/${realId}/`,
    ]);
  });

  it('ends it when it expires', async () => {
    const rig = await quoted();
    const { paperId } = await open(rig);
    await rig.pass(50);
    expect(entriesAbout(rig, 'betslip_closed', paperId)).toMatchObject([{ close_reason: 'expired' }]);
    const order = { betslip_id: paperId, price: 2.1, stake: ['USDT', 5], duration: 60 };
    expect((await rig.ask('POST', '/v2/orders/', order)).status).toBe(404);
    expect((await rig.ask('POST', `/v2/betslips/${paperId}/refresh/`)).status).toBe(404);
  });

  it('ends it when its end was lost with the stream', async () => {
    const rig = await quoted();
    await open(rig);
    rig.realHost.dropStreams();
    await rig.pass(70);
    expect((await rig.ask('GET', '/v2/betslips/')).data).toEqual([]);
  });

  it('is deleted at the stop', async () => {
    const rig = await quoted();
    const { realId } = await open(rig);
    const closed = rig.paper.http.close();
    await rig.pass(1);
    await closed;
    expect(realIds(rig)).toEqual([]);
    expect(rig.wire).toContain(`DELETE /v2/betslips/${realId}/`);
  });

  it('is not asked for where the embedded exchange refuses', async () => {
    const rig = await quoted({ settings: { openBetslipCap: 1 } });
    expect((await rig.ask('POST', '/v2/betslips/', { ...SELECTION, bet_type: 'nothing' })).status).toBe(400);
    await open(rig);
    expect(await rig.ask('POST', '/v2/betslips/', SELECTION)).toMatchObject({ status: 403 });
    expect(rig.wire).toEqual(['POST /v2/betslips/']);
  });

  it('that is refused leaves none', async () => {
    const rig = await quoted();
    rig.real.tune({ openBetslipCap: 0 });
    expect((await rig.ask('POST', '/v2/betslips/', SELECTION)).status).toBe(403);
    expect((await rig.ask('GET', '/v2/betslips/')).data).toEqual([]);
    await rig.pass(1);
    expect(rig.entries.filter(([tag]) => tag.startsWith('betslip'))).toEqual([]);
  });
});

it('shows no entry of another betslip, whether it comes before, while or after one is opened', async () => {
  const rig = await quoted({ latencyMs: 200 });
  const others: string[] = [];
  const openOther = (): void => {
    const { betslip_id: id } = other(rig, 'POST', '/v2/betslips/', SELECTION) as { betslip_id: string };
    others.push(id);
  };
  openOther();
  await rig.pass(4);
  const opening = rig.paper.http.send({
    method: 'POST',
    path: '/v2/betslips/',
    headers: {},
    timeoutMs: 10_000,
    body: JSON.stringify(SELECTION),
  });
  // What the exchange tells now arrives before the answer.
  openOther();
  await rig.pass(6);
  const { data } = JSON.parse((await opening).body) as { data: { betslip_id: string } };
  openOther();
  await rig.pass(4);
  const about = rig.entries.flatMap(([, { betslip_id: id }]) => (typeof id === 'string' ? [id] : []));
  expect(new Set(about)).toEqual(new Set([data.betslip_id]));
  expect(others).toHaveLength(3);
  for (const id of others) expect(JSON.stringify(rig.entries)).not.toContain(id);
});

it('drops and counts what is told of betslips of others, and does nothing to them', async () => {
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const rig = await quoted({ metrics });
  const { betslip_id: id } = other(rig, 'POST', '/v2/betslips/', SELECTION) as { betslip_id: string };
  await rig.pass(5);
  expect((await rig.ask('DELETE', `/v2/betslips/${id}/`)).status).toBe(404);
  expect((await rig.ask('POST', `/v2/betslips/${id}/refresh/`)).status).toBe(404);
  expect(rig.wire).toEqual([]);
  expect(JSON.stringify(rig.entries)).not.toContain(id);
  const { text } = await metrics.expose();
  for (const tag of ['betslip', 'pmm'])
    expect(text).toMatch(new RegExp(`touchline_paper_dropped_entries_total\\{tag="${tag}"\\} [1-9]`));
});

const PASSING = (Object.keys(WAYS) as RequestPattern[]).filter((pattern) => WAYS[pattern] !== 'embedded');

it.each([true, false])(
  'lets nothing but the rows of its table leave: real betslips %s',
  async (keepsBetslips) => {
    const rig = await quoted({ keepsBetslips });
    const { data } = await rig.ask('POST', '/v2/betslips/', SELECTION);
    const { betslip_id: id } = data as { betslip_id: string };
    const [ownId] = [keepsBetslips ? realIds(rig)[0] : id];
    const paths = [...new Set(Object.keys(WAYS).map((pattern) => pattern.split(' ', 2)[1] ?? ''))];
    const ids = [id, '17', '..%2Forders', '..', 'a/b'];
    const asked = paths.flatMap((path) => ids.map((each) => path.replaceAll(/\{\w+\}/g, each)));
    for (const path of new Set([...asked, '/v2/betslips/../orders/', `/v2/betslips/${id}/close/`]))
      for (const method of ['GET', 'POST', 'DELETE'] as const)
        for (const body of [
          undefined,
          { ...SELECTION, price: 2 },
          { betslip_type: 'parlay', legs: [SELECTION] },
        ])
          await rig.ask(method, path, body).catch(() => undefined);
    const isNamed = matcherOf(PASSING);
    const sent = rig.wire.map((line) => line.split(' ', 2) as [HttpRequest['method'], string]);
    expect(sent.filter(([method, path]) => !isNamed({ method, path }))).toEqual([]);
    const acting = new Set(rig.wire.filter((line) => !line.startsWith('GET ')));
    const own = [
      'POST /v2/betslips/',
      `POST /v2/betslips/${ownId}/refresh/`,
      `DELETE /v2/betslips/${ownId}/`,
    ];
    expect([...acting].filter((line) => !(keepsBetslips && own.includes(line)) && !isOfLater(line))).toEqual(
      [],
    );
    expect(acting.size > 0).toBe(keepsBetslips);
    expect(rig.real.inspect().orders).toEqual([]);
    expect([...new Set(rig.bodies.filter((body) => body !== null))]).toEqual(
      keepsBetslips ? [JSON.stringify(SELECTION)] : [],
    );

    /** Betslips that the requests above opened. */
    function isOfLater(line: string): boolean {
      return keepsBetslips && /^(POST|DELETE) \/v2\/betslips\/[\w-]+\/(refresh\/)?$/.test(line);
    }
  },
);

describe('the way out for betslips', () => {
  const request = (body: unknown, path = '/v2/betslips/'): HttpRequest => {
    return { method: 'POST', path, headers: {}, body: JSON.stringify(body), timeoutMs: 1_000 };
  };
  const out = (keepsBetslips?: boolean, answer: unknown = { betslip_id: 'real-1' }) => {
    const clock = new VirtualClock();
    const http = new FakeHttp(() => ok(answer));
    const real = realExchange({
      wires: { http, sockets: new FakeSockets() },
      keys: new KeyInForce(new Secret('a-real-key')),
      budgets: new Budgets(clock, sharedLimits(0.01)),
      clock,
      ...(keepsBetslips === undefined ? {} : { keepsBetslips }),
    });
    return { http, real, clock };
  };
  const wish = (): BetslipWish => BetslipWish.of(request(SELECTION)) as BetslipWish;

  it('is closed unless it was opened', () => {
    expect(out().real.betslips).toBeNull();
    expect(out(false).real.betslips).toBeNull();
  });

  it('takes no betslip that this run did not open, and none again that is over', async () => {
    const { real, http } = out(true);
    const { betslips } = real;
    expect(() => betslips?.delete('real-1', { timeoutMs: 1 })).toThrow('did not open');
    await betslips?.open(wish());
    await betslips?.delete('real-1', { timeoutMs: 1_000 });
    betslips?.forget('real-1');
    expect(() => betslips?.refresh('real-1', { timeoutMs: 1 })).toThrow('did not open');
    expect(http.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v2/betslips/',
      'DELETE /v2/betslips/real-1/',
    ]);
  });

  it.each(['../orders', '..', '', 'a/b', 'a?b', 7])('takes no id that is a path: %j', async (id) => {
    const { real } = out(true, { betslip_id: id });
    await real.betslips?.open(wish());
    expect(() => real.betslips?.delete(String(id), { timeoutMs: 1 })).toThrow('did not open');
  });

  it('takes no wish that the table did not make', async () => {
    const { real, http } = out(true);
    const made = { fields: { ...SELECTION, stake: 5 }, timeoutMs: 1, signal: undefined };
    await expect(real.betslips?.open(made as unknown as BetslipWish)).rejects.toThrow(
      'not read from the table',
    );
    expect(http.requests).toEqual([]);
  });

  it('is bounded by the share of a day', async () => {
    const { real, http, clock } = out(true);
    const day = Array.from({ length: 40 }, () => real.betslips?.open(wish()).catch(() => undefined));
    await clock.advance(3_600_000);
    await Promise.allSettled(day.flatMap((each) => each ?? []));
    for (let n = 0; n < 40; n++) {
      void real.betslips
        ?.open(BetslipWish.of({ ...request(SELECTION), timeoutMs: 60_000 }) as BetslipWish)
        .catch(() => 0);
      await clock.advance(60_000);
    }
    expect(sharedLimits(0.01).betslipsPerDay).toBe(19);
    expect(http.requests).toHaveLength(19);
  });

  it('reads the score and the flags of a betslip', () => {
    const fields = {
      ...SELECTION,
      equivalent_bets: true,
      exclude_danger: false,
      live_score: { home: 1, away: 0 },
    };
    const { wish: read } = betslipActOf(request({ ...fields, stake: 5 })) as { wish: BetslipWish };
    expect(JSON.parse(JSON.stringify(read.fields))).toEqual(fields);
  });

  it.each([
    [{ ...SELECTION, betslip_type: 'parlay' }],
    [{ betslip_type: 'parlay', legs: [SELECTION] }],
    [{ ...SELECTION, sport: 7 }],
    [{ ...SELECTION, exclude_danger: 'yes' }],
    [{ ...SELECTION, live_score: { home: -1, away: 0 } }],
    [{}],
    [[]],
    [null],
  ])('reads no betslip from %j', (body) => {
    expect(betslipActOf(request(body))).toBeNull();
  });
});

import { afterEach, describe, expect, it } from 'vitest';
import { sport } from '../../../src/domain/ids.ts';
import type { Verdict } from '../../../src/app/prove/proof-file.ts';
import { pageOf } from '../../../src/app/prove/page.ts';
import type { ProveReport } from '../../../src/app/prove/prove.ts';
import { DEFAULT_SETTINGS, type ExchangeSettings } from '../../../src/simulator/core/settings.ts';
import { answerLost, earlierBet, layOnFor, LIES } from './lies.ts';
import { is, type Json, type Lie, proveRig, type ProveRig } from './rig.ts';

/** The embedded exchange has both conventions once it has this setting. */
const SETTING = 'priceConvention';
const hasBoth = SETTING in DEFAULT_SETTINGS;
const CONVENTIONS = hasBoth ? ['lay', 'odds'] : ['lay'];

const settingsOf = (convention: string): Partial<ExchangeSettings> =>
  hasBoth ? ({ [SETTING]: convention } as Partial<ExchangeSettings>) : {};
/** With lay prices the embedded exchange takes `lay` betslips on `against` alone. */
const usual = (convention: string): readonly Lie[] => (convention === 'lay' ? [layOnFor()] : []);

let rig: ProveRig;
const begin = (convention = 'lay', ...lies: readonly Lie[]): void => {
  rig = proveRig(settingsOf(convention), ...usual(convention), ...lies);
};
afterEach(() => rig.stop());

const verdictsOf = ({ facts }: ProveReport): Record<string, Verdict> =>
  Object.fromEntries(facts.map(({ name, verdict }) => [name, verdict]));

/** What is left open at the exchange. */
function leftOpen(): unknown {
  const { orders, accounts } = rig.core.inspect();
  const { openBetslips, heartbeats } = accounts[0] ?? {};
  return { orders: orders.filter(({ closed }) => !closed).length, openBetslips, heartbeats };
}
const NOTHING = { orders: 0, openBetslips: 0, heartbeats: [] };

describe.each(CONVENTIONS)('against an exchange of the convention %s', (convention) => {
  it('finds it, and all as documented', async () => {
    begin(convention, earlierBet({ code: 'success' }));
    const report = await rig.run();
    expect(report).toMatchObject({ convention, visible: { against: true, lay: true }, matchedMicros: 0 });
    expect(new Set(Object.values(verdictsOf(report)))).toEqual(new Set(['as documented']));
    expect(report.facts).toHaveLength(14);
  });

  it('on paper finds what needs no order, says what is left, and sends nothing else', async () => {
    begin(convention);
    const report = await rig.run({ observesOnly: true });
    const { convention: _, counts, ...others } = verdictsOf(report);
    expect(report.facts.find(({ name }) => name === 'convention')?.seen).toMatch(
      /[1-9] only lay|[1-9].*only have odds/,
    );
    expect(counts).toBe('as documented');
    expect(new Set(Object.values(others))).toEqual(new Set(['unknown']));
    expect(report).toMatchObject({ observesOnly: true, visible: { against: false, lay: false } });
    expect(pageOf(report)).toMatch(
      /^- On paper, without an order. Left for a live configuration: .*duration, heartbeat/m,
    );
    expect(rig.sent.every(({ name }) => /^GET \/v2\/(events|offers)\//.test(name))).toBe(true);
    // The page says "sent" of nothing else, either, and concludes nothing from what it did not ask.
    const told = report.facts.map(({ name, sent }) => [name, sent]).filter(([, sent]) => sent !== '');
    expect(Object.fromEntries(told)).toEqual({
      convention: 'GET offers',
      timestamps: 'every request of this run',
      counts: 'a registration; list_registered_events',
    });
    const page = pageOf(report);
    expect(page).toContain(
      '## bet-status: unknown\n\n- not asked: GET orders, the last 25\n- because: paper asks nothing about an account',
    );
    expect(page).toMatch(/## counts: as documented\n\n- sent: .*\n- not asked: GET betslips\n- seen: 1 /);
    expect(page).not.toMatch(/no bets|- seen: nothing/);
    expect(leftOpen()).toEqual(NOTHING);
  });

  it('leaves nothing open, fills nothing, and changes no money', async () => {
    begin(convention);
    const before = rig.core.inspect().accounts;
    await rig.run();
    expect(leftOpen()).toEqual(NOTHING);
    expect(rig.core.inspect().accounts).toEqual(before);
    expect(
      rig.core
        .inspect()
        .orders.every(({ stakeMicros, filledMicros }) => stakeMicros === 1_000_000 && filledMicros === 0),
    ).toBe(true);
  });

  it('is over soon, with few requests, within the budgets', async () => {
    begin(convention);
    const report = await rig.run();
    expect(report.tookMs).toBeLessThan(60_000);
    expect(report.requests).toBe(rig.sent.length);
    expect(rig.sent.length).toBeLessThanOrEqual(40);
    expect(mostPerSecond(/^POST \/v2\/orders\/$/)).toBeLessThanOrEqual(5);
    expect(mostPerSecond(/^POST \/v2\/betslips\/$/)).toBeLessThanOrEqual(10);
    expect(rig.sent.filter(({ name }) => name === 'POST /v2/betslips/')).toHaveLength(3);
  });
});

function mostPerSecond(name: RegExp): number {
  const times = rig.sent.filter((each) => name.test(each.name)).map(({ atMs }) => atMs);
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1000).length));
}

/** Facts about prices, whose lies are written for lay prices. */
const PRICED: readonly string[] = ['convention', 'against-visible', 'lay-visible', 'lay-betslips'];
const CASES = CONVENTIONS.flatMap((convention) =>
  LIES.filter(([fact]) => convention === 'lay' || !PRICED.includes(fact)).map(
    (lie) => [convention, ...lie] as const,
  ),
);

describe('an exchange that lies', () => {
  it.each(CASES)('of %s is caught by %s: %s', async (convention, fact, _, lie) => {
    begin(convention, earlierBet('success'), ...[lie()].flat());
    const verdicts = verdictsOf(await rig.run());
    const others = Object.entries(verdicts).filter(([, verdict]) => verdict !== 'as documented');
    expect(others).toEqual([[fact, expect.stringMatching(/differs|unknown/)]]);
    expect(leftOpen()).toEqual(NOTHING);
  });

  it('has at least one lie for each fact', async () => {
    begin();
    const { facts } = await rig.run();
    expect(new Set(LIES.map(([fact]) => fact))).toEqual(new Set(facts.map(({ name }) => name)));
  });

  it('names no convention on conflicting evidence', async () => {
    for (const [fact, , lie] of LIES.filter(([name]) => name === 'convention')) {
      begin('lay', ...[lie()].flat());
      expect([fact, (await rig.run()).convention]).toEqual([fact, null]);
    }
  });

  it.each([
    ['against-visible', { against: false, lay: true }],
    ['lay-visible', { against: true, lay: false }],
  ])('tells what does not show: %s', async (fact, visible) => {
    const [, , lie] = LIES.find(([name, what]) => name === fact && what === 'it does not show') ?? [];
    begin('lay', ...[lie?.() ?? []].flat());
    expect((await rig.run()).visible).toEqual(visible);
  });
});

describe('the public offers', () => {
  it('do not count as ours when another stake shows', async () => {
    const [, , lie] = LIES.find(([, what]) => what === 'it shows another stake') ?? [];
    begin('lay', ...[lie?.() ?? []].flat());
    expect((await rig.run()).visible).toEqual({ against: false, lay: true });
  });

  it('leave it open whether an order shows beyond their levels', async () => {
    begin('lay', {
      entry: (tag, offer) => (isForOffer(tag, offer) ? { ...offer, price_list: DEEP } : offer),
    });
    const report = await rig.run();
    expect(report.visible).toEqual({ against: false, lay: false });
    expect(verdictsOf(report)).toMatchObject({ 'against-visible': 'unknown', 'lay-visible': 'unknown' });
  });

  it('leave it open whose stake it is that stays after the close', async () => {
    const list: unknown[] = [];
    begin('lay', {
      entry: (tag, offer) => {
        if (!isForOffer(tag, offer)) return offer;
        const levels = offer['price_list'] as readonly { effective: { price: number } }[];
        list.push(...(list.length === 0 ? levels.filter(({ effective }) => effective.price === 2.04) : []));
        const others = levels.filter(({ effective }) => effective.price !== 2.04);
        return { ...offer, price_list: [...others, ...list] };
      },
    });
    const report = await rig.run();
    expect(report.visible).toEqual({ against: false, lay: false });
    expect(verdictsOf(report)).toMatchObject({ 'against-visible': 'unknown' });
  });
});

const isForOffer = (tag: string, offer: Json): boolean => tag === 'offer' && offer['bet_type'] === 'for,h';

/** More levels above our orders than an exchange shows. */
const DEEP = [2.6, 2.58, 2.56, 2.54, 2.52].map((price) => ({
  effective: { price, min: null, max: ['USDT', 100] },
}));

describe('a run that fails', () => {
  it.each([
    ['the answer to the first order is lost', answerLost(/^POST \/v2\/orders\/$/)],
    ['the answer to a repeated order is lost', answerLost(/^POST \/v2\/orders\/$/, 2)],
    ['the answer to the second order is lost', answerLost(/^POST \/v2\/orders\/$/, 4)],
    ['the answer to a close is lost', answerLost(/^POST \/v2\/orders\/\d+\/close\/$/)],
    ['a look-up is lost', answerLost(/^GET \/v2\/orders\/tracked/)],
    ['a refresh of the heartbeat is lost', answerLost(/^POST \/v2\/heartbeats\/[^/]+\/refresh/)],
  ])('leaves nothing open: %s', async (_, lie) => {
    begin('lay', lie);
    await rig.run();
    expect(leftOpen()).toEqual(NOTHING);
  });

  it('names what it cannot end', async () => {
    begin('lay', {
      answer: (answer, { method, path }) =>
        method === 'DELETE' && path.includes('betslips')
          ? { ...answer, status: 403, body: '{"status":"error","code":"forbidden","data":null}' }
          : answer,
    });
    await expect(rig.run()).rejects.toMatchObject({
      code: 'prove',
      message: expect.stringMatching(/^may be left: betslip \w+, which soon expires: forbidden/) as string,
    });
  });

  it.each(['POST /v2/betslips/', 'POST /v2/heartbeats/'])(
    'tells of an answer that never came: %s',
    async (name) => {
      begin('lay', answerLost(new RegExp(`^${name}$`)));
      await expect(rig.run()).rejects.toMatchObject({
        code: 'prove',
        message: expect.stringMatching(/without an answer/) as string,
      });
    },
  );

  it('says so when there is no market', async () => {
    begin();
    await expect(rig.run({ sports: [sport('tennis')] })).rejects.toMatchObject({
      code: 'prove',
      message: expect.stringMatching(/^no selection whose best price is at least 2\.2 /) as string,
    });
    expect(leftOpen()).toEqual(NOTHING);
  });

  it.each(Array.from({ length: 24 }, (_, n) => n * 250))(
    'ends all that is open when stopped after %s ms',
    async (ms) => {
      begin();
      const stop = new AbortController();
      rig.clock.after(ms, () => stop.abort('SIGINT'));
      await expect(rig.run({ signal: stop.signal })).rejects.toMatchObject({
        code: 'interrupted',
        signal: 'SIGINT',
        message: 'SIGINT: nothing is left open',
      });
      expect(leftOpen()).toEqual(NOTHING);
    },
  );
});

describe('the page', () => {
  it('says for each fact what was sent, seen and concluded', async () => {
    begin();
    const report = await rig.run();
    const page = pageOf(report);
    for (const { name, verdict, sent, notAsked, seen, why } of report.facts) {
      expect(notAsked).toBe('');
      expect(page).toContain(
        `## ${name}: ${verdict}\n\n- sent: ${sent}\n- seen: ${seen}\n- concluded: ${why}`,
      );
    }
    expect(page).toMatch(/\*\*lay prices \(lay\)\*\*/);
    expect(page).toMatch(/Nothing was matched, and nothing is left open/);
    expect(pageOf({ ...report, matchedMicros: 1_000_000 })).toMatch(/\*\*1 USDT was matched\*\*/);
  });

  it('says of an order without a betslip that it was not asked for, and does not know whether it shows', async () => {
    begin('lay', {
      answer: (answer, request) =>
        is(request, /^POST \/v2\/betslips\/$/) && !/"lay"/.test(request.body ?? '')
          ? { ...answer, status: 403, body: '{"status":"error","code":"forbidden","data":null}' }
          : answer,
    });
    const page = pageOf(await rig.run());
    expect(page).toMatch(/- Our resting orders show in the `for` offers: `against` unknown, `lay` yes/);
    expect(page).toMatch(
      /## duration: unknown\n\n- not asked: an order of the smallest stake .* on against\n- because: .*forbidden/,
    );
    expect(page).toMatch(
      /## order-latency: .*\n\n- sent: an order .* lay betslip for\n- not asked: an order .* on against\n/,
    );
    expect(page).toMatch(
      /## betslip: unknown\n\n- sent: a normal betslip on against\n- not asked: its refresh\n/,
    );
  });
});

import { describe, expect, it } from 'vitest';
import { selectionStakeMicros } from '../../../src/domain/odds.ts';
import { resultsIn } from '../../../src/app/paper/paper-results.ts';
import { PAPER_FILL } from '../../../src/app/paper/paper-fills.ts';
import type { ToldResult } from '../../../src/domain/bet-types/result.ts';
import type { FillRow } from '../../../src/history/facts.ts';
import type { FillRange } from '../../../src/read-model/fill-range.ts';
import { tradingDays } from '../../../src/lib/trading-day.ts';
import { faultSchema } from '../../../src/simulator/faults/schema.ts';
import { simulatedFill } from '../../support/simulated-fill.ts';
import { StillMarket } from '../../support/still-market.ts';
import { PaperDay } from '../../support/paper-day.ts';

const score = (home: number, away: number): ToldResult => ({ kind: 'score', home, away });

/** Balance, settled profit and the profit of the account's fill model. All three are 0 before the first result, but for the balance. */
function money({ status }: PaperDay): readonly (number | null | undefined)[] {
  const { account, paperFills } = status;
  const ofModel = paperFills?.models.find(({ model }) => model === paperFills.account);
  return [account.balance, status.profit.run.settled, ofModel?.profitLoss];
}

/** What the account's fills pay, computed from the journal's records alone. */
function paid(day: PaperDay, wins: boolean): number {
  const { journal } = day.run.composed;
  const account = Array.from(journal.ofKind(PAPER_FILL), ({ data }) => data as Record<string, unknown>);
  const fills = account.filter(({ model }) => model === 'touch');
  const profits = fills.map(({ priceKind, price, stakeMicros }) => {
    const [stake, odds] = [Number(stakeMicros), Number(price)];
    const isLay = priceKind !== 'odds-for';
    if (isLay) return wins ? -stake * (odds - 1) : stake;
    return wins ? stake * (odds - 1) : -stake;
  });
  return Math.round(profits.reduce((sum, each) => sum + each, 0)) / 1e6;
}

/** A day with fills, which has reconciled before. The event ends on the exchange. */
async function filled(day = new PaperDay()): Promise<PaperDay> {
  await day.begin();
  expect((await day.reconcile()).residual).toBe(0);
  await day.fill();
  return day;
}

/** Comparisons of the balance, and that nothing reached the exchange but what reads. */
async function expectAgreement(day: PaperDay, settled: number): Promise<void> {
  const { balance, residual } = await day.reconcile();
  expect([balance, residual]).toEqual([1_000 + settled, 0]);
  expect(money(day)).toEqual([1_000 + settled, settled, settled]);
  expect(day.reader.byDay({ commissionRate: 0 }).reduce((sum, each) => sum + each.settledMicros, 0)).toBe(
    Math.round(settled * 1e6),
  );
  const others = day.world.requests.filter(
    ({ what }) => !/^GET \/v2\/(events|offers|xrates|sports)\//.test(what),
  );
  expect(others).toEqual([]);
  expect(await day.readsSent()).toBe(day.world.requests.length);
  expect(day.open()).toEqual([]);
}

describe('the bets of a paper account', () => {
  it('stay open when the real event ends, and are settled in the running daemon by what a person tells', async () => {
    const day = await filled();
    day.market.intervene({
      kind: 'end',
      result: { kind: 'score', home: 1, away: 0, halfTimeHome: 0, halfTimeAway: 0 },
    });
    await day.pass(10_000);
    const { ledger } = day.run.composed.parts.core;
    expect(ledger.selections()).toHaveLength(1);
    expect(money(day).slice(0, 2)).toEqual([1_000, 0]);

    const wins = paid(day, true);
    expect(wins).not.toBe(0);
    expect(await day.tell(score(1, 0))).toEqual({ settles: expect.arrayContaining(['for,h']) });
    expect(ledger.selections()).toEqual([]);
    expect(day.status.account.openStake).toBe(0);
    for (const { profitLoss } of day.status.paperFills?.models ?? []) expect(profitLoss).toBe(wins);
    expect(day.account.today()?.settledMicros).toBe(Math.round(wins * 1e6));
    await expectAgreement(day, wins);
  });

  it('follow a correction, a void and a result after it', async () => {
    const day = await filled();
    const [wins, loses] = [paid(day, true), paid(day, false)];
    const told: (readonly [ToldResult, number])[] = [
      [score(1, 0), wins],
      [score(1, 1), loses],
      [{ kind: 'void' }, 0],
      [score(2, 0), wins],
    ];
    for (const [result, profit] of told) {
      await day.tell(result);
      expect(money(day)).toEqual([1_000 + profit, profit, profit]);
    }
    await expectAgreement(day, wins);
    expect(resultsIn(day.run.composed.journal)).toMatchObject([{ told: score(2, 0) }]);
  });

  it('outlive kill -9 between fill and result, and right after the result', async () => {
    const day = await filled();
    await day.crash();
    await day.begin();
    expect(day.run.composed.parts.core.ledger.selections()).toHaveLength(1);
    expect(money(day).slice(0, 2)).toEqual([1_000, 0]);
    const loses = paid(day, false);
    day.controls.settlePaper({ ...day.event, told: score(0, 0), note: '', beforeStart: true }, 'anna');
    // The client has heard nothing yet.
    await day.crash();
    await day.begin(false);
    await expectAgreement(day, loses);
    await day.crash();
    await day.begin(false);
    await day.tell(score(1, 0));
    await expectAgreement(day, paid(day, true));
  });

  it('are settled on the day on which the result is told, and the day’s end compares the balance', async () => {
    const nextDay = '2026-03-01T12:15:00Z';
    const day = await filled(
      new PaperDay(
        { settings: { 'tradingDay.timeZone': 'Asia/Kathmandu', 'tradingDay.startHour': '18' } },
        tradingDays({ timeZone: 'Asia/Kathmandu', startHour: 18 }),
      ),
    );
    await day.pass(Date.parse(nextDay) + 60_000 - day.world.clock.wallMs());
    expect(day.account.report().last?.atMs).toBeGreaterThan(Date.parse(nextDay));
    expect(day.account.report().last?.residual).toBe(0);
    await day.tell(score(1, 0));
    const wins = paid(day, true);
    const days = day.reader.byDay({ commissionRate: 0 });
    expect(days.map(({ day: name, settledMicros }) => [name, settledMicros])).toEqual([
      ['2026-03-01', Math.round(wins * 1e6)],
      ['2026-02-28', 0],
    ]);
    expect(day.status.profit.today?.settled).toBe(wins);
    await expectAgreement(day, wins);
  });

  it('agree to the micro after a lost feed, a lost stream and a stream that was too slow', async () => {
    const faults = [
      { target: 'stream', fault: 'clear_events', at: 60 },
      { target: 'stream', fault: 'raw_close', at: 120 },
      { target: 'stream', fault: 'close', code: 1008, at: 180 },
    ].map((fault) => faultSchema.parse(fault));
    const day = new PaperDay({ faults });
    await day.begin();
    for (const faultS of [60, 120, 180]) {
      await day.pass(faultS * 1_000 + 20_000 - day.world.clock.monotonicMs());
      await day.fill();
    }
    const reasons = day.world.log.filter((line) => line.includes('stream lost') || line.includes('1008'));
    expect(reasons.length).toBeGreaterThan(1);
    expect(day.status.fills).toBeGreaterThan(2);
    await day.tell(score(0, 1));
    await expectAgreement(day, paid(day, false));
  });

  it('cost no commission: the embedded exchange takes none, though the real one would', async () => {
    const day = await filled(new PaperDay({ settings: { 'exchange.commissionRate': '0.05' } }));
    await day.tell(score(1, 0));
    const wins = paid(day, true);
    expect(wins).toBeGreaterThan(0);
    expect(await day.reconcile()).toMatchObject({ commission: 0, residual: 0, settled: wins });
    expect(day.status.profit.run.commission).toBeGreaterThan(0);
  });

  it('need a result that decides them, and a daemon on paper', async () => {
    const day = await filled();
    const tell = (told: ToldResult, eventId = day.event.eventId): unknown =>
      day.controls.settlePaper({ ...day.event, eventId, told, note: '', beforeStart: true }, 'anna');
    expect(() => tell({ kind: 'winner', teamId: 7 })).toThrow(
      expect.objectContaining({ code: 'refused', message: expect.stringContaining('does not decide') }),
    );
    expect(() => tell(score(1, 0), '2026-03-01,8,9' as typeof day.event.eventId)).toThrow('no paper bets');
    expect(money(day).slice(0, 2)).toEqual([1_000, 0]);
    expect(resultsIn(day.run.composed.journal)).toEqual([]);
  });
});

describe('the orders of a paper account', () => {
  it('end with the process: the next run says so once, and suspects nobody', async () => {
    const day = new PaperDay();
    await day.begin();
    await day.pass(3_000);
    const { log } = day.world;
    const open = day.run.composed.parts.orders.openOrders();
    const earlier = log.length;
    // Before they would have lapsed.
    day.world.kill();
    await day.pass(5_000);
    await day.begin();
    await day.pass(3_000);
    const said = (text: string): readonly string[] =>
      log.slice(earlier).filter((line) => line.includes(text));
    expect(said('without our asking')).toEqual([]);
    expect(said('orders of an earlier run were closed')).toEqual([
      expect.stringMatching(new RegExp(`info .*"orders":${open}`)),
    ]);
  });
});

describe('the mark-outs of a paper account', () => {
  it('are a share of the stake at the price of the selection, on every page, and stay over a restart', async () => {
    const day = await filled();
    await day.pass(70_000);
    day.recorder?.flush();
    const marked = day.reader.fills({ limit: 9 }).filter(({ markouts }) => markouts[10] !== null);
    const stakeOf = (each: FillRow): number =>
      selectionStakeMicros(each.priceKind, each.price, each.stakeMicros);
    const sum = (of: (each: FillRow) => number): number => marked.reduce((all, each) => all + of(each), 0);
    const ratio = expect.closeTo(sum(({ markouts }) => markouts[10] ?? 0) / sum(stakeOf), 6);
    const each = marked.map((one) => expect.closeTo((one.markouts[10] ?? 0) / stakeOf(one), 6));
    expect([marked.length, day.status.fills]).toEqual([marked.length || 1, marked.length]);
    const all = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, limit: 9 };
    const check = (): void => {
      expect(day.status.profit.markouts[1]).toEqual({ horizonS: 10, fills: marked.length, ratio });
      expect(day.run.daemon.records().fills(all)).toMatchObject(each.map((markout10) => ({ markout10 })));
      const [, { micros, stakeMicros: of } = { micros: 0, stakeMicros: 0 }] = day.reader.total({
        commissionRate: 0,
      }).markouts;
      expect(micros / of).toEqual(ratio);
    };
    check();
    expect(marked.map(({ betId }) => day.run.composed.readModel.markout10(betId))).toEqual(each);
    await day.crash();
    await day.begin();
    check();
  });
});

describe('bets that another fill model alone has', () => {
  it('keep their worth and the names of their events over a restart', async () => {
    const day = new PaperDay({ settings: { 'paper.fills': 'through', 'universe.maxEvents': '1' } });
    await day.begin();
    const touch = (): FillRange['models'][number] | undefined =>
      day.status.paperFills?.models.find(({ model }) => model === 'touch');
    // The run after this one knows the fill.
    const {
      selectionId: _,
      direction: __,
      ...fill
    } = simulatedFill({ model: 'touch', eventId: day.event.eventId, atMs: day.world.clock.wallMs() });
    day.run.composed.journal.append([{ kind: PAPER_FILL, uuid: null, data: { ...fill } }]);
    await day.crash();
    await day.begin();
    day.market.move(1.95, 2.15);
    await day.pass(70_000);
    const before = touch();
    expect(before).toMatchObject({ profitLoss: expect.not.closeTo(0, 6), unpriced: 0 });
    await day.crash();
    day.recorder?.flush();
    day.history.prune('2026-02-01');
    // The event is out of the universe of the next run.
    day.market.startIn(1_000_000);
    await day.begin(false);
    expect(day.run.composed.engine.universe.events).toEqual([]);
    expect(touch()).toEqual(before);
    expect(day.reader.nearMisses({ limit: 9 })).toMatchObject([{ title: 'A v B' }]);
  });
});

describe('an event whose result a person told', () => {
  const quoted = (day: PaperDay): readonly string[] =>
    day.run.composed.engine.universe.events.map(({ eventId }) => eventId);
  const refusals = (day: PaperDay): readonly string[] =>
    day.world.log.filter((line) => line.includes('event_not_found'));
  const why = (day: PaperDay, text: string | null): unknown => day.controls.why(text);

  it('is not chosen any more, in this run and in the next, while the exchange goes on showing it', async () => {
    const day = await filled();
    expect(quoted(day)).toEqual([day.event.eventId]);
    await day.tell(score(1, 1));
    await day.pass(120_000);
    expect(refusals(day)).toEqual([]);
    expect([quoted(day), day.run.composed.parts.orders.openOrders()]).toEqual([[], 0]);
    expect(day.run.composed.core.market.event(day.event)?.current).toBe(true);
    await day.crash();
    await day.begin(false);
    await day.pass(120_000);
    expect(day.run.composed.core.market.event(day.event)?.current).toBe(true);
    expect(refusals(day)).toEqual([]);
    expect([quoted(day), day.run.composed.parts.orders.openOrders()]).toEqual([[], 0]);
    expect(
      day.world.log.filter((line) => line.includes('whose result was told are not chosen')),
    ).toHaveLength(1);
  });

  it('leaves its place to another', async () => {
    const day = await filled(new PaperDay({ settings: { 'universe.maxEvents': '1' } }));
    const other = new StillMarket(day.world, 20_000, '2026-03-02');
    await day.pass(5_000);
    expect(quoted(day)).toEqual([day.event.eventId]);
    await day.tell({ kind: 'void' });
    expect(quoted(day)).toEqual([other.eventId]);
  });

  it('is why nothing of it is quoted, by whichever name a person asks', async () => {
    const day = await filled();
    const told = {
      event: 'A v B',
      name: 'every selection',
      reason: { for: 'universe.result-told', against: 'universe.result-told' },
      verdicts: [expect.objectContaining({ message: expect.stringContaining('its result was told') })],
    };
    await day.tell(score(1, 1));
    const check = (): void => {
      for (const text of [
        null,
        'A v B',
        'A v B: Draw',
        'A v B: A',
        day.event.eventId,
        `fb|${day.event.eventId}|d`,
      ])
        expect(why(day, text), String(text)).toEqual([expect.objectContaining(told)]);
      expect(why(day, 'C v D: Draw')).toBeNull();
    };
    check();
    await day.crash();
    await day.begin(false);
    check();
  });

  it('must have started, unless a person says that it counts all the same; a void event need not', async () => {
    const day = await filled();
    const tell = (told: ToldResult, more: object = {}): unknown =>
      day.controls.settlePaper({ ...day.event, told, note: '', ...more }, 'anna');
    expect(() => tell(score(1, 0))).toThrow(
      expect.objectContaining({
        code: 'refused',
        message: expect.stringMatching(/^A v B starts at .*--before-start/),
      }),
    );
    expect([resultsIn(day.run.composed.journal), quoted(day)]).toEqual([[], [day.event.eventId]]);
    expect(tell({ kind: 'void' })).toEqual({ settles: expect.arrayContaining(['for,h']) });
    expect(tell(score(1, 0), { beforeStart: true })).toEqual({ settles: expect.arrayContaining(['for,h']) });
    day.market.startIn(1);
    await day.pass(5_000);
    expect(tell(score(2, 0))).toEqual({ settles: expect.arrayContaining(['for,h']) });
  });
});

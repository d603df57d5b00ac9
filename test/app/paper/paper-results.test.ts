import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { ADMIN_COMMAND } from '../../../src/app/admin/audit.ts';
import { settlePaperOffline } from '../../../src/app/operate/settle-paper.ts';
import { PaperFills } from '../../../src/app/paper/paper-fills.ts';
import { earlierOrders, keepOrder } from '../../../src/app/paper/paper-orders.ts';
import {
  checkDecides,
  eventResultOf,
  paidMicros,
  resultsIn,
  writeResult,
} from '../../../src/app/paper/paper-results.ts';
import { historyPath } from '../../../src/app/journal/account-paths.ts';
import { openHistory } from '../../../src/history/sqlite-history.ts';
import { UTC_DAYS } from '../../../src/lib/trading-day.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { eventKey } from '../../../src/domain/events.ts';
import { eventId, sport } from '../../../src/domain/ids.ts';
import { toMicros } from '../../../src/domain/money.ts';
import type { ToldResult } from '../../../src/domain/bet-types/result.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { EVENT, PaperRig } from '../../paper/support/rig.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { simulatedFill } from '../../support/simulated-fill.ts';

const journal = (): Journal => createMemoryJournal(new VirtualClock(1_000));
const score = (home: number, away: number): ToldResult => ({ kind: 'score', home, away });

/** A paper account with bets of 30 for the home win at 2.1, and of 10 against it at 1.9. */
async function matched(): Promise<PaperRig> {
  const rig = new PaperRig();
  rig.offer('for,h', [[2.1, 100]]);
  rig.offer('against,h', [[1.9, 80]]);
  await rig.connect();
  await rig.place('for,h', 2.1, 30);
  await rig.place('against,h', 1.9, 10);
  await rig.pass(3);
  return rig;
}

/** The next run of the account that a journal holds. */
function next(held: Journal): PaperRig {
  const kept = earlierOrders(held, silentLogger);
  const results = resultsIn(held).map(({ told, ...event }) => ({
    ...event,
    result: eventResultOf(told, []),
  }));
  const rig = new PaperRig({ kept, results });
  for (const order of rig.kept.values()) keepOrder(order, held, silentLogger);
  return rig;
}

const balance = async (of: PaperRig): Promise<unknown> =>
  ((await of.ask('GET', '/v2/balance/')).data as { balance: unknown }).balance;

describe('a result that a person tells', () => {
  it.each([
    [score(2, 1), 30 * 1.1 - 10],
    [score(1, 1), -30 + 10 * 0.9],
    [{ kind: 'void' }, 0],
  ] as const)('settles the bets of an account: %j', async (told, profit) => {
    const held = journal();
    for (const order of (await matched()).kept.values()) keepOrder(order, held, silentLogger);
    writeResult({ ...EVENT, told }, held);
    const rig = next(held);
    const expected = ['USDT', 1_000 + profit];
    expect(await balance(rig)).toEqual(expected);
    expect((await rig.ask('GET', '/v2/balance/')).data).toMatchObject({ open_stake: ['USDT', 0] });
    for (const { bets } of rig.kept.values()) expect(bets).toMatchObject([{ settled: true }]);
    // It counts once, in however many runs.
    expect(await balance(next(held))).toEqual(expected);
    expect(await balance(next(held))).toEqual(expected);
    expect(rig.wire).toEqual([]);
  });

  it('is corrected by a later one', async () => {
    const held = journal();
    for (const order of (await matched()).kept.values()) keepOrder(order, held, silentLogger);
    writeResult({ ...EVENT, told: score(2, 1) }, held);
    next(held);
    writeResult({ ...EVENT, told: score(0, 0) }, held);
    expect(await balance(next(held))).toEqual(['USDT', 979]);
  });

  it('ends the event: no order is placed on it any more', async () => {
    const held = journal();
    for (const order of (await matched()).kept.values()) keepOrder(order, held, silentLogger);
    writeResult({ ...EVENT, told: score(2, 1) }, held);
    const over = next(held);
    over.offer('for,h', [[2.1, 100]]);
    await over.connect();
    const body = {
      sport: EVENT.sport,
      event_id: EVENT.eventId,
      bet_type: 'for,h',
      betslip_type: 'normal',
    };
    expect((await over.ask('POST', '/v2/betslips/', body)).status).toBe(400);
  });

  it('counts under every fill model', () => {
    const held = journal();
    const parts = { account: 'queue', journal: held, logger: silentLogger, note: () => undefined } as const;
    const fills = new PaperFills(parts);
    const [won, small] = [toMicros(10), toMicros(5)];
    fills.take(simulatedFill({ model: 'touch', betId: 1, orderId: 1, price: 3, stakeMicros: won }));
    fills.take(simulatedFill({ model: 'touch', betId: 2, orderId: 1, price: 2, stakeMicros: small }));
    fills.take(simulatedFill({ betId: 3, orderId: 1, price: 3, stakeMicros: won }));
    const elsewhere = { orderId: 2, stakeMicros: toMicros(1), eventId: '2026-03-01,3,4' };
    fills.take(simulatedFill({ betId: 4, price: 3, ...elsewhere }));
    const profits = (told: ToldResult): number[] => {
      const results = [{ ...EVENT, told }];
      // A fair probability says nothing any more of what is settled.
      return new PaperFills({ ...parts, results })
        .range(() => 0.5)
        .models.map(({ profitLoss }) => profitLoss);
    };
    expect(profits(score(2, 1))).toEqual([25, 20.5, 0]);
    expect(profits(score(0, 1))).toEqual([-15, -9.5, 0]);
    expect(profits({ kind: 'void' })).toEqual([0, 0.5, 0]);
  });

  it('of an outright is its winner: every other runner is beaten', () => {
    const betTypes = ['for,win,7', 'against,win,8', 'for,top,3,7'];
    const result = eventResultOf({ kind: 'winner', teamId: 7 }, betTypes);
    const pays = (betType: string, priceKind: 'odds-for' | 'odds-against'): number =>
      paidMicros(
        { ...simulatedFill({ betType, priceKind, stakeMicros: 1e6 }), sport: sport('horse') },
        result,
      );
    expect(pays('for,win,7', 'odds-for')).toBe(2e6);
    expect(pays('for,win,8', 'odds-for')).toBe(-1e6);
    expect(pays('against,win,8', 'odds-against')).toBe(2e6);
    expect(pays('for,top,3,7', 'odds-for')).toBe(2e6);
  });

  it.each([
    [score(1, 0), ['for,win,7']],
    [{ kind: 'winner', teamId: 7 }, ['for,h']],
    [{ kind: 'winner', teamId: 7 }, ['for,win,7', 'against,top,3,8']],
  ] as const)('is refused if it does not decide every bet: %j, %j', (told, betTypes) => {
    expect(() => checkDecides(told, betTypes)).toThrow('does not decide');
    expect(() => checkDecides({ kind: 'void' }, betTypes)).not.toThrow();
  });

  /** The same ids in two sports. */
  const NAMED = fc.record({
    sport: fc.constantFrom(sport('fb'), sport('horse')),
    eventId: fc.constantFrom(eventId('1'), eventId('2'), eventId('3')),
  });

  it('is the last one of each event, and none of a damaged journal', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(NAMED, fc.nat(5)), { maxLength: 30 }), (told) => {
        const held = journal();
        const last = new Map<string, ToldResult>();
        for (const [event, home] of told) {
          writeResult({ ...event, told: score(home, 0) }, held);
          last.set(eventKey(event), score(home, 0));
        }
        expect(new Map(resultsIn(held).map((each) => [eventKey(each), each.told]))).toEqual(last);
      }),
    );
    const fails = (): never => {
      throw new JournalError('disk full');
    };
    expect(resultsIn({ ofKind: fails })).toEqual([]);
  });
});

describe('touchline paper settle', () => {
  const folder = temporaryFolder();

  async function account(name: string): Promise<string> {
    const path = join(folder.path, name);
    const held = openSqliteJournal(path, systemClock);
    held.append([{ kind: 'begun_in_mode', uuid: null, data: { mode: 'paper' } }]);
    for (const order of (await matched()).kept.values()) keepOrder(order, held, silentLogger);
    held.close();
    return path;
  }

  const configOf = (path: string, mode: 'paper' | 'live' = 'paper') =>
    ({ mode, journal: { path } }) as Parameters<typeof settlePaperOffline>[0];

  it('writes the result and the command into the stopped journal', async () => {
    const path = await account('settled.sqlite');
    const result = { ...EVENT, told: score(2, 1) };
    expect(settlePaperOffline(configOf(path), { ...result, note: 'the page' })).toEqual([
      'against,h',
      'for,h',
    ]);
    const held = openSqliteJournal(path, systemClock);
    expect(resultsIn(held)).toEqual([result]);
    expect(held.last(ADMIN_COMMAND)?.data).toMatchObject({
      command: `paper settle fb/${EVENT.eventId} 2-1`,
      reason: 'the page',
    });
    held.close();
  });

  it('refuses a result of an event that has not started, by the history beside the journal', async () => {
    const path = await account('early.sqlite');
    const startMs = systemClock.wallMs() + 2_880_000;
    const history = openHistory(historyPath(path), UTC_DAYS);
    const who = { home: 'A', away: 'B', teams: [] };
    history.write([{ kind: 'event', event: EVENT, title: 'A v B', startMs, who }]);
    history.close();
    const wish = { ...EVENT, told: score(2, 1), note: '' };
    expect(() => settlePaperOffline(configOf(path), wish)).toThrow(/A v B starts at .*--before-start/);
    const settles = settlePaperOffline(configOf(path), { ...wish, beforeStart: true });
    expect(settles).toEqual(['against,h', 'for,h']);
    const held = openSqliteJournal(path, systemClock);
    expect(resultsIn(held)).toEqual([{ ...EVENT, told: score(2, 1) }]);
    held.close();
  });

  it('refuses an event without bets, a result that does not decide, and another mode, and writes nothing', async () => {
    const path = await account('refused.sqlite');
    const settle = (change: object, mode?: 'live'): unknown =>
      settlePaperOffline(configOf(path, mode), { ...EVENT, told: score(2, 1), note: '', ...change });
    expect(() => settle({ sport: 'fb_ht' })).toThrow('no paper bets');
    expect(() => settle({ told: { kind: 'winner', teamId: 7 } })).toThrow('does not decide');
    expect(() => settle({}, 'live')).toThrow('mode = "live"');
    expect(() =>
      settlePaperOffline(configOf(join(folder.path, 'none')), { ...EVENT, told: score(1, 0), note: '' }),
    ).toThrow('there is no journal');
    const held = openSqliteJournal(path, systemClock);
    expect([resultsIn(held), held.last(ADMIN_COMMAND)]).toEqual([[], null]);
    held.close();
  });
});

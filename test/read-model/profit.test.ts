import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKey } from '../../src/domain/events.ts';
import { type EventId, eventId, orderId, type SelectionId, sport } from '../../src/domain/ids.ts';
import { createLedger, type Ledger } from '../../src/ledger/index.ts';
import {
  type EventMoney,
  type ProfitReadings,
  profitReport,
  type ProfitWords,
} from '../../src/read-model/profit.ts';
import type { Risk } from '../../src/risk/index.ts';
import { bruteForceLeast, learnGrids, OUTCOMES, type RandomBet, randomBet } from '../risk/support/books.ts';
import { ask, bench, fillOf } from '../risk/support/harness.ts';
import { betsOf, report, settle } from '../support/account.ts';

const STRATEGIES = ['first', 'second', 'third'] as const;
const EVENTS: readonly EventId[] = [1, 2, 3, 4].map((at) => eventId(`2026-11-21,${at},9`));

interface Held {
  readonly event: number;
  readonly bet: RandomBet;
}

/** Random matched bets, results and fair probabilities of some events. */
const account = fc.record({
  bets: fc.array(fc.record({ event: fc.nat(3), bet: randomBet }), { maxLength: 10 }),
  results: fc.array(fc.record({ event: fc.nat(3), cents: fc.integer({ min: -9_000, max: 9_000 }) }), {
    maxLength: 6,
  }),
  owners: fc.tuple(...EVENTS.map(() => fc.constantFrom(...STRATEGIES))),
  fairs: fc.dictionary(fc.constantFrom(...OUTCOMES), fc.double({ min: 0.01, max: 0.99, noNaN: true })),
  rate: fc.constantFrom(0, 0.02, 0.05, 0.5),
});

type Account = typeof account extends fc.Arbitrary<infer T> ? T : never;

/** The daemon's ledger and risk with the same bets. */
function booked({ bets, results }: Account): { readonly ledger: Ledger; readonly risk: Risk } {
  const [ledger, { risk }] = [createLedger(), bench()];
  learnGrids(
    risk,
    bets.map(({ bet }) => bet.betType),
  );
  for (const { event, bet } of bets) {
    const fill = fillOf(ask({ ...bet, event: EVENTS[event]! }), bet.stake);
    report(ledger, fill);
    betsOf(risk).report(fill);
  }
  for (const [at, { event, cents }] of results.entries())
    settle(ledger, {
      orderId: orderId(1_000 + at),
      sport: sport('fb'),
      eventId: EVENTS[event]!,
      profitLossMicros: cents * 10_000,
    });
  return { ledger, risk };
}

function readingsOf(given: Account): ProfitReadings {
  const { ledger, risk } = booked(given);
  const least = new Map(risk.heldEvents().map((event) => [eventKey(event), event.leastMicros]));
  const money = ledger.events().map((event): EventMoney => ({
    ...event,
    settledMicros: event.realisedMicros,
    owner: given.owners[EVENTS.indexOf(event.eventId)]!,
    leastMicros: least.get(eventKey(event)) ?? 0,
  }));
  return {
    money,
    strategies: STRATEGIES,
    commissionRate: given.rate,
    position: (id) => ledger.position(id),
    fairOf: (id) => given.fairs[id.split('|')[2]!] ?? null,
    depthOf: () => ({ for: [2, -1, 1e12], against: [2, -1, 1e12] }),
    nameOf: (event) => event.eventId,
    today: null,
    markouts: ledger.markouts(),
    sources: ledger.attribution(),
  };
}

const micros = (usdt: number): number => Math.round(usdt * 1e6);

/** Net of commission, in micros. */
const net = (gross: number, rate: number): number => gross - Math.ceil(rate * Math.max(0, gross));

const matchedOn = (bets: readonly Held[], event: number): RandomBet[] =>
  bets.filter((each) => each.event === event).map(({ bet }) => ({ ...bet, kind: 'matched' }));

describe('profit in the words of exchanges', () => {
  it('locks the least over the outcomes of each event', () => {
    fc.assert(
      fc.property(account, (given) => {
        const { byEvent } = profitReport(readingsOf(given));
        for (const [at, id] of EVENTS.entries()) {
          const words = byEvent.find(({ event }) => event === id);
          const bets = matchedOn(given.bets, at);
          const settled = given.results
            .filter(({ event }) => event === at)
            .reduce((sum, { cents }) => sum + cents * 10_000, 0);
          expect(words === undefined).toBe(
            bets.length === 0 && !given.results.some(({ event }) => event === at),
          );
          if (words === undefined) continue;
          const least = bets.length === 0 ? 0 : bruteForceLeast(bets);
          expect(micros(words.locked)).toBe(net(settled + least, given.rate));
          expect(micros(words.settled)).toBe(net(settled, given.rate));
          expect(micros(words.settled + words.commission)).toBe(settled);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('never expects less than it has locked, however the fair probabilities contradict each other', () => {
    fc.assert(
      fc.property(account, (given) => {
        const { run, byStrategy, byEvent } = profitReport(readingsOf(given));
        for (const { locked, expected } of [run, ...byStrategy, ...byEvent])
          expect(locked).toBeLessThanOrEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('adds up: events to strategies, strategies to the account', () => {
    const sum = (words: readonly ProfitWords[], of: (each: ProfitWords) => number | null): number =>
      words.reduce((total, each) => total + micros(of(each) ?? NaN), 0);
    fc.assert(
      fc.property(account, (given) => {
        const { run, byStrategy, byEvent } = profitReport(readingsOf(given));
        expect(byStrategy.map(({ name }) => name)).toEqual(STRATEGIES);
        for (const word of ['settled', 'locked', 'expected', 'closeNow', 'commission'] as const)
          for (const parts of [byStrategy, byEvent])
            expect(sum(parts, (each) => each[word])).toBe(micros(run[word]!));
      }),
      { numRuns: 60 },
    );
  });

  it('expects the worth at the fair probability, as today’s total does', () => {
    const fair = fc.double({ min: 0.01, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(
        account,
        fc.constantFrom('for,h', 'against,d', 'for,a'),
        fair,
        (given, betType, probability) => {
          const fairs = { [betType.split(',')[1]!]: probability };
          // One bet on each event: so no fair probability contradicts another.
          const bets = given.bets.map(({ bet }, at) => ({ event: at, bet: { ...bet, betType } })).slice(0, 4);
          const plain = { ...given, bets, fairs, rate: 0 as const };
          const readings = readingsOf(plain);
          const { totalMicros } = booked(plain).ledger.profitLoss(readings.fairOf);
          const { expected } = profitReport(readings).run;
          expect(Math.abs(micros(expected) - totalMicros)).toBeLessThanOrEqual(bets.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});

const EVENT = { sport: sport('fb'), eventId: EVENTS[0]! };
const HOME = `fb|${EVENTS[0]!}|h` as SelectionId;

const money = (changes: Partial<EventMoney> = {}): EventMoney => ({
  ...EVENT,
  owner: 'first',
  settledMicros: 0,
  isHeld: true,
  leastMicros: -10e6,
  selections: [HOME],
  ...changes,
});

const readings = (changes: Partial<ProfitReadings> = {}): ProfitReadings => ({
  money: [money()],
  strategies: ['first'],
  commissionRate: 0,
  today: null,
  markouts: [],
  position: () => ({ ifWinMicros: 20e6, ifLoseMicros: -10e6 }),
  fairOf: () => 0.5,
  depthOf: () => ({ for: null, against: [2.5, -1, 1e9] }),
  nameOf: () => 'A v B',
  sources: { spreadMicros: 4e6, moveMicros: -1e6, luckMicros: 2e6, unattributedMicros: 0.5e6 },
  ...changes,
});

describe('the report', () => {
  it('values one bet in each word', () => {
    expect(profitReport(readings()).run).toEqual({
      settled: 0,
      locked: -10,
      expected: 5,
      closeNow: 2,
      commission: 0,
    });
  });

  it('takes commission on what each event wins net, not on each bet, and not on losses', () => {
    const events = [
      money({ settledMicros: 30e6, isHeld: false, leastMicros: 0, selections: [] }),
      money({ eventId: EVENTS[1]!, settledMicros: -30e6, isHeld: false, leastMicros: 0, selections: [] }),
    ];
    const { run, byEvent } = profitReport(readings({ money: events, commissionRate: 0.05 }));
    expect(run).toEqual({ settled: -1.5, locked: -1.5, expected: -1.5, closeNow: -1.5, commission: 1.5 });
    expect(byEvent.map(({ settled, commission }) => [settled, commission])).toEqual([
      [-30, 0],
      [28.5, 1.5],
    ]);
  });

  it('takes the commission that an open event would owe', () => {
    const { run } = profitReport(readings({ commissionRate: 0.1, money: [money({ settledMicros: 20e6 })] }));
    expect(run).toEqual({ settled: 18, locked: 9, expected: 22.5, closeNow: 19.8, commission: 2 });
  });

  it('closes what can be closed, and names the events that cannot', () => {
    const other = money({ eventId: EVENTS[1]!, owner: 'second', settledMicros: 3e6, selections: [] });
    const third = money({
      eventId: EVENTS[2]!,
      owner: 'second',
      isHeld: false,
      settledMicros: 1e6,
      selections: [],
    });
    const split = profitReport(
      readings({
        money: [money({ settledMicros: -7e6 }), other, third],
        depthOf: () => ({ for: null, against: null }),
        nameOf: (event) => event.eventId,
        today: { settledMicros: 1e6, commissionMicros: 0 },
      }),
    );
    const { run, today, byStrategy, byEvent } = split;
    expect([run.closeNow, run.notClosable]).toEqual([-7 + 3 + 1, [EVENTS[0]]]);
    expect([today?.closeNow, today?.notClosable]).toEqual([1, [EVENTS[0]]]);
    const parts = [...byStrategy, ...byEvent].map(({ closeNow, notClosable }) => [closeNow, notClosable]);
    expect(parts).toEqual([
      [null, [EVENTS[0]]],
      [4, undefined],
      [null, [EVENTS[0]]],
      [3, undefined],
      [1, undefined],
    ]);
  });

  it('tells no close where none of several events can be closed', () => {
    const events = [money(), money({ eventId: EVENTS[1]!, owner: 'second' })];
    const { run } = profitReport(
      readings({
        money: events,
        depthOf: () => ({ for: null, against: null }),
        nameOf: (event) => event.eventId,
      }),
    );
    expect([run.closeNow, run.notClosable]).toEqual([null, [EVENTS[0], EVENTS[1]]]);
  });

  it('sums over the events that can be closed, each of them as by itself', () => {
    fc.assert(
      fc.property(account, fc.subarray([...OUTCOMES]), (given, priced) => {
        const all = readingsOf(given);
        const isPriced = (id: SelectionId): boolean => priced.includes(id.split('|')[2]! as never);
        const { run, byEvent } = profitReport({
          ...all,
          depthOf: (id) => (isPriced(id) ? all.depthOf(id) : { for: null, against: null }),
        });
        const open = byEvent.filter(({ notClosable }) => notClosable !== undefined);
        expect(new Set(run.notClosable)).toEqual(
          open.length === 0 ? new Set() : new Set(open.map(({ event }) => event)),
        );
        for (const { event, closeNow, notClosable } of open)
          expect([closeNow, notClosable]).toEqual([null, [event]]);
        const sum = byEvent.reduce((total, each) => total + micros(each.closeNow ?? each.settled), 0);
        if (run.closeNow !== null) expect(micros(run.closeNow)).toBe(sum);
      }),
      { numRuns: 60 },
    );
  });

  it('lists held events, then the last fifty settled ones, the newest first', () => {
    const ids = Array.from({ length: 60 }, (_, at) => eventId(`2026-11-21,${at},8`));
    const over = ids.map((id) => money({ eventId: id, isHeld: false, leastMicros: 0, selections: [] }));
    const { byEvent } = profitReport(
      readings({ money: [...over, money()], nameOf: (event) => event.eventId }),
    );
    expect(byEvent.map(({ event }) => event)).toEqual([EVENTS[0], ...ids.slice(10).toReversed()]);
  });

  it('gives the sources, and the mark-outs as a share of the stake', () => {
    const markouts = [
      { horizonS: 1, fills: 0, micros: 0, stakeMicros: 0 },
      { horizonS: 10, fills: 3, micros: -1e6, stakeMicros: 40e6 },
    ];
    expect(profitReport(readings({ markouts }))).toMatchObject({
      sources: { spread: 4, move: -1, settlement: 2, unattributed: 0.5 },
      markouts: [
        { horizonS: 1, fills: 0, ratio: 0 },
        { horizonS: 10, fills: 3, ratio: -0.025 },
      ],
    });
  });
});

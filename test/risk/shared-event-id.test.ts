import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import { selectionId } from '../../src/domain/selection.ts';
import { DriftWatch } from '../../src/risk/guards/drift-watch.ts';
import { FillWindow } from '../../src/risk/guards/fills.ts';
import { createRisk } from '../../src/risk/index.ts';
import {
  ask,
  bench,
  codesOf,
  EVENT,
  FACTS,
  fillOf,
  FIXTURE,
  FOOTBALL,
  limitsWith,
  live,
  START_MS,
} from './support/harness.ts';
import { betsOf } from '../support/account.ts';

it('judges an order by data of its own sport, where several use the event id', () => {
  const firstHalf = sport('fb_ht');
  const risk = createRisk({
    limits: limitsWith({ allow: { marketTypes: ['wdw'] } }),
    now: () => 100_000,
    wallNow: () => START_MS - 3_600_000,
    reference: () => ({ forBest: null, againstBest: null, fair: 0.5, ageMs: 0 }),
    eventFacts: ({ sport: of }) => ({
      ...FACTS,
      inRunning: of === FOOTBALL,
      marketTypeOf: () => (of === firstHalf ? 'wdw' : null),
    }),
    onNotice: () => undefined,
  });
  const codes = (of: typeof FOOTBALL): readonly string[] => {
    const result = risk.approve(ask({ sport: of }));
    return result.ok ? [] : result.refusals.map(({ code }) => code);
  };
  expect(codes(firstHalf)).toEqual([]);
  expect(codes(FOOTBALL)).toEqual(['in_play', 'market_not_allowed']);
});

it('counts stakes sport by sport, where several use the event id', () => {
  const half = sport('fb_ht');
  const [shared, other] = ['2026-11-21,1,2', '2026-11-21,3,4'].map(eventId);
  const risk = createRisk({
    limits: limitsWith({
      order: { maxStakeUsdt: 100, maxLiabilityUsdt: 100 },
      worstCase: { selectionUsdt: 100, eventUsdt: 100, competitionUsdt: 100, sportUsdt: 100 },
    }),
    now: () => 100_000,
    wallNow: () => START_MS - 3_600_000,
    reference: () => ({ forBest: null, againstBest: null, fair: 0.5, ageMs: 0 }),
    eventFacts: ({ eventId: id }) => ({ ...FACTS, competitionId: id === shared ? 7 : 8 }),
    onNotice: () => undefined,
  });
  const codes = (of: typeof FOOTBALL): readonly string[] => {
    const result = risk.approve(ask({ event: other!, sport: of, stake: 95 }));
    return result.ok ? [] : result.refusals.map(({ code }) => code);
  };
  betsOf(risk).report(fillOf(ask({ event: shared!, stake: 95 }), 95));
  betsOf(risk).report(fillOf(ask({ event: shared!, sport: half, stake: 1 }), 1));
  expect(codes(FOOTBALL)).toEqual(['sport_worst_case']);
  expect(codes(half)).toEqual([]);
});

const HALF = { sport: sport('fb_ht'), eventId: EVENT };
const HALF_SELECTION = selectionId(HALF.sport, EVENT, 'h');
const SELECTION = selectionId(FOOTBALL, EVENT, 'h');

describe('where several sports use an event id', () => {
  it('the settlement of one keeps what is at stake in the other', () => {
    const { risk } = bench();
    betsOf(risk).report(fillOf(ask({ stake: 3 }), 3));
    betsOf(risk).report(fillOf(ask({ sport: HALF.sport, stake: 4 }), 4));
    expect(risk.exposure().events).toMatchObject([
      { ...FIXTURE, worstMicros: -3e6 },
      { ...HALF, worstMicros: -4e6 },
    ]);
    risk.onEventOver(FIXTURE);
    expect(risk.exposure().events).toMatchObject([{ ...HALF, worstMicros: -4e6 }]);
    expect([...risk.positions()]).toEqual([HALF]);
  });

  it('the limit of an event counts each separately, and that of the account both', () => {
    const worstCase = {
      selectionUsdt: 100,
      eventUsdt: 100,
      sportUsdt: 150,
      dayUsdt: 150,
      competitionUsdt: 150,
      accountUsdt: 150,
    };
    const { risk } = bench({ order: { maxStakeUsdt: 100, maxLiabilityUsdt: 100 }, worstCase });
    betsOf(risk).report(fillOf(ask({ sport: HALF.sport, stake: 95 }), 95));
    expect(codesOf(risk, ask({ stake: 50, betType: 'for,d' }))).toEqual([]);
    expect(codesOf(risk, ask({ stake: 60, betType: 'for,a' }))).toContain('account_worst_case');
    expect(codesOf(risk, ask({ stake: 10, sport: HALF.sport, betType: 'for,d' }))).toContain(
      'event_worst_case',
    );
  });

  it('an order that is moved from one to the other is open only there', () => {
    const { risk } = bench();
    const order = ask({ stake: 5 });
    risk.onOrder(live(order));
    const moved = live({ ...order, sport: HALF.sport });
    risk.onOrder(moved);
    expect(risk.exposure().events).toMatchObject([{ ...HALF, worstMicros: -5e6, openOrders: 1 }]);
  });

  it('a restart knows the place of each', () => {
    const place = { competitionId: 7, startTimeMs: START_MS };
    const { risk } = bench();
    betsOf(risk).report(fillOf(ask(), 1));
    betsOf(risk).report(fillOf(ask({ sport: HALF.sport }), 1));
    expect(risk.snapshot().places).toEqual([
      { ...FIXTURE, ...place },
      { ...HALF, ...place },
    ]);
    const next = bench();
    next.facts = null;
    const snapshot = risk.snapshot();
    next.risk.restore({ ...snapshot, places: [{ ...HALF, ...place, competitionId: 8 }] });
    betsOf(next.risk).report(fillOf(ask({ sport: HALF.sport }), 1));
    betsOf(next.risk).report(fillOf(ask(), 1));
    const competitions = next.risk.exposure().scopes.filter(({ kind }) => kind === 'competition');
    expect(competitions.map(({ name }) => name)).toEqual(['8', 'unknown']);
  });

  it('a halt of one, or of a selection of it, binds only there, and is forgotten with it', () => {
    const { risk } = bench();
    const half = ask({ sport: HALF.sport });
    risk.setState({ kind: 'event', ...HALF }, 'halted', 'me', 'x');
    expect(codesOf(risk, half)).toContain('halted');
    expect(codesOf(risk, ask())).toEqual([]);
    risk.onEventOver(FIXTURE);
    expect(codesOf(risk, half)).toContain('halted');
    risk.onEventOver(HALF);
    expect(codesOf(risk, half)).toEqual([]);
    risk.setState({ kind: 'selection', ...FIXTURE, selectionId: SELECTION }, 'halted', 'me', 'x');
    expect(codesOf(risk, ask({ sport: HALF.sport, stake: 4 }))).toEqual([]);
    expect(codesOf(risk, ask({ stake: 4 }))).toContain('halted');
  });

  it('a guard pulls only the quotes of one, and forgets only that one', () => {
    const world = bench();
    const { guards } = world.risk;
    const sighting = { inRunning: true, startTimeMs: null, redCards: null, suspended: false };
    guards.onEvent({ ...FIXTURE, ...sighting, score: [0, 0] });
    guards.onEvent({ ...HALF, ...sighting, score: [2, 0] });
    const scopes = () =>
      guards.active().flatMap(({ guard, scope }) => (guard === 'score_change' ? [scope] : []));
    expect(scopes()).toEqual([]);
    guards.onEvent({ ...FIXTURE, ...sighting, score: [1, 0] });
    expect(scopes()).toEqual([{ kind: 'event', ...FIXTURE }]);
    guards.forget(FIXTURE);
    guards.onEvent({ ...HALF, ...sighting, score: [3, 0] });
    expect(scopes()).toEqual([FIXTURE, HALF].map((event) => ({ kind: 'event', ...event })));
  });

  it('drift and fill counters are forgotten with their own sport', () => {
    const drift = new DriftWatch(1_000);
    const fills = new FillWindow(1_000);
    for (const [at, value] of [0, 3].entries())
      for (const id of [SELECTION, HALF_SELECTION]) drift.observe(id, value, at * 300);
    for (const each of [FOOTBALL, HALF.sport]) fills.add(fillOf(ask({ sport: each }), 1), 0);
    drift.forgetEvent(FIXTURE);
    fills.forget(FIXTURE);
    expect([SELECTION, HALF_SELECTION].map((id) => drift.driftOf(id, 400))).toEqual([0, 3]);
    const counts = [FOOTBALL, HALF.sport].map((of) => fills.add(fillOf(ask({ sport: of }), 1), 1).length);
    expect(counts).toEqual([1, 2]);
  });

  it('a position mismatch names one of them', () => {
    const { risk } = bench();
    for (const each of [FOOTBALL, HALF.sport]) betsOf(risk).report(fillOf(ask({ sport: each }), 1));
    const nothing = { payoffGridMicros: null, totals: new Map(), unknownBetsCount: 0 };
    for (let time = 0; time < 3; time++) risk.onPosition({ ...HALF, ...nothing });
    const mismatches = risk.guards.active().map(({ scope }) => scope);
    expect(mismatches).toEqual([{ kind: 'event', ...HALF }]);
  });
});

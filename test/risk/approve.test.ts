import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import { ACCOUNT } from '../../src/risk/index.ts';
import {
  type Ask,
  ask,
  type Bench,
  bench,
  codesOf,
  FACTS,
  fillOf,
  FIXTURE,
  live,
  START_MS,
} from './support/harness.ts';
import { betsOf } from '../support/account.ts';

const refusalsOf = (change: (world: Bench) => void, wanted: Ask = {}): string[] => {
  const world = bench();
  change(world);
  return codesOf(world.risk, ask(wanted));
};
const as = (wanted: Ask): string[] => refusalsOf(() => undefined, wanted);

describe('approve', () => {
  it('lets a sound order through, frozen', () => {
    const { risk, refused } = bench();
    const result = risk.approve(ask());
    expect(result.ok && Object.isFrozen(result.order)).toBe(true);
    expect(refused).toEqual([]);
  });

  it.each<[string, Ask, string[]]>([
    ['a price between ticks', { price: 2.01 }, ['off_tick']],
    ['no number for a price', { price: NaN }, ['off_tick']],
    ['a bet type of no known direction', { betType: 'lay,h' }, ['unknown_direction']],
    ['a stake above the limit', { stake: 500.01 }, ['stake_limit']],
    ['a price far below fair for a backer', { price: 1.5 }, ['collar_adverse', 'collar_adverse']],
    [
      'a price far above fair for a layer',
      { betType: 'against,h', price: 3 },
      ['collar_adverse', 'collar_adverse'],
    ],
    ['a price too good to be true', { price: 20 }, ['collar_away']],
  ])('refuses %s', (_, wanted, codes) => {
    expect(as(wanted)).toEqual(codes);
  });

  it.each([0, -1, NaN, Infinity, 0.5])('refuses a stake of %s micros', (stakeMicros) => {
    expect(codesOf(bench().risk, { ...ask(), stakeMicros })).toEqual(['bad_stake']);
  });

  it.each([0, -1, NaN, Infinity])('refuses a duration of %s seconds', (durationS) => {
    expect(codesOf(bench().risk, { ...ask(), durationS })).toEqual(['bad_duration']);
  });

  it('judges the liability of a layer by what it may lose', () => {
    const world = bench();
    world.reference = { forBest: null, againstBest: null, fair: 0.1, ageMs: 0 };
    expect(codesOf(world.risk, ask({ betType: 'against,h', price: 9.6, stake: 240 }))).toEqual([
      'liability_limit',
      'selection_worst_case',
    ]);
  });

  it.each<[string, (world: Bench) => void, string[]]>([
    ['without facts of the event', (world) => (world.facts = null), ['unknown_event']],
    ['in play', (world) => (world.facts = { ...FACTS, inRunning: true }), ['in_play']],
    ['after the start, whatever the status says', (world) => (world.wallMs = START_MS), ['past_start']],
    ['without a start', (world) => (world.facts = { ...FACTS, startTimeMs: null }), ['start_unknown']],
    ['without a consensus', (world) => (world.reference = null), ['no_reference']],
    [
      'with a consensus of no prices',
      (world) => (world.reference = { forBest: null, againstBest: null, fair: null, ageMs: 0 }),
      ['no_reference'],
    ],
    [
      'with an old consensus',
      (world) => (world.reference = { forBest: 2, againstBest: 2, fair: null, ageMs: 60_001 }),
      ['stale_reference'],
    ],
    ['when killed', (world) => world.risk.kill('drill', 'me'), ['halted']],
    ['when halted', (world) => world.risk.setState(ACCOUNT, 'halted', 'me', 'drill'), ['halted']],
    ['when only reducing', (world) => world.risk.setState(ACCOUNT, 'reducing', 'me', 'x'), ['reducing_only']],
    [
      'when the event is halted',
      (world) => world.risk.setState({ kind: 'event', ...FIXTURE }, 'halted', 'me', 'x'),
      ['halted'],
    ],
  ])('refuses %s', (_, change, codes) => {
    expect(refusalsOf(change)).toEqual(codes);
  });

  it('lets orders through in play where that is allowed', () => {
    const world = bench({ inPlay: { allowed: true } });
    world.facts = { ...FACTS, inRunning: true };
    expect(codesOf(world.risk, { ...ask(), keepOpenInRunning: true })).toEqual([]);
  });

  it('refuses to stay open in play where in play is not allowed', () => {
    expect(codesOf(bench().risk, { ...ask(), keepOpenInRunning: true })).toEqual(['keep_open_in_play']);
  });

  it('uses the middle of the market where there is no fair value', () => {
    const world = bench();
    world.reference = { forBest: 1.9, againstBest: 2.1, fair: null, ageMs: 0 };
    expect(codesOf(world.risk, ask({ price: 2 }))).toEqual([]);
    expect(codesOf(world.risk, ask({ price: 1.6 }))).toContain('collar_adverse');
  });

  it('reports each refusal with the numbers that decided it', () => {
    const { risk, refused } = bench();
    const result = risk.approve(ask({ stake: 600 }));
    expect(result.ok ? [] : result.refusals).toEqual([
      { code: 'stake_limit', message: 'the stake is above the limit', actual: 600, limit: 500 },
    ]);
    expect(refused).toHaveLength(1);
  });

  it('refuses the same order twice: by uuid always, by its terms for a short time', () => {
    const world = bench();
    const order = ask();
    expect(codesOf(world.risk, order)).toEqual([]);
    expect(codesOf(world.risk, order)).toEqual(['duplicate_uuid', 'duplicate_order']);
    expect(codesOf(world.risk, ask())).toEqual(['duplicate_order']);
    expect(codesOf(world.risk, ask({ stake: 11 }))).toEqual([]);
    world.nowMs += 1_000;
    expect(codesOf(world.risk, ask())).toEqual([]);
  });

  it('counts open orders of the selection, the event and the account', () => {
    const world = bench({ openOrders: { selection: 1, event: 2, account: 3 } });
    const other = eventId('2026-11-22,1,2');
    expect(codesOf(world.risk, ask())).toEqual([]);
    expect(codesOf(world.risk, ask({ stake: 11 }))).toEqual(['selection_open_orders']);
    expect(codesOf(world.risk, ask({ betType: 'for,a' }))).toEqual([]);
    expect(codesOf(world.risk, ask({ betType: 'for,d' }))).toEqual(['event_open_orders']);
    expect(codesOf(world.risk, ask({ event: other }))).toEqual([]);
    expect(codesOf(world.risk, ask({ event: other, betType: 'for,a' }))).toEqual(['account_open_orders']);
  });

  it('counts apart the events of two sports that share an id', () => {
    const { risk } = bench({ openOrders: { selection: 1, event: 1 } });
    expect(codesOf(risk, ask())).toEqual([]);
    expect(codesOf(risk, ask({ sport: sport('fb_ht') }))).not.toContain('event_open_orders');
    expect(codesOf(risk, ask({ betType: 'for,a' }))).toEqual(['event_open_orders']);
  });

  it('frees the place of an order that ended or will never be sent', () => {
    const world = bench({ openOrders: { selection: 1 } });
    const [first, second] = [ask(), ask()];
    expect(codesOf(world.risk, first)).toEqual([]);
    world.risk.release(first.requestUuid);
    expect(codesOf(world.risk, second)).toEqual([]);
    world.risk.onOrder(live(second, { state: 'refused' }));
    expect(codesOf(world.risk, ask())).toEqual([]);
  });
});

describe('kill switch', () => {
  it('keeps its first reason, outlives a restart, and ends only on resume', () => {
    const world = bench();
    world.risk.kill('first', 'me');
    world.risk.kill('second', 'you');
    expect(world.risk.killed).toEqual({ by: 'me', reason: 'first', atMs: world.wallMs });
    const after = bench();
    after.risk.restore(world.risk.snapshot());
    expect(codesOf(after.risk, ask())).toEqual(['halted']);
    expect(after.risk.effectiveState(ACCOUNT).state).toBe('halted');
    after.risk.resume('checked', 'me');
    expect(after.risk.killed).toBeNull();
    expect(codesOf(after.risk, ask())).toEqual([]);
    expect(world.notices.map(({ kind }) => kind)).toEqual(['killed']);
    expect(after.notices.map(({ kind }) => kind)).toEqual(['resumed']);
  });
});

describe('a reducing order', () => {
  it('improves the worst case of its event, whether or not it would be allowed', () => {
    const { risk } = bench();
    expect(risk.reduces(ask())).toBe(false);
    betsOf(risk).report(fillOf(ask({ stake: 100 }), 100));
    expect(risk.reduces(ask({ betType: 'against,h', price: 2, stake: 50 }))).toBe(true);
    expect(risk.reduces(ask({ betType: 'for,h', price: 2, stake: 50 }))).toBe(false);
    expect(risk.exposure().account.openOrders).toBe(0);
  });
});

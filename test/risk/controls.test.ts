import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import type { OrderState } from '../../src/domain/lifecycle.ts';
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

const DAY_MS = 86_400_000;
const balance = (usdt: number) => ({
  balanceMicros: usdt * 1e6,
  openStakeMicros: 0,
  smartCreditMicros: null,
});
const kinds = ({ notices }: Bench): string[] => notices.map(({ kind }) => kind);
/** Different orders, so that none is a duplicate. */
const asks = (count: number): Ask[] => Array.from({ length: count }, (_, i) => ({ stake: 1 + i / 100 }));

describe('allow-lists', () => {
  it.each<[object, Ask, string[]]>([
    [{ sports: ['fb'] }, {}, []],
    [{ sports: ['fb'] }, { sport: sport('tennis') }, ['sport_not_allowed']],
    [{ competitions: [7] }, {}, []],
    [{ competitions: [8] }, {}, ['competition_not_allowed']],
    [{ marketTypes: ['wdw'] }, {}, []],
    [{ marketTypes: ['ah'] }, {}, ['market_not_allowed']],
  ])('%j and %j give %j', (allow, wanted, codes) => {
    expect(codesOf(bench({ allow }).risk, ask(wanted))).toEqual(codes);
  });

  it('treats an unknown value as not allowed', () => {
    const world = bench({ allow: { competitions: [7] } });
    world.facts = { ...FACTS, competitionId: null };
    expect(codesOf(world.risk, ask())).toEqual(['competition_not_allowed']);
  });
});

describe('balance', () => {
  it('covers the worst case without the reserve, the order included', () => {
    const { risk } = bench({ balance: { reserveUsdt: 5 } });
    risk.onChange({ kind: 'balance', balance: balance(25) }, 0);
    expect(codesOf(risk, ask({ stake: 20 }))).toEqual([]);
    const result = risk.approve(ask({ stake: 1 }));
    expect(result.ok ? [] : result.refusals).toMatchObject([{ code: 'balance', actual: 21, limit: 20 }]);
  });

  it('must be known where it is required', () => {
    const { risk } = bench({ balance: { required: true } });
    expect(codesOf(risk, ask())).toEqual(['balance_unknown']);
    risk.onChange({ kind: 'balance', balance: balance(10) }, 0);
    expect(codesOf(risk, ask())).toEqual([]);
  });
});

describe('turnover', () => {
  it('counts today’s matched stake and what may still be matched', () => {
    const world = bench({ turnover: { dayUsdt: 500 } });
    const today = { atMs: world.wallMs };
    betsOf(world.risk).report(fillOf(ask(), 480, today));
    world.risk.onOrder(live(ask({ stake: 5 })));
    expect(codesOf(world.risk, ask({ stake: 16 }))).toEqual(['day_turnover']);
    expect(codesOf(world.risk, ask({ stake: 15 }))).toEqual([]);
    world.wallMs += DAY_MS;
    world.facts = { ...FACTS, startTimeMs: START_MS + 2 * DAY_MS };
    expect(codesOf(world.risk, ask({ stake: 16 }))).toEqual([]);
  });

  it('leaves bets of earlier days out when they are reported again', () => {
    const world = bench({ turnover: { dayUsdt: 500 } });
    betsOf(world.risk).report(fillOf(ask(), 480, { atMs: world.wallMs - DAY_MS }));
    expect(codesOf(world.risk, ask({ stake: 500 }))).toEqual([]);
  });
});

describe('message throttle', () => {
  it('stops the account until a person resumes', () => {
    const world = bench({ throttle: { ordersPerMinute: 3 } });
    for (const wanted of asks(3)) expect(codesOf(world.risk, ask(wanted))).toEqual([]);
    expect(codesOf(world.risk, ask())).toContain('message_throttle');
    world.nowMs += 120_000;
    expect(codesOf(world.risk, ask())).toEqual(['halted']);
    expect(kinds(world)).toEqual(['state']);
    world.risk.resume('looked at it', 'me');
    expect(codesOf(world.risk, ask())).toEqual([]);
    expect(kinds(world)).toEqual(['state', 'resumed']);
  });

  it('counts no order that was never sent: withdrawn, or without a connection', () => {
    const world = bench({ throttle: { ordersPerMinute: 3 } });
    const goThrough = (wanted: Ask, ...states: readonly OrderState[]): void => {
      const order = ask(wanted);
      expect(codesOf(world.risk, order)).toEqual([]);
      for (const state of states) world.risk.onOrder(live(order, { state }));
    };
    for (const wanted of asks(9)) goThrough(wanted, 'prepared', 'absent');
    for (const wanted of asks(9)) goThrough(wanted, 'prepared', 'sending', 'absent');
    for (const wanted of asks(3)) goThrough(wanted, 'prepared', 'sending', 'unknown', 'absent');
    expect(codesOf(world.risk, ask())).toContain('message_throttle');
  });

  it('counts a minute back', () => {
    const world = bench({ throttle: { ordersPerMinute: 3 } });
    for (const wanted of asks(9)) {
      expect(codesOf(world.risk, ask(wanted))).toEqual([]);
      world.nowMs += 20_000;
    }
  });
});

describe('repeated execution', () => {
  const limits = { throttle: { repeatedFills: 2, repeatedWindowS: 10 } };

  it('stops a selection that is filled in one direction again and again', () => {
    const world = bench(limits);
    const now = { atMs: world.wallMs };
    for (let i = 0; i < 3; i++) betsOf(world.risk).report(fillOf(ask(), 1, now));
    expect(codesOf(world.risk, ask({ stake: 7 }))).toEqual(['halted']);
    expect(codesOf(world.risk, ask({ betType: 'for,a' }))).toEqual([]);
    expect(world.notices).toMatchObject([
      { kind: 'state', record: { by: 'repeated execution', latched: true } },
    ]);
  });

  it('counts each direction and each time window separately', () => {
    const world = bench(limits);
    for (const betType of ['for,h', 'against,h', 'for,h', 'against,h']) {
      betsOf(world.risk).report(fillOf(ask({ betType }), 1, { atMs: world.wallMs }));
    }
    world.nowMs += 10_000;
    betsOf(world.risk).report(fillOf(ask(), 1, { atMs: world.wallMs }));
    expect(codesOf(world.risk, ask())).toEqual([]);
  });

  it('ignores repeated reports after a restart, and fills that are not ours', () => {
    const world = bench(limits);
    for (let i = 0; i < 5; i++) {
      betsOf(world.risk).report(fillOf(ask(), 1, { atMs: world.wallMs - 60_000 }));
      betsOf(world.risk).report(fillOf(ask(), 1, { atMs: world.wallMs, requestUuid: null }));
    }
    expect(codesOf(world.risk, ask({ stake: 7 }))).toEqual([]);
  });
});

describe('loss limits', () => {
  const loss = { dayUsdt: 100, fromPeakUsdt: 150, strategyDayUsdt: 50, strategyFromPeakUsdt: 60 };
  const account = { kind: 'account' } as const;

  it('kills when the day’s loss reaches its limit, and trades again only after a resume, from there', () => {
    const world = bench({ loss });
    world.risk.onProfitLoss(account, 20e6);
    world.risk.onProfitLoss(account, -79.9e6);
    expect(world.risk.killed).toBeNull();
    world.risk.onProfitLoss(account, -80e6);
    expect(world.risk.killed).toMatchObject({
      by: 'loss limit',
      reason: 'lost 100 since the day, limit 100',
    });
    world.risk.resume('accepted', 'me');
    world.risk.onProfitLoss(account, -80e6);
    expect(world.risk.killed).toBeNull();
    world.risk.onProfitLoss(account, -180e6);
    expect(world.risk.killed).not.toBeNull();
  });

  it('tells the loss to the cent', () => {
    const world = bench({ loss });
    world.risk.onProfitLoss(account, 0);
    world.risk.onProfitLoss(account, -123_456_789);
    expect(world.risk.killed?.reason).toMatch(/^lost 123\.46 since the day, limit 100$/);
  });

  it('starts a new day where the last one ended, and remembers the peak', () => {
    const world = bench({ loss });
    world.risk.onProfitLoss(account, 0);
    world.risk.onProfitLoss(account, 70e6);
    world.risk.onProfitLoss(account, -10e6);
    world.wallMs += DAY_MS;
    world.risk.onProfitLoss(account, -79e6);
    expect(world.risk.killed).toBeNull();
    world.risk.onProfitLoss(account, -80e6);
    expect(world.risk.killed?.reason).toBe('lost 150 since the peak, limit 150');
  });

  it('keeps only the peak of an earlier day', () => {
    const before = bench({ loss });
    before.risk.onProfitLoss(account, 0);
    before.risk.onProfitLoss(account, -90e6);
    const after = bench({ loss });
    after.wallMs += DAY_MS;
    after.risk.restore(before.risk.snapshot());
    after.risk.onProfitLoss(account, -90e6);
    after.risk.onProfitLoss(account, -149e6);
    expect(after.risk.killed).toBeNull();
    after.risk.onProfitLoss(account, -150e6);
    expect(after.risk.killed?.reason).toContain('since the peak');
  });

  it('halts the strategy that lost, and no other', () => {
    const world = bench({ loss });
    const strategy = { kind: 'strategy', strategy: 'mine' } as const;
    world.strategy = 'mine';
    world.risk.onProfitLoss(strategy, 0);
    world.risk.onProfitLoss(strategy, -50e6);
    expect(codesOf(world.risk, ask())).toEqual(['halted']);
    world.strategy = 'other';
    expect(codesOf(world.risk, ask())).toEqual([]);
  });
});

describe('trading states', () => {
  it('bind by the strictest of account, event and selection', () => {
    const { risk } = bench();
    const event = { kind: 'event', ...FIXTURE } as const;
    risk.setState(ACCOUNT, 'reducing', 'me', 'careful');
    risk.setState(event, 'halted', 'you', 'a rumour');
    const scope = { kind: 'selection', ...FIXTURE, selectionId: live(ask()).selectionId } as const;
    expect([
      risk.effectiveState(ACCOUNT).state,
      risk.effectiveState(event).state,
      risk.effectiveState(scope).state,
    ]).toEqual(['reducing', 'halted', 'halted']);
    expect(risk.effectiveState(scope).record).toMatchObject({ by: 'you', why: 'a rumour' });
    risk.setState(event, 'active', 'you', 'false alarm');
    expect(risk.effectiveState(scope).state).toBe('reducing');
  });

  it('outlive a restart, and end with their event', () => {
    const [before, after] = [bench(), bench()];
    before.risk.setState({ kind: 'event', ...FIXTURE }, 'halted', 'me', 'x');
    before.risk.setState(ACCOUNT, 'reducing', 'me', 'y');
    after.risk.restore(before.risk.snapshot());
    expect(after.risk.snapshot()).toEqual(before.risk.snapshot());
    after.risk.onEventOver(FIXTURE);
    expect(after.risk.snapshot().states).toMatchObject([{ scope: ACCOUNT }]);
  });

  it('resume releases what limits have latched, and no state that a person set', () => {
    const world = bench({ throttle: { ordersPerMinute: 1 } });
    world.risk.setState({ kind: 'event', ...FIXTURE }, 'reducing', 'me', 'x');
    world.risk.resume('nothing to release', 'me');
    expect(kinds(world)).toEqual(['state']);
    world.risk.setState({ kind: 'event', ...FIXTURE }, 'active', 'me', 'x');
    world.risk.approve(ask());
    world.risk.approve(ask({ stake: 2 }));
    expect(world.risk.effectiveState(ACCOUNT).state).toBe('halted');
    world.risk.setState({ kind: 'event', ...FIXTURE }, 'halted', 'me', 'x');
    world.risk.resume('released', 'me');
    expect(world.risk.snapshot().states).toMatchObject([{ by: 'me', state: 'halted' }]);
  });

  it('a pause halts the account until a resume, also after a restart', () => {
    const [before, after] = [bench(), bench()];
    before.risk.pause('me', 'lunch');
    expect(codesOf(before.risk, ask())).toEqual(['halted']);
    after.risk.restore(before.risk.snapshot());
    expect(after.risk.effectiveState(ACCOUNT)).toMatchObject({ state: 'halted', record: { why: 'lunch' } });
    after.risk.resume('back', 'me');
    expect(codesOf(after.risk, ask())).toEqual([]);
  });

  it('a limit does not override a halt by a person', () => {
    const world = bench({ throttle: { ordersPerMinute: 1 } });
    world.risk.approve(ask());
    world.risk.setState(ACCOUNT, 'halted', 'me', 'mine');
    world.risk.approve(ask({ stake: 2 }));
    expect(world.risk.snapshot().states).toMatchObject([{ by: 'me', latched: false }]);
  });

  it('reducing lets through what improves the worst case', () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask({ stake: 10 }), 10));
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    expect(codesOf(world.risk, ask({ betType: 'against,h', stake: 5 }))).toEqual([]);
    expect(codesOf(world.risk, ask({ betType: 'for,h', stake: 5 }))).toEqual(['reducing_only']);
  });
});

describe('approval', () => {
  it('lapses after its time to live, and then no longer permits a send', () => {
    const world = bench({ throttle: { approvalTtlS: 5 } });
    const result = world.risk.approve(ask());
    if (!result.ok) throw new Error('refused');
    expect(world.risk.recheck(result.order)).toEqual([]);
    world.nowMs += 5_000;
    world.risk.tick();
    expect(world.risk.recheck(result.order)).toEqual([]);
    world.nowMs += 1;
    world.risk.tick();
    expect(world.risk.recheck(result.order)).toMatchObject([{ code: 'approval_over' }]);
    expect(world.risk.exposure().account.openOrders).toBe(0);
  });

  it('does not lapse once the order was reported', () => {
    const world = bench({ throttle: { approvalTtlS: 5 } });
    const order = ask();
    const result = world.risk.approve(order);
    world.risk.onOrder(live(order, { state: 'prepared' }));
    world.nowMs += 60_000;
    world.risk.tick();
    expect(result.ok && world.risk.recheck(result.order)).toEqual([]);
    expect(world.risk.exposure().account.worstMicros).toBe(-10e6);
  });

  it('ends when killed, halted, guarded or in play', () => {
    const recheckAfter = (change: (world: Bench) => void): string[] => {
      const world = bench();
      const result = world.risk.approve(ask());
      if (!result.ok) throw new Error('refused');
      change(world);
      return world.risk.recheck(result.order).map(({ code }) => code);
    };
    expect(recheckAfter(({ risk }) => risk.kill('x', 'me'))).toEqual(['halted']);
    expect(recheckAfter(({ risk }) => risk.guards.onFeedCleared())).toEqual(['guard_feed_cleared']);
    expect(recheckAfter((world) => (world.facts = { ...FACTS, inRunning: true }))).toEqual(['in_play']);
    expect(recheckAfter((world) => (world.reference = null))).toEqual(['no_reference']);
    expect(recheckAfter(() => undefined)).toEqual([]);
  });

  // An order of more than 10 improves the position by itself, and would reverse it if it counted twice.
  it.each([1, 10, 15, 19])(
    'of an order of %i that closes a position of 10 holds until the send, when only reducing',
    (stake) => {
      const world = bench();
      betsOf(world.risk).report(fillOf(ask({ stake: 10 }), 10));
      world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
      const result = world.risk.approve(ask({ betType: 'against,h', stake }));
      if (!result.ok) throw new Error('refused');
      expect(world.risk.recheck(result.order)).toEqual([]);
      world.risk.onOrder(live(result.order, { state: 'prepared' }));
      expect(world.risk.recheck(result.order)).toEqual([]);
      const micros = stake * 1e6;
      expect(world.risk.exposure().account).toMatchObject({ grossMicros: 10e6 + micros, openMicros: micros });
    },
  );

  it('of an order that no longer reduces ends, when only reducing', () => {
    const world = bench();
    betsOf(world.risk).report(fillOf(ask({ stake: 10 }), 10));
    world.risk.setState(ACCOUNT, 'reducing', 'me', 'x');
    const result = world.risk.approve(ask({ betType: 'against,h', stake: 10 }));
    betsOf(world.risk).report(fillOf(ask({ betType: 'against,h', stake: 10 }), 10));
    expect(result.ok && world.risk.recheck(result.order)).toMatchObject([{ code: 'reducing_only' }]);
  });
});

describe('exposure limits', () => {
  const TIGHT = {
    order: { maxLiabilityUsdt: 10 },
    worstCase: { selectionUsdt: 10, eventUsdt: 12, competitionUsdt: 15, dayUsdt: 20 },
  };
  const OTHER = eventId('2026-11-21,3,4');

  it('count an earlier run’s bets once the catalogue shows where they belong', () => {
    const world = bench(TIGHT);
    world.facts = null;
    betsOf(world.risk).report(fillOf(ask({ event: OTHER }), 10));
    world.facts = FACTS;
    expect(codesOf(world.risk, ask())).toEqual(['competition_worst_case']);
    expect(codesOf(world.risk, ask({ stake: 5 }))).toEqual([]);
  });

  it('still count an event that the catalogue no longer holds', () => {
    const world = bench(TIGHT);
    const order = ask({ event: OTHER, stake: 9 });
    betsOf(world.risk).report(fillOf(order, 9));
    world.facts = null;
    betsOf(world.risk).report(fillOf(order, 1));
    world.facts = FACTS;
    expect(codesOf(world.risk, ask())).toEqual(['competition_worst_case']);
  });

  it('count an event on the day that it was moved to', () => {
    const world = bench({ ...TIGHT, worstCase: { ...TIGHT.worstCase, dayUsdt: 14 } });
    world.facts = { ...FACTS, competitionId: 8, startTimeMs: START_MS - DAY_MS };
    betsOf(world.risk).report(fillOf(ask({ event: OTHER }), 10));
    world.facts = { ...FACTS, competitionId: 8 };
    world.risk.tick();
    world.facts = FACTS;
    expect(codesOf(world.risk, ask())).toEqual(['day_worst_case']);
  });

  it('refuse by the scope that would exceed its limit, with its numbers', () => {
    const { risk } = bench({
      order: { maxLiabilityUsdt: 50, maxStakeUsdt: 50 },
      worstCase: { selectionUsdt: 60, eventUsdt: 70 },
    });
    expect(codesOf(risk, ask({ stake: 50 }))).toEqual([]);
    const over = risk.approve(ask({ stake: 10.01 }));
    expect(over.ok ? [] : over.refusals).toEqual([
      {
        code: 'selection_worst_case',
        message: 'the worst case of the selection would pass its limit',
        actual: 60.01,
        limit: 60,
      },
    ]);
    expect(codesOf(risk, ask({ stake: 10 }))).toEqual([]);
    expect(codesOf(risk, ask({ betType: 'for,a', stake: 11 }))).toEqual(['event_worst_case']);
    expect(codesOf(risk, ask({ betType: 'for,a', stake: 10 }))).toEqual([]);
  });

  it('never refuse an order that improves the worst case, whatever is already at stake', () => {
    const { risk } = bench({ gross: { eventUsdt: 4_000, accountUsdt: 9_000 } });
    betsOf(risk).report(fillOf(ask(), 50_000));
    risk.onChange({ kind: 'balance', balance: balance(1) }, 0);
    expect(codesOf(risk, ask({ betType: 'against,h', stake: 500 }))).toEqual([]);
    expect(codesOf(risk, ask({ betType: 'for,h', stake: 1 }))).toEqual(
      expect.arrayContaining(['selection_worst_case', 'account_worst_case', 'event_gross', 'balance']),
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { Conditions } from '../../src/notify/conditions.ts';
import { NoticeLimit } from '../../src/notify/notice-limit.ts';
import { NoticeWatch } from '../../src/notify/notice-watch.ts';
import { CALM } from './support.ts';

const DAY_MS = 86_400_000;
const HOUR_S = 3_600;

function watching({ perKind = 100, inTotal = 100, dailySummary = true, wallMs = 0 } = {}) {
  const limit = new NoticeLimit({ perKind, inTotal });
  const dayOf = (atMs: number): string => `day ${Math.floor(atMs / DAY_MS)}`;
  const watch = new NoticeWatch({ limit, dayOf, dailySummary });
  let s = 0;
  const now = () => ({ monotonicMs: s * 1000, wallMs: wallMs + s * 1000 });
  /** Moves on by some seconds, then looks. */
  const look = (change: Partial<Conditions> = {}, seconds = 1) => {
    s += seconds;
    return watch.look({ ...CALM, ...change }, now());
  };
  return { watch, limit, look, now };
}

/** A watch that has announced the start. */
function started(options: Parameters<typeof watching>[0] = {}) {
  const rig = watching(options);
  rig.look();
  return rig;
}

type Shown = { readonly kind: string; readonly severity: string; readonly phase: string };
const shown = (notices: readonly Shown[]): string[] =>
  notices.map(({ kind, severity, phase }) => `${severity} ${kind} ${phase}`);

const loss = (use: number, name = 'loss.dayUsdt') => ({ limits: [{ name, use, limit: 100 }] });

describe('a trouble', () => {
  it.each<[string, Partial<Conditions>]>([
    ['page killed', { killed: 'too many fills' }],
    ['page journal_failed', { journalFailed: true }],
    ['page order_unknown', { oldestUnknownOrderS: 61 }],
    ['page not_quoting', { notQuotingS: 300 }],
    ['page loss_near_limit', loss(80)],
    ['warning heartbeat_lost', { heartbeatLost: true }],
  ])('%s is notified when it begins and when it ends, and not between', (name, trouble) => {
    const { look } = started();
    expect(shown(look(trouble))).toEqual([`${name} begin`]);
    expect(look(trouble)).toEqual([]);
    const [end, ...others] = look({}, 120);
    expect(shown([end!, ...others])).toEqual([`${name} end`]);
    expect(end?.text).toBe('It lasted 2 min.');
    expect(look()).toEqual([]);
  });

  it.each<[string, Partial<Conditions>]>([
    ['an order that is unknown for 60 s', { oldestUnknownOrderS: 60 }],
    ['299 s without a quote', { notQuotingS: 299 }],
    ['a loss below 80 % of its limit', loss(79.9)],
    ['any other limit that is reached', loss(100, 'turnover.dayUsdt')],
  ])('is not seen in %s', (_, calm) => {
    expect(started().look(calm)).toEqual([]);
  });

  it('of a loss does not end at the border where it began', () => {
    const { look } = started();
    expect(shown(look(loss(81)))).toEqual(['page loss_near_limit begin']);
    expect([look(loss(79)), look(loss(81)), look(loss(76))]).toEqual([[], [], []]);
    expect(shown(look(loss(74)))).toEqual(['page loss_near_limit end']);
  });

  it('says what happened and what to do', () => {
    const { look } = started();
    expect(look({ killed: 'loss.dayUsdt' })[0]?.text).toMatch(/loss\.dayUsdt.*touchline resume/);
    expect(look({ killed: 'x', ...loss(85.256) })[0]?.text).toContain('loss.dayUsdt: 85.26 of 100 USDT');
  });
});

describe('the limits', () => {
  it('hold back what comes too often, and let it through later if it still lasts', () => {
    const { look, limit } = started({ perKind: 2 });
    for (const pass of [1, 2]) {
      expect(shown(look({ killed: `${pass}` }))).toEqual(['page killed begin']);
      expect(shown(look())).toEqual(['page killed end']);
    }
    expect([look({ killed: '3' }), look(), look({ killed: '4' }), look({ killed: '4' })]).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(limit.takeSuppressed()).toEqual({ killed: 2 });
    expect(shown(look({ killed: '4' }, HOUR_S))).toEqual(['page killed begin']);
  });

  it('never hold back a page because of less important notices', () => {
    const { look } = started({ inTotal: 1 });
    expect(look({ heartbeatLost: true })).toEqual([]);
    expect(shown(look({ heartbeatLost: true, journalFailed: true }))).toEqual(['page journal_failed begin']);
  });

  it('bound every hour, however fast troubles come and go', () => {
    const { look } = started({ perKind: 6 });
    let begins = 0;
    for (let i = 0; i < HOUR_S; i++)
      begins += look(i % 2 === 0 ? { killed: 'x' } : {}).filter(({ phase }) => phase === 'begin').length;
    expect(begins).toBe(6);
  });
});

describe('the start', () => {
  it('is notified once it is done', () => {
    const { look } = watching();
    expect(look({ hasStarted: false })).toEqual([]);
    expect(shown(look())).toEqual(['info started event']);
    expect(look()).toEqual([]);
  });

  it('wakes a person if the run before crashed with open orders', () => {
    const [, crash] = watching().look({ ordersLeftByCrash: 3 });
    expect(shown([crash!])).toEqual(['page orders_left_by_crash event']);
    expect(crash?.text).toContain('left 3 open orders.');
  });
});

describe('errors of strategies', () => {
  const errors = (count: number) => ({
    strategies: [{ name: 'mine', errors: count, last: 'throws: no mid' }],
  });

  it('are notified with their number and the last one', () => {
    const { look } = started();
    const [first] = look(errors(2));
    expect(first).toMatchObject({
      kind: 'strategy_errors',
      severity: 'warning',
      title: 'Errors of the strategy mine',
    });
    expect(first?.text).toBe('2 new, 2 in this run; the last: throws: no mid.');
    expect(look(errors(2))).toEqual([]);
  });

  it('that were held back are part of the next notice', () => {
    const { look, limit } = started({ perKind: 1 });
    look(errors(2));
    for (const count of [3, 4, 4, 4]) expect(look(errors(count))).toEqual([]);
    expect(limit.takeSuppressed()).toEqual({ strategy_errors: 2 });
    expect(look(errors(4), HOUR_S)[0]?.text).toMatch(/^2 new, 4 in this run/);
  });
});

describe('the daily summary', () => {
  const totals = (fills: number, profit: number) => ({
    totals: { ordersPlaced: 10 * fills, ordersRefused: 1, fills, stakeMatched: 5 * fills, profit },
  });

  it('gives the numbers of each day when it has ended', () => {
    const { look } = started();
    look(totals(3, 1.5), DAY_MS / 1000 - 10);
    const [summary] = look(totals(3, 1.5), 20);
    expect(summary).toMatchObject({ kind: 'daily_summary', severity: 'info', title: 'The day day 0' });
    expect(summary?.text).toMatch(
      /^Profit 1\.50 USDT, stake matched 15\.00 USDT, 3 fills; 30 orders placed, 1 refused/,
    );
    look(totals(5, 1), 3600);
    expect(look(totals(5, 1), DAY_MS / 1000)[0]?.text).toMatch(
      /^Profit -0\.50 USDT, stake matched 10\.00 USDT, 2 fills/,
    );
  });

  it('can be switched off', () => {
    expect(started({ dailySummary: false }).look(totals(3, 1), DAY_MS / 1000)).toEqual([]);
  });
});

it('notifies the end, as a warning if it is a failure', () => {
  const { watch, now } = started();
  expect(shown(watch.stopped('SIGTERM', false, now()))).toEqual(['info stopped event']);
  expect(shown(watch.stopped('the journal', true, now()))).toEqual(['warning stopped event']);
});

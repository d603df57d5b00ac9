import { describe, expect, it } from 'vitest';
import { renderStatus } from '../../../src/cli/output/live/status-view.ts';
import type { BetId, EventKey, OrderId, SelectionId } from '../../../src/domain/ids.ts';
import type { Status } from '../../../src/read-model/status.ts';
import { aProfit, aReadiness, aStatus } from '../../support/status.ts';

const plain = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/\x1b\[[0-9;]*m/g, ''));

const selection = (outcome: string, missing: string | null = null) => ({
  selectionId: `fb|2026-01-01,1,2|${outcome}` as SelectionId,
  outcome,
  market: { for: 2.32, against: 2.38 },
  depth: { for: 100, against: 80 },
  quoted: { for: 2.36, against: null },
  stake: { for: 20, against: 0 },
  filled: { for: 0, against: 0 },
  ifWin: 12.4,
  ifLose: -9.1,
  missing,
});

const status: Status = aStatus({
  mode: 'simulated',
  strategy: 'symmetric',
  runningS: 41.2,
  stream: 'synced',
  heartbeatRemainingS: 27.4,
  stopping: null,
  reconciliation: null,
  blocked: null,
  strategies: [{ name: 'symmetric', profitLoss: -0.84, errors: {}, lastError: null }],
  strategiesOff: [],
  budgets: { ordersNow: 5, betslipsNow: 9, betslipsToday: 1991 },
  ordersOpen: 8,
  ordersPlaced: 14,
  ordersRefused: 0,
  fills: 6,
  stakeMatched: 61.2,
  profitLoss: -0.84,
  profit: aProfit({ run: { settled: -0.84, locked: -3, expected: 0.4, closeNow: null, commission: 0 } }),
  quoting: {
    wanted: 5,
    quoted: 3,
    twoSided: 2,
    notQuotingS: null,
    readiness: aReadiness({ wanted: 4, quoted: 3, waiting: [{ why: 'wait for betslips', count: 1 }] }),
  },
  limits: [
    { name: 'order.maxStakeUsdt', use: 0, limit: 20, unit: 'usdt' },
    { name: 'loss.dayUsdt', use: 9, limit: 10, unit: 'usdt' },
  ],
  recentFills: [
    {
      betId: 1 as BetId,
      orderId: 2 as OrderId,
      strategy: 'symmetric',
      outcome: 'h',
      selectionId: 'fb|2026-01-01,1,2|h' as SelectionId,
      event: 'Northgate v Harbour',
      direction: 'for',
      price: 2.36,
      stake: 8,
      role: 'maker',
      atMs: Date.UTC(2026, 0, 1, 12, 0, 1),
    },
  ],
  twoSidedQuoteRatio: 0.941,
  throttledResponses: 0,
  events: [
    {
      key: 'fb|2026-01-01,1,2' as EventKey,
      name: 'Northgate v Harbour',
      sport: 'fb',
      startsInMs: 720_000,
      inRunning: false,
      score: null,
      quoted: true,
      strategyThrows: null,
      refusedQuotes: [],
      selections: [selection('h'), selection('d', 'betslip_cap: 40')],
    },
  ],
});

describe('the live view', () => {
  it('shows what a quote and a fill are called and priced on the exchange', () => {
    const against = { label: 'against', price: 1.75, stake: 20 };
    const quoted = { ...selection('h'), quoted: { for: 2.36, against: 175 / 75 }, exchange: { against } };
    const [event] = status.events as [Status['events'][number]];
    const [fill] = status.recentFills as [Status['recentFills'][number]];
    const odds: Status = {
      ...status,
      recentFills: [{ ...fill, direction: 'against', price: 175 / 75, stake: 6, exchange: against }],
      events: [{ ...event, selections: [quoted] }],
    };
    const text = plain(renderStatus(odds, [], { columns: 120, rows: 40 })).join('\n');
    expect(text).toMatch(
      / h +100 +2\.32 +- +2\.333 +2\.36 +20 +2\.38 +80 +\+12\.40 +-9\.10 {2}against 1\.75$/m,
    );
    expect(text).toContain('fill against 6.00 at 2.333 (on the exchange against 20.00 at 1.75) h, Northgate');
    const narrow = plain(renderStatus(odds, [], { columns: 80, rows: 40 })).join('\n');
    expect(narrow).not.toContain('-9.10  ');
  });

  it('names what too many selections wait for, and what stops orders, in words', () => {
    const waiting = [
      { why: 'wait for betslips', count: 18 },
      { why: 'event loop', count: 8 },
    ];
    const readiness = aReadiness({ wanted: 40, quoted: 14, waiting, isShort: true });
    const short = { ...status, blocked: 'stream_not_synced', quoting: { ...status.quoting, readiness } };
    const coloured = renderStatus(short, [], { columns: 200, rows: 40 });
    const amber = coloured.filter((line) => line.includes('\x1b[33m'));
    expect(plain(amber).join('\n')).toContain(
      '40 wanted → 14 quoted: 18 wait for betslips, 8 event loop; your cap carries about 4',
    );
    expect(amber[0]).toContain('\x1b[33mquotes 14 of 40\x1b[0m');
    expect(plain(coloured)).toContain('no orders: the stream is not in sync yet');
    const enough = renderStatus(status, [], { columns: 200, rows: 40 });
    expect(enough[0]).not.toContain('\x1b[33m');
    expect(plain(enough).join('\n')).not.toContain('wanted →');
  });

  it.each([
    [['Northgate v Harbour'], 'close now -9.20 without 1 event'],
    [['Northgate v Harbour', 'C v D'], 'close now -9.20 without 2 events'],
  ])('names the events that close now leaves out: %j', (notClosable, words) => {
    const run = { ...aProfit().run, closeNow: -9.2, notClosable };
    const shown = { ...status, profit: aProfit({ run, today: run }) };
    const lines = plain(renderStatus(shown, [], { columns: 120, rows: 40 }));
    expect(lines.filter((line) => line.endsWith(words))).toHaveLength(2);
    expect(lines).toContain(`no price to close at: ${notClosable.join(', ')}`);
    expect(plain(renderStatus(status, [], { columns: 120, rows: 40 })).join('\n')).not.toContain('no price');
  });

  it('shows profit and fills on paper under every fill model, as a range', () => {
    const models = [
      { model: 'touch', fills: 7, stakeMatched: 70, profitLoss: 4.5, unpriced: 0 },
      { model: 'queue', fills: 5, stakeMatched: 50, profitLoss: 2, unpriced: 0 },
    ];
    const paper = {
      ...status,
      mode: 'paper',
      paperFills: { account: 'queue', models, causes: { 'price crossed': 5 }, nearMisses: 2 },
    } as const;
    expect(plain(renderStatus(paper, [], { columns: 120, rows: 40 }))).toContain(
      'paper  fills 5 to 7, profit +2.00 to +4.50 (touch 7, +4.50; queue 5, +2.00, the account)',
    );
    expect(plain(renderStatus(paper, [], { columns: 120, rows: 40 }))).toContain(
      'causes price crossed 5; 2 near misses',
    );
    expect(plain(renderStatus(status, [], { columns: 120, rows: 40 })).join('\n')).not.toContain('paper ');
  });

  it('shows names as long as the terminal has room, and the end of longer ones', () => {
    const long = 'Stourbridge Wanderers -1.25';
    const [event] = status.events as [Status['events'][number]];
    const named = { ...status, events: [{ ...event, selections: [selection(long)] }] };
    const rowIn = (columns: number) =>
      plain(renderStatus(named, [], { columns, rows: 40 })).find((line) => line.includes('-1.25 ')) ?? '';
    expect(rowIn(120)).toContain(` ${long} `);
    expect(rowIn(80)).toMatch(/^ Stour…-1\.25 +100 /);
    expect(rowIn(80)).toHaveLength(80);
    const heading = (columns: number) =>
      plain(renderStatus(named, [], { columns, rows: 40 })).find((line) => line.includes('our ag')) ?? '';
    for (const columns of [80, 90, 120]) expect(heading(columns)).toHaveLength(rowIn(columns).length);
  });

  it('shows that it is simulated, and shows the account and every quote beside its market', () => {
    const text = plain(renderStatus(status, ['a log line'], { columns: 120, rows: 40 })).join('\n');
    for (const part of [
      'SIMULATED',
      'heartbeat 27 s left',
      'betslips 9, 1991 today',
      'quotes 3 of 4',
      'profit settled -0.84  locked -3.00  expected +0.40  close now -',
      'both sides 94.1 %',
      'limits loss.dayUsdt 9/10  order.maxStakeUsdt 0/20',
      '12:00:01 fill for 8.00 at 2.36 h, Northgate v Harbour maker',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/ h +100 +2\.32 +- +- +2\.36 +20 +2\.38 +80 +\+12\.40 +-9\.10/);
    expect(text).toContain('d waits: all betslips are in use: 40');
    expect(text).toContain('starts in 12 min');
    expect(text).toContain('a log line');
  });

  it('cannot be mistaken for simulated when real money is at stake', () => {
    const text = plain(renderStatus({ ...status, mode: 'live' }, [], { columns: 120, rows: 40 })).join('\n');
    expect(text).toContain('REAL MONEY');
    expect(text).not.toContain('SIMULATED');
  });

  it('says why no order is placed, including a kill', () => {
    const size = { columns: 120, rows: 40 };
    expect(plain(renderStatus(status, [], size)).join('\n')).not.toContain('no orders');
    const blocked = 'stopped: killed: by\x1b[2J hand';
    expect(plain(renderStatus({ ...status, blocked }, [], size))).toContain(
      'no orders: stopped: killed: by\ufffd[2J hand',
    );
  });

  it('explains why it shows an event that is not quoted: a position is held there', () => {
    const held = { ...status.events[0]!, inRunning: true, score: '1:0', quoted: false };
    const view = (...events: Status['events']): string =>
      plain(renderStatus({ ...status, events }, [], { columns: 120, rows: 40 })).join('\n');
    expect(view(held)).toContain('Northgate v Harbour fb in play 1:0, not quoted: shown for what is held');
    expect(view(held)).toMatch(/ h +100 +2\.32 +- +- +2\.36 +20 +2\.38 +80 +\+12\.40 +-9\.10/);
    expect(view(...status.events)).not.toContain('not quoted');
  });

  it('shows where the strategy throws, and that it throws where there is no room for the event', () => {
    const strategyThrows = {
      strategy: 'mine',
      message: 'no\x1b[2J price',
      sinceMs: Date.UTC(2026, 0, 31, 12),
      times: 3,
    };
    const events = [
      ...Array.from({ length: 9 }, () => status.events[0]!),
      { ...status.events[0]!, strategyThrows },
    ];
    const view = (rows: number): string =>
      plain(renderStatus({ ...status, events }, [], { columns: 120, rows })).join('\n');
    const line = 'mine throws: no\ufffd[2J price (3x since 2026-01-31T12:00:00.000Z)';
    expect(view(60)).toContain(line);
    expect(view(12)).not.toContain(line);
    for (const rows of [12, 60]) expect(view(rows)).toContain('mine throws: 1 event has no quotes');
    expect(plain(renderStatus(status, [], { columns: 120, rows: 60 })).join('\n')).not.toContain('throws');
  });

  it('shows the first three quotes that the host refuses on an event, and counts the others', () => {
    const refused = (message: string) => ({
      ...({ kind: 'invalid-intent', strategy: 'mine', selectionId: null, direction: null } as const),
      message,
      sinceMs: Date.UTC(2026, 0, 31, 12),
      times: 3,
    });
    const view = (...messages: readonly string[]): string => {
      const events = [{ ...status.events[0]!, selections: [], refusedQuotes: messages.map(refused) }];
      return plain(renderStatus({ ...status, events }, [], { columns: 160, rows: 60 })).join('\n');
    };
    const line = 'mine: refused: bad\ufffd[2J tick (rule tick) (3x since 2026-01-31T12:00:00.000Z)';
    expect(view('bad\x1b[2J tick (rule tick)')).toContain(line);
    expect(view('a', 'b', 'c')).not.toContain('more refused');
    expect(view('a', 'b', 'c', 'd', 'e')).toMatch(/refused: c .*\n *2 more refused/);
  });

  it('names strategies with other errors for a minute, and the profit of each if there are several', () => {
    const slow = (ageS: number) => ({ kind: 'slow', message: 'a call took 60 ms', ageS });
    const one = { name: 'one', profitLoss: 1.25, errors: { slow: 4 }, lastError: slow(59) };
    const other = { ...one, name: 'other', profitLoss: -0.5, lastError: slow(61) };
    const view = (...strategies: Status['strategies']): string =>
      plain(renderStatus({ ...status, strategies }, [], { columns: 120, rows: 40 })).join('\n');
    expect(view(one, other)).toContain('one: slow: a call took 60 ms (4x)');
    expect(view(one, other)).toContain('one +1.25   other -0.50');
    expect(view(one, other)).not.toContain('other: slow');
    expect(view(one)).not.toContain('one +1.25');
  });

  it('shows foreign names without their control characters', () => {
    const [event] = status.events;
    const named = {
      ...event!,
      name: 'North\x1b[2J\x1b[Hgate\nv\u202eHarbour',
      selections: [selection('h\rd', 'no\x9bm')],
    };
    const lines = renderStatus({ ...status, events: [named] }, ['a\x1b]0;title\x07b'], {
      columns: 120,
      rows: 40,
    });
    const usual = renderStatus(status, ['a log line'], { columns: 120, rows: 40 });
    expect(lines).toHaveLength(usual.length - 1);
    const text = plain(lines).join('');
    expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(text).toContain('North\ufffd[2J\ufffd[Hgate\ufffdv\ufffdHarbour');
  });

  it('fits every terminal, and shows how much is left out', () => {
    const many = { ...status, events: Array.from({ length: 30 }, () => status.events[0]!) };
    for (const size of [
      { columns: 80, rows: 24 },
      { columns: 40, rows: 12 },
    ]) {
      const lines = plain(renderStatus(many, ['log'], size));
      expect(lines.length).toBeLessThanOrEqual(size.rows);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(size.columns);
      expect(lines.join('\n')).toMatch(/… \d+ more/);
    }
  });

  it.each([12, 10, 8, 5, 2])('fits a terminal of %d lines beside the last log lines', (rows) => {
    const recent = Array.from({ length: 5 }, (_, i) => `log line ${i}`);
    const lines = plain(renderStatus(status, recent, { columns: 80, rows }));
    expect(lines.length).toBeLessThanOrEqual(rows);
    expect(lines[0]).toContain('SIMULATED');
  });
});

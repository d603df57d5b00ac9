import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SelectionId } from '../../src/domain/ids.ts';
import type { Direction } from '../../src/domain/selection.ts';
import {
  carriedBy,
  type Readiness,
  readinessInWords,
  readinessOf,
  shortageInWords,
} from '../../src/read-model/readiness.ts';

interface Side {
  readonly open: boolean;
  readonly reason: string | null;
}
type Selection = Readonly<Record<Direction, Side>>;

const OPEN: Side = { open: true, reason: null };
const stopped = (reason: string | null): Side => ({ open: false, reason });
const CAP = stopped('budget.betslip_cap');
const NO_QUOTE = stopped('strategy.no_quote');

function readinessWith(
  selections: readonly Selection[],
  minQuotedRatio = 0.8,
  blocked: string | null = null,
): Readiness {
  const ids = selections.map((_, index) => `fb|1|${index}` as SelectionId);
  const at = (id: SelectionId): Selection => selections[ids.indexOf(id)] as Selection;
  return readinessOf(
    ids,
    {
      isQuoted: (id, direction) => at(id)[direction].open,
      reasonOf: (id) => ({ for: at(id).for.reason, against: at(id).against.reason }),
    },
    minQuotedRatio,
    blocked,
  );
}

const both = (side: Side): Selection => ({ for: side, against: side });

describe('the readiness', () => {
  it.each<[string, Selection, string | null]>([
    ['is quoted with both sides open', both(OPEN), null],
    ['waits for betslips without any', both(CAP), 'wait for betslips'],
    ['is half quoted if one wanted side is missing', { for: OPEN, against: CAP }, 'quoted on one side'],
    ['is half quoted if the other one is', { for: CAP, against: OPEN }, 'quoted on one side'],
    ['is quoted if the strategy wants only the open side', { for: NO_QUOTE, against: OPEN }, null],
    ['is left out by a strategy that wants neither side', both(NO_QUOTE), 'by strategy'],
    [
      'waits for the side that the strategy wants',
      { for: NO_QUOTE, against: stopped('guard.loop_lag') },
      'event loop',
    ],
    ['is being placed if nothing stops it', both(stopped(null)), 'being placed'],
    [
      'keeps counting as quoted while an old reason stands beside an open order',
      both({ open: true, reason: 'risk.balance' }),
      null,
    ],
  ])('a selection %s', (_, selection, why) => {
    const { quoted, waiting } = readinessWith([selection]);
    expect([quoted, waiting]).toEqual(why === null ? [1, []] : [0, [{ why, count: 1 }]]);
  });

  it.each([
    [8, 10, false],
    [7, 10, true],
    [0, 1, true],
    [0, 0, false],
  ])('with %i of %i quoted is short: %s', (quoted, wanted, isShort) => {
    const selections = Array.from({ length: wanted }, (_, i) => both(i < quoted ? OPEN : CAP));
    expect(readinessWith(selections).isShort).toBe(isShort);
    expect(readinessWith(selections, 0).isShort).toBe(false);
    expect(readinessWith(selections, 1).isShort).toBe(quoted < wanted);
  });

  const side = fc.record({
    open: fc.boolean(),
    reason: fc.constantFrom(
      null,
      'strategy.no_quote',
      'strategy.threw',
      'budget.betslip_cap',
      'guard.loop_lag',
      'risk.balance',
      'market.no_prices',
      'orders.outcome_unknown',
      'risk.event_gross',
    ),
  });

  it('adds up to what is wanted, in numbers and in words', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ for: side, against: side }), { maxLength: 60 }), (selections) => {
        const readiness = readinessWith(selections);
        const waiting = readiness.waiting.reduce((sum, { count }) => sum + count, 0);
        expect(readiness.wanted).toBe(selections.length);
        expect(readiness.quoted + waiting).toBe(readiness.wanted);
        const [wanted, ...others] = readinessInWords(readiness)
          .replace(/\(.*/, '')
          .match(/(?<=^|→ |[:,] )\d+/g)!
          .map(Number);
        expect(others.reduce((sum, each) => sum + each, 0)).toBe(wanted);
      }),
    );
  });
});

describe('the line', () => {
  const waiting = [
    { why: 'wait for betslips', count: 18 },
    { why: 'event loop', count: 6 },
    { why: 'by strategy', count: 2 },
  ];
  const READINESS: Readiness = { wanted: 40, quoted: 14, waiting, isShort: true };

  it('names what is wanted, what is quoted and what the others wait for', () => {
    expect(readinessInWords(READINESS)).toBe(
      '40 wanted → 14 quoted: 18 wait for betslips, 6 event loop, 2 by strategy',
    );
    expect(readinessInWords({ ...READINESS, quoted: 40, waiting: [] })).toBe('40 wanted → 40 quoted');
  });

  it.each([
    ['chosen, where the strategy wants none', [both(NO_QUOTE)], null, '1 chosen → 0 quoted: 1 by strategy'],
    [
      'wanted, where it wants some',
      [both(NO_QUOTE), both(CAP)],
      null,
      '2 wanted → 0 quoted: 1 by strategy, 1 waits for betslips',
    ],
    [
      'chosen, where a kill stops all of them',
      [both(NO_QUOTE), both(CAP)],
      'stopped: killed: drill: by hand',
      '2 chosen → 0 quoted: 2 stopped: killed',
    ],
    [
      'chosen, where another stop does',
      [both(CAP)],
      'latched: an order differs',
      '1 chosen → 0 quoted: 1 stopped',
    ],
    [
      'wanted, where all wait for what passes by itself',
      [both(CAP)],
      'stream_not_synced',
      '1 wanted → 0 quoted: 1 waits for betslips',
    ],
  ])('says that selections are %s', (_, selections, blocked, line) => {
    expect(readinessInWords(readinessWith(selections, 0.8, blocked))).toBe(line);
  });

  it('joins what does not fit', () => {
    const more = [...waiting, { why: 'suspended', count: 1 }, { why: 'paused', count: 1 }];
    expect(readinessInWords({ ...READINESS, wanted: 42, waiting: more })).toBe(
      '42 wanted → 14 quoted: 18 wait for betslips, 6 event loop, 2 by strategy, 2 for other reasons',
    );
  });

  it.each([
    [3, '3 a0, 3 a1, 3 a2'],
    [4, '3 a0, 3 a1, 3 a2, 3 a3'],
    [5, '3 a0, 3 a1, 3 a2, 6 for other reasons'],
    [6, '3 a0, 3 a1, 3 a2, 9 for other reasons'],
  ])(
    'of %d groups names four at most, since one more takes no more room than to say how many are left out',
    (n, words) => {
      const groups = Array.from({ length: n }, (_, at) => ({ why: `a${at}`, count: 3 }));
      expect(readinessInWords({ ...READINESS, waiting: groups })).toBe(`40 wanted → 14 quoted: ${words}`);
    },
  );

  it('names the commonest reason first', () => {
    const few = [both(CAP), both(stopped('guard.loop_lag')), both(CAP)];
    expect(readinessInWords(readinessWith(few))).toBe(
      '3 wanted → 0 quoted: 2 wait for betslips, 1 event loop',
    );
  });

  it('tells what the cap carries only where betslips are a reason and the cap is too small', () => {
    expect(shortageInWords(READINESS, 4)).toMatch(/2 by strategy; your cap carries about 4$/);
    expect(shortageInWords(READINESS, 40)).toMatch(/2 by strategy$/);
    expect(shortageInWords({ ...READINESS, waiting: waiting.slice(1) }, 4)).toMatch(/2 by strategy$/);
    const half = [{ why: 'quoted on one side', count: 26 }];
    expect(shortageInWords({ ...READINESS, waiting: half }, 4)).toMatch(
      /one side; your cap carries about 4$/,
    );
  });

  it('counts two betslips for each selection that a cap carries', () => {
    expect([1, 2, 9, 50].map(carriedBy)).toEqual([0, 1, 4, 25]);
  });
});

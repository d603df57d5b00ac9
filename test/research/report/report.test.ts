import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compared, differentEntries, differentRuns } from '../../../src/research/report/compared.ts';
import { compareHtml, DATA_PLACE, embeddedJson, reportHtml } from '../../../src/research/report/html.ts';
import { groupMarkouts, GROUPINGS, ticksFromFair } from '../../../src/research/report/mark-outs.ts';
import { DATA_ID, packReport, type Payload, unpackReport } from '../../../src/research/report/payload.ts';
import { align, fallsOf } from '../../../src/research/report/series.ts';
import type { EquityPoint, ResearchFill } from '../../../src/research/result.ts';
import type { BacktestReport } from '../../../src/research/summary.ts';
import { usdtOf } from '../../../src/domain/money.ts';
import { PAGE } from '../../../src/lib/formats.ts';
import { generatedReport } from '../../support/backtest-report.ts';

const report = generatedReport({ events: 3, fillsPerEvent: 12 });
const touch = report.result.scenarios[0];
const fills = touch?.fills ?? [];
const SHELL = `<html>${DATA_PLACE}<script></script></html>`;

/** The payload of a page. */
function payloadOf(html: string): Payload {
  const opening = `id="${DATA_ID}">`;
  const from = html.indexOf(opening) + opening.length;
  return JSON.parse(html.slice(from, html.indexOf('</script>', from))) as Payload;
}

describe('the page of a report', () => {
  it('holds the report, with probabilities of nine decimals', () => {
    const payload = payloadOf(reportHtml(report, SHELL));
    if (payload.kind !== 'report') throw new Error('expected one report');
    const unpacked = unpackReport(payload.report);
    expect(unpacked.summaries).toEqual(report.summaries);
    expect(unpacked.result.parameters).toEqual(report.result.parameters);
    unpacked.result.scenarios.forEach((scenario, at) => {
      const original = report.result.scenarios[at];
      expect(scenario.equity).toEqual(original?.equity);
      expect(scenario.events).toEqual(original?.events);
      scenario.fills.forEach((fill, place) => {
        const { fairAtFill, fairLater, fairAtClose, ...exact } = (original?.fills ?? [])[
          place
        ] as ResearchFill;
        expect(fill).toMatchObject(exact);
        expect(fill.fairAtFill).toBeCloseTo(fairAtFill ?? NaN, 8);
        expect(fill.fairAtClose).toBeCloseTo(fairAtClose ?? NaN, 8);
        expect(fill.fairLater.map((fair) => fair === null)).toEqual(fairLater.map((fair) => fair === null));
      });
    });
  });

  it('keeps real fills, no fills and a latency that is not a number', () => {
    const live = { ...report, real: fills };
    expect(unpackReport(packReport(live)).real).toHaveLength(fills.length);
    expect(unpackReport(packReport(report))).not.toHaveProperty('real');
    const scenarios = report.result.scenarios.map((scenario) => ({ ...scenario, fills: [], equity: [] }));
    const empty = { ...report, result: { ...report.result, scenarios, latencyMs: NaN } };
    const payload = payloadOf(reportHtml(empty, SHELL));
    expect(payload.kind === 'report' && unpackReport(payload.report).result.scenarios[0]?.fills).toEqual([]);
  });

  it('holds two reports to compare', () => {
    const payload = payloadOf(compareHtml(report, { ...report, tries: 9 }, SHELL));
    expect(payload.kind === 'compare' && payload.b.report.tries).toBe(9);
  });

  it('embeds any text so that nothing ends its element', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('<', '/', '!', '-', '>', '\u2028', '\u2029', '"', '\\', 'script', ' '),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const json = embeddedJson({ text });
        expect(json).not.toMatch(/[<\u2028\u2029]/);
        expect(JSON.parse(json)).toEqual({ text });
      }),
    );
  });

  it('needs a built page', () => {
    expect(() => reportHtml(report, '<html></html>')).toThrow('no place for data');
  });
});

describe('mark-outs by group', () => {
  const base: ResearchFill = { ...(fills[0] as ResearchFill), direction: 'for', tick: 99, stakeMicros: 1e6 };

  it.each([
    ['for', 99, 0.5, 0],
    ['against', 99, 0.5, 0],
    ['for', 101, 0.5, 2],
    ['against', 98, 0.5, 1],
    ['for', 98, 1 / 1.995, -0.5],
    ['for', 99, null, null],
    ['for', 0, 1, 0],
  ] as const)('are %s at tick %d with a fair value of %s: %s ticks', (direction, tick, fairAtFill, ticks) => {
    const found = ticksFromFair({ ...base, direction, tick, fairAtFill });
    if (ticks === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(ticks, 9);
  });

  it('weigh fills by stake and leave out those without a mark', () => {
    const [side] = GROUPINGS;
    const groups = groupMarkouts(
      [
        { ...base, markMicros: [0, 20_000, null], closingMicros: 100_000 },
        { ...base, stakeMicros: 3e6, markMicros: [0, 300_000, null], closingMicros: null },
      ],
      side as (typeof GROUPINGS)[number],
    );
    expect(groups).toHaveLength(1);
    const [first, second, ...others] = groups[0]?.means ?? [];
    expect(first).toBeCloseTo(0, 12);
    // (1 × 0.02 + 3 × 0.10) / 4
    expect(second).toBeCloseTo(0.08, 12);
    expect(others).toEqual([null]);
    expect(groups[0]?.closing).toBeCloseTo(0.1, 12);
  });

  const HOUR_MS = 3_600_000;

  it.each<[string, Partial<ResearchFill>, string]>([
    ['Time to the start', { startsInMs: 6 * HOUR_MS }, 'more than 6 h before'],
    ['Time to the start', { startsInMs: 6 * HOUR_MS - 1 }, '6 h to 1 h before'],
    ['Time to the start', { startsInMs: HOUR_MS }, '6 h to 1 h before'],
    ['Time to the start', { startsInMs: HOUR_MS - 1 }, '1 h to 10 min before'],
    ['Time to the start', { startsInMs: 600_000 }, '1 h to 10 min before'],
    ['Time to the start', { startsInMs: 599_999 }, 'last 10 min before'],
    ['Time to the start', { startsInMs: 0 }, 'last 10 min before'],
    ['Time to the start', { startsInMs: -1 }, 'after the scheduled start'],
    ['Time to the start', { startsInMs: HOUR_MS, inPlay: true }, 'in play'],
    // The tick 99 is 2; half a tick further is the next group.
    ['Distance from fair', { tick: 99, fairAtFill: 1 / 2.03 }, 'behind fair'],
    ['Distance from fair', { tick: 99, fairAtFill: 0.5 }, 'at fair'],
    ['Distance from fair', { tick: 100, fairAtFill: 0.5 }, '1 tick'],
    ['Distance from fair', { tick: 101, fairAtFill: 0.5 }, '2 ticks'],
    ['Distance from fair', { tick: 102, fairAtFill: 0.5 }, '3 to 4 ticks'],
    ['Distance from fair', { tick: 103, fairAtFill: 0.5 }, '3 to 4 ticks'],
    ['Distance from fair', { tick: 104, fairAtFill: 0.5 }, '5 ticks or more'],
    ['Distance from fair', { tick: 104, fairAtFill: null }, 'no fair value at the fill'],
    ['Side', { direction: 'against' }, 'against'],
  ])('by %s of a fill with %j: %s', (title, given, expected) => {
    const grouping = GROUPINGS.find((each) => each.title === title) as (typeof GROUPINGS)[number];
    const groups = groupMarkouts([{ ...base, inPlay: false, ...given }], grouping);
    expect(groups.map(({ group }) => group)).toEqual([expected]);
  });

  it('put every fill into one group, and agree with the summary over all', () => {
    for (const grouping of GROUPINGS) {
      const groups = groupMarkouts(fills, grouping);
      expect(groups.reduce((sum, group) => sum + group.fills, 0)).toBe(fills.length);
      const stake = groups.reduce((sum, group) => sum + group.stakeMicros, 0);
      const worth = groups.reduce((sum, group) => sum + (group.closing ?? 0) * group.stakeMicros, 0);
      expect(worth / stake).toBeCloseTo(report.summaries[0]?.closingLine.mean ?? NaN, 9);
    }
  });
});

describe('series', () => {
  const at = (atMs: number, markedMicros: number): EquityPoint => ({
    atMs,
    markedMicros,
    settledMicros: 0,
    worstMicros: 0,
    inventoryMicros: 0,
  });
  it('share their instants; a value stands until the next', () => {
    const series = [[at(2000, 5), at(1000, 1)], [at(1500, 7)], []];
    expect(align(series, ({ markedMicros }) => markedMicros)).toEqual({
      atS: [1, 1.5, 2],
      values: [
        [1, 1, 5],
        [null, 7, 7],
        [null, null, null],
      ],
    });
  });
  it('fall from their highest value, which is at least zero', () => {
    expect(fallsOf([null, -2, 3, 1, 4])).toEqual([null, -2, 0, -2, 0]);
  });
});

describe('a comparison', () => {
  it('shows each figure of both and the difference', () => {
    const other = generatedReport({ events: 3, fillsPerEvent: 6 });
    const [first] = compared(report, other);
    expect(first?.scenario).toBe('touch');
    expect(first?.rows.find(({ name }) => name === 'fills')).toEqual({
      name: 'fills',
      a: '36',
      b: '18',
      difference: '−18',
      sign: null,
    });
    const settled = first?.rows.find(({ name }) => name.startsWith('profit settled'));
    const [before, after] = [report, other].map(({ summaries }) => summaries[0]?.profit.settledMicros ?? 0);
    expect(Math.sign(settled?.sign ?? 0)).toBe(Math.sign((after ?? 0) - (before ?? 0)));
  });

  it('compares settled profit over the events that are settled in both, and says so', () => {
    const settledOf = (of: BacktestReport, at: readonly number[]): number =>
      at.reduce((sum, each) => sum + (of.result.scenarios[0]?.events[each]?.afterCommissionMicros ?? NaN), 0);
    const long = generatedReport({ events: 6, fillsPerEvent: 12, unsettled: 1 });
    const short = generatedReport({ events: 6, fillsPerEvent: 8, unsettled: 4 });
    for (const [a, b] of [
      [long, short],
      [short, long],
    ] as const) {
      const rows = compared(a, b)[0]?.rows ?? [];
      expect(rows.find(({ name }) => name.startsWith('profit after commission'))).toMatchObject({
        name: 'profit after commission, of 2 events settled in both',
        a: PAGE.gainInCents(usdtOf(settledOf(a, [0, 1]))),
        b: PAGE.gainInCents(usdtOf(settledOf(b, [0, 1]))),
        sign: settledOf(b, [0, 1]) - settledOf(a, [0, 1]),
      });
      expect(rows.filter(({ name }) => name.endsWith('settled in both'))).toHaveLength(4);
      // The curves below the table end here.
      const [endA, endB] = [a, b].map(
        ({ result }) => result.scenarios[0]?.equity.at(-1)?.markedMicros ?? NaN,
      );
      const open = rows.find(({ name }) => name === 'profit with open bets');
      expect(open?.sign).toBe((endB ?? NaN) - (endA ?? NaN));
    }
    const settled = compared(long, long)[0]?.rows.find(({ name }) => name.startsWith('settled, of stake'));
    const [event] = long.result.scenarios[0]?.events ?? [];
    expect(event?.settledMicros).not.toBeNull();
    expect(settled?.name).toBe('settled, of stake, of 5 events settled in both');
    const nothing = generatedReport({ events: 6, fillsPerEvent: 8, unsettled: 6 });
    const none = compared(long, nothing)[0]?.rows.find(({ name }) => name.startsWith('profit settled'));
    expect(none).toMatchObject({
      name: 'profit settled, of 0 events settled in both',
      a: '–',
      difference: '–',
    });
  });

  it.each([
    [
      'other events and days',
      5,
      12,
      /^touch: A has 36 fills on 3 quoted events of 3 match days, B 60 fills on 5 quoted events of 5 match days; 3 events in both\./,
    ],
    ['far more fills', 3, 100, /^touch: A has 36 fills .*B 300 fills .*; the same events\./],
    ['none of these', 3, 20, null],
  ])('warns of runs with %s', (_, events, fillsPerEvent, expected) => {
    const [first] = differentRuns(report, generatedReport({ events, fillsPerEvent }));
    if (expected === null) expect(first).toBeUndefined();
    else expect(first).toMatch(expected);
  });

  it('names what was run differently, and only that', () => {
    expect(differentEntries(report, report)).toEqual([]);
    const { result } = report;
    const parameters = { ...result.parameters, stake: 5 };
    const other = { ...report, result: { ...result, seed: 2, parameters } };
    expect(differentEntries(report, other)).toEqual([
      ['seed', '1', '2'],
      ['stake', '20', '5'],
    ]);
  });
});

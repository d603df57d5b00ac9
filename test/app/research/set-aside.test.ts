import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { riskLimitsOf } from '../../../src/app/config/part-options.ts';
import { type BacktestChoice, backtest } from '../../../src/app/research/backtest.ts';
import { splitsIn } from '../../../src/app/research/run-ledger.ts';
import { setAside } from '../../../src/app/research/set-aside.ts';
import type { BacktestReport } from '../../../src/research/summary.ts';
import { closing, type GivenMarket, line, opening } from '../../support/betfair-lines.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchline-aside-'));
  for (let day = 1; day <= 10; day++) {
    const [first, second] = [linesOf(2 * day), linesOf(2 * day + 1)];
    write(
      `data/day${day}.json`,
      first.flatMap((each, at) => [each, second[at] ?? '']),
    );
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

const place = (name: string): string => join(folder, name);
const write = (name: string, lines: readonly string[]): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(place(name), lines.join('\n'));
};
const linesIn = (name: string): string[] => readFileSync(place(name), 'utf8').split('\n');

/** Two events a day. */
const linesOf = (number: number): string[] => {
  const day = String(Math.floor(number / 2)).padStart(2, '0');
  const market: GivenMarket = {
    id: `1.${100 + number}`,
    eventId: String(number),
    type: 'MATCH_ODDS',
    start: `2026-02-${day}T15:00:00.000Z`,
    runners: [{ id: 10 * number }, { id: 10 * number + 1 }, { id: 58805 }],
  };
  return [
    opening(market),
    line(5, { id: market.id, rc: [{ id: 10 * number, atb: [[2, 10]], atl: [[2.04, 8]] }] }),
    closing(market, ['WINNER']),
  ];
};

const split = (data: readonly string[] = [place('data')], share = 0.3, seed = 1) =>
  setAside({ data, share, seed, ledger: place('ledger'), nowMs: 1_000 });

const { values } = loadConfig({ files: [], environment: {}, settings: {} });
const limits = riskLimitsOf(values, (text) => text);
const tried = async (choice: Partial<BacktestChoice> = {}): Promise<BacktestReport> => {
  const { report } = await backtest({
    strategy: 'symmetric',
    parameters: {},
    data: [place('data')],
    engine: 'fast',
    config: values,
    scenarios: ['queue'],
    limits,
    balanceMicros: 1e9,
    requestLatencyMs: 50,
    feedLatencyMs: 50,
    commission: null,
    fromMs: null,
    toMs: null,
    seed: 1,
    ledger: place('ledger'),
    usesSetAside: false,
    clock: systemClock,
    onProgress: () => undefined,
    ...choice,
  });
  return report;
};
const eventsIn = ({ result }: BacktestReport): string[] =>
  (result.scenarios[0]?.events ?? []).map(({ event }) => event.eventId);

it('every choice that changes a run is another try, and the same again is none', async () => {
  const data = [place('data/day1.json')];
  const choices: readonly Partial<BacktestChoice>[] = [
    {},
    { seed: 2 },
    { parameters: { stake: 7 } },
    { parameters: { stake: 8 } },
    { strategy: 'inventory' },
    { balanceMicros: 2e9 },
    { requestLatencyMs: 60 },
    { feedLatencyMs: 60 },
    { commission: 0.02 },
    { fromMs: 1 },
    { toMs: 9e12 },
    { limits: { ...limits, order: { ...limits.order, maxStakeUsdt: 7 } } },
  ];
  for (const [at, choice] of choices.entries()) {
    expect([at, (await tried({ data, ...choice })).tries]).toEqual([at, at + 1]);
    expect((await tried({ data, ...choice })).tries).toBe(at + 1);
  }
});

describe('what is set aside', () => {
  it('is whole days, at least the share, drawn by the seed, and stays out of every backtest until it is asked for', async () => {
    const summary = await split();
    expect(summary).toEqual({ events: 20, days: 10, asideEvents: 6, asideDays: 3 });
    const [report, aside] = [await tried(), await tried({ usesSetAside: true })];
    const [kept, judged] = [eventsIn(report), eventsIn(aside)];
    expect([kept.length, judged.length]).toEqual([14, 6]);
    expect(new Set([...kept, ...judged]).size).toBe(20);
    const days = judged.map((id) => id.slice(0, 10));
    expect(new Set(days).size).toBe(3);
    expect(kept.filter((id) => days.includes(id.slice(0, 10)))).toEqual([]);
    expect(report.warnings).toContain('6 markets are set aside and were left out.');
    expect(report.result.coverage.events).toBe(14);
  });

  it('is known for good by its first use, and counts its tries apart from those of the rest', async () => {
    await split();
    await tried();
    await tried({ seed: 2 });
    const first = await tried({ usesSetAside: true });
    expect(first.tries).toBe(1);
    expect(first.warnings).toContainEqual(expect.stringContaining('the first use of what is set aside'));
    const again = await tried({ usesSetAside: true, seed: 3 });
    expect(again.tries).toBe(2);
    expect(again.warnings).toContainEqual(
      expect.stringMatching(/was used before, first at 20.*judges no strategy/),
    );
  });

  it('is known in files of another name, without a line or an event, and in another folder', async () => {
    await split();
    for (let day = 1; day <= 10; day++)
      write(`copy/${day}.json`, linesIn(`data/day${day}.json`).toSpliced(2, 1));
    expect(eventsIn(await tried({ data: [place('copy')] }))).toEqual(eventsIn(await tried()));
    expect((await tried({ data: [place('copy')], seed: 5 })).tries).toBe(2);
    const aside = eventsIn(await tried({ usesSetAside: true }))[0] ?? '';
    const day = Number(aside.slice(8, 10));
    write(
      'cut/part.json',
      linesIn(`data/day${day}.json`).filter((_, at) => at % 2 === 0),
    );
    await expect(tried({ data: [place('cut')] })).rejects.toThrow(
      /all 1 markets of .* are left out.*--set-aside/,
    );
    const cut = await tried({ data: [place('cut')], usesSetAside: true, seed: 7 });
    expect(cut.warnings).toContainEqual(expect.stringContaining('was used before'));
  });

  it('cannot be drawn again, and leaves a part', async () => {
    await split();
    await expect(split([place('data/day3.json')], 0.5, 9)).rejects.toThrow(/these data were split at 1970/);
    expect(splitsIn(place('ledger'))).toHaveLength(1);
    write('one/day.json', linesOf(40));
    await expect(split([place('one')])).rejects.toThrow('1 match days cannot be split');
  });

  it('is drawn by the seed', async () => {
    const asideOf = async (seed: number): Promise<readonly string[]> => {
      rmSync(place('ledger'), { recursive: true, force: true });
      await split([place('data')], 0.3, seed);
      return splitsIn(place('ledger')).flatMap(({ aside }) => aside);
    };
    const drawn = [await asideOf(1), await asideOf(1), await asideOf(2), await asideOf(3)];
    expect(drawn[0]).toEqual(drawn[1]);
    expect(new Set(drawn.map((each) => each.join())).size).toBeGreaterThan(1);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventKey } from '../../src/domain/events.ts';
import { recordIn } from '../../src/engine/turn-record.ts';
import type { SimEventName } from '../../src/simulator/core/api.ts';
import { strategyOfPriceSources } from '../support/documented-strategy.ts';
import {
  DAY_PRICES,
  decideAgain,
  recordDay,
  type RecordedDay,
  withSourcePrice,
} from '../support/recorded-day.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchline-replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SETTINGS = `[[priceSource]]
name = "file"
as = "odds"
staleAfterS = 4
key = "{eventId}|{marketType}|{outcome}"
options = { file = "${DAY_PRICES}", fields = { time = "at" } }
`;

/** Prices that swing, pause for six seconds of every twenty, and know no time for every third event. */
function linesAt(second: number, events: readonly SimEventName[]): string {
  if (second % 20 < 6) return '';
  return events
    .map(({ eventId }, index) => {
      const swing = 1 + 0.02 * Math.sin(second / 7 + index);
      const at = index % 3 === 0 ? undefined : Date.parse('2026-03-01T12:00:00Z') + second * 1000 - 250;
      const row = (outcome: string, price: number) => ({ key: `${eventId}|wdw|${outcome}`, price, at });
      return JSON.stringify([row('h', 2.2 * swing), row('d', 3.3), row('a', 3.4 / swing)]);
    })
    .join('\n');
}

describe('a recorded run with a price source', () => {
  let day: RecordedDay;

  beforeAll(async () => {
    const [strategy, file] = [join(folder, 'follows.mjs'), join(folder, 'source.toml')];
    writeFileSync(strategy, strategyOfPriceSources());
    writeFileSync(file, SETTINGS);
    day = await recordDay(1, 240, { source: { strategy, file, linesAt } });
  });

  it('has the prices in the inputs of its turns, and quotes by them', () => {
    const turns = day.lines.map((line) => recordIn(line));
    const priced = turns.filter(({ turn }) => turn.inputs.some(({ kind }) => kind === 'source_prices'));
    const quoted = turns
      .flatMap(({ decided }) => decided)
      .filter(({ targets }) => (targets?.length ?? 0) > 0);
    expect(priced.length).toBeGreaterThan(100);
    expect(quoted.length).toBeGreaterThan(100);
    expect(quoted[0]?.targets?.[0]).toEqual(
      expect.objectContaining({ level: 0, direction: expect.any(String) as string }),
    );
  });

  it('repeats itself when it is decided again from its turns', async () => {
    const { turns, changed, differences } = await decideAgain(day);
    expect([changed, differences]).toEqual([null, []]);
    expect(turns).toBe(day.lines.length);
  });

  it('differs, in the turn and for the event, when one price of the source was different', async () => {
    const { lines, seq, event } = withSourcePrice(day.lines);
    const [first] = (await decideAgain({ ...day, lines })).differences;
    expect([first?.seq, first?.event]).toEqual([seq, eventKey(event)]);
  });

  it('leaves nothing of its prices in the journal', () => {
    expect(day.journal).not.toContain('source_prices');
    expect(day.journal.length).toBeGreaterThan(1_000);
  });
});

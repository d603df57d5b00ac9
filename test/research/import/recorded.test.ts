import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tapesOfFiles } from '../../../src/app/research/tapes.ts';
import { type EventTape, OP } from '../../../src/research/tape.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/data/betfair');

const countOf = ({ updates: { op } }: EventTape, ...ops: readonly number[]): number =>
  op.reduce((count, each) => count + Number(ops.includes(each)), 0);

describe.runIf(existsSync(FOLDER))('the recorded markets', () => {
  it('give the cricket match with its levels, trades, delay and result', async () => {
    const { tapes, leftOut } = await tapesOfFiles([path.join(FOLDER, '1.200806927.jsonl.gz')]);
    expect([tapes.length, leftOut]).toEqual([1, []]);
    const [tape] = tapes as [EventTape];
    expect(tape.event).toEqual({ sport: 'cricket', eventId: '2022-07-11,228749,2857977' });
    expect(tape.markets).toEqual([
      {
        marketId: '1.200806927',
        marketType: 'ml',
        commissionRate: 0.05,
        winners: 1,
        otherRunners: 0,
        betDelayModels: [],
      },
    ]);
    expect(countOf(tape, OP.restingFor, OP.restingAgainst)).toBe(21_879);
    // Of 11,576 changes of traded volume some fall or follow the currency, which is a correction, and some are as before.
    expect(countOf(tape, OP.tradedFor, OP.tradedAgainst)).toBe(11_315);
    expect(
      [...tape.updates.micros].filter((micros, at) => tape.updates.op[at] === OP.state && micros > 0),
    ).toContain(5_000);
    expect(tape.inPlayMs).toBeGreaterThanOrEqual(tape.startMs);
    expect(tape.selections.map(({ settlement }) => settlement?.won)).toEqual([1, 0]);
    expect([...tape.updates.atMs]).toEqual([...tape.updates.atMs].toSorted((a, b) => a - b));
  });

  it('give one event for each football match, with handicaps where the match has them', async () => {
    const { tapes, leftOut } = await tapesOfFiles([path.join(FOLDER, '1.242971311.jsonl.gz')]);
    expect([tapes.length, leftOut]).toEqual([140, []]);
    expect(
      tapes.filter(({ markets }) => markets.map(({ marketType }) => marketType).join() === 'wdw,ah'),
    ).toHaveLength(60);
    expect(
      tapes.filter(({ markets }) => markets.map(({ marketType }) => marketType).join() === 'wdw'),
    ).toHaveLength(80);
    expect(
      tapes.every(({ selections }) =>
        ['h', 'a', 'd'].every((name) => selections.some(({ outcome }) => outcome === name)),
      ),
    ).toBe(true);
    expect(tapes.some(({ hasTrades }) => hasTrades)).toBe(false);
    expect(tapes.flatMap(({ selections }) => selections).every(({ settlement }) => settlement === null)).toBe(
      true,
    );
  });
});

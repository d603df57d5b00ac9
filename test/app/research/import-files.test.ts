import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addResults } from '../../../src/app/research/add-results.ts';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { importFiles, type ImportTotals } from '../../../src/app/research/import-files.ts';
import { marketData } from '../../../src/app/research/market-data.ts';
import { diskFolder } from '../../../src/app/record/disk-folder.ts';
import { verifyRecording } from '../../../src/recording/verify.ts';
import type { EventTape } from '../../../src/research/tape.ts';
import { closing, type GivenMarket, line, opening } from '../../support/betfair-lines.ts';
import { CUT_BZ2, LINES_OF_CUT_BZ2 } from '../../support/cut-bz2.ts';

const odds = (number: number, start: string): GivenMarket => ({
  id: `1.${number}`,
  eventId: String(number),
  type: 'MATCH_ODDS',
  start,
  runners: [{ id: 10 * number }, { id: 10 * number + 1 }, { id: 58805 }],
});
const LATE = odds(1, '2026-01-05T15:00:00.000Z');
const EARLY = odds(2, '2026-01-03T15:00:00.000Z');

const linesOf = (market: GivenMarket): string[] => [
  opening(market),
  line(5, { id: market.id, rc: [{ id: market.runners[0]?.id, atb: [[2, 10]], atl: [[2.04, 8]] }] }),
  line(9, { id: market.id, rc: [{ id: market.runners[0]?.id, trd: [[2, 6]] }] }),
  closing(market, ['WINNER']),
];

describe('the import of files', () => {
  let folder = '';
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'touchline-import-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const written = (name: string, lines: readonly string[]): string => {
    const file = join(folder, name);
    const text = lines.join('\n');
    writeFileSync(file, name.endsWith('.gz') ? gzipSync(text) : text);
    return file;
  };
  const recording = (): string => join(folder, 'recording');
  const bad: string[] = [];
  const run = (files: readonly string[], partial = false): Promise<ImportTotals> => {
    bad.length = 0;
    return importFiles({
      files,
      folder: recording(),
      partial,
      nowMs: 5,
      onFile: () => undefined,
      onBadFile: (reason) => void bad.push(reason),
    });
  };
  const tapesOf = async (paths: readonly string[]): Promise<EventTape[]> => {
    const tapes: EventTape[] = [];
    for await (const tape of (await marketData(paths)).tapes()) tapes.push(tape);
    return tapes;
  };

  it('keeps all that the files give, by scheduled start', async () => {
    const files = [written('1.1', linesOf(LATE)), written('1.2.gz', linesOf(EARLY))];
    expect(await run(files)).toEqual({ files: 2, badFiles: 0, markets: 2, lines: 8 });
    const stored = await tapesOf([recording()]);
    expect(stored.map(({ event }) => event.eventId)).toEqual(['2026-01-03,20,21', '2026-01-05,10,11']);
    expect(stored).toEqual(await tapesOf(files));
    expect((await verifyRecording(diskFolder(recording()))).damage).toEqual([]);
  });

  it('has the same coverage as the files', async () => {
    const file = written('1.1', linesOf(LATE));
    await run([file]);
    const [{ coverage: stored }, { coverage: direct }] = [
      await marketData([recording()]),
      await marketData([file]),
    ];
    expect({ ...stored, sources: [] }).toEqual({ ...direct, sources: [] });
    expect(stored).toMatchObject({ events: 1, selections: 3, trades: 1, gapMs: 0 });
    expect(stored.remarks.join(' ')).toMatch(/halved.*/);
  });

  it('leaves out a bad file, and imports the others', async () => {
    const files = [written('a', [...linesOf(LATE).slice(0, 2), '{"op":']), written('b', linesOf(EARLY))];
    expect(await run(files)).toMatchObject({ files: 1, badFiles: 1, markets: 1 });
    expect(bad).toEqual([expect.stringContaining('a, line 3: ')]);
    expect(await tapesOf([recording()])).toHaveLength(1);
    // The whole file may come later.
    await run([written('whole', linesOf(LATE))]);
    expect(await tapesOf([recording()])).toEqual(await tapesOf([join(folder, 'whole'), join(folder, 'b')]));
  });

  it('takes the lines before the damage if it is told to', async () => {
    const file = written('a', [...linesOf(LATE).slice(0, 3), '{"op":']);
    expect(await run([file], true)).toMatchObject({ files: 1, badFiles: 0, markets: 1 });
    const [tape] = await tapesOf([recording()]);
    expect(tape?.updates.length).toBe(4);
  });

  it('imports every good member of an archive, and names the others', async () => {
    const tar = pack();
    for (const [name, content] of [
      ['a/._1.1.bz2', '\0\u0005\u0016\u0007'],
      ['a/1.1', linesOf(LATE).join('\n')],
      ['a/copy', linesOf(LATE).join('\n')],
      ['a/cut.bz2', CUT_BZ2.subarray(0, 300)],
      ['a/README', 'hello'],
      ['a/1.2', linesOf(EARLY).join('\n')],
    ] as const)
      tar.entry({ name }, Buffer.from(content));
    tar.finalize();
    const file = join(folder, 'all.tar');
    writeFileSync(file, await buffer(tar));
    expect(await run([file])).toMatchObject({ files: 2, badFiles: 4, markets: 2 });
    expect(bad).toEqual(
      [
        /a\/\._1\.1\.bz2: the file is damaged/,
        /a\/copy, line 1: market 1\.1 was imported already/,
        /a\/cut\.bz2: the file is cut/,
        /a\/README, line 1: .*not valid JSON/,
      ].map((message) => expect.stringMatching(message) as string),
    );
    expect(await tapesOf([recording()])).toHaveLength(2);
  });

  it('says that a file is cut, and takes every whole line before that if it is told to', async () => {
    const file = join(folder, 'cut.bz2');
    writeFileSync(file, CUT_BZ2);
    expect(await run([file])).toMatchObject({ files: 0, badFiles: 1, lines: 0 });
    expect(bad).toEqual([expect.stringMatching(/cut\.bz2, line \d+: the file is cut: its end is missing/)]);
    expect(await run([file], true)).toMatchObject({ files: 1, badFiles: 0, lines: LINES_OF_CUT_BZ2 });
  });

  it('refuses a market that the recording has', async () => {
    await run([written('a', linesOf(LATE))]);
    expect(await run([written('b', linesOf(LATE))])).toMatchObject({ markets: 0, badFiles: 1 });
    expect(bad[0]).toMatch(
      /b, line 1: market 1\.1 was imported already, from .*recording; leave one of the two out/,
    );
    expect(await tapesOf([recording()])).toHaveLength(1);
  });

  it('joins files and recordings by scheduled start', async () => {
    await run([written('a', linesOf(LATE))]);
    const early = written('b', linesOf(EARLY));
    expect((await tapesOf([recording(), early])).map(({ markets }) => markets[0]?.marketId)).toEqual([
      '1.2',
      '1.1',
    ]);
  });

  describe('with results that are added', () => {
    const OPEN = linesOf(LATE).slice(0, 3);
    const home = (tapes: readonly EventTape[]): unknown => tapes[0]?.selections[0]?.settlement;

    it('settles what was open, and a later result counts', async () => {
      await run([written('a', OPEN)]);
      expect(home(await tapesOf([recording()]))).toBeNull();
      for (const [score, won] of [
        ['0-1', 0],
        ['2-1', 1],
      ] as const) {
        const file = written('r.csv', ['event_id,score', `"2026-01-05,10,11",${score}`]);
        expect(await addResults(recording(), file, systemClock)).toBe(1);
        expect(home(await tapesOf([recording()]))).toEqual({ won, lost: 1 - won });
      }
    });

    it('adds nothing if a line is wrong or names another event', async () => {
      await run([written('a', OPEN)]);
      const file = written('r.csv', ['event_id,score', '"2026-01-05,10,11",2-1', 'other,1-0']);
      await expect(addResults(recording(), file, systemClock)).rejects.toThrow(
        /r\.csv: line 3: the recording has no event fb other/,
      );
      await expect(addResults(recording(), join(folder, 'none.csv'), systemClock)).rejects.toThrow(
        /none\.csv/,
      );
      expect(home(await tapesOf([recording()]))).toBeNull();
    });
  });
});

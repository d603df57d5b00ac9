import { beforeAll, describe, expect, it } from 'vitest';
import { recordEvenings } from '../../../src/app/record/simulated-evenings.ts';
import { RecordingReader } from '../../../src/recording/reader.ts';
import { RecordingWriter } from '../../../src/recording/writer.ts';
import { exchangeEvents } from '../../../src/app/research/exchange-tapes.ts';
import type { ImportedEvent } from '../../../src/research/import/event-import.ts';
import { MARKET_STATE, OP } from '../../../src/research/tape.ts';
import { memoryFolder } from '../../recording/memory-folder.ts';

const folder = memoryFolder();

beforeAll(async () => {
  await recordEvenings({
    evenings: 1,
    seed: 5,
    eveningMs: 150 * 60_000,
    events: 1,
    version: 'test',
    open: (session) => RecordingWriter.open(folder, session, { maxBytes: null }),
  });
});

describe('a recorded evening', () => {
  it('has the result of each match that ended in it', async () => {
    const reader = await RecordingReader.open(folder);
    const results: { readonly events: readonly string[]; readonly result: unknown }[] = [];
    for await (const { payload, events } of reader.records({ kinds: ['result'] }))
      results.push({ events, result: JSON.parse(Buffer.from(payload).toString('utf8')) });
    const [first] = results;
    expect(first?.result).toMatchObject({
      sport: 'fb',
      event_id: first?.events[0],
      result: {
        kind: 'score',
        home: expect.any(Number) as number,
        half_time_away: expect.any(Number) as number,
      },
    });
    // The frames of a finished event can be found by its id.
    let frames = 0;
    for await (const { records } of reader.blocks({ kinds: ['frame'], events: first?.events ?? [] }))
      frames += records.length;
    expect(frames).toBeGreaterThan(100);
  });

  it('becomes tapes of what was offered, settled by those results', async () => {
    const events: ImportedEvent[] = [];
    for await (const event of exchangeEvents(folder)) events.push(event);
    const [tape] = events.flatMap(({ tapes }) => tapes);
    if (tape === undefined) throw new Error('no tape');
    const { updates, markets, selections } = tape;
    expect(updates.length).toBeGreaterThan(1_000);
    expect(updates.op[updates.length - 1]).toBe(OP.state);
    expect(updates.tick[updates.length - 1]).toBe(MARKET_STATE.closed);
    expect(tape.inPlayMs).toBeGreaterThan(tape.startMs - 60_000);
    const wdw = markets.findIndex(({ marketType }) => marketType === 'wdw');
    const settlements = selections.filter(({ market }) => market === wdw).map(({ settlement }) => settlement);
    expect(settlements).toHaveLength(3);
    expect(settlements.filter((settlement) => settlement?.won === 1)).toHaveLength(1);
    expect(events.flatMap(({ remarks }) => remarks)).toEqual([]);
  });
});

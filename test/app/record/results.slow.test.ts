import { expect, it } from 'vitest';
import { recordEvenings } from '../../../src/app/record/simulated-evenings.ts';
import { RecordingReader } from '../../../src/recording/reader.ts';
import { RecordingWriter } from '../../../src/recording/writer.ts';
import { memoryFolder } from '../../recording/memory-folder.ts';

it('a recorded evening has the result of each match that ended in it', async () => {
  const folder = memoryFolder();
  await recordEvenings({
    ...{ evenings: 1, seed: 5, eveningMs: 150 * 60_000, events: 1, version: 'test' },
    open: (session) => RecordingWriter.open(folder, session, { maxBytes: null }),
  });
  const reader = await RecordingReader.open(folder);
  const results: { readonly events: readonly string[]; readonly result: unknown }[] = [];
  for await (const { payload, events } of reader.records({ kinds: ['result'] }))
    results.push({ events, result: JSON.parse(Buffer.from(payload).toString('utf8')) });
  const [first] = results;
  expect(first?.result).toMatchObject({
    ...{ sport: 'fb', event_id: first?.events[0] },
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

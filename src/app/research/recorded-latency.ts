/** Latencies as a recording of the exchange shows them. */
import { RecordingError } from '../../domain/errors.ts';
import type { RecordingFolder } from '../../ports/recording-folder.ts';
import { RecordingReader } from '../../recording/reader.ts';
import { readFrame } from '../../venue/index.ts';

/** The most samples that are kept of each kind; of more, every second, third, … one. */
const MOST = 20_000;

const nobodyCounts = { note: (): void => undefined };

/**
 * One-way times of requests in milliseconds: half of each time from a request to its answer. Rejects with RecordingError if the
 * recording has no answered request.
 */
export async function requestLatencies(folder: RecordingFolder): Promise<readonly number[]> {
  const samples = await roundTrips(folder);
  if (samples.length > 0) return thinned(samples.map((ms) => ms / 2));
  throw new RecordingError(
    `${folder.path} has no answered request: name the recording of a run, made with record.path`,
    {
      path: folder.path,
    },
  );
}

/**
 * Times of frames from the exchange to us, in milliseconds. The clocks of both differ by an unknown amount, so the fastest frame counts
 * as long as the fastest request. Rejects with RecordingError if no frame has its time of sending.
 */
export async function feedLatencies(folder: RecordingFolder): Promise<readonly number[]> {
  const reader = await RecordingReader.open(folder);
  const samples: number[] = [];
  for await (const { wallMs, payload } of reader.records({ kinds: ['frame'] })) {
    const { sentMs } = readFrame(payload, nobodyCounts);
    if (sentMs !== null) samples.push(wallMs - sentMs);
  }
  if (samples.length === 0)
    throw new RecordingError(`${folder.path} has no frame that says when it was sent`, { path: folder.path });
  const least = leastOf(samples);
  const fastestMs = leastOf(await roundTrips(folder)) / 2;
  return thinned(samples.map((ms) => ms - least + (Number.isFinite(fastestMs) ? fastestMs : 0)));
}

async function roundTrips(folder: RecordingFolder): Promise<number[]> {
  const reader = await RecordingReader.open(folder);
  const samples: number[] = [];
  let session = -1;
  let asked = new Map<number, number>();
  for await (const { block, records } of reader.blocks({ kinds: ['request', 'answer'] })) {
    if (block.index.session !== session) asked = new Map();
    session = block.index.session;
    for (const { kind, channel, monotonicMs } of records) {
      const askedMs = asked.get(channel);
      if (kind === 'request') asked.set(channel, monotonicMs);
      else if (askedMs !== undefined) {
        asked.delete(channel);
        samples.push(monotonicMs - askedMs);
      }
    }
  }
  return samples;
}

const leastOf = (samples: readonly number[]): number =>
  samples.reduce((least, ms) => Math.min(least, ms), Infinity);

function thinned(samples: readonly number[]): readonly number[] {
  const step = Math.ceil(samples.length / MOST);
  return samples.filter((_, at) => at % step === 0);
}

import { describe, expect, it } from 'vitest';
import { type FrameRecord, RecordedFrames } from '../../../../src/app/research/replay/recorded-frames.ts';
import { recordIn, referring } from '../../../../src/engine/turn-record.ts';
import { patient } from '../../../support/patience.ts';
import { recordDay } from '../../../support/recorded-day.ts';

const frame = (channel: number, monotonicMs: number, ...ids: readonly string[]) => ({
  channel,
  monotonicMs,
  payload: Buffer.from(
    JSON.stringify({ ts: 1, data: ids.map((id) => ['remove_event', { sport: 'fb', event_id: id }]) }),
  ),
});

/** The events that the frame removes to which a reference leads. */
function found(frames: RecordedFrames, epoch: number, receivedMonotonicMs: number): unknown {
  const at = { monotonicMs: 0, wallMs: 0 };
  const entries = frames.find({ kind: 'frame', epoch, receivedMonotonicMs, ...at })?.entries;
  return entries?.map((entry) => (entry.tag === 'remove_event' ? entry.eventId : entry.tag)) ?? null;
}

const framesOf = (...all: readonly FrameRecord[]): RecordedFrames => {
  const frames = new RecordedFrames();
  for (const each of all) frames.take(each);
  return frames;
};

describe('a frame that a turn refers to', () => {
  it('is the one that arrived last until then, on its connection', () => {
    const frames = framesOf(frame(1, 10, 'a'), frame(1, 20, 'b'), frame(2, 15, 'c'), frame(1, 30, 'd'));
    expect(found(frames, 1, 10)).toEqual(['a']);
    expect(found(frames, 1, 29.9)).toEqual(['b']);
    expect(found(frames, 1, 30.1)).toEqual(['d']);
    expect(found(frames, 2, 15.1)).toEqual(['c']);
    expect(frames.missing).toBe(0);
  });

  it('is taken once, in the order of arrival, where several arrived at one instant', () => {
    const frames = framesOf(frame(1, 10, 'a'), frame(1, 10), frame(1, 10, 'b'));
    expect([found(frames, 1, 10), found(frames, 1, 10), found(frames, 1, 10)]).toEqual([['a'], ['b'], null]);
    expect(frames.missing).toBe(1);
  });

  it('is none of those that no turn has taken before it, and none that held nothing for the engine', () => {
    const frames = framesOf(frame(1, 10, 'a'), frame(1, 20), frame(1, 30, 'b'));
    expect(found(frames, 1, 25)).toBeNull();
    expect(found(frames, 1, 31)).toEqual(['b']);
    expect(found(framesOf(frame(1, 10, 'a')), 1, 9)).toBeNull();
    expect(found(framesOf(frame(1, 10, 'a')), 2, 10)).toBeNull();
  });
});

it('all frames of a day are read back as the engine saw them', { timeout: patient(30_000) }, async () => {
  const day = await recordDay(3, 120);
  const frames = framesOf(...day.frames);
  let references = 0;
  for (const record of day.lines.map((line) => recordIn(line))) {
    for (const [at, reference] of referring(record).turn.inputs.entries()) {
      if (reference.kind !== 'frame') continue;
      references++;
      expect({ kind: 'signal', signal: frames.find(reference) }).toMatchObject(
        JSON.parse(
          JSON.stringify({ ...record.turn.inputs[at], monotonicMs: undefined, wallMs: undefined }),
        ) as object,
      );
    }
  }
  expect(references).toBeGreaterThan(100);
  expect(frames.missing).toBe(0);
});

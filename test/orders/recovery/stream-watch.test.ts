import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { StreamEntry, StreamSignal } from '../../../src/domain/stream.ts';
import { StreamWatch, type StreamWatchParts } from '../../../src/orders/recovery/stream-watch.ts';
import type { OrderContext } from '../../../src/orders/state/context.ts';
import { Halts } from '../../../src/orders/state/halts.ts';

const GRACE_MS = 15_000;

/** A watch whose work is done at once. */
function rig() {
  const clock = new VirtualClock();
  const halts = new Halts();
  const heard: string[] = [];
  const hear = (what: string) => void heard.push(what);
  const queue = { account: (task: () => void) => task(), post: (task: () => void) => task() };
  const options = { heartbeat: { streamGraceMs: GRACE_MS } };
  const watch = new StreamWatch(
    { deps: { clock }, halts, queue, options } as unknown as OrderContext,
    {
      reports: { order: () => hear('order'), bet: () => hear('bet') },
      betslips: {
        onStreamBack: () => hear('betslips'),
        onQuote: () => hear('quote'),
        onExpiry: () => hear('expiry'),
        drop: () => hear('drop'),
      },
      onExchangeTime: (sentMs: number, receivedMs: number) => hear(`time ${sentMs} ${receivedMs}`),
      onSynced: () => hear('synced'),
    } as unknown as StreamWatchParts,
  );
  const frame = (tags: readonly string[], epoch = 1, sentMs: number | null = null): StreamSignal => ({
    kind: 'frame',
    epoch,
    sentMs,
    receivedMonotonicMs: 5,
    entries: tags.map((tag) => ({ tag }) as StreamEntry),
  });
  return { clock, halts, heard, watch, frame };
}

const synced = (epoch: number): StreamSignal => ({ kind: 'synced', epoch });
const closed = (epoch: number): StreamSignal => ({ kind: 'closed', epoch, reason: 'reset', retryInMs: 1 });

describe('trust', () => {
  it('lasts for the grace time after a loss, and not for another one after a repeated loss', async () => {
    const { clock, watch } = rig();
    watch.onSignal(synced(1));
    await clock.advance(100_000);
    expect(watch.trusted()).toBe(true);
    watch.onSignal(closed(1));
    await clock.advance(GRACE_MS - 1);
    expect(watch.trusted()).toBe(true);
    watch.onSignal({ kind: 'connecting', epoch: 2 });
    watch.onSignal(closed(2));
    await clock.advance(1);
    expect(watch.trusted()).toBe(false);
    watch.onSignal(synced(3));
    expect(watch.trusted()).toBe(true);
  });

  it('holds for the grace time before the first connection', async () => {
    const { clock, watch, halts } = rig();
    expect([watch.trusted(), halts.codeOf('stream')]).toEqual([true, 'stream_not_synced']);
    await clock.advance(GRACE_MS);
    expect(watch.trusted()).toBe(false);
  });
});

describe('the halt', () => {
  it('names how the stream was lost, and gives way to a resync', () => {
    const { watch, halts, heard } = rig();
    watch.onSignal(synced(1));
    expect([halts.has('stream'), halts.codeOf('resync'), heard]).toEqual([
      false,
      'resync_under_way',
      ['betslips', 'synced'],
    ]);
    watch.onSignal(closed(1));
    expect([...halts.inForce]).toContainEqual(['stream_closed', 'reset']);
    for (const kind of ['connecting', 'open'] as const) {
      watch.onSignal({ kind, epoch: 2 });
      expect(halts.codeOf('stream')).toBe('stream_not_synced');
    }
  });

  it('stays while only an earlier connection is heard of', () => {
    const { watch, halts, heard } = rig();
    watch.onSignal(closed(2));
    watch.onSignal(synced(1));
    expect([halts.codeOf('stream'), heard]).toEqual(['stream_closed', []]);
    watch.onSignal(synced(2));
    expect(halts.has('stream')).toBe(false);
  });
});

describe('lost account entries', () => {
  it('count as a lost stream that is back at once, so the account is read again', () => {
    const { watch, halts, heard } = rig();
    watch.onSignal(synced(0));
    halts.clear('resync');
    watch.distrust('too many');
    expect(heard).toEqual(['betslips', 'synced', 'betslips', 'synced']);
    expect([halts.has('stream'), halts.codeOf('resync')]).toEqual([false, 'resync_under_way']);
  });

  it('do not make a stream that was never there', () => {
    const { watch, halts, heard } = rig();
    watch.distrust('too many');
    expect([heard, [...halts.inForce]]).toEqual([[], [['stream_distrusted', 'too many']]]);
  });
});

describe('entries', () => {
  const ALL = ['order', 'bet', 'pmm', 'betslip', 'betslip_closed', 'offer'];

  it('of the account wait until own orders are known, those of betslips do not', () => {
    const { watch, frame, heard } = rig();
    watch.onSignal(frame(ALL));
    expect(heard.splice(0)).toEqual(['quote', 'expiry', 'drop']);
    watch.accept();
    watch.onSignal(frame(ALL));
    expect(heard).toEqual(['order', 'bet', 'quote', 'expiry', 'drop']);
  });

  it('of an earlier connection count no longer, of this one they do', () => {
    const { watch, frame, heard } = rig();
    watch.accept();
    watch.onSignal({ kind: 'open', epoch: 2 });
    watch.onSignal(frame(ALL, 1));
    expect(heard).toEqual([]);
    watch.onSignal(frame(ALL, 2));
    expect(heard).toHaveLength(5);
  });

  it('bring the exchange’s time where the frame has it', () => {
    const { watch, frame, heard } = rig();
    watch.onSignal(frame([], 1, 1_000));
    watch.onSignal(frame([]));
    expect(heard).toEqual(['time 1000 5']);
  });
});

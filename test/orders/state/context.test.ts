import { describe, expect, it } from 'vitest';
import type { EventId, Sport } from '../../../src/domain/ids.ts';
import { InvariantError } from '../../../src/lib/assert.ts';
import { closesAll, keyRefusedText, lapsesInMs, latch, Owners } from '../../../src/orders/state/context.ts';
import { PartRig } from '../support/part.ts';
import { trackedOrder } from '../support/tracked.ts';

const EVENT = { sport: 'fb' as Sport, eventId: '2026-11-21,1,2' as EventId };
const OTHER = { ...EVENT, sport: 'tennis' as Sport };

it('an order lapses by our own clock, and never before it was sent', () => {
  expect(lapsesInMs(trackedOrder({ lapsesMonotonicMs: 9_000 }), 2_000)).toBe(7_000);
  expect(lapsesInMs(trackedOrder({ lapsesMonotonicMs: null }), 2_000)).toBe(Infinity);
});

describe('the reason why no order may stay open', () => {
  it.each<[reason: string | null, hit: (rig: PartRig) => void]>([
    [null, () => undefined],
    [null, ({ halts }) => halts.set('stream', 'stream_closed')],
    ['latched', ({ halts }) => halts.latch('why')],
    ['stopped', ({ halts }) => halts.set('stopped', 'stopped')],
    ['stopped', ({ halts }) => halts.set('drain', 'draining')],
    ['the journal failed', ({ context }) => Object.assign(context.journalWriter, { failed: true })],
  ])('is %s', (reason, hit) => {
    const rig = new PartRig();
    hit(rig);
    expect(closesAll(rig.context)).toBe(reason);
  });
});

it('a latch is journalled, told and acted on, and the first one stays', () => {
  const told: unknown[] = [];
  const rig = new PartRig({ context: { onLatched: () => void told.push('latched') } });
  rig.context.log.error = (message, fields) => void told.push([message, fields]);
  latch(rig.context, 'first', { orderId: 7 });
  latch(rig.context, 'second');
  expect(rig.halts.latched).toBe('first');
  expect(rig.noted).toEqual([{ kind: 'latched', reason: 'first', by: 'note' }]);
  expect(told).toEqual([
    ['quoting stopped until released by a person', { reason: 'first', orderId: 7 }],
    'latched',
  ]);
});

it('the refusal of a key names its code', () => {
  expect(keyRefusedText({ code: 'forbidden' })).toContain('forbidden');
});

describe('the owners of events', () => {
  it('are recorded once for each change', () => {
    const { context, noted } = new PartRig();
    const owners = new Owners(context.journalWriter);
    for (const owner of ['a', 'a', 'b']) owners.own(EVENT, owner);
    expect(noted).toEqual(
      ['a', 'b'].map((owner) => ({ kind: 'event_owned', event: EVENT, owner, by: 'note' })),
    );
    expect(owners.of(EVENT)).toBe('b');
  });

  it('of earlier runs are known without a record, and those of another sport are not', () => {
    const { context, noted } = new PartRig();
    const owners = new Owners(context.journalWriter);
    owners.restore([{ event: EVENT, owner: 'a', atMs: 0, hasFills: false }]);
    owners.own(EVENT, 'a');
    expect([owners.of(EVENT), noted]).toEqual(['a', []]);
    expect(() => owners.of(OTHER)).toThrow(InvariantError);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { EventKey } from '../../../src/domain/ids.ts';
import { LiveHub, SEATS, type Seat, type Viewer } from '../../../src/ops/dashboard/live-hub.ts';
import type { LiveMessage, Piece } from '../../../src/read-model/live/message.ts';
import { afterMessage, type View } from '../../../src/web/dashboard/stream/view.ts';

const piece = (name: string, value: unknown, event: string | null = null): Piece => ({
  name,
  value,
  event: event as EventKey | null,
});

/** A hub over a state that the test sets. */
function hubOver(first: readonly Piece[]) {
  const clock = new VirtualClock();
  const state = { pieces: first, asked: 0, frameAtMs: null as number | null };
  const displaced: string[] = [];
  const source = () => {
    state.asked++;
    return { atMs: clock.wallMs(), frameAtMs: state.frameAtMs, pieces: state.pieces };
  };
  const hub = new LiveHub(source, clock, { onDisplaced: (scope) => displaced.push(scope) });
  return { hub, clock, state, displaced };
}

/** A viewer that keeps what it is sent. */
function viewerOf(
  hub: LiveHub,
  events: readonly string[] = [],
  everyMs = 100,
  by: Partial<Pick<Viewer, 'scope' | 'holder'>> = {},
) {
  const messages: LiveMessage[] = [];
  const is = { ready: true, allowed: true, ended: false };
  const seat: Seat | null = hub.join({
    events: new Set(events),
    everyMs,
    scope: by.scope ?? 'read',
    holder: by.holder ?? 'somebody',
    write(text) {
      expect(text).toMatch(/^data: .*\n\n$/);
      messages.push(JSON.parse(text.slice('data: '.length)) as LiveMessage);
      return is.ready;
    },
    isAllowed: () => is.allowed,
    end: () => void (is.ended = true),
  });
  return { messages, is, seat };
}

describe('the live hub', () => {
  it('sends everything first, then what changed or is no more', async () => {
    const { hub, clock, state } = hubOver([piece('a', 1), piece('b', { x: 1 })]);
    const { messages } = viewerOf(hub);
    expect(messages).toMatchObject([{ isFirst: true, set: { a: 1, b: { x: 1 } } }]);
    state.pieces = [piece('a', 2)];
    await clock.advance(100);
    expect(messages[1]).toMatchObject({ isFirst: false, set: { a: 2 }, gone: ['b'] });
  });

  it('is silent while nothing changes, but for a heartbeat each second', async () => {
    const { hub, clock } = hubOver([piece('a', 1)]);
    const { messages } = viewerOf(hub);
    await clock.advance(900);
    expect(messages).toHaveLength(1);
    await clock.advance(100);
    expect(messages).toHaveLength(2);
    expect(messages[1]).toEqual({ atMs: clock.wallMs(), frameAtMs: null, isFirst: false });
  });

  it('sends changes as often as a viewer asks for, and never leaves one out', async () => {
    const { hub, clock, state } = hubOver([piece('a', 0)]);
    const { messages } = viewerOf(hub, [], 500);
    for (let i = 1; i <= 10; i++) {
      state.pieces = [piece('a', i)];
      await clock.advance(100);
    }
    expect(messages.map(({ set }) => set)).toEqual([{ a: 0 }, { a: 5 }, { a: 10 }]);
  });

  it('sends the details of an event only to those who show it', () => {
    const { hub } = hubOver([piece('a', 1), piece('deep', 2, 'fb|1')]);
    expect(viewerOf(hub).messages[0]?.set).toEqual({ a: 1 });
    expect(viewerOf(hub, ['fb|1']).messages[0]?.set).toEqual({ a: 1, deep: 2 });
  });

  it('computes nothing while nobody looks, and one state for all who do', async () => {
    const { hub, clock, state } = hubOver([piece('a', 1)]);
    await clock.advance(5_000);
    expect(state.asked).toBe(0);
    const seats = [viewerOf(hub), viewerOf(hub), viewerOf(hub)].map(({ seat }) => seat);
    state.asked = 0;
    await clock.advance(1_000);
    expect(state.asked).toBe(10);
    for (const seat of seats) seat?.left();
    await clock.advance(5_000);
    expect(state.asked).toBe(10);
  });

  it.each<[how: string, leave: (hub: LiveHub, seats: readonly (Seat | null)[]) => void]>([
    ['the last viewer has left', (_, seats) => seats.forEach((seat) => seat?.left())],
    ['it is closed', (hub) => hub.close()],
  ])('has no timer once %s, and one again for the next viewer', async (_, leave) => {
    const { hub, clock, state } = hubOver([piece('a', 1)]);
    const seats = [viewerOf(hub), viewerOf(hub)].map(({ seat }) => seat);
    expect(await clock.runNext(Infinity)).toBe(true);
    seats[0]?.left();
    expect(await clock.runNext(Infinity)).toBe(true);
    leave(hub, seats);
    expect(await clock.runNext(Infinity)).toBe(false);
    const { messages } = viewerOf(hub);
    state.pieces = [piece('a', 2)];
    await clock.advance(100);
    expect(messages.at(-1)?.set).toEqual({ a: 2 });
  });

  it('spares a viewer that cannot keep up, and later sends it all that it missed', async () => {
    const { hub, clock, state } = hubOver([piece('a', 1), piece('b', 1)]);
    const { messages, is, seat } = viewerOf(hub);
    is.ready = false;
    state.pieces = [piece('a', 2), piece('b', 1)];
    await clock.advance(100);
    state.pieces = [piece('a', 2), piece('b', 2)];
    await clock.advance(500);
    expect(messages).toHaveLength(2);
    is.ready = true;
    seat?.drained();
    await clock.advance(100);
    expect(messages[2]).toMatchObject({ isFirst: false, set: { b: 2 } });
  });

  it('lets a viewer go that takes nothing for ten seconds, and no other', async () => {
    const { hub, clock, state } = hubOver([piece('a', 0)]);
    const [stalled, other] = [viewerOf(hub), viewerOf(hub)];
    stalled.is.ready = false;
    for (let i = 1; i <= 102; i++) {
      state.pieces = [piece('a', i)];
      await clock.advance(100);
    }
    expect([stalled.is.ended, other.is.ended]).toEqual([true, false]);
    expect(other.messages.at(-1)?.set).toEqual({ a: 102 });
  });

  it('lets a viewer go when its token ends', async () => {
    const { hub, clock } = hubOver([piece('a', 1)]);
    const { is, messages } = viewerOf(hub);
    is.allowed = false;
    await clock.advance(100);
    expect(is.ended).toBe(true);
    await clock.advance(5_000);
    expect(messages).toHaveLength(1);
  });

  it('has seats of its own for each scope', () => {
    const { hub } = hubOver([]);
    const pages = Array.from({ length: SEATS.read }, (_, i) => viewerOf(hub, [], 100, { holder: `${i}` }));
    const another = () => viewerOf(hub, [], 100, { holder: 'another' });
    expect(another().seat).toBeNull();
    for (const scope of ['reduce', 'control'] as const) {
      for (let i = 0; i < SEATS[scope]; i++)
        expect(viewerOf(hub, [], 100, { scope, holder: `${i}` }).seat).not.toBeNull();
      expect(viewerOf(hub, [], 100, { scope, holder: 'another' }).seat).toBeNull();
    }
    expect(pages.map(({ is }) => is.ended)).not.toContain(true);
    pages[0]?.seat?.left();
    expect(another().seat).not.toBeNull();
  });

  it('lets nobody hold every seat: whoever has the most gives one, the oldest first', () => {
    const { hub, displaced } = hubOver([]);
    const quiet = viewerOf(hub, [], 100, { holder: 'quiet' });
    const many = Array.from({ length: SEATS.read - 1 }, () => viewerOf(hub, [], 100, { holder: 'many' }));
    const [late, later] = [viewerOf(hub, [], 100, { holder: 'late' }), viewerOf(hub)];
    expect([late.seat, later.seat]).not.toContain(null);
    expect(many.map(({ is }) => is.ended).lastIndexOf(true)).toBe(1);
    expect([quiet, late, later].map(({ is }) => is.ended)).toEqual([false, false, false]);
    // Another page of the same holder takes the place of its own oldest one.
    expect(viewerOf(hub, [], 100, { holder: 'many' }).seat).not.toBeNull();
    expect(many.map(({ is }) => is.ended).lastIndexOf(true)).toBe(2);
    expect(displaced).toEqual(['read', 'read', 'read']);
    expect(hub.viewers).toBe(SEATS.read);
  });

  it('takes a seat first from a page that does not read', async () => {
    const { hub, clock, state } = hubOver([piece('a', 1)]);
    const pages = Array.from({ length: SEATS.read }, () => viewerOf(hub));
    const unread = pages[7];
    if (unread !== undefined) unread.is.ready = false;
    state.pieces = [piece('a', 2)];
    await clock.advance(100);
    viewerOf(hub, [], 100, { holder: 'late' });
    expect(pages.flatMap(({ is }, i) => (is.ended ? [i] : []))).toEqual([7]);
  });

  it('leaves a page with the last state, whatever happened and whenever it stalled', async () => {
    const someState = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 3 }));
    const steps = fc.array(fc.record({ state: someState, ready: fc.boolean() }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(someState, steps, async (first, then) => {
        const inPieces = (of: Record<string, number>) => Object.entries(of).map(([k, v]) => piece(k, v));
        const { hub, clock, state } = hubOver(inPieces(first));
        const { messages, is, seat } = viewerOf(hub);
        for (const step of then) {
          is.ready = step.ready;
          state.pieces = inPieces(step.state);
          if (step.ready) seat?.drained();
          await clock.advance(100);
        }
        is.ready = true;
        seat?.drained();
        await clock.advance(100);
        const view = messages.reduce<View | null>(
          (before, message) => afterMessage(before, message, 0),
          null,
        );
        expect(Object.fromEntries(view?.pieces ?? [])).toEqual(then.at(-1)?.state ?? first);
        hub.close();
      }),
    );
  });

  it('goes on for those who stay when another leaves, and ends all when it closes', async () => {
    const { hub, clock, state } = hubOver([piece('a', 0)]);
    const [first, second, third] = [viewerOf(hub), viewerOf(hub), viewerOf(hub)];
    first.seat?.left();
    state.pieces = [piece('a', 1)];
    await clock.advance(100);
    expect([first, second].map(({ messages }) => messages.at(-1)?.set)).toEqual([{ a: 0 }, { a: 1 }]);
    hub.close();
    expect([first, second, third].map(({ is }) => is.ended)).toEqual([false, true, true]);
    expect(hub.viewers).toBe(0);
    // The next one begins anew.
    const later = viewerOf(hub);
    state.pieces = [piece('a', 2)];
    await clock.advance(100);
    expect(later.messages.map(({ set }) => set)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(second.messages.at(-1)?.set).toEqual({ a: 1 });
  });

  it('computes the details of all who can be sent something, and nothing for those who cannot', async () => {
    const clock = new VirtualClock();
    const asked: string[][] = [];
    const took: number[] = [];
    const hub = new LiveHub(
      (events) => {
        asked.push([...events].toSorted());
        return { atMs: clock.wallMs(), frameAtMs: null, pieces: [piece('a', asked.length)] };
      },
      clock,
      { onSent: (ms) => took.push(ms) },
    );
    await clock.advance(1_000);
    const first = viewerOf(hub, ['x', 'y']);
    const second = viewerOf(hub, ['z']);
    asked.length = 0;
    await clock.advance(100);
    expect(asked).toEqual([['x', 'y', 'z']]);
    first.is.ready = false;
    await clock.advance(100);
    await clock.advance(100);
    expect(asked.at(-1)).toEqual(['z']);
    second.is.ready = false;
    await clock.advance(200);
    const before = asked.length;
    await clock.advance(1_000);
    expect(asked).toHaveLength(before);
    expect(new Set(took)).toEqual(new Set([0]));
  });

  it('gives a page ten seconds to take what it was sent, counted from then, whenever that was', async () => {
    const { hub, clock, state } = hubOver([piece('a', 0)]);
    const { is, messages } = viewerOf(hub);
    await clock.advance(60_000);
    is.ready = false;
    state.pieces = [piece('a', 1)];
    await clock.advance(100);
    expect(messages.at(-1)?.set).toEqual({ a: 1 });
    await clock.advance(10_000);
    expect(is.ended).toBe(false);
    await clock.advance(100);
    expect(is.ended).toBe(true);
  });

  it('beats once a second also after a long time', async () => {
    const { hub, clock } = hubOver([piece('a', 1)]);
    await clock.advance(100_000);
    const { messages } = viewerOf(hub);
    await clock.advance(10_000);
    expect(messages).toHaveLength(11);
  });
});

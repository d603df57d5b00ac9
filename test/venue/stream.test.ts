import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import type { StreamSignal } from '../../src/domain/stream.ts';
import { KEY, makeRig, type Rig } from './support/make-venue.ts';

const FB = sport('fb');
const event = (n: number) => eventId(`2026-01-01,${n},${n}`);

function listen(rig: Rig): StreamSignal[] {
  const signals: StreamSignal[] = [];
  rig.venue.stream$.subscribe((signal) => signals.push(signal));
  return signals;
}

const kinds = (signals: readonly StreamSignal[]): string[] => signals.map((signal) => signal.kind);
const respondOk = ['response', { status: 'ok' }] as const;
const respond = (code: string) => ['response', { status: 'error', code }] as const;

describe('the stream', () => {
  it('connects on the first subscription with the key in the query, and reports its life in order', () => {
    const rig = makeRig();
    expect(rig.sockets.opened).toHaveLength(0);
    const signals = listen(rig);
    expect(rig.sockets.last.query).toEqual({ api_key: KEY });
    rig.sockets.last.begin();
    expect(kinds(signals)).toEqual(['connecting', 'open', 'frame', 'synced']);
  });

  it('is one connection for all subscribers', () => {
    const rig = makeRig();
    const [one, two] = [listen(rig), listen(rig)];
    rig.sockets.last.begin();
    expect(rig.sockets.opened).toHaveLength(1);
    expect(kinds(two)).toEqual(['open', 'frame', 'synced']);
    expect(one.slice(1)).toEqual(two);
  });

  it('reconnects with a new epoch, waits for sync and registers again', async () => {
    const rig = makeRig();
    const signals = listen(rig);
    rig.venue.registerEvent(FB, event(1));
    const first = rig.sockets.last;
    first.begin();
    expect(first.commands()).toEqual([['register_event', 'fb', event(1)]]);
    first.handlers.onClose(null, '');
    expect(signals.at(-1)).toMatchObject({ kind: 'closed', epoch: 1, reason: 'closed without a reason' });
    await rig.clock.advance(1_000);
    const second = rig.sockets.last;
    expect(second).not.toBe(first);
    second.handlers.onOpen();
    expect(second.commands()).toEqual([]);
    second.push(['sync', {}]);
    expect(second.commands()).toEqual([['register_event', 'fb', event(1)]]);
    expect(signals.at(-1)).toEqual({ kind: 'synced', epoch: 2 });
  });

  it('drops late data of an old connection', async () => {
    const rig = makeRig();
    const signals = listen(rig);
    const first = rig.sockets.last;
    first.begin();
    first.handlers.onClose(1008, 'slow');
    await rig.clock.advance(2_000);
    const before = signals.length;
    first.push(['clear_events', null]);
    first.handlers.onClose(null, 'again');
    expect(signals).toHaveLength(before);
  });

  it.each([400, 401, 403, 404])('stops for good when the upgrade is refused with %d', async (status) => {
    const rig = makeRig();
    const signals = listen(rig);
    rig.sockets.last.handlers.onRefused(status, 'auth_rejected');
    expect(signals.at(-1)).toEqual({ kind: 'closed', epoch: 1, reason: 'auth_rejected', retryInMs: null });
    await rig.clock.advance(3_600_000);
    expect(rig.sockets.opened).toHaveLength(1);
  });

  it.each([500, 502, 503])('backs off when the upgrade is refused with %d', async (status) => {
    const rig = makeRig();
    const signals = listen(rig);
    rig.sockets.onOpen = (socket) =>
      rig.clock.after(1, () => socket.handlers.onRefused(status, 'unavailable'));
    rig.sockets.last.handlers.onRefused(status, 'unavailable');
    await rig.clock.advance(120_000);
    const waits = signals.flatMap((signal) => (signal.kind === 'closed' ? [signal.retryInMs ?? -1] : []));
    expect(waits.length).toBeGreaterThan(5);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(Math.max(...waits)).toBeGreaterThan(15_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  });

  it('waits for a message that takes long to arrive, but not for ever', async () => {
    const rig = makeRig();
    const signals = listen(rig);
    const socket = rig.sockets.last;
    // The answer follows the message.
    socket.onEcho = () => undefined;
    socket.begin();
    const trickle = async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds; i++)
        await rig.clock.advance(1_000).then(() => socket.handlers.onBytes?.());
    };
    await trickle(20);
    expect(signals.filter(({ kind }) => kind === 'closed')).toEqual([]);
    socket.push(['clear_events', null]);
    await trickle(60);
    expect(signals.find(({ kind }) => kind === 'closed')).toMatchObject({ reason: 'no sign of life' });
  });

  it('gives up a connection that never syncs', async () => {
    const rig = makeRig();
    const signals = listen(rig);
    rig.sockets.last.handlers.onOpen();
    await rig.clock.advance(40_000);
    expect(signals.find((signal) => signal.kind === 'closed')).toMatchObject({ reason: 'no sync' });
  });

  it('asks a silent connection for a sign of life, and gives it up when none arrives', async () => {
    const rig = makeRig();
    const signals = listen(rig);
    const socket = rig.sockets.last;
    socket.onEcho = () => undefined;
    socket.begin();
    await rig.clock.advance(60_000);
    expect(signals.find((signal) => signal.kind === 'closed')).toMatchObject({ reason: 'no sign of life' });
    expect(socket.terminated).toBe(true);
  });

  it('keeps a silent connection whose echoes are answered, and learns the clock offset by them', async () => {
    const rig = makeRig();
    const signals = listen(rig);
    const socket = rig.sockets.last;
    socket.onEcho = (nonce) => {
      rig.clock.after(100, () => {
        const ts = (rig.clock.wallMs() + 5_000 - 50) / 1000;
        socket.raw(JSON.stringify({ ts, data: [['response', { status: 'ok', data: [nonce] }]] }));
      });
    };
    socket.begin();
    await rig.clock.advance(300_000);
    expect(kinds(signals)).not.toContain('closed');
    expect(rig.venue.clockOffset()).toMatchObject({ errorMs: 50 });
    expect(rig.venue.clockOffset()?.offsetMs).toBeCloseTo(5_000, 3);
  });

  it('completes after close, for present and later subscribers', async () => {
    const rig = makeRig();
    let completed = 0;
    rig.venue.stream$.subscribe({ complete: () => completed++ });
    rig.sockets.last.begin();
    await rig.venue.close();
    expect(rig.sockets.last.terminated).toBe(true);
    rig.venue.stream$.subscribe({ complete: () => completed++ });
    expect(completed).toBe(2);
    expect(rig.sockets.opened).toHaveLength(1);
  });

  it('survives junk: bad frames and bad entries cost only themselves', () => {
    const rig = makeRig();
    const signals = listen(rig);
    const socket = rig.sockets.last;
    socket.begin();
    socket.raw('{"ts": 1, "data": [["offer"');
    socket.raw('[]');
    socket.push(['offer', { sport: 'fb' }], ['what_is_this', 1], ['balance', { balance: ['USDT', '12.5'] }]);
    expect(signals.at(-1)).toMatchObject({
      entries: [
        { tag: 'other', name: 'what_is_this' },
        { tag: 'balance', balance: { balanceMicros: 12_500_000 } },
      ],
    });
    const unknowns = [...rig.venue.unknowns().keys()];
    expect(unknowns).toContain('tag what_is_this');
    expect(unknowns).toContain('bad-frame not {"ts", "data"}');
    expect(unknowns.some((name) => name.startsWith('bad-entry offer'))).toBe(true);
  });
});

describe('registrations', () => {
  function synced(cap: number): Rig {
    const rig = makeRig();
    listen(rig);
    const socket = rig.sockets.last;
    const on = new Set<unknown>();
    socket.onSend = ([name, , id]) => {
      if (name === 'unregister_event') on.delete(id);
      const full = name === 'register_event' && on.size >= cap;
      if (name === 'register_event' && !full) on.add(id);
      const answer = full ? respond('customer_event_limit_exceeded') : respondOk;
      rig.clock.after(1, () => socket.push(answer));
    };
    socket.begin();
    return rig;
  }

  it('learns the cap, keeps the most valuable events under it, and swaps when a better one comes', async () => {
    const rig = synced(2);
    for (const n of [1, 2, 3]) rig.venue.registerEvent(FB, event(n), n);
    await rig.clock.advance(2_000);
    expect(rig.venue.registrations()).toEqual({ wanted: 3, registered: 2, cap: 2 });
    await rig.clock.advance(3_000);
    const sent = rig.sockets.last.commands();
    expect(sent).toContainEqual(['unregister_event', 'fb', event(1)]);
    expect(sent.filter(([name, , id]) => name === 'register_event' && id === event(3))).toHaveLength(2);
  });

  it('tries one more now and then, and uses the room it finds', async () => {
    const rig = synced(2);
    for (const n of [1, 2, 3]) rig.venue.registerEvent(FB, event(n));
    await rig.clock.advance(2_000);
    rig.venue.unregisterEvent(FB, event(1));
    await rig.clock.advance(2_000);
    expect(rig.venue.registrations()).toMatchObject({ wanted: 2, registered: 2 });
  });

  it.each(['invalid_customer', 'system_error', 'never_heard_of'])('tries again after %s', async (code) => {
    const rig = makeRig();
    listen(rig);
    const socket = rig.sockets.last;
    socket.begin();
    rig.venue.registerEvent(FB, event(1));
    socket.push(respond(code));
    expect(socket.commands()).toHaveLength(1);
    await rig.clock.advance(3_000);
    expect(socket.commands()).toHaveLength(2);
    socket.push(respond(code));
    await rig.clock.advance(1_000);
    expect(socket.commands()).toHaveLength(2);
    await rig.clock.advance(3_000);
    expect(socket.commands()).toHaveLength(3);
  });

  it.each(['invalid_input', 'bad_json'])('does not repeat a command that is wrong (%s)', async (code) => {
    const rig = makeRig();
    listen(rig);
    rig.sockets.last.begin();
    rig.venue.registerEvent(FB, event(1));
    rig.sockets.last.push(respond(code));
    await rig.clock.advance(9_000);
    expect(rig.sockets.last.commands()).toHaveLength(1);
  });

  it('treats already_registered as registered', () => {
    const rig = makeRig();
    listen(rig);
    rig.sockets.last.begin();
    rig.venue.registerEvent(FB, event(1));
    rig.sockets.last.push(respond('already_registered'));
    expect(rig.venue.registrations()).toMatchObject({ registered: 1 });
  });

  it('registers anew what the exchange removed, and unregisters it when it is not wanted any more', async () => {
    const rig = makeRig();
    listen(rig);
    const socket = rig.sockets.last;
    socket.begin();
    rig.venue.registerEvent(FB, event(1));
    socket.push(respondOk);
    socket.push(['remove_event', { sport: 'fb', event_id: event(1) }]);
    const commands = () => socket.commands().filter(([name]) => String(name).endsWith('register_event'));
    expect(commands()).toEqual(Array(2).fill(['register_event', 'fb', event(1)]));
    socket.push(respond('already_registered'));
    rig.venue.unregisterEvent(FB, event(1));
    socket.push(['remove_event', { sport: 'fb', event_id: event(1) }]);
    await rig.clock.advance(2_000);
    expect(commands().slice(2)).toEqual([['unregister_event', 'fb', event(1)]]);
  });

  it('names the event when it unregisters an event whose answer came after the exchange began anew', async () => {
    const rig = makeRig();
    listen(rig);
    const socket = rig.sockets.last;
    socket.begin();
    rig.venue.registerEvent(FB, event(1));
    rig.venue.unregisterEvent(FB, event(1));
    socket.push(['clear_events', {}], ['sync', {}]);
    socket.push(respondOk);
    await rig.clock.advance(2_000);
    const given = socket.commands().filter(([name]) => name === 'unregister_event');
    expect(given).toEqual([['unregister_event', 'fb', event(1)]]);
  });

  it.each(['wanted', 'no longer wanted'])(
    'does not wait for ever for an answer that was lost: %s',
    async (word) => {
      const rig = makeRig();
      listen(rig);
      const socket = rig.sockets.last;
      socket.begin();
      rig.venue.registerEvent(FB, event(1));
      await rig.clock.advance(1_000);
      const nonce = socket.commands().find(([name]) => name === 'echo')?.[1];
      if (word !== 'wanted') rig.venue.unregisterEvent(FB, event(1));
      socket.push(['response', { status: 'ok', data: nonce }]);
      await rig.clock.advance(1_000);
      if (word === 'wanted') {
        socket.push(respond('already_registered'));
        rig.venue.unregisterEvent(FB, event(1));
      }
      expect(socket.commands()).toContainEqual(['unregister_event', 'fb', event(1)]);
    },
  );

  it('comes back quickly to what the account may register, when an earlier connection held it for a moment', async () => {
    const rig = makeRig();
    listen(rig);
    const socket = rig.sockets.last;
    const freeFromMs = rig.clock.monotonicMs() + 3_000;
    socket.onSend = ([name]) => {
      if (name !== 'register_event') return;
      const isFull = rig.clock.monotonicMs() < freeFromMs;
      rig.clock.after(1, () => socket.push(isFull ? respond('customer_event_limit_exceeded') : respondOk));
    };
    socket.begin();
    for (let n = 1; n <= 50; n++) rig.venue.registerEvent(FB, event(n));
    await rig.clock.advance(45_000);
    expect(rig.venue.registrations()).toMatchObject({ registered: 50 });
  });
});

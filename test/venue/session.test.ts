import { describe, expect, it } from 'vitest';
import { eventId, sport } from '../../src/domain/ids.ts';
import type { StreamSignal } from '../../src/domain/stream.ts';
import { type LogFields, silentLogger } from '../../src/ports/logger.ts';
import type { VenueOptions } from '../../src/venue/index.ts';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { FrameDecoder } from '../../src/venue/frames/frame-decoder.ts';
import { Registrations } from '../../src/venue/stream/registrations.ts';
import { DEFAULT_STREAM_SETTINGS, Session } from '../../src/venue/stream/session.ts';
import { silentSurvey } from '../../src/venue/wire/survey.ts';
import { FakeSockets } from './support/fake-transports.ts';
import { KEY, makeRig } from './support/make-venue.ts';

const FB = sport('fb');
const EVENT = eventId('2026-01-01,1,1');
const OK = ['response', { status: 'ok' }] as const;

/** A stream that is listened to; times are seconds since the first connection. */
function connected(options: Partial<VenueOptions> = {}) {
  const rig = makeRig(undefined, options);
  const signals: StreamSignal[] = [];
  const startedMs = rig.clock.monotonicMs();
  const closedS: number[] = [];
  rig.venue.stream$.subscribe((signal) => {
    signals.push(signal);
    if (signal.kind === 'closed') closedS.push((rig.clock.monotonicMs() - startedMs) / 1_000);
  });
  const socket = rig.sockets.last;
  const sentS: [unknown, number][] = [];
  const send = socket.send.bind(socket);
  socket.send = (text) => {
    sentS.push([(JSON.parse(text) as unknown[])[0], (rig.clock.monotonicMs() - startedMs) / 1_000]);
    send(text);
  };
  return {
    ...rig,
    signals,
    socket,
    closedS,
    pass: async (seconds: number) => rig.clock.advance(seconds * 1_000),
    /** The seconds at which such a command left. */
    at: (command: string) => sentS.flatMap(([name, second]) => (name === command ? [second] : [])),
    closed: () => signals.flatMap((signal) => (signal.kind === 'closed' ? [signal.reason] : [])),
  };
}

const beat = ['clear_events', null] as const;

describe('a connection is given up', () => {
  it('ten seconds after it began, if the upgrade is not answered', async () => {
    const { pass, closed, socket } = connected();
    await pass(9.999);
    expect([closed(), socket.terminated]).toEqual([[], false]);
    await pass(0.001);
    expect([closed(), socket.terminated]).toEqual([['no answer to the upgrade'], true]);
  });

  it('thirty seconds after it opened, if it is not in sync by then', async () => {
    const { pass, closed, closedS, socket } = connected();
    await pass(4);
    socket.handlers.onOpen();
    await pass(29.999);
    expect(closed()).toEqual([]);
    await pass(0.001);
    expect([closed(), closedS]).toEqual([['no sync'], [34]]);
  });

  it('five seconds after an echo on which nothing followed', async () => {
    const { pass, closed, closedS, socket } = connected();
    socket.onEcho = () => undefined;
    socket.begin();
    await pass(5.999);
    expect(closed()).toEqual([]);
    await pass(0.001);
    expect([closed(), closedS]).toEqual([['no sign of life'], [6]]);
  });

  it('not while anything follows on the echoes, if it is no answer to them', async () => {
    const { pass, closed, socket } = connected();
    socket.onEcho = () => undefined;
    socket.begin();
    for (let second = 0; second < 100; second++) {
      await pass(1);
      socket.push(beat);
    }
    expect(closed()).toEqual([]);
  });

  it('five seconds after the last bytes of a message that stopped, and thirty after the last message that was whole', async () => {
    const stopped = connected();
    stopped.socket.onEcho = () => undefined;
    stopped.socket.begin();
    for (let at = 0; at < 8; at++) {
      await stopped.pass(1);
      stopped.socket.handlers.onBytes?.();
    }
    await stopped.pass(8);
    expect(stopped.closedS).toEqual([13]);
    const endless = connected();
    endless.socket.onEcho = () => undefined;
    endless.socket.begin();
    for (let at = 0; at < 400; at++) {
      endless.socket.handlers.onBytes?.();
      await endless.pass(0.1);
    }
    expect(endless.closedS).toEqual([30]);
  });
});

describe('an echo', () => {
  it('is sent a second after the opening, and has a nonce of its own', async () => {
    const { pass, at, socket } = connected();
    await pass(2);
    expect(at('echo')).toEqual([]);
    socket.handlers.onOpen();
    await pass(25);
    expect(at('echo')).toEqual([3, 13, 23]);
    expect(socket.sent).toEqual([0, 1, 2].map((number) => ['echo', `e1-${number}`]));
  });

  it('follows on ten seconds of silence, and is not repeated while it waits for its answer', async () => {
    const { pass, at, socket } = connected();
    socket.begin();
    await pass(4.5);
    socket.push(beat);
    socket.onEcho = () => undefined;
    await pass(12.4);
    expect(at('echo')).toEqual([1, 15]);
  });

  it('is sent every thirty seconds where messages never pause', async () => {
    const { pass, at, socket } = connected();
    socket.begin();
    for (let second = 0; second < 95; second++) {
      await pass(1);
      socket.push(beat);
    }
    expect(at('echo')).toEqual([1, 31, 61, 91]);
  });

  it('whose answer is lost costs nothing but the measurement', async () => {
    const { pass, at, socket, venue } = connected();
    const answerTo: unknown[] = [];
    socket.onEcho = (nonce) => void answerTo.push(nonce);
    socket.begin();
    await pass(2);
    socket.push(beat);
    await pass(10);
    expect(answerTo).toEqual(['e1-0', 'e1-1']);
    socket.push(['response', { status: 'ok', data: ['e1-1'] }]);
    await pass(2);
    expect([socket.commands(), venue.registrations()]).toEqual([
      [],
      { wanted: 0, registered: 0, cap: Infinity },
    ]);
    expect(at('echo')).toEqual([1, 12]);
  });

  it('measures the round trip by its own answer alone', async () => {
    const { pass, socket, venue, clock } = connected();
    socket.onEcho = (nonce) => {
      socket.push(['response', { status: 'error', code: 'x', data: [nonce] }]);
    };
    socket.begin();
    venue.registerEvent(FB, EVENT);
    socket.push(OK);
    expect(venue.clockOffset()).toBeNull();
    await pass(1);
    expect(venue.clockOffset()).toEqual({ offsetMs: Date.UTC(2026, 0, 1) - clock.wallMs(), errorMs: 0 });
  });
});

describe('the list of registrations', () => {
  const LIST = 'list_registered_events';

  it('is requested every thirty seconds in sync while an event is wanted or registered', async () => {
    const { pass, at, socket, venue } = connected();
    socket.begin();
    await pass(45);
    expect(at(LIST)).toEqual([]);
    venue.registerEvent(FB, EVENT);
    await pass(45);
    expect(at(LIST)).toEqual([46, 76]);
    venue.unregisterEvent(FB, EVENT);
    await pass(45);
    expect(at(LIST)).toEqual([46, 76]);
  });

  it('is requested for an event that is registered and no longer wanted', async () => {
    const { pass, at, socket, venue } = connected();
    socket.onSend = ([name]) => {
      if (name === LIST) socket.push(['response', { status: 'ok', data: { registered_events: [] } }]);
    };
    socket.begin();
    venue.registerEvent(FB, EVENT);
    await pass(40);
    expect(at(LIST)).toEqual([30]);
  });

  it.each([
    ['is refused', { status: 'error', code: 'x', data: { registered_events: [] } }],
    ['cannot be read', { status: 'ok', data: { registered_events: 7 } }],
  ])('changes nothing where it %s', async (_, answer) => {
    const { pass, at, socket, venue } = connected();
    socket.onSend = ([name]) => socket.push(name === LIST ? ['response', answer] : OK);
    socket.begin();
    venue.registerEvent(FB, EVENT);
    await pass(40);
    expect([at(LIST), at('register_event')]).toEqual([[30], [0]]);
    expect(venue.registrations()).toEqual({ wanted: 1, registered: 1, cap: Infinity });
  });

  it('lets a registration be repeated that it has not', async () => {
    const { pass, at, socket, venue } = connected();
    socket.onSend = ([name]) =>
      socket.push(name === LIST ? ['response', { status: 'ok', data: { registered_events: [] } }] : OK);
    socket.begin();
    venue.registerEvent(FB, EVENT);
    await pass(40);
    expect(at('register_event')).toEqual([0, 31]);
  });
});

describe('the signals of a connection', () => {
  it('tell all of its life, with the number of the connection', async () => {
    const { signals, socket, clock } = connected();
    const startMs = clock.monotonicMs();
    socket.begin();
    await clock.advance(700);
    socket.push(OK);
    socket.push(OK, beat);
    socket.handlers.onClose(null, 'gone');
    const sentMs = Date.UTC(2026, 0, 1);
    const frame = { kind: 'frame', epoch: 1, sentMs };
    expect(signals).toEqual([
      { kind: 'connecting', epoch: 1 },
      { kind: 'open', epoch: 1 },
      { ...frame, receivedMonotonicMs: startMs, entries: [{ tag: 'sync', sessionId: 's' }] },
      { kind: 'synced', epoch: 1 },
      { ...frame, receivedMonotonicMs: startMs + 700, entries: [{ tag: 'clear_events' }] },
      { kind: 'closed', epoch: 1, reason: 'gone', retryInMs: expect.any(Number) as number },
    ]);
  });

  it.each<[number | null, string, string]>([
    [null, '', 'closed without a reason'],
    [null, 'gone', 'gone'],
    [1006, '', 'closed with code 1006'],
    [1008, 'slow', 'closed with code 1008: slow'],
  ])('name the end with code %s and text %j', (code, text, reason) => {
    const { closed, socket } = connected();
    socket.handlers.onClose(code, text);
    expect(closed()).toEqual([reason]);
  });

  it.each([
    ['{"error":"missing_credentials"}', 'missing_credentials'],
    ['auth_rejected', 'auth_rejected'],
    ['invalid_lang', 'invalid_lang'],
    ['unavailable', 'unavailable'],
    [`bad key ${KEY}`, 'the upgrade was answered by HTTP 500'],
  ])('name the refusal %j', (body, reason) => {
    const { closed, socket } = connected();
    socket.handlers.onRefused(500, body);
    expect(closed()).toEqual([reason]);
  });

  it('are none after the end, whatever the old connection still says', () => {
    const { signals, socket, venue } = connected();
    socket.begin();
    socket.handlers.onClose(null, '');
    const before = signals.length;
    socket.begin();
    socket.handlers.onClose(1000, '');
    socket.handlers.onRefused(401, '');
    venue.registerEvent(FB, EVENT);
    expect([signals.length, socket.commands()]).toEqual([before, []]);
  });

  it('follow on a connection that ends while it is opened', async () => {
    const rig = makeRig();
    const reasons: string[] = [];
    rig.sockets.onOpen = (socket) => {
      if (rig.sockets.opened.length === 1) socket.handlers.onClose(null, 'at once');
    };
    rig.venue.stream$.subscribe((signal) => {
      if (signal.kind === 'closed') reasons.push(signal.reason);
    });
    expect([reasons, rig.sockets.last.terminated]).toEqual([['at once'], true]);
    await rig.clock.advance(1_000);
    expect(rig.sockets.opened).toHaveLength(2);
  });
});

describe('a session that is ended by whoever hears it', () => {
  const sync = ['sync', { session_id: 's' }] as const;
  it.each(['connecting', 'open', 'frame', 'synced', 'ended'])('at %s says nothing more', (at) => {
    const [clock, sockets] = [new VirtualClock(), new FakeSockets()];
    const heard: string[] = [];
    const registrations = new Registrations();
    registrations.want({ sport: FB, eventId: EVENT }, 0);
    const parts = {
      sockets,
      clock,
      logger: silentLogger,
      settings: DEFAULT_STREAM_SETTINGS,
      keys: { key: new Secret(KEY) },
      redact: (text: string) => text,
      createDecoder: () => new FrameDecoder(silentSurvey),
    };
    const session = new Session(parts, registrations, 1, ({ kind }) => {
      heard.push(kind);
      if (kind === at) session.end();
    });
    session.start();
    const socket = sockets.last;
    socket.handlers.onOpen();
    socket.push(sync);
    socket.handlers.onClose(null, '');
    const all = ['connecting', 'open', 'frame', 'synced', 'ended'];
    expect(heard).toEqual(all.slice(0, all.indexOf(at) + 1));
    expect(socket.terminated).toBe(true);
    const isSynced = at === 'synced' || at === 'ended';
    expect(socket.commands()).toEqual(isSynced ? [['register_event', 'fb', EVENT]] : []);
    if (at !== 'connecting') expect(clock.nextTimerMs()).toBeNull();
  });
});

describe('a connection', () => {
  it('asks in the language of the settings', () => {
    const { socket } = connected({ stream: { lang: 'ko' } });
    expect(socket.query).toEqual({ api_key: KEY, lang: 'ko' });
  });

  it('registers nothing before it is in sync, and everything again at each later sync', async () => {
    const { socket, venue, pass } = connected();
    const register = ['register_event', 'fb', EVENT];
    socket.handlers.onOpen();
    venue.registerEvent(FB, EVENT);
    await pass(3);
    expect(socket.commands()).toEqual([]);
    socket.push(['sync', {}]);
    socket.push(OK);
    expect(socket.commands()).toEqual([register]);
    socket.push(beat, ['sync', {}]);
    expect(socket.commands()).toEqual([register, register]);
  });

  it('names the command that the exchange refused, and an answer to none', () => {
    const warned: [string, LogFields][] = [];
    const logger = {
      ...silentLogger,
      warn: (text: string, fields: LogFields = {}) => void warned.push([text, fields]),
    };
    const { socket, venue } = connected({ logger });
    socket.begin();
    socket.push(['response', { status: 'error', code: 'why' }]);
    venue.registerEvent(FB, EVENT);
    socket.push(['response', { status: 'error' }]);
    expect(warned).toEqual([
      ['the stream answered without a command', { code: 'why' }],
      [
        'the exchange refused a stream command',
        { kind: 'register', sport: 'fb', eventId: EVENT, code: 'unknown' },
      ],
    ]);
  });
});

describe('the wait before the next connection', () => {
  /** Six connections end at once, and a seventh after so long in sync. Their waits. */
  async function waits(syncedMs: number): Promise<readonly (number | null)[]> {
    const { clock, sockets, signals } = connected({ reconnect: { firstMs: 100, longestMs: 100_000 } });
    for (let time = 0; time < 6; time++) {
      sockets.last.handlers.onClose(null, '');
      await clock.advance(4_000);
    }
    sockets.last.begin();
    await clock.advance(syncedMs);
    sockets.last.handlers.onClose(null, '');
    return signals.flatMap((signal) => (signal.kind === 'closed' ? [signal.retryInMs] : []));
  }

  it('grows with each failure, and is short again after ten seconds in sync', async () => {
    const short = await waits(10_000);
    expect(short.at(6)).toBeLessThanOrEqual(100);
    const long = await waits(9_999);
    expect(long.slice(0, 6)).toEqual(short.slice(0, 6));
    expect(long.at(6)).toBeGreaterThan(100);
    for (const [at, wait] of long.entries()) expect(wait).toBeLessThanOrEqual(100 * 2 ** at);
  });
});

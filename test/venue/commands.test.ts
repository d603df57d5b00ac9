import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/app/adapters/virtual-clock.ts';
import { eventId, sport } from '../../src/domain/ids.ts';
import {
  type Command,
  commandText,
  PendingCommands,
  StreamRequests,
} from '../../src/venue/stream/commands.ts';
import type { ResponseEntry } from '../../src/venue/wire/frame.ts';

const NAME = { sport: sport('fb'), eventId: eventId('2026-01-01,1,2') };
const echo = (nonce: string): Command => ({ kind: 'echo', nonce });
const LIST: Command = { kind: 'list', onResponse: () => undefined };
const REGISTER: Command = { kind: 'register', ...NAME };
const answer = (part: Partial<ResponseEntry> = {}): ResponseEntry => ({
  tag: 'response',
  ok: true,
  code: null,
  data: null,
  ...part,
});

it.each<[Command, readonly unknown[]]>([
  [echo('e1-0'), ['echo', 'e1-0']],
  [LIST, ['list_registered_events']],
  [REGISTER, ['register_event', 'fb', '2026-01-01,1,2']],
  [{ kind: 'unregister', ...NAME }, ['unregister_event', 'fb', '2026-01-01,1,2']],
])('a command is written as the exchange reads it: %j', (command, written) => {
  expect(JSON.parse(commandText(command))).toEqual(written);
});

describe('commands without an answer', () => {
  const sent = (...commands: readonly Command[]): PendingCommands => {
    const pending = new PendingCommands();
    for (const [at, command] of commands.entries()) pending.add(command, at);
    return pending;
  };

  it('are answered in their order, with the instant at which each left', () => {
    const pending = sent(REGISTER, LIST);
    expect([pending.match(), pending.match(), pending.match()]).toEqual([
      { command: REGISTER, sentMonotonicMs: 0 },
      { command: LIST, sentMonotonicMs: 1 },
      null,
    ]);
  });

  it.each([[['a']], ['a'], [['x', 'a']]])(
    'have lost their answers if a later echo is answered: %j',
    (data) => {
      const pending = sent(REGISTER, echo('b'), LIST, echo('a'), echo('c'));
      expect(pending.lostBefore(answer({ data })).map(({ command }) => command)).toEqual([
        REGISTER,
        echo('b'),
        LIST,
      ]);
      expect(pending.match()?.command).toEqual(echo('a'));
    },
  );

  it('have lost none by the answer to the first of them, nor by one that repeats no echo', () => {
    const pending = sent(echo('a'), REGISTER, echo('b'));
    for (const data of [['a'], null, [], 'x', { a: 'b' }])
      expect(pending.lostBefore(answer({ data }))).toEqual([]);
    expect(pending.match()?.command).toEqual(echo('a'));
  });
});

describe('a request on the stream', () => {
  function requested(read: (data: unknown) => unknown = (data) => data) {
    const clock = new VirtualClock();
    const requests = new StreamRequests(clock, 5_000);
    let respond: (response: ResponseEntry) => void = () => undefined;
    const state = { outcome: null as unknown };
    requests
      .send((onResponse) => (respond = onResponse), read)
      .then(
        (value) => (state.outcome = { value }),
        (error: unknown) => (state.outcome = error),
      );
    return { clock, requests, state, respond: (response: ResponseEntry) => respond(response) };
  }
  const settle = async ({ clock }: { readonly clock: VirtualClock }): Promise<void> => clock.advance(0);

  it('gives what is read of its answer, and waits no longer', async () => {
    const rig = requested((data) => [data]);
    rig.respond(answer({ data: 7 }));
    await settle(rig);
    expect([rig.state.outcome, rig.clock.nextTimerMs()]).toEqual([{ value: [7] }, null]);
  });

  it.each([
    ['why', 'why'],
    [null, 'unknown'],
  ])('fails with the code %s that is answered', async (code, named) => {
    const rig = requested();
    rig.respond(answer({ ok: false, code }));
    await settle(rig);
    expect(rig.state.outcome).toMatchObject({ code: named, status: 0 });
  });

  it('fails with what reading its answer throws', async () => {
    const thrown = new TypeError('odd');
    const rig = requested(() => {
      throw thrown;
    });
    rig.respond(answer());
    await settle(rig);
    expect(rig.state.outcome).toBe(thrown);
  });

  it('fails five seconds after it left, or when the connection ends, and with an unknown outcome', async () => {
    const late = requested();
    await late.clock.advance(4_999);
    expect(late.state.outcome).toBeNull();
    await late.clock.advance(1);
    expect(late.state.outcome).toMatchObject({
      outcome: 'unknown',
      message: 'no answer on the stream in time',
    });
    const ended = requested();
    ended.requests.rejectAll('the end');
    ended.requests.rejectAll('another end');
    await settle(ended);
    expect(ended.state.outcome).toMatchObject({ outcome: 'unknown', message: 'the end' });
    expect(ended.clock.nextTimerMs()).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import type { EventName } from '../../src/domain/events.ts';
import { eventId, sport } from '../../src/domain/ids.ts';
import { type RegistrationCommand, Registrations } from '../../src/venue/stream/registrations.ts';

const named = (id: string): EventName => ({ sport: sport('fb'), eventId: eventId(id) });
const register = (id: string): RegistrationCommand => ({ kind: 'register', ...named(id) });
const FULL = 'customer_event_limit_exceeded';

/** Registrations, with their commands as short texts. */
class Rig {
  readonly all = new Registrations();

  want(...ids: readonly string[]): this {
    for (const id of ids) this.all.want(named(id), 0);
    return this;
  }

  plan(atMs = 0): string[] {
    return this.all.plan(atMs).map(({ kind, eventId: id }) => (kind === 'register' ? `+${id}` : `-${id}`));
  }

  answer(id: string, code: string | null = null, atMs = 0): this {
    this.all.answered(register(id), code, atMs);
    return this;
  }

  /** Wanted and registered. */
  hold(...ids: readonly string[]): this {
    this.want(...ids).plan();
    for (const id of ids) this.answer(id);
    return this;
  }

  get counts(): readonly number[] {
    const { wanted, registered, cap } = this.all.counts();
    return [wanted, registered, cap];
  }
}

describe('a plan', () => {
  it('registers the most valuable events first, and of the same value those that were wanted first', () => {
    const rig = new Rig();
    const values = { a: 1, b: 3, c: 2, d: 3, e: -1 };
    for (const [id, value] of Object.entries(values)) rig.all.want(named(id), value);
    rig.all.want(named('a'), 3);
    expect(rig.plan()).toEqual(['+a', '+b', '+d', '+c', '+e']);
    expect(rig.counts).toEqual([5, 0, Infinity]);
  });

  it('names each event, and repeats no command while its answer is awaited', () => {
    const rig = new Rig().want('a');
    expect(rig.all.plan(0)).toEqual([register('a')]);
    expect(rig.plan(1e9)).toEqual([]);
    rig.answer('a').all.unwant(named('a'));
    expect(rig.all.plan(0)).toEqual([{ kind: 'unregister', ...named('a') }]);
    expect(rig.plan(1e9)).toEqual([]);
  });

  it('gives up what is worth less before it takes what is worth more', () => {
    const rig = new Rig().hold('a', 'b');
    rig.want('c').plan();
    rig.answer('c', FULL);
    rig.all.want(named('d'), 1);
    expect(rig.plan()).toEqual(['-b', '+d']);
    expect(rig.answer('d').counts).toEqual([4, 2, 2]);
  });

  it('waits with giving up an event until the answer to its registration is here', () => {
    const rig = new Rig().want('a');
    rig.plan();
    rig.all.unwant(named('a'));
    expect(rig.plan()).toEqual([]);
    expect(rig.answer('a').plan()).toEqual(['-a']);
  });

  it('starts anew after a reset', () => {
    const rig = new Rig().hold('a').want('b');
    rig.plan();
    rig.answer('b', 'invalid_input');
    rig.all.reset();
    expect(rig.counts).toEqual([2, 0, Infinity]);
    expect(rig.plan()).toEqual(['+a', '+b']);
  });
});

describe('an answer', () => {
  it.each([null, 'already_registered'])('%s registers the event', (code) => {
    const rig = new Rig().want('a');
    rig.plan();
    expect(rig.answer('a', code).counts).toEqual([1, 1, Infinity]);
    expect(rig.plan(1e9)).toEqual([]);
  });

  it.each(['invalid_input', 'bad_json'])('%s ends the attempts until the event is wanted anew', (code) => {
    const rig = new Rig().want('a');
    rig.plan();
    expect(rig.answer('a', code).plan(1e9)).toEqual([]);
    rig.want('a');
    expect(rig.plan(1e9)).toEqual([]);
    rig.all.unwant(named('a'));
    expect(rig.want('a').plan(1e9)).toEqual(['+a']);
  });

  it('of another code is followed by attempts after 1, 2, 4 … and at most 60 seconds', () => {
    const rig = new Rig().want('a');
    rig.plan();
    let nowMs = 0;
    for (const waitS of [1, 2, 4, 8, 16, 32, 60, 60]) {
      rig.answer('a', 'system_error', nowMs);
      expect(rig.plan(nowMs + waitS * 1_000 - 1)).toEqual([]);
      nowMs += waitS * 1_000;
      expect(rig.plan(nowMs)).toEqual(['+a']);
      expect(rig.plan(nowMs + 1e9)).toEqual([]);
    }
    rig.answer('a', null, nowMs).all.removed(named('a'));
    rig.plan(nowMs);
    rig.answer('a', 'system_error', nowMs);
    expect(rig.plan(nowMs + 1_000)).toEqual(['+a']);
  });

  it('that failed is forgotten with the wish for the event', () => {
    const rig = new Rig().want('a');
    rig.plan();
    rig.answer('a', 'system_error');
    rig.all.unwant(named('a'));
    expect(rig.plan(1e9)).toEqual([]);
    expect(rig.want('a').plan(0)).toEqual(['+a']);
  });

  it('to an unregistration changes nothing', () => {
    const rig = new Rig().hold('a');
    rig.all.answered({ ...register('b'), kind: 'unregister' }, null, 0);
    rig.all.answered({ ...register('a'), kind: 'unregister' }, FULL, 0);
    expect(rig.counts).toEqual([1, 1, Infinity]);
  });
});

describe('the learned cap', () => {
  /** One event held, another refused at the cap at the instant 0. */
  const capped = (): Rig => {
    const rig = new Rig().hold('a').want('b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j');
    expect(rig.plan()).toHaveLength(9);
    for (const id of 'bcdefghij') rig.answer(id, FULL);
    return rig;
  };
  /** The instants in seconds at which the refused cap is tried again. */
  const probesS = (rig: Rig, untilS: number): number[] => {
    const found: number[] = [];
    for (let second = 0; second <= untilS; second++) {
      const commands = rig.plan(second * 1_000);
      if (commands.length > 0) found.push(second);
      for (const command of commands) rig.answer(command.slice(1), FULL, second * 1_000);
    }
    return found;
  };

  it('is the number of registered events, and is tried after 5 s and then after twice as long each, up to 5 minutes', () => {
    const rig = capped();
    expect(rig.counts).toEqual([10, 1, 1]);
    expect(rig.plan(4_999)).toEqual([]);
    expect(probesS(rig, 1_300)).toEqual([5, 15, 35, 75, 155, 315, 615, 915, 1215]);
    expect(rig.counts).toEqual([10, 1, 1]);
  });

  it('of nothing is tried every minute at least', () => {
    const rig = new Rig().want('a', 'b');
    rig.plan();
    rig.answer('a', FULL).answer('b', FULL);
    expect(rig.counts).toEqual([2, 0, 0]);
    expect(probesS(rig, 260)).toEqual([5, 15, 35, 75, 135, 195, 255]);
  });

  it('rises by 1, 2, 4 … every 5 seconds while there is room', () => {
    const rig = capped();
    const taken: number[] = [];
    for (let second = 5; second <= 25; second += 5) {
      expect(rig.plan(second * 1_000 - 1)).toEqual([]);
      const commands = rig.plan(second * 1_000);
      taken.push(commands.length);
      for (const command of commands) rig.answer(command.slice(1), null, second * 1_000);
    }
    expect([taken, rig.counts]).toEqual([
      [1, 2, 4, 2, 0],
      [10, 10, 16],
    ]);
  });

  it('rises by one again after a refusal', () => {
    const rig = capped();
    for (const second of [5, 10]) {
      const commands = rig.plan(second * 1_000);
      for (const command of commands) rig.answer(command.slice(1), null, second * 1_000);
    }
    const [accepted, ...others] = rig.plan(15_000);
    rig.answer((accepted as string).slice(1), null, 15_000);
    for (const command of others) rig.answer(command.slice(1), FULL, 15_000);
    expect(rig.counts).toEqual([10, 5, 5]);
    expect(rig.plan(24_999)).toEqual([]);
    expect(rig.plan(25_000)).toHaveLength(1);
  });

  it('is not tried while no wanted event waits for a place', () => {
    const rig = new Rig().hold('a').want('b');
    rig.plan();
    rig.answer('b', FULL).all.unwant(named('b'));
    expect([rig.plan(1e6), rig.counts]).toEqual([[], [1, 1, 1]]);
    expect(rig.want('b').plan(2e6)).toEqual(['+b']);
  });

  it('that falls is tried soon, though it was tried seldom before', () => {
    const rig = new Rig().hold('a', 'b').want('c');
    rig.plan();
    rig.answer('c', FULL);
    expect(probesS(rig, 100)).toEqual([5, 15, 35, 75]);
    rig.all.reset();
    rig.plan(100_000);
    rig.answer('a', null, 100_000).answer('b', FULL, 100_000);
    expect(rig.counts).toEqual([3, 1, 1]);
    expect([rig.plan(104_999), rig.plan(105_000)]).toEqual([[], ['+b']]);
  });
});

describe('an event that the exchange removed', () => {
  it('is registered anew if it is wanted and was registered', () => {
    const rig = new Rig().hold('a', 'b');
    rig.all.unwant(named('b'));
    rig.want('c').plan();
    rig.hold('b');
    for (const id of ['a', 'c', 'x']) rig.all.removed(named(id));
    expect(rig.plan()).toEqual(['+a']);
    rig.all.unwant(named('b'));
    rig.all.removed(named('b'));
    expect(rig.plan()).toEqual(['-b']);
  });
});

describe('a lost answer', () => {
  it('lets a wanted event be requested again, and one that is no longer wanted be given up', () => {
    const rig = new Rig().want('a', 'b');
    rig.plan();
    rig.all.unwant(named('b'));
    rig.all.unanswered(register('a'));
    rig.all.unanswered(register('b'));
    expect(rig.plan()).toEqual(['-b', '+a']);
  });

  it('changes nothing for an event that is registered or wrong, nor for an unregistration', () => {
    const rig = new Rig().hold('a').want('b', 'c');
    rig.plan();
    rig.answer('b', 'bad_json');
    rig.all.unanswered(register('a'));
    rig.all.unanswered(register('b'));
    rig.all.unanswered({ ...register('c'), kind: 'unregister' });
    expect([rig.plan(1e9), rig.counts]).toEqual([[], [3, 1, Infinity]]);
  });

  it('names the event that is given up, though a reset came between', () => {
    const rig = new Rig();
    rig.all.unanswered(register('a'));
    expect(rig.all.plan(0)).toEqual([{ kind: 'unregister', ...named('a') }]);
  });
});

describe('the exchange’s list', () => {
  it('adds what it has, drops what it has not, and leaves alone what is not answered yet', () => {
    const rig = new Rig().hold('a', 'b').want('c', 'd');
    rig.plan();
    rig.answer('d', 'bad_json');
    rig.all.reconcile(['b', 'c', 'd', 'x'].map(named));
    expect(rig.counts).toEqual([4, 2, Infinity]);
    expect(rig.all.plan(0)).toEqual([{ kind: 'unregister', ...named('x') }, register('a')]);
    expect(rig.answer('c').counts).toEqual([4, 2, Infinity]);
  });
});

import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { heartbeatBeats, type HeartbeatCalls } from '../../../src/app/doctor/heartbeat.ts';
import { ids, NotFound } from '../../../src/app/exchange/connect.ts';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import type { CallOptions } from '../../../src/ports/venue.ts';

const ID = ids.heartbeatId('hb-1');
type Step = 'create' | 'refresh' | 'delete';

/** An exchange that answers on demand, and the person at the terminal. */
class OrderManagerRig {
  readonly clock = new VirtualClock(0);
  readonly held = new Set<Step>();
  readonly asked: Step[] = [];
  failure: Error | null = null;
  listening = false;
  stop: (signal: string) => void = () => undefined;
  force: () => void = () => undefined;
  #answer: () => void = () => undefined;

  readonly #ask = async (step: Step, options: CallOptions = {}): Promise<void> => {
    this.asked.push(step);
    expect(this.listening).toBe(true);
    if (this.held.has(step))
      await new Promise<void>((resolve, reject) => {
        this.#answer = resolve;
        options.signal?.addEventListener('abort', () => reject(new TransportError('unknown', 'aborted')));
      });
    if (step === 'delete' && this.failure !== null) throw this.failure;
  };

  readonly heartbeats: HeartbeatCalls = {
    list: async () => [],
    create: (_timeoutS, options) => this.#ask('create', options).then(() => this.#beat),
    refresh: (_id, options) => this.#ask('refresh', options).then(() => this.#beat),
    delete: (_id, options) => this.#ask('delete', options),
  };

  get #beat() {
    return { heartbeatId: ID, expiryMs: null };
  }

  /** Runs the check; each act follows when everything waits. */
  async examine(...acts: readonly (() => void)[]): Promise<unknown> {
    const found = heartbeatBeats({ heartbeats: this.heartbeats }, this.clock, (stop, force) => {
      [this.stop, this.force, this.listening] = [stop, force, true];
      return () => void (this.listening = false);
    }).catch((error: unknown) => error);
    for (const act of acts) {
      await this.clock.advance(0);
      act();
    }
    const finding = await found;
    expect(this.listening).toBe(false);
    return finding;
  }

  readonly answer = (): void => this.#answer();
}

const ALL: readonly Step[] = ['create', 'refresh', 'delete'];
const LEFT =
  'heartbeat hb-1 is left: not now; it runs out by 1970-01-01T00:05:00.000Z, which closes every open order of the account';

describe('the doctor’s heartbeat', () => {
  it('is refreshed and deleted', async () => {
    const rig = new OrderManagerRig();
    expect(await rig.examine()).toBe('refreshed in 0 ms and deleted; 0 others on the account');
    expect(rig.asked).toEqual(ALL);
  });

  it('tells how long one request takes, of the two that it measures, and how many other heartbeats there are', async () => {
    const rig = new OrderManagerRig();
    const slow = async <T>(ms: number, answer: Promise<T>): Promise<T> => {
      await rig.clock.advance(ms);
      return answer;
    };
    const { create, refresh, delete: remove } = rig.heartbeats;
    const heartbeats: HeartbeatCalls = {
      list: async () =>
        [ids.heartbeatId('a'), ids.heartbeatId('b')].map((heartbeatId) => ({ heartbeatId, expiryMs: 1 })),
      create: (...given) => slow(5_000, create(...given)),
      refresh: (...given) => slow(300, refresh(...given)),
      delete: (...given) => slow(100, remove(...given)),
    };
    const found = await heartbeatBeats({ heartbeats }, rig.clock, () => {
      rig.listening = true;
      return () => void (rig.listening = false);
    });
    expect(found).toBe('refreshed in 200 ms and deleted; 2 others on the account');
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is deleted at %s', async (signal) => {
    const rig = new OrderManagerRig();
    rig.held.add('refresh');
    const error = await rig.examine(() => rig.stop(signal));
    expect(error).toMatchObject({
      code: 'interrupted',
      signal,
      message: `${signal}: the heartbeat is deleted`,
    });
    expect(rig.asked).toEqual(ALL);
  });

  it.each(['create', 'delete'] as const)('is deleted at a signal during its %s', async (step) => {
    const rig = new OrderManagerRig();
    rig.held.add(step);
    const error = await rig.examine(() => rig.stop('SIGINT'), rig.answer);
    expect(error).toMatchObject({ message: 'SIGINT: the heartbeat is deleted' });
    expect(rig.asked).toEqual(ALL);
  });

  it('is reported with the effect of its end when it cannot be deleted', async () => {
    const rig = new OrderManagerRig();
    rig.failure = new VenueRejection('not_now', 400, 'not now');
    const advice = 'touchline exchange heartbeats --delete hb-1';
    expect(await rig.examine()).toMatchObject({ message: LEFT, details: { advice } });
    rig.held.add('refresh');
    const error = await rig.examine(() => rig.stop('SIGINT'));
    expect(error).toMatchObject({ message: `SIGINT: ${LEFT}`, details: { advice } });
  });

  it('may stay, and is reported, at a second signal while the exchange does not answer', async () => {
    const rig = new OrderManagerRig();
    rig.held.add('delete');
    const error = await rig.examine(
      () => rig.stop('SIGINT'),
      () => rig.force(),
    );
    expect(error).toMatchObject({
      message: expect.stringMatching(/^SIGINT: heartbeat hb-1 may be left: aborted; /) as string,
    });
  });

  it('is not left when the exchange no longer knows it', async () => {
    const rig = new OrderManagerRig();
    rig.failure = new NotFound('heartbeat_not_found', 404, 'no such heartbeat');
    expect(await rig.examine()).toMatchObject({ message: 'no such heartbeat' });
  });
});

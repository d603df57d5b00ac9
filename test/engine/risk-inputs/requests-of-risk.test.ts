import { describe, expect, it } from 'vitest';
import { settle, VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { type EventName, isSameEvent } from '../../../src/domain/events.ts';
import { betType, type BetType, eventId, sport, type Sport } from '../../../src/domain/ids.ts';
import { AccountWatch } from '../../../src/engine/risk-inputs/account-watch.ts';
import { GridLookups } from '../../../src/engine/risk-inputs/grid-lookups.ts';
import { type LogFields, silentLogger } from '../../../src/ports/logger.ts';
import type { BetTypeInfo, Venue } from '../../../src/ports/venue.ts';
import type { RiskRead } from '../../../src/risk/index.ts';
import { inputsTo } from '../../support/inputs.ts';

const eventOf = (id: string, of = 'fb'): EventName => ({ sport: sport(of), eventId: eventId(id) });
const [A, B, C] = [eventOf('a'), eventOf('b'), eventOf('c')];

/** The positions that are compared, by seconds; those in `differing` differ. */
function comparing(...held: readonly EventName[]) {
  const clock = new VirtualClock();
  const state = { held, differing: [] as EventName[], isDown: false };
  const asked: string[] = [];
  const positions: unknown[] = [];
  const balances: unknown[] = [];
  const logged: (LogFields | undefined)[] = [];
  const warned: string[] = [];
  const venue = {
    balance: async () => {
      if (state.isDown) throw new TransportError('unknown', 'cut');
      return 'a balance' as never;
    },
    position: async (query: EventName) => {
      asked.push(`${clock.monotonicMs() / 1_000} ${query.sport} ${query.eventId}`);
      if (state.isDown) throw new TransportError('unknown', 'cut');
      return { ...query, unknownBetsCount: 0 } as never;
    },
  } as object as Pick<Venue, 'balance' | 'position'>;
  const risk = { positions: () => state.held } as object as RiskRead;
  const account = { apply: (event: unknown) => void balances.push(event) } as never;
  const core = inputsTo((input) => {
    if (input.kind !== 'position') return null;
    positions.push(input.position);
    return state.differing.some((event) => isSameEvent(event, input.position)) ? { ours: 1 } : null;
  });
  const logger = {
    ...silentLogger,
    error: (_: string, fields?: LogFields) => void logged.push(fields),
    warn: (message: string) => void warned.push(message),
  };
  const watch = new AccountWatch(venue, { ...core, account, risk }, clock, logger);
  const live = async (seconds: number): Promise<string[]> => {
    for (let second = 0; second < seconds; second++) {
      watch.tick();
      await clock.advance(1_000);
    }
    return asked.splice(0);
  };
  return { state, asked, positions, balances, logged, warned, live };
}

describe('the positions of events', () => {
  it('are compared one every ten seconds, the one longest ago first', async () => {
    const { live, positions, balances } = comparing(A, B, C);
    expect(await live(41)).toEqual(['0 fb a', '10 fb b', '20 fb c', '30 fb a', '40 fb b']);
    expect(positions[0]).toEqual({ ...A, unknownBetsCount: 0 });
    expect(balances).toEqual(Array(2).fill({ kind: 'balance', balance: 'a balance' }));
  });

  it('that differ are compared again as if they were ten times older', async () => {
    const { state, live } = comparing(A, B, C);
    state.differing = [B];
    // After 20 s, B is as old as another of 100 s.
    expect(await live(61)).toEqual([
      '0 fb a',
      '10 fb b',
      '20 fb c',
      '30 fb b',
      '40 fb b',
      '50 fb b',
      '60 fb b',
    ]);
    state.differing = [];
    expect(await live(50)).toEqual(['70 fb b', '80 fb a', '90 fb c', '100 fb b', '110 fb a']);
  });

  it('are those of the events that are held, each sport of an id by itself', async () => {
    const half = eventOf('a', 'fb_ht');
    const { state, live } = comparing(A, half);
    expect(await live(11)).toEqual(['0 fb a', '10 fb_ht a']);
    state.held = [half];
    expect(await live(20)).toEqual(['20 fb_ht a', '30 fb_ht a']);
    state.held = [];
    expect(await live(20)).toEqual([]);
    // An event that came back counts as never compared.
    state.held = [half, A];
    expect(await live(20)).toEqual(['60 fb_ht a', '70 fb a']);
  });

  it('that differ are logged the first, second, fourth and eighth time, and anew after they agreed', async () => {
    const { state, live, logged } = comparing(A);
    state.differing = [A];
    await live(91);
    const line = (times: number) => ({ ...A, times, ours: 1 });
    expect(logged).toEqual([1, 2, 4, 8].map(line));
    state.differing = [];
    await live(10);
    state.differing = [A];
    await live(10);
    expect(logged.slice(4)).toEqual([line(1)]);
  });

  it('and the balance are asked for again after a failure', async () => {
    const { state, live, warned, balances } = comparing(A);
    state.isDown = true;
    expect(await live(21)).toHaveLength(3);
    expect([warned.length, balances]).toEqual([4, []]);
    state.isDown = false;
    await live(10);
    expect(balances).toHaveLength(1);
  });
});

/** Lookups whose answers the test gives. */
function looking(isWanted: (type: BetType) => boolean = () => true) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const given: unknown[] = [];
  const answers: PromiseWithResolvers<BetTypeInfo>[] = [];
  const betTypeInfo = (of: Sport, type: BetType) => {
    asked.push(`${of} ${type}`);
    const answer = Promise.withResolvers<BetTypeInfo>();
    answers.push(answer);
    return answer.promise;
  };
  const core = inputsTo((input) => {
    if (input.kind === 'grid') given.push([input.sport, input.betType, input.grid]);
  });
  const risk = { wantsGrid: (_: Sport, type: BetType) => isWanted(type) } as RiskRead;
  const lookups = new GridLookups({ betTypeInfo }, { ...core, risk }, clock, silentLogger);
  const want = (type: string, of = 'fb'): void => lookups.want(sport(of), betType(type));
  const fail = async (error: Error): Promise<void> => {
    answers.shift()?.reject(error);
    await settle();
  };
  return { clock, asked, given, answers, lookups, want, fail };
}

describe('the lookups of bet types', () => {
  it('are of what risk wants alone, two at a time, and each sport by itself', async () => {
    const { asked, given, answers, want } = looking((type) => type !== 'known');
    for (const type of ['known', 'for,h', 'for,a', 'for,d', 'for,h']) want(type);
    want('for,h', 'ih');
    expect(asked).toEqual(['fb for,h', 'fb for,a']);
    answers[1]?.resolve({ grid: [['l']] } as object as BetTypeInfo);
    await settle();
    expect(given).toEqual([['fb', 'for,a', [['l']]]]);
    expect(asked.slice(2)).toEqual(['fb for,d']);
    answers[0]?.reject(new TransportError('unknown', 'cut'));
    await settle();
    expect(asked.slice(3)).toEqual(['ih for,h']);
  });

  const REFUSALS: readonly (readonly [status: number, code: string, times: number])[] = [
    [400, 'invalid_bet_type', 1],
    [404, 'not_found', 1],
    [400, 'odd', 3],
    [403, 'forbidden', 3],
    [499, 'odd', 3],
    [399, 'odd', Infinity],
    [401, 'auth_error', Infinity],
    [408, 'odd', Infinity],
    [429, 'throttled', Infinity],
    [500, 'not_found', Infinity],
    [503, 'odd', Infinity],
  ];

  it.each(REFUSALS)('refused with %i %s are given up after so many: %d', async (status, code, times) => {
    const { clock, asked, given, lookups, want, fail } = looking();
    want('for,h');
    for (let round = 0; round < 5; round++) {
      await fail(new VenueRejection(code, status, 'no'));
      await clock.advance(30_000);
      lookups.retry();
    }
    expect([asked.length, given]).toEqual(times === Infinity ? [6, []] : [times, [['fb', 'for,h', null]]]);
  });

  it('are given up only after refusals in a row', async () => {
    const { clock, given, lookups, want, fail } = looking();
    const refusal = new VenueRejection('odd', 400, 'no');
    want('for,h');
    for (const error of [refusal, refusal, new TransportError('unknown', 'cut'), refusal, refusal]) {
      await fail(error);
      await clock.advance(30_000);
      lookups.retry();
    }
    expect(given).toEqual([]);
    await fail(refusal);
    expect(given).toEqual([['fb', 'for,h', null]]);
  });

  it('that failed are not repeated before half a minute, wanted or not', async () => {
    const { clock, asked, lookups, want, fail } = looking();
    want('for,h');
    await fail(new TransportError('unknown', 'cut'));
    await clock.advance(29_999);
    lookups.retry();
    want('for,h');
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    lookups.retry();
    expect(asked).toHaveLength(2);
  });

  it('that failed and are no longer wanted are not repeated', async () => {
    let isWanted = true;
    const { clock, asked, lookups, want, fail } = looking(() => isWanted);
    want('for,h');
    await fail(new TransportError('unknown', 'cut'));
    await clock.advance(30_000);
    isWanted = false;
    lookups.retry();
    isWanted = true;
    lookups.retry();
    expect(asked).toHaveLength(1);
    want('for,h');
    expect(asked).toHaveLength(2);
  });
});

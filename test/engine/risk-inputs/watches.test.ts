import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import {
  betId,
  type BetType,
  betType,
  eventId,
  orderId,
  type Sport,
  sport,
} from '../../../src/domain/ids.ts';
import { ClosingWatch } from '../../../src/engine/kill/kill-latch.ts';
import { AccountWatch } from '../../../src/engine/risk-inputs/account-watch.ts';
import { GridLookups } from '../../../src/engine/risk-inputs/grid-lookups.ts';
import { RiskMemory } from '../../../src/engine/risk-inputs/risk-memory.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { BetTypeInfo, Venue } from '../../../src/ports/venue.ts';
import { parseBetType, winLossGrid } from '../../../src/domain/bet-types/index.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { ask, bench, codesOf, fillOf } from '../../risk/support/harness.ts';
import { betsOf } from '../../support/account.ts';
import { silentAccount } from '../../support/account.ts';
import { inputsOf, inputsTo } from '../../support/inputs.ts';
import type { Market } from '../../../src/market/index.ts';
import type { RiskRead } from '../../../src/risk/index.ts';

const FOOTBALL = sport('fb');
const createNoMarket = (): Market => ({ setGrid: () => true }) as object as Market;
const EVENT = eventId('2026-11-21,1,2');

describe('grid lookups', () => {
  const rig = (answer: (type: BetType) => Promise<BetTypeInfo>) => {
    const clock = new VirtualClock();
    const asked: BetType[] = [];
    const known = new Set<BetType>();
    const without: BetType[] = [];
    const betTypeInfo: Venue['betTypeInfo'] = (_, type) => (asked.push(type), answer(type));
    const risk = { wantsGrid: (_: Sport, type: BetType) => !known.has(type) } as RiskRead;
    const core = inputsTo((input) => {
      if (input.kind !== 'grid') return;
      if (input.grid === null || input.grid.length === 0) without.push(input.betType);
      else known.add(input.betType);
    });
    const lookups = new GridLookups({ betTypeInfo }, { ...core, risk }, clock, silentLogger);
    return { clock, asked, known, without, lookups };
  };
  const info = (type: BetType): BetTypeInfo => ({
    sport: FOOTBALL,
    betType: type,
    description: '',
    grid: [['w']],
  });

  it('ask for each bet type once, two at a time', async () => {
    const { clock, asked, known, lookups } = rig(async (type) => info(type));
    const types = ['for,h', 'for,d', 'for,a'].map(betType);
    for (const type of [...types, ...types]) lookups.want(FOOTBALL, type);
    expect(asked).toEqual(types.slice(0, 2));
    await clock.advance(0);
    expect(asked).toEqual(types);
    for (const type of types) lookups.want(FOOTBALL, type);
    expect([asked.length, known.size]).toEqual([3, 3]);
  });

  it('retry after a failure, and never where there is no grid', async () => {
    const { clock, asked, without, lookups } = rig(async (type) => {
      if (type === 'for,h') throw new TransportError('unknown', 'cut');
      throw new VenueRejection('invalid_bet_type', 400, 'no');
    });
    const want = async (): Promise<void> => {
      for (const type of ['for,h', 'for,win,7']) lookups.want(FOOTBALL, betType(type));
      await clock.advance(15_000);
    };
    for (let round = 0; round < 5; round++) await want();
    expect(asked).toEqual(['for,h', 'for,win,7', 'for,h', 'for,h']);
    expect(without).toEqual(['for,win,7']);
  });

  it('retry a refusal that does not name the bet type, until the third in a row', async () => {
    const answers = ['forbidden', 'cut', 'validation_error', 'forbidden', 'validation_error'];
    const { clock, asked, without, lookups } = rig(async () => {
      const code = answers.shift() ?? 'none';
      if (code === 'cut') throw new TransportError('unknown', 'cut');
      throw new VenueRejection(code, code === 'forbidden' ? 403 : 400, 'no');
    });
    for (let round = 0; round < 8; round++) {
      lookups.want(FOOTBALL, betType('for,h'));
      await clock.advance(30_000);
    }
    expect([asked.length, without]).toEqual([5, ['for,h']]);
  });

  it('treat an unusable answer as none, once', async () => {
    const { clock, asked, without, lookups } = rig(async (type) => ({ ...info(type), grid: [] }));
    for (let round = 0; round < 5; round++) {
      lookups.want(FOOTBALL, betType('for,h'));
      await clock.advance(15_000);
    }
    expect([asked, without]).toEqual([['for,h'], ['for,h']]);
  });

  it('retry what failed on their own, once it is time', async () => {
    let isUp = false;
    const { clock, asked, known, lookups } = rig(async (type) => {
      if (!isUp) throw new TransportError('unknown', 'cut');
      return info(type);
    });
    lookups.want(FOOTBALL, betType('for,h'));
    await clock.advance(29_000);
    lookups.retry();
    expect(asked).toHaveLength(1);
    isUp = true;
    await clock.advance(1_000);
    lookups.retry();
    await clock.advance(0);
    lookups.retry();
    expect([asked.length, known.size]).toEqual([2, 1]);
  });

  it('remember a bet type once, for any number of failures and requests', async () => {
    const { clock, asked, lookups } = rig(async () => {
      throw new VenueRejection('unavailable', 503, 'no');
    });
    for (let second = 0; second < 3_600; second++) {
      lookups.want(FOOTBALL, betType('for,h'));
      lookups.retry();
      await clock.advance(1_000);
    }
    expect(asked).toHaveLength(120);
    let looks = 0;
    const monotonicMs = clock.monotonicMs.bind(clock);
    clock.monotonicMs = () => (looks++, monotonicMs());
    lookups.retry();
    expect(looks).toBeLessThan(5);
  });
});

describe('an order that seems to reduce', () => {
  it.each([
    ['arrives', async (type: BetType) => winLossGrid(parseBetType('fb', type)!)],
    ['is refused for good', () => Promise.reject(new VenueRejection('invalid_bet_type', 400, 'no'))],
    ['is unknown there', () => Promise.reject(new VenueRejection('not_found', 404, 'no'))],
  ])('does not count as reducing after a restart until each payoff grid %s', async (_, answer) => {
    const { risk } = bench();
    const clock = new VirtualClock();
    let isUp = false;
    const betTypeInfo = async (at: Sport, type: BetType): Promise<BetTypeInfo> => {
      if (!isUp) throw new TransportError('unknown', 'cut');
      return { sport: at, betType: type, description: '', grid: await answer(type) };
    };
    const core = { ...inputsOf({ risk, market: createNoMarket() }), risk };
    const lookups = new GridLookups({ betTypeInfo }, core, clock, silentLogger);
    for (const type of ['against,h', 'against,dc,h,d']) {
      betsOf(risk).report(fillOf(ask({ betType: type }), 10));
      lookups.want(FOOTBALL, betType(type));
    }
    const reduces = (): boolean => risk.reduces(ask({ betType: 'for,h', stake: 5 }));
    await clock.advance(30_000);
    expect(reduces()).toBe(false);
    isUp = true;
    lookups.retry();
    await clock.advance(0);
    expect(reduces()).toBe(true);
  });
});

it('lets no order beyond the limits when a lookup is refused once after a restart', async () => {
  const limit = 400;
  const { risk } = bench({
    order: { maxStakeUsdt: limit, maxLiabilityUsdt: limit },
    worstCase: { selectionUsdt: limit, eventUsdt: limit },
  });
  const clock = new VirtualClock();
  let isUp = false;
  const betTypeInfo = async (at: Sport, type: BetType): Promise<BetTypeInfo> => {
    if (!isUp)
      throw new VenueRejection('validation_error', 400, 'refused by what stands before the exchange');
    return { sport: at, betType: type, description: '', grid: winLossGrid(parseBetType('fb', type)!) };
  };
  const core = { ...inputsOf({ risk, market: createNoMarket() }), risk };
  const lookups = new GridLookups({ betTypeInfo }, core, clock, silentLogger);
  // Against home, and against draw or away: one of the two always wins, so they cancel.
  for (const type of ['against,h', 'against,dc,d,a']) {
    betsOf(risk).report(fillOf(ask({ betType: type }), 390));
    lookups.want(FOOTBALL, betType(type));
  }
  await clock.advance(0);
  expect(codesOf(risk, ask({ betType: 'for,h', stake: 390 }))).toContain('event_worst_case');
  isUp = true;
  await clock.advance(30_000);
  lookups.retry();
  await clock.advance(0);
  expect(risk.accountExposure().worstMicros).toBe(0);
});

describe('memory of risk', () => {
  it('restores the last snapshot and every settlement, beside records of other writers', () => {
    const clock = new VirtualClock();
    const journal = createMemoryJournal(clock);
    const memory = new RiskMemory(journal);
    expect(memory.load()).toEqual({ snapshot: null, settled: [], standing: new Map() });
    const kill = { by: 'me', reason: 'x', atMs: 5 };
    const of = { orderId: orderId(1), sport: FOOTBALL, eventId: EVENT };
    const settled = { ...of, profitLossMicros: -5, betIds: [betId(7)] };
    memory.save({ kill: null, states: [], results: [] });
    journal.append([{ kind: 'run_started', uuid: null, data: { run: '1' } }]);
    memory.saveSettled(settled);
    for (const stands of [false, true, false]) memory.saveStanding({ betId: betId(8), stands });
    memory.save({ kill, states: [], results: [] });
    expect(new RiskMemory(journal).load()).toEqual({
      snapshot: { kill, states: [], results: [] },
      settled: [{ ...settled, reportedMs: clock.wallMs() }],
      standing: new Map([[betId(8), false]]),
    });
  });
});

describe('closing after a kill', () => {
  it('fails when orders stay open for ten seconds', async () => {
    const clock = new VirtualClock();
    const watch = new ClosingWatch(clock);
    watch.see(true, 3);
    await clock.advance(10_000);
    watch.see(true, 1);
    expect(watch.failed).toBe(false);
    await clock.advance(1);
    expect(watch.failed).toBe(true);
    watch.see(true, 0);
    expect(watch.failed).toBe(false);
    watch.see(false, 9);
    await clock.advance(20_000);
    expect(watch.failed).toBe(false);
  });
});

describe('requests about the account', () => {
  it('read the balance now and then, and one position after the other', async () => {
    const clock = new VirtualClock();
    const asked: string[] = [];
    const other = eventId('2026-11-22,3,4');
    const venue: Pick<Venue, 'balance' | 'position'> = {
      balance: async () => {
        asked.push('balance');
        throw new TransportError('unknown', 'cut');
      },
      position: async ({ eventId: id }) => {
        asked.push(id ?? '');
        return {
          sport: FOOTBALL,
          eventId: EVENT,
          payoffGridMicros: null,
          totals: new Map(),
          unknownBetsCount: 0,
        };
      },
    };
    const held = [EVENT, other].map((id) => ({ sport: FOOTBALL, eventId: id }));
    const risk = { positions: () => held } as unknown as RiskRead;
    const core = { ...inputsTo(() => null), account: silentAccount(), risk };
    const watch = new AccountWatch(venue, core, clock, silentLogger);
    for (let second = 0; second < 31; second++) {
      watch.tick();
      await clock.advance(1_000);
    }
    expect(asked).toEqual(['balance', EVENT, other, EVENT, 'balance', other]);
  });
});

import { describe, expect, it } from 'vitest';
import type { MovedChange, ReopenedChange, ResultChange } from '../../../src/account/changes.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { BetState } from '../../../src/domain/bet-lifecycle.ts';
import { JournalDamage } from '../../../src/domain/errors.ts';
import { betId, orderId } from '../../../src/domain/ids.ts';
import type { OrderResult } from '../../../src/domain/settlement.ts';
import { BetRecords, lastResults } from '../../../src/engine/risk-inputs/bet-records.ts';
import { KeptRisk, type KeptRiskOptions } from '../../../src/engine/risk-inputs/kept-risk.ts';
import {
  type RememberedBets,
  RiskMemory,
  SETTLED,
  SNAPSHOT,
} from '../../../src/engine/risk-inputs/risk-memory.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Journal } from '../../../src/ports/journal.ts';
import type { KillRecord } from '../../../src/risk/index.ts';
import { memoryFile } from '../../../src/storage/files/memory-file.ts';
import { createMemoryJournal, type MemoryStore, memoryStore } from '../../../src/storage/memory-journal.ts';
import { FB, EVENT, FILL, HOME } from '../../market/support.ts';

const KILL: KillRecord = { by: 'anna', reason: 'drill', atMs: 5 };
const KNOWN = { kill: null, states: [], results: [{ of: 'account' }] };
const PLACES = [{ place: 1 }];
const RESULT: OrderResult = { orderId: orderId(7), sport: FB, eventId: EVENT, profitLossMicros: -5 };

/** What outlives a run. */
const disk = () => ({ store: memoryStore(), permit: { text: null as string | null }, isFull: false });

/** A run on a disk, in which risk knows some things. */
function run(on: ReturnType<typeof disk>, journalOf: (store: MemoryStore) => Partial<Journal> = () => ({})) {
  const clock = new VirtualClock();
  const beforeAppend = (): void => {
    if (on.isFull) throw new Error('full');
  };
  const journal = {
    ...createMemoryJournal(clock, { store: on.store, beforeAppend }),
    ...journalOf(on.store),
  };
  const told: unknown[] = [];
  const state = { recovered: true, journalFailed: false, killed: null as KillRecord | null };
  const options: object = {
    journal,
    clock,
    logger: silentLogger,
    killFile: null,
    permit: memoryFile({ store: on.permit }),
    core: {
      apply: (input: { readonly kind: string; readonly snapshot?: { readonly kill: KillRecord | null } }) => {
        told.push(input);
        if (input.kind === 'restored_risk') state.killed = input.snapshot?.kill ?? null;
      },
      account: { apply: (news: unknown) => void told.push(news) },
      risk: {
        get killed() {
          return state.killed;
        },
        snapshot: () => ({ ...KNOWN, places: PLACES, winnerMarkets: ['w'] }),
      },
      ledger: {
        judgedTotals: () => ['t'],
        recallTotals: (totals: unknown) => void told.push(['totals', totals]),
      },
    },
    orders: {
      status: () => state,
      journalFailed: (error: unknown) => void told.push(['journal failed', error]),
      resumeQuoting: () => void told.push('quotes again'),
    },
    fairValues: {
      recall: (fairs: unknown) => void told.push(['fairs', fairs]),
      fairsHeld: () => [[HOME, 0.5]],
    },
  };
  const kept = new KeptRisk(options as KeptRiskOptions);
  const saved = () => Array.from(journal.ofKind(SNAPSHOT), ({ data }) => data);
  return { clock, journal, kept, told, state, saved };
}

const WHOLE = { ...KNOWN, places: PLACES, winnerMarkets: ['w'], fairs: [[HOME, 0.5]], eventTotals: ['t'] };

describe('what risk keeps', () => {
  it('is all that it knows of bets once they are known, and what an earlier run knew before that', () => {
    const on = disk();
    const first = run(on);
    first.kept.restore();
    expect(first.kept.save()).toBe(true);
    expect(first.saved()).toEqual([{ ...WHOLE, settledRecords: 0 }]);
    const second = run(on);
    second.state.recovered = false;
    second.kept.restore();
    expect(second.told).toEqual([
      { kind: 'restored_risk', snapshot: { ...KNOWN, places: PLACES, winnerMarkets: ['w'] } },
      ['fairs', [[HOME, 0.5]]],
      ['totals', ['t']],
    ]);
    second.kept.save();
    expect(second.saved()[1]).toEqual({ ...WHOLE, settledRecords: 0 });
    const third = run(disk());
    third.state.recovered = false;
    third.kept.restore();
    third.kept.save();
    expect(third.saved()[0]).toMatchObject({ places: [], winnerMarkets: [], fairs: [], eventTotals: ['t'] });
  });

  it.each([
    [true, false, true],
    [false, false, false],
    [true, true, false],
  ])('counts as all bets if recovered is %s and the journal failed is %s: %s', (...row) => {
    const { kept, state } = run(disk());
    [state.recovered, state.journalFailed] = [row[0], row[1]];
    expect(kept.knowsAllBets).toBe(row[2]);
  });

  it('is saved at the first second, then once a minute, and soon where that is asked for', async () => {
    const { kept, clock, saved } = run(disk());
    const counts: number[] = [];
    const second = async (ms: number): Promise<void> => {
      kept.housekeeping();
      counts.push(saved().length);
      await clock.advance(ms);
    };
    for (const ms of [59_999, 1, 1_000]) await second(ms);
    kept.saveSoon();
    for (const ms of [1_000, 0]) await second(ms);
    expect(counts).toEqual([1, 1, 2, 3, 3]);
  });

  it('is not saved where the journal refuses it', () => {
    const on = disk();
    const { kept } = run(on);
    kept.restore();
    on.isFull = true;
    expect(kept.save()).toBe(false);
  });

  it('is nothing new of a fresh disk, which gets its permit and its note of it once', () => {
    const on = disk();
    for (const count of [1, 1]) {
      const { kept, told, journal } = run(on);
      kept.restore();
      expect(told).toEqual([
        ['fairs', []],
        ['totals', []],
      ]);
      expect([...journal.ofKind('permit_granted')]).toHaveLength(count);
    }
    expect(on.permit.text).not.toBeNull();
  });
});

describe('a kill of an earlier run', () => {
  it('is restored from the permit alone, and kept in both places from then on', () => {
    const on = disk();
    run(on).kept.restore();
    on.permit.text = JSON.stringify(KILL);
    const { kept, told, saved } = run(on);
    kept.restore();
    const none = { states: [], results: [], places: [], winnerMarkets: [] };
    expect(told.at(-1)).toEqual({ kind: 'restored_risk', snapshot: { kill: KILL, ...none } });
    expect([kept.latchedIn, kept.unlatched, saved().length]).toEqual(['journal', null, 1]);
  });

  it('in the journal is not written over by that of the permit', () => {
    const on = disk();
    const first = run(on);
    first.kept.restore();
    first.journal.append([
      { kind: SNAPSHOT, uuid: null, data: { ...KNOWN, kill: { ...KILL, reason: 'first' } } },
    ]);
    on.permit.text = JSON.stringify(KILL);
    const { kept, told, state } = run(on);
    kept.restore();
    expect(told.filter((input) => (input as { kind?: string }).kind === 'restored_risk')).toHaveLength(1);
    expect(state.killed?.reason).toBe('first');
  });

  it('of a person is found every second, and not while another kill holds', () => {
    const on = disk();
    const { kept, told, state } = run(on);
    kept.restore();
    told.length = 0;
    kept.watchKills();
    expect(told).toEqual([]);
    on.permit.text = JSON.stringify(KILL);
    state.killed = KILL;
    kept.watchKills();
    expect(told).toEqual([]);
    state.killed = null;
    kept.watchKills();
    expect(told).toEqual([{ kind: 'kill', why: 'drill', by: 'anna' }]);
  });
});

describe('a resume', () => {
  it('is lasting once journal and permit have it, and else kills again', () => {
    const on = disk();
    const { kept, told } = run(on);
    kept.restore();
    kept.keepKill(KILL);
    expect(on.permit.text).toContain('drill');
    told.length = 0;
    kept.keepResume(KILL);
    expect([told, on.permit.text?.includes('drill'), kept.latchedIn]).toEqual([
      ['quotes again'],
      false,
      null,
    ]);
    on.isFull = true;
    kept.keepResume(KILL);
    expect(told[1]).toEqual({ kind: 'kill', why: 'the resume was not written down: drill', by: 'anna' });
  });
});

describe('a damaged journal', () => {
  it('stops the orders, and is no reason for a fault of ours to be silent', () => {
    const damage = new JournalDamage('damaged');
    const { kept, told } = run(disk(), () => ({
      last: () => {
        throw damage;
      },
    }));
    kept.restore();
    expect(told[0]).toEqual(['journal failed', damage]);
    expect(told.slice(1, 3)).toEqual([
      ['fairs', []],
      ['totals', []],
    ]);
    // Nothing may be written over a kill that cannot be read.
    expect(kept.save()).toBe(false);
    const bug = run(disk(), () => ({
      last: () => {
        throw new TypeError('a bug');
      },
    }));
    expect(() => bug.kept.restore()).toThrow('a bug');
  });

  it('that lost records of settled bets is noticed by the number that a snapshot had counted', () => {
    const on = disk();
    const first = run(on);
    const memory = new RiskMemory(first.journal);
    memory.load();
    for (const id of [1, 2]) memory.saveSettled({ ...RESULT, orderId: orderId(id), betIds: [] });
    memory.save({ kill: null, states: [], results: [] });
    memory.saveSettled({ ...RESULT, betIds: [] });
    expect(new RiskMemory(first.journal).load().settled).toHaveLength(3);
    const lost = on.store.records.findIndex(({ kind }) => kind === SETTLED);
    on.store.records.splice(lost, 1, { ...on.store.records[lost]!, kind: 'other' });
    expect(() => new RiskMemory(first.journal).load()).toThrow(JournalDamage);
    expect(() => new RiskMemory(first.journal).load()).toThrow('records of settled bets are missing');
  });

  it('shows a permit by its last record, if its index does not', () => {
    const { journal } = run(disk());
    expect(new RiskMemory(journal).wantsPermit()).toBe(false);
    new RiskMemory(journal).notePermit();
    new RiskMemory(journal).notePermit();
    expect([...journal.ofKind('permit_granted')]).toHaveLength(1);
    const none = { ...journal, *ofKind() {} };
    expect(new RiskMemory(none as Journal).wantsPermit()).toBe(true);
    expect(new RiskMemory({ ...journal, last: () => null }).wantsPermit()).toBe(true);
  });
});

describe('the records of bets', () => {
  function records(refuses = false) {
    const { journal } = run(disk());
    const news: unknown[] = [];
    const memory = new RiskMemory(journal);
    memory.load();
    const made = new BetRecords({
      account: { apply: (event: unknown) => void news.push(event), bets: [] as never } as never,
      memory,
      remember: (write) => {
        if (!refuses) write();
      },
    });
    const written = () => Array.from(journal.read(), ({ kind, data }) => [kind, data]);
    return { made, news, written, memory };
  }
  const bets = [FILL, { ...FILL, betId: betId(2) }];
  const result = (part: object): ResultChange =>
    ({
      kind: 'result',
      result: RESULT,
      bets,
      isNews: true,
      isTakenBack: false,
      ...part,
    }) as object as ResultChange;
  const reopened = (part: object): ReopenedChange =>
    ({ kind: 'reopened', result: RESULT, bets, isRecorded: false, ...part }) as object as ReopenedChange;

  it.each<[string, ResultChange | ReopenedChange, object | null]>([
    ['a result', result({}), { ...RESULT, betIds: [1, 2] }],
    [
      'a result that was taken back',
      result({ isTakenBack: true }),
      { ...RESULT, betIds: [1, 2], now: 'taken back' },
    ],
    ['an old result', result({ isNews: false }), null],
    [
      'an order that is open again',
      reopened({}),
      { ...RESULT, profitLossMicros: 0, now: 'reopened', betIds: [1, 2] },
    ],
    ['an order that is recorded as open again', reopened({ isRecorded: true }), null],
    ['an order that had no result', reopened({ result: null }), null],
  ])('have of %s what the next run cannot see', (_, change, data) => {
    const { made, written } = records();
    made.keep(change);
    expect(written()).toEqual(data === null ? [] : [[SETTLED, data]]);
  });

  it('have whether a bet counts, where that changed', () => {
    const { made, written } = records();
    const moved = (from: BetState, to: BetState): MovedChange => ({ kind: 'moved', fill: FILL, from, to });
    made.keep(moved('matched', 'void'));
    made.keep(moved('void', 'matched'));
    made.keep(moved('matched', 'settled'));
    expect(written().map(([kind]) => kind)).toEqual(['bet_standing', 'bet_standing']);
    expect(written().map(([, data]) => data)).toEqual([
      { betId: 1, stands: false },
      { betId: 1, stands: true },
    ]);
  });

  it('tell the account what they hold', () => {
    const { made, news } = records();
    const settled = [
      { ...RESULT, betIds: [betId(1)], reportedMs: 5 },
      { ...RESULT, betIds: [], reportedMs: 6, now: 'taken back' as const },
      { ...RESULT, betIds: [betId(1)], reportedMs: 7, now: 'reopened' as const },
    ];
    made.restore({ settled, standing: new Map([[betId(3), false]]) });
    const told = { kind: 'result', result: RESULT, isRecorded: true };
    expect(news).toEqual([
      { ...told, isTakenBack: false, hasBets: true, atMs: 5 },
      { ...told, isTakenBack: true, hasBets: false, atMs: 6 },
      { kind: 'reopened', orderId: 7, isRecorded: true },
      { kind: 'standing', betId: 3, stands: false },
    ]);
  });

  it('give the last result of each order, as of its first report since it was open', () => {
    const of = (id: number, reportedMs: number, part: Partial<RememberedBets> = {}): RememberedBets => ({
      ...RESULT,
      orderId: orderId(id),
      betIds: [],
      reportedMs,
      ...part,
    });
    const again = { profitLossMicros: 9 };
    expect(lastResults([of(1, 1), of(2, 2), of(1, 3, again)])).toEqual([of(1, 1, again), of(2, 2)]);
    const open = of(1, 2, { now: 'reopened' });
    expect(lastResults([of(1, 1), open])).toEqual([open]);
    expect(lastResults([of(1, 1), open, of(1, 3), of(1, 4, again)])).toEqual([of(1, 3, again)]);
  });

  it('may be refused by the journal', () => {
    const { made, written } = records(true);
    made.keep(result({}));
    expect(written()).toEqual([]);
  });
});

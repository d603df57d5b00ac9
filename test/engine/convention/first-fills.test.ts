import { describe, expect, it } from 'vitest';
import { booked, settledBy } from '../../support/booked.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import type { EventName } from '../../../src/domain/events.ts';
import { betType, eventId, type SelectionId, sport } from '../../../src/domain/ids.ts';
import type { Fill, LiveOrder } from '../../../src/domain/live-order.ts';
import type { PriceConvention, PriceKind } from '../../../src/domain/odds.ts';
import type { Position } from '../../../src/domain/orders.ts';
import type { QuoteIntent } from '../../../src/domain/quote-intent.ts';
import type { OrderResult } from '../../../src/domain/settlement.ts';
import { FirstFills } from '../../../src/engine/convention/first-fills.ts';
import { DIRECTION_PROVEN, provenDirections } from '../../../src/engine/convention/journalled.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { GridComparison } from '../../../src/risk/index.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { inputsTo } from '../../support/inputs.ts';

const MATCH: EventName = { sport: sport('fb'), eventId: eventId('1') };
const OUTRIGHT: EventName = { sport: sport('horse'), eventId: eventId('2') };

const AGREES: GridComparison = {
  kind: 'compared',
  agrees: true,
  cells: [{ home: 0, away: 0, ours: -10e6, theirs: -10e6 }],
};
const DIFFERS: GridComparison = {
  kind: 'compared',
  agrees: false,
  cells: [
    { home: 0, away: 0, ours: 10e6, theirs: 21e6 },
    { home: 0, away: 1, ours: 10e6, theirs: 21e6 },
    { home: 1, away: 0, ours: -21e6, theirs: -10e6 },
    { home: 1, away: 1, ours: 10e6, theirs: 21e6 },
    { home: 9, away: 0, ours: -21e6, theirs: -9e6 },
  ],
};

const fill = (priceKind: PriceKind, changes: Partial<Fill> = {}): Fill =>
  ({
    ...MATCH,
    priceKind,
    direction: priceKind === 'odds-for' ? 'for' : 'against',
    betType: betType(priceKind === 'odds-for' ? 'for,h' : 'against,h'),
    requestUuid: 'u',
    price: 3.1,
    stakeMicros: 10e6,
    ...changes,
  }) as object as Fill;

class Rig {
  readonly clock = new VirtualClock();
  isFull = false;
  readonly journal = createMemoryJournal(this.clock, {
    beforeAppend: () => {
      if (this.isFull) throw new Error('full');
    },
  });
  /** Why events with scores have to wait, and which kinds of prices have to wait on others. */
  readonly held = new Map<PriceKind, string>();
  readonly heldWithoutScores = new Map<PriceKind, string>();
  readonly kills: string[] = [];
  readonly killers: string[] = [];
  asked = 0;
  open: LiveOrder[] = [];
  convention: PriceConvention = 'lay';
  compared: GridComparison = AGREES;
  isDown = false;
  /** Holds back the exchange's answers while it is set. */
  answered: Promise<void> | null = null;

  make(isOn = true): FirstFills {
    return new FirstFills({
      isOn,
      proven: provenDirections(this.journal),
      minStakeMicros: 1e6,
      convention: () => this.convention,
      hasScores: (event) => event.sport !== OUTRIGHT.sport,
      orders: {
        holdKind: (kind, hold) => {
          for (const [held, event] of [
            [this.held, MATCH],
            [this.heldWithoutScores, OUTRIGHT],
          ] as const)
            if (hold?.holds(event) === true) held.set(kind, hold.detail);
            else held.delete(kind);
        },
        orders: () => this.open,
      },
      risk: { comparePayoffs: () => this.compared },
      core: inputsTo((input) => {
        if (input.kind !== 'kill') return;
        this.kills.push(input.why);
        this.killers.push(input.by);
      }),
      venue: {
        position: async () => {
          this.asked++;
          await this.answered;
          if (this.isDown) throw new Error('down');
          return {} as Position;
        },
      },
      journal: this.journal,
      clock: this.clock,
      logger: silentLogger,
    });
  }

  readonly fills = this.make();

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      this.fills.tick();
      await this.clock.advance(1_000);
    }
  }

  get proven(): readonly unknown[] {
    return Array.from(this.journal.ofKind(DIRECTION_PROVEN), ({ data }) => data);
  }
}

describe('the first bet at a kind of price', () => {
  it('holds the next order at such a price until the exchange agrees, once per account', async () => {
    const rig = new Rig();
    rig.fills.onChange(booked(fill('lay-for')));
    expect([...rig.held.keys()]).toEqual(['lay-for']);
    await rig.pass(1);
    expect([rig.held.size, rig.asked]).toEqual([0, 1]);
    expect(rig.proven).toEqual([
      { direction: 'against', priceKind: 'lay-for', convention: 'lay', how: 'position' },
    ]);
    rig.fills.onChange(booked(fill('lay-for')));
    rig.make().onChange(booked(fill('lay-for')));
    expect(rig.held.size).toBe(0);
    rig.fills.onChange(booked(fill('odds-for')));
    expect([...rig.held.keys()]).toEqual(['odds-for']);
  });

  it('is checked again under another convention', () => {
    const rig = new Rig();
    rig.fills.onChange(booked(fill('odds-for')));
    rig.convention = 'odds';
    rig.fills.onChange(booked(fill('odds-against')));
    expect([...rig.held.keys()]).toEqual(['odds-for', 'odds-against']);
  });

  it('kills with both grids if the exchange still disagrees after ten seconds', async () => {
    const rig = new Rig();
    rig.compared = DIFFERS;
    rig.fills.onChange(booked(fill('lay-for')));
    await rig.pass(9);
    expect([rig.kills, rig.held.size]).toEqual([[], 1]);
    await rig.pass(4);
    expect(rig.kills[0]).toContain(
      "ours 10.00 10.00 / -21.00 10.00; the exchange's 21.00 21.00 / -10.00 21.00",
    );
    expect(rig.kills[0]).toContain('most at 9:0 -21.00 and -9.00');
    expect([rig.held.size, rig.proven]).toEqual([1, []]);
  });

  it('is not killed by a position that comes late, or cannot be read', async () => {
    const rig = new Rig();
    rig.compared = DIFFERS;
    rig.isDown = true;
    rig.fills.onChange(booked(fill('lay-for')));
    await rig.pass(20);
    rig.isDown = false;
    rig.compared = AGREES;
    await rig.pass(3);
    expect([rig.kills, rig.held.size, rig.proven.length]).toEqual([[], 0, 1]);
  });

  it('waits while a grid is looked up, and is given up when nothing is matched any more', async () => {
    const rig = new Rig();
    rig.compared = { kind: 'not yet' };
    rig.fills.onChange(booked(fill('lay-for')));
    await rig.pass(60);
    expect([rig.kills, rig.held.size]).toEqual([[], 1]);
    rig.compared = { kind: 'none' };
    await rig.pass(3);
    expect([rig.held.size, rig.proven]).toEqual([0, []]);
  });

  it('proves nothing at evens, where both readings pay the same', async () => {
    const rig = new Rig();
    rig.fills.onChange(booked(fill('lay-for', { price: 2 })));
    await rig.pass(1);
    expect([rig.held.size, rig.proven]).toEqual([0, []]);
  });

  it('is not asked for bets of others, nor where the check is off', () => {
    const rig = new Rig();
    rig.fills.onChange(booked(fill('lay-for', { requestUuid: null })));
    rig.make(false).onChange(booked(fill('lay-for')));
    expect(rig.held.size).toBe(0);
  });
});

describe('a first bet that no final score decides', () => {
  const result = (micros: number): OrderResult => ({ ...OUTRIGHT, profitLossMicros: micros }) as OrderResult;

  async function awaiting(priceKind: PriceKind) {
    const rig = new Rig();
    rig.compared = { kind: 'off grid' };
    const first = fill(priceKind, OUTRIGHT);
    rig.fills.onChange(booked(first));
    await rig.pass(30);
    expect([rig.asked, rig.kills, rig.held.size]).toEqual([1, [], 0]);
    expect([...rig.heldWithoutScores]).toEqual([
      [priceKind, 'the result of the first bet, on horse/2, is awaited'],
    ]);
    return { rig, first };
  }

  it.each([
    ['lay-for', 10e6],
    ['lay-for', -21e6],
    ['odds-against', 21e6],
    ['odds-against', -10e6],
    ['lay-for', -21e6 + 10_000],
  ] as const)('at %s is confirmed by a result of %i micros', async (priceKind, micros) => {
    const { rig, first } = await awaiting(priceKind);
    rig.fills.onChange(settledBy(result(micros), [first]));
    expect([rig.held.size, rig.heldWithoutScores.size, rig.kills]).toEqual([0, 0, []]);
    expect(rig.proven).toMatchObject([{ priceKind, how: 'settled' }]);
  });

  it('kills by a result of the other reading, and proves nothing by a void', async () => {
    const { rig, first } = await awaiting('lay-for');
    rig.fills.onChange(settledBy(result(0), [first]));
    rig.fills.onChange(settledBy(result(0), []));
    expect([rig.kills, rig.proven]).toEqual([[], []]);
    rig.fills.onChange(settledBy(result(21e6), [first]));
    expect(rig.kills[0]).toContain('paid 21.00: expected 10.00 or -21.00');
  });

  const intent = (selection: string, direction: 'for' | 'against', stakeMicros = 50e6) =>
    ({
      selectionId: `horse|2|${selection}` as SelectionId,
      direction,
      tick: 200,
      stakeMicros,
    }) as QuoteIntent;

  it('allows no other of its kind, and leaves the proof to a bet that scores decide', async () => {
    const { rig } = await awaiting('lay-for');
    const [against, backing] = [intent('a', 'against'), intent('b', 'for')];
    expect(rig.fills.capped(OUTRIGHT, [against, backing])).toEqual([
      { ...against, stakeMicros: 1e6 },
      { ...backing, stakeMicros: 1e6 },
    ]);
    expect(rig.fills.capped(MATCH, [against, backing])).toEqual([against, backing]);
    // More of the same bet.
    rig.fills.onChange(booked(fill('lay-for', OUTRIGHT)));
    await rig.pass(10);
    expect([rig.asked, rig.held.size]).toEqual([1, 0]);
    rig.compared = AGREES;
    rig.fills.onChange(booked(fill('lay-for')));
    const compared = [['lay-for', 'the first bet, on fb/1, is compared']];
    expect([[...rig.held], [...rig.heldWithoutScores]]).toEqual([compared, compared]);
    await rig.pass(2);
    expect([rig.held.size, rig.heldWithoutScores.size, rig.kills]).toEqual([0, 0, []]);
    expect(rig.proven).toMatchObject([{ priceKind: 'lay-for', how: 'position' }]);
    expect(rig.fills.capped(OUTRIGHT, [against])).toEqual([against]);
  });

  it('goes on waiting for its result where a bet that scores decide shows nothing', async () => {
    const { rig } = await awaiting('lay-for');
    rig.compared = AGREES;
    // At evens both readings pay the same.
    rig.fills.onChange(booked(fill('lay-for', { price: 2 })));
    await rig.pass(3);
    expect([rig.held.size, rig.proven, [...rig.heldWithoutScores.keys()]]).toEqual([0, [], ['lay-for']]);
  });

  it('makes way for another once its own result, a void, shows nothing', async () => {
    const { rig, first } = await awaiting('lay-for');
    rig.fills.onChange(settledBy(result(0), [{ ...first, requestUuid: 'another' as never }]));
    rig.fills.onChange(settledBy(result(0), [fill('odds-for', OUTRIGHT)]));
    expect([...rig.heldWithoutScores.keys()]).toEqual(['lay-for']);
    rig.fills.onChange(settledBy(result(0), [first]));
    expect(rig.heldWithoutScores.size).toBe(0);
    rig.fills.onChange(booked({ ...first, requestUuid: 'next' as never }));
    expect([...rig.heldWithoutScores]).toEqual([['lay-for', 'the first bet, on horse/2, is compared']]);
    expect([rig.proven, rig.kills]).toEqual([[], []]);
  });

  it('is of the smallest stake, one for each kind of price', () => {
    const rig = new Rig();
    const wanted = [intent('a', 'for'), intent('a', 'against'), intent('b', 'for'), intent('b', 'against')];
    expect(rig.fills.capped(MATCH, wanted)).toBe(wanted);
    expect(rig.make(false).capped(OUTRIGHT, wanted)).toBe(wanted);
    expect(rig.fills.capped(OUTRIGHT, wanted)).toEqual([
      { ...wanted[0], stakeMicros: 1e6 },
      { ...wanted[1], stakeMicros: 1e6 },
    ]);
    rig.open = [
      { ...OUTRIGHT, selectionId: 'horse|2|b', priceKind: 'odds-for' } as object as LiveOrder,
      { ...MATCH, selectionId: 'fb|1|h', priceKind: 'lay-for' } as object as LiveOrder,
    ];
    expect(rig.fills.capped(OUTRIGHT, wanted)).toEqual([
      { ...wanted[1], stakeMicros: 1e6 },
      { ...wanted[2], stakeMicros: 1e6 },
    ]);
    rig.fills.onChange(settledBy(result(10e6), [fill('lay-for', OUTRIGHT)]));
    expect(rig.fills.capped(OUTRIGHT, wanted)).toContainEqual(wanted[3]);
  });
});

describe('the comparison of the first bet', () => {
  it('is asked for every two seconds, and one at a time', async () => {
    const rig = new Rig();
    rig.compared = { kind: 'not yet' };
    rig.fills.onChange(booked(fill('lay-for')));
    expect(rig.asked).toBe(0);
    await rig.pass(7);
    expect(rig.asked).toBe(4);
    const answer = Promise.withResolvers<void>();
    rig.answered = answer.promise;
    await rig.pass(30);
    expect(rig.asked).toBe(5);
    rig.answered = null;
    answer.resolve();
    await rig.pass(2);
    expect(rig.asked).toBe(6);
  });

  it('names the event in its hold, then that its result is awaited, and asks no more', async () => {
    const rig = new Rig();
    rig.fills.onChange(booked(fill('lay-for')));
    expect([...rig.held]).toEqual([['lay-for', 'the first bet, on fb/1, is compared']]);
    rig.compared = { kind: 'off grid' };
    await rig.pass(10);
    const text = 'the first bet, on fb/1, has no payoffs by score: its result is awaited';
    expect([[...rig.held], rig.asked]).toEqual([[['lay-for', text]], 1]);
  });

  it('kills ten seconds after the bet, with the sides and the author named', async () => {
    const rig = new Rig();
    rig.compared = DIFFERS;
    rig.fills.onChange(booked(fill('lay-for')));
    await rig.pass(10);
    expect(rig.kills).toEqual([]);
    await rig.pass(1);
    await rig.clock.advance(0);
    expect(rig.kills).toEqual([
      "the first bet against, on fb/1, pays otherwise than expected: ours 10.00 10.00 / -21.00 10.00; the exchange's 21.00 21.00 / -10.00 21.00 (home goals by row, 0 to 3); most at 9:0 -21.00 and -9.00",
    ]);
    expect(rig.killers).toEqual(['first fill']);
  });

  it('shows the payoffs of up to three goals a side', async () => {
    const rig = new Rig();
    const goals = [0, 1, 2, 3, 4];
    const cells = goals.flatMap((home) =>
      goals.map((away) => ({ home, away, ours: home * 1e6, theirs: away * 1e6 })),
    );
    rig.compared = { kind: 'compared', agrees: false, cells };
    rig.fills.onChange(booked(fill('lay-for')));
    await rig.pass(12);
    const row = (of: (at: number) => number) => [0, 1, 2, 3].map((at) => of(at).toFixed(2)).join(' ');
    const ours = [0, 1, 2, 3].map((home) => row(() => home)).join(' / ');
    const theirs = Array(4)
      .fill(row((away) => away))
      .join(' / ');
    expect(rig.kills[0]).toContain(`ours ${ours}; the exchange's ${theirs} (home goals by row, 0 to 3)`);
    expect(rig.kills[0]).toContain('most at 0:4 0.00 and 4.00');
  });

  it('is over for a kind once that is proven meanwhile, whatever a late answer says', async () => {
    const rig = new Rig();
    const answer = Promise.withResolvers<void>();
    rig.answered = answer.promise;
    rig.compared = DIFFERS;
    rig.fills.onChange(booked(fill('lay-for')));
    await rig.pass(30);
    rig.fills.onChange(settledBy({ ...MATCH, profitLossMicros: 10e6 } as OrderResult, [fill('lay-for')]));
    answer.resolve();
    await rig.pass(5);
    expect([rig.kills, rig.held.size, rig.proven.length, rig.asked]).toEqual([[], 0, 1, 1]);
  });

  it('goes on for one kind while another is proven', async () => {
    const rig = new Rig();
    rig.fills.onChange(booked(fill('lay-for')));
    rig.fills.onChange(booked(fill('odds-for')));
    rig.fills.onChange(settledBy({ ...MATCH, profitLossMicros: 10e6 } as OrderResult, [fill('lay-for')]));
    expect([...rig.held.keys()]).toEqual(['odds-for']);
    await rig.pass(1);
    expect(rig.proven).toMatchObject([
      { priceKind: 'lay-for', how: 'settled', direction: 'against' },
      { priceKind: 'odds-for', how: 'position', direction: 'for' },
    ]);
  });

  it('counts as made where the journal cannot take it', async () => {
    const rig = new Rig();
    rig.isFull = true;
    rig.fills.onChange(booked(fill('lay-for')));
    await rig.pass(1);
    rig.fills.onChange(booked(fill('lay-for')));
    expect([rig.held.size, rig.proven]).toEqual([0, []]);
  });

  it('tells nothing where both readings pay the same to a cent', async () => {
    // At a price p a lay price wins the stake, and odds p − 1 times the stake.
    for (const [stakeMicros, proves] of [
      [1e6, 0],
      [1.01e6, 1],
    ] as const) {
      const rig = new Rig();
      rig.fills.onChange(booked(fill('lay-for', { price: 2.01, stakeMicros })));
      await rig.pass(1);
      expect(rig.proven).toHaveLength(proves);
    }
  });
});

describe('the result of an order', () => {
  const paid = (micros: number): OrderResult => ({ ...MATCH, profitLossMicros: micros }) as OrderResult;
  /** What follows from the result of bets of 10 at 3.1 and 5 at 2.5. */
  function after(micros: number, kinds: readonly PriceKind[], isNews = true) {
    const rig = new Rig();
    const bets = kinds.map((kind, at) => fill(kind, at === 0 ? {} : { price: 2.5, stakeMicros: 5e6 }));
    rig.fills.onChange({ ...settledBy(paid(micros), bets), isNews } as never);
    return [rig.proven.length, rig.kills.length];
  }
  const LAY = ['lay-for', 'lay-for'] as const;

  it.each<[number, readonly PriceKind[], readonly number[]]>([
    // Lay prices win the stakes, or lose 21 and 7.5; odds win 21 and 7.5, or lose the stakes.
    [15e6, LAY, [1, 0]],
    [-28.5e6, LAY, [1, 0]],
    [28.5e6, LAY, [0, 1]],
    [-15e6, LAY, [0, 1]],
    [15e6 + 10_000, LAY, [1, 0]],
    [15e6 + 10_001, LAY, [0, 0]],
    [-28.5e6 - 10_001, LAY, [0, 0]],
    [28.5e6, ['odds-against', 'odds-against'], [1, 0]],
    [-28.5e6, ['odds-against', 'odds-against'], [0, 1]],
    [21e6, ['odds-for'], [1, 0]],
    [10e6, ['odds-for'], [0, 0]],
    [-10e6, ['odds-for'], [1, 0]],
  ])('%i of bets at %j proves or kills: %j', (micros, kinds, follows) => {
    expect(after(micros, kinds)).toEqual(follows);
  });

  it('says nothing if it was reported before', () => {
    expect(after(15e6, LAY, false)).toEqual([0, 0]);
    expect(after(28.5e6, LAY, false)).toEqual([0, 0]);
  });

  it('says nothing of bets of others, and is no news of what is proven', () => {
    const rig = new Rig();
    rig.fills.onChange(settledBy(paid(-15e6), [fill('lay-for', { requestUuid: null })]));
    rig.fills.onChange(settledBy(paid(10e6), [fill('lay-for')]));
    rig.fills.onChange(settledBy(paid(21e6), [fill('lay-for')]));
    expect([rig.proven.length, rig.kills]).toEqual([1, []]);
  });

  it('that kills names what it paid and what was expected', () => {
    const rig = new Rig();
    rig.fills.onChange(settledBy(paid(-10e6), [fill('lay-for')]));
    expect(rig.kills).toEqual(['the first bet against, on fb/1, paid -10.00: expected 10.00 or -21.00']);
    expect(rig.killers).toEqual(['first fill']);
  });
});

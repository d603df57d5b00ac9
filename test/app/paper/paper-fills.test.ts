import { describe, expect, it } from 'vitest';
import { factsIn } from '../../../src/app/history/facts-in-journal.ts';
import { PAPER_FILL, PaperFills, paperFillsIn } from '../../../src/app/paper/paper-fills.ts';
import type { PaperResult } from '../../../src/app/paper/paper-results.ts';
import { EVENT } from '../../paper/support/rig.ts';
import { JournalError } from '../../../src/domain/errors.ts';
import { toMicros } from '../../../src/domain/money.ts';
import type { HistoryFact } from '../../../src/history/facts.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Journal, Json } from '../../../src/ports/journal.ts';
import { TERMINAL } from '../../../src/lib/formats.ts';
import { profitRangeInWords, rangeInWords } from '../../../src/read-model/fill-range.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { simulatedFill as filled } from '../../support/simulated-fill.ts';

const journal = (): Journal => createMemoryJournal(new VirtualClock(0));
const over = (of: Journal): PaperFills =>
  new PaperFills({ account: 'queue', journal: of, logger: silentLogger, note: () => undefined });

/** The selection wins in one of two. */
const even = (): number => 0.5;

describe('the fills of a paper account', () => {
  it('are counted and valued under every model, from the most generous to the strictest', () => {
    const fills = over(journal());
    fills.take(filled({ model: 'touch', betId: 1 }));
    fills.take(filled({ model: 'touch', betId: 2, price: 1.5, stakeMicros: toMicros(20) }));
    fills.take(filled({ betId: 3 }));
    const range = fills.range(even);
    expect(range).toEqual({
      account: 'queue',
      causes: { 'queue ahead traded': 1 },
      nearMisses: 1,
      models: [
        { model: 'touch', fills: 2, stakeMatched: 30, profitLoss: 0, unpriced: 0 },
        { model: 'queue', fills: 1, stakeMatched: 10, profitLoss: 5, unpriced: 0 },
        { model: 'through', fills: 0, stakeMatched: 0, profitLoss: 0, unpriced: 0 },
      ],
    });
    expect(rangeInWords(range, TERMINAL)).toBe(
      'fills 0 to 2, profit 0.00 to +5.00 (touch 2, 0.00; queue 1, +5.00, the account; through 0, 0.00)',
    );
    expect(profitRangeInWords(range, TERMINAL)).toBe('0.00 to +5.00');
  });

  it('say how many have no price: their worth is not known, rather than nothing', () => {
    const fills = over(journal());
    const elsewhere = { eventId: '2026-03-01,3,4' };
    fills.take(filled({ model: 'touch', betId: 1 }));
    fills.take(filled({ model: 'touch', betId: 2, ...elsewhere }));
    fills.take(filled({ model: 'touch', betId: 3, ...elsewhere }));
    fills.take(filled({ betId: 4, ...elsewhere }));
    const range = fills.range((id) => (id.includes('1,2') ? 0.5 : null));
    expect(range.models.map(({ profitLoss, unpriced }) => [profitLoss, unpriced])).toEqual([
      [5, 2],
      [0, 1],
      [0, 0],
    ]);
    expect(rangeInWords(range, TERMINAL)).toBe(
      'fills 0 to 3, profit 0.00 to +5.00 (touch 3, +5.00 and 2 bets without a price; ' +
        'queue 1, 0.00 and 1 bet without a price, the account; through 0, 0.00)',
    );
    expect(profitRangeInWords(range, TERMINAL)).toBe('0.00 to +5.00 and 2 bets without a price');
    expect(fills.openSelections()).toEqual(['fb|2026-03-01,1,2|h', 'fb|2026-03-01,3,4|h']);
    fills.settle({ ...EVENT, ...elsewhere, told: { kind: 'void' } } as PaperResult);
    expect(fills.range(() => null).models.map(({ unpriced }) => unpriced)).toEqual([1, 0, 0]);
    expect(fills.openSelections()).toEqual(['fb|2026-03-01,1,2|h']);
  });

  it('take the side of the order: a lay of the selection loses when it wins', () => {
    const fills = over(journal());
    fills.take(filled({ priceKind: 'lay-for' }));
    expect(fills.range(() => 1).models[1]?.profitLoss).toBe(-20);
  });

  it('are in the journal, from which the next run continues', () => {
    const held = journal();
    over(held).take(filled());
    const next = over(held);
    next.take(filled({ betId: 2, model: 'through' }));
    expect(next.range(even).models.map(({ fills }) => fills)).toEqual([0, 1, 1]);
  });

  it('are records of the journal without what follows from them, and those of earlier versions lack the uuid', () => {
    const held = journal();
    over(held).take(filled());
    const [record] = Array.from(held.ofKind(PAPER_FILL), ({ data }) => data as Record<string, Json>);
    const { selectionId: _, direction: __, ...facts } = filled();
    expect(record).toEqual(facts);
    expect(paperFillsIn(held)).toEqual([filled()]);
    const { requestUuid: ___, ...earlier } = facts;
    const old = journal();
    old.append([{ kind: PAPER_FILL, uuid: null, data: earlier }]);
    expect(paperFillsIn(old)).toEqual([filled()]);
  });

  it('are told to the history, by the run that has them and by later ones, and when it is rebuilt', () => {
    const held = journal();
    const told: HistoryFact[] = [];
    const parts = {
      account: 'queue',
      journal: held,
      logger: silentLogger,
      note: (fact: HistoryFact) => void told.push(fact),
    } as const;
    new PaperFills(parts).take(filled({ cause: 'book jumped' }));
    expect(told).toMatchObject([
      {
        kind: 'paper_fill',
        fill: { betId: 1, model: 'queue', cause: 'book jumped', selectionId: 'fb|2026-03-01,1,2|h' },
      },
    ]);
    new PaperFills(parts);
    expect(told[1]).toEqual(told[0]);
    expect(factsIn(held)).toEqual([told[0]]);
  });

  it('are counted even if the journal fails, which stops the daemon by itself', () => {
    const fails = (): never => {
      throw new JournalError('disk full');
    };
    const fills = over({ ...journal(), append: fails, ofKind: fails });
    fills.take(filled());
    expect(fills.range(even).models[1]?.fills).toBe(1);
  });
});
